"""Pages of clubs: the list, one club, and clubs in a season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.errors import TournamentError
from tournaments.clubs.in_seasons import clubs_in
from tournaments.clubs.membership import join_club, leave_club
from tournaments.clubs.queries import ClubPage, ClubPerson, club_keys, club_lines, club_page
from tournaments.models import Tournament
from tournaments.pages.seasons.seasons import shown_season
from tournaments.pages.site.event_list import EventRow, event_row
from tournaments.people.event_lists import with_figures, with_winner
from web.page import render_page, signed_in, viewer
from web.paging import Page, numbers_for
from web.refusals import refused

Row = TypeVar("Row")
ROWS: Final = 50
VERBS: Final = ("join", "leave")


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """List the clubs that people were entered for; `?q=` searches their names."""
    words = " ".join(request.GET.get("q", "").split())[:60]
    keys = club_keys(viewer(request), words=words)
    shown: Page[Any] = _page_of(request, keys)
    page = replace(shown, rows=club_lines(shown.rows, viewer(request)))
    return render_page(request, "clubs/list.html", {"page": page, "words": words})


@require_safe
def club(request: HttpRequest, key: str) -> HttpResponse:
    """Show a club: its people with what they won, its events."""
    found = club_page(key, viewer(request))
    if found is None:
        raise Http404(key)
    page: Page[ClubPerson] = _page_of(request, found.people)
    won = sum(each.won for each in found.people)
    return render_page(request, "clubs/club.html", {"club": found, "page": page, "won": won, "events": _rows_of(found)})


def _rows_of(club: ClubPage) -> list[EventRow]:
    """Return the club's events as the list of tournaments shows them, in their own order. One query."""
    there = Tournament.objects.filter(pk__in=[event.pk for event in club.events])
    found = {event.pk: event for event in with_winner(with_figures(there))}
    return [event_row(found[event.pk]) for event in club.events if event.pk in found]


def _page_of(request: HttpRequest, rows: Sequence[Row]) -> Page[Row]:
    """Return the page that `?page=` asks for, of rows that are all there."""
    page: Page[Row] = numbers_for(request, len(rows), ROWS)
    return replace(page, rows=rows[(page.number - 1) * ROWS : page.number * ROWS])


@require_POST
@login_required
def club_do(request: HttpRequest, key: str, verb: str) -> HttpResponse:
    """Join or leave a club."""
    if verb not in VERBS:
        raise Http404(verb)
    try:
        if verb == "join":
            join_club(user=signed_in(request), key=key)
            messages.success(request, _("You are a member of this club now. Everybody can see it."))
        else:
            leave_club(user=signed_in(request), key=key)
            messages.success(request, _("You are not a member of this club any more."))
    except TournamentError as refusal:
        if refusal.code == "club.unknown":
            raise Http404(key) from refusal
        return refused(request, refusal, back=reverse("club", args=[key]))
    # A club that only this account belonged to is gone with it.
    return redirect("club", key) if club_page(key, viewer(request)) is not None else redirect("club-list")


@require_safe
def season_clubs(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the clubs of a season by the totals of their people."""
    season = shown_season(request, slug)
    page = _page_of(request, clubs_in(season))
    context = {"season": season, "role": season.viewer_role, "page": page, "tab": "clubs"}
    return render_page(request, "seasons/clubs.html", context)
