"""Pages of seasons for everybody: the list, a season's table, a person's total, the table as a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from tournaments.models import Season, SeasonDivision, Tournament
from tournaments.people.event_lists import with_winner
from tournaments.seasons import queries
from tournaments.seasons.events import FULL
from tournaments.seasons.explaining import explanation_of, rules_in_words
from tournaments.seasons.files import table_csv
from tournaments.seasons.queries import EventLine
from web.page import render_page, viewer
from web.paging import page_of
from web.sending import send_file

EVENTS_AT_FIRST = 10
"""Events below the table; all of them are on a page of their own."""


@require_safe
def season_list(request: HttpRequest) -> HttpResponse:
    """List seasons; `?q=` searches their names, `?when=` open, closed, mine."""
    words, when = " ".join(request.GET.get("q", "").split())[:60], request.GET.get("when", "")
    when = when if when in ("open", "closed", "mine") else ""
    person = viewer(request)
    when = "" if when == "mine" and person is None else when
    page = page_of(request, queries.season_list(person, words=words, when=when))
    whens = [
        ("", pgettext("seasons", "All")),
        ("open", pgettext("seasons", "Running")),
        ("closed", pgettext("seasons", "Closed")),
        *([("mine", pgettext("seasons", "Mine"))] if person else []),
    ]
    leaders = queries.leaders_of(page.rows)
    context = {"page": page, "words": words, "when": when, "whens": whens}
    context["seasons"] = [(season, leaders.get(season.pk, [])) for season in page.rows]
    return render_page(request, "seasons/list.html", context)


def shown_season(request: HttpRequest, slug: str) -> Season:
    """Return the season, or 404 for one that the reader may not know of."""
    try:
        return queries.season_for(slug, viewer(request))
    except Season.DoesNotExist as missing:
        raise Http404(slug) from missing


@require_safe
def season_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a division, what the numbers mean, the events and the next one."""
    season = shown_season(request, slug)
    divisions = queries.divisions_of(season)
    division = _chosen(divisions, request.GET.get("division", ""))
    words = " ".join(request.GET.get("q", "").split())[:60]
    club = " ".join(request.GET.get("club", "").split())[:60]
    rows = queries.table_rows(division, words=words, club=club)
    events = queries.event_lines(season, viewer(request), role=_role(season))
    context: dict[str, Any] = {
        "season": season,
        "role": _role(season),
        "divisions": divisions,
        "division": division,
        "page": page_of(request, rows, size=queries.ROWS),
        "words": words,
        "club": club,
        "events": with_winners(events[:EVENTS_AT_FIRST]),
        "is_weighted": is_weighted(events),
        "events_n": len(events),
        "counted_n": sum(line.counts for line in events),
        "next": queries.next_event(events),
        "rules": rules_in_words(season),
        "tab": "table",
    }
    return render_page(request, "seasons/season.html", context)


def with_winners(lines: Sequence[EventLine]) -> list[EventLine]:
    """Give each event that the reader may open its winner, as `first`. One query."""
    shown = [line.event for line in lines if line.event is not None]
    found = with_winner(Tournament.objects.filter(pk__in=[event.pk for event in shown]))
    firsts = {event.pk: vars(event).get("first") for event in found} if shown else {}
    return [replace(line, event=_won(line.event, firsts)) for line in lines]


def _won(event: Tournament | None, firsts: Mapping[int, object]) -> Tournament | None:
    if event is not None:
        vars(event)["first"] = firsts.get(event.pk)
    return event


def is_weighted(lines: Iterable[EventLine]) -> bool:
    """Return whether some event counts more than others."""
    return any(line.row.weight != FULL for line in lines)


def _role(season: Season) -> str:
    return season.viewer_role or ""


def _chosen(divisions: list[SeasonDivision], wanted: str) -> SeasonDivision:
    """Return the division that was asked for, else the first that somebody is in: new seasons fill the last one."""
    found = next((each for each in divisions if str(each.position) == wanted), None)
    if found is None and wanted:
        raise Http404(wanted)
    return found or next((each for each in divisions if vars(each)["has_rows"]), divisions[0])


@require_safe
def season_person(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Explain a person's total, event by event."""
    season = shown_season(request, slug)
    person = queries.person_of(season, uuid)
    if person is None:
        raise Http404(str(uuid))
    if person.uuid != uuid:  # they were found to be one person since
        return redirect("season-person", slug, person.uuid)
    context = {
        "season": season,
        "role": _role(season),
        "person": person,
        "explanation": explanation_of(person, viewer(request)),
        "rules": rules_in_words(season),
        "tab": "table",
    }
    return render_page(request, "seasons/person.html", context)


@require_safe
def season_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the table of all divisions as CSV."""
    season = shown_season(request, slug)
    known = request.headers.get("If-None-Match")
    return send_file(table_csv(season), "text/csv; charset=utf-8", f"{season.slug}.csv", known=known)
