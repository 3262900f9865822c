"""Pages of those who run a season: who is who, roles, closing it and going on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.errors import TournamentError
from tournaments.models import Season, SeasonIdentity, SeasonRole
from tournaments.pages.seasons.organising import run_season
from tournaments.seasons import access, closing, people, queries
from web.page import render_page, signed_in
from web.paging import page_of
from web.refusals import refused

OWNER: Final = SeasonRole.Kind.OWNER


@login_required
@require_safe
def people_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everybody, who may be one person, and what was said of who is who."""
    season = run_season(request, slug)
    words = " ".join(request.GET.get("q", "").split())[:60]
    context = {
        "season": season,
        "role": season.viewer_role,
        "page": page_of(request, queries.everybody(season, words=words)),
        "words": words,
        "divisions": queries.divisions_of(season),
        "alike": people.alike(season),
        "identities": people.identities(season),
        "tab": "people",
    }
    return render_page(request, "seasons/people.html", context)


@login_required
@require_safe
def running_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who runs the season, who would go up and down, and what was done last."""
    season = run_season(request, slug)
    context = {
        "season": season,
        "role": season.viewer_role,
        "roles": SeasonRole.objects.filter(season=season).select_related("user").order_by("pk"),
        "offered": SeasonRole.Kind.choices,
        "moves": closing.moves_of(season),
        "following": season.followed_by.first(),
        "log": queries.log_of(season),
        "tab": "run",
    }
    return render_page(request, "seasons/run.html", context)


def _merge(request: HttpRequest, season: Season, by: User) -> str:
    row = people.merge_people(
        season=season, by=by, source=request.POST.get("source", ""), target=request.POST.get("target", "")
    )
    return _("%(one)s and %(other)s are one person now.") % {"one": row.source_name, "other": row.target_name}


def _separate(request: HttpRequest, season: Season, by: User) -> str:
    row = people.separate_person(season=season, by=by, entry=request.POST.get("entry", ""))
    return _("%(name)s of that event is another person now.") % {"name": row.source_name}


def _undo(request: HttpRequest, season: Season, by: User) -> str:
    try:
        uuid = UUID(request.POST.get("identity", ""))
    except ValueError as refusal:
        raise Http404 from refusal
    row = SeasonIdentity.objects.select_related("season").filter(season=season, uuid=uuid).first()
    if row is None:
        raise Http404(str(uuid))
    people.undo_identity(row=row, by=by)
    return _("It is taken back. The table follows.")


def _assign(request: HttpRequest, season: Season, by: User) -> str:
    division = request.POST.get("division", "")
    number = int(division) if division.isdecimal() and len(division) < 4 else 0
    row = people.assign_division(season=season, by=by, person=request.POST.get("person", ""), division=number)
    return _("%(name)s plays in another division now.") % {"name": row.name}


def _give_role(request: HttpRequest, season: Season, by: User) -> str:
    name, role = request.POST.get("user", ""), request.POST.get("role", "")
    given = access.give_season_role(season=season, by=by, username=name, role=role)
    return _("%(name)s is now: %(role)s.") % {"name": given.user.shown_name, "role": given.get_role_display()}


def _take_role(request: HttpRequest, season: Season, by: User) -> str:
    name = request.POST.get("user", "")
    access.take_season_role(season=season, by=by, username=name)
    return _("%(name)s no longer has this role.") % {"name": name}


def _close(request: HttpRequest, season: Season, by: User) -> str:
    closing.close_season(season=season, by=by)
    return _("The season is closed.")


def _reopen(request: HttpRequest, season: Season, by: User) -> str:
    closing.reopen_season(season=season, by=by)
    return _("The season is open again.")


Act = Callable[[HttpRequest, Season, User], str]
ACTS: Final[dict[str, tuple[Act, str]]] = {
    "merge": (_merge, "season-people"),
    "separate": (_separate, "season-people"),
    "undo": (_undo, "season-people"),
    "assign": (_assign, "season-people"),
    "give-role": (_give_role, "season-run"),
    "take-role": (_take_role, "season-run"),
    "close": (_close, "season-run"),
    "reopen": (_reopen, "season-run"),
}
"""Acts on a season, and the page that shows what they did."""


@require_POST
@login_required
def season_do(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do one of `ACTS`."""
    season = run_season(request, slug)
    if verb not in ACTS:
        raise Http404(verb)
    act, page = ACTS[verb]
    try:
        words = act(request, season, signed_in(request))
    except TournamentError as refusal:
        return refused(request, refusal, back=reverse(page, args=[slug]))
    messages.success(request, words)
    # Who gave up their own role sees the season as everybody does.
    still = access.role_of(season, signed_in(request))
    return redirect(page if still else "season", slug)


@require_POST
@login_required
def season_next(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the next season."""
    season = run_season(request, slug)
    try:
        made = closing.make_next_season(season=season, by=signed_in(request), name=request.POST.get("name", ""))
    except TournamentError as refusal:
        return refused(request, refusal, back=reverse("season-run", args=[slug]))
    messages.success(request, _("The next season is made. Add its events now."))
    return redirect("season-events", made.slug)
