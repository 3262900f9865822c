"""Pages of those who run a season: making it, its rules, its events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.blaming import blame
from accounts.models import User
from core.errors import TournamentError
from core.seasons.model import FULL_WEIGHT
from tournaments.models import Season, SeasonEvent
from tournaments.pages.seasons.forms import (
    BESIDE,
    AddEventForm,
    SeasonForm,
    division_forms,
    divisions_in,
    initial_of,
)
from tournaments.pages.seasons.seasons import is_weighted, shown_season, with_winners
from tournaments.seasons import events, queries, set_up
from tournaments.seasons.figures import read
from web.page import render_page, signed_in, viewer
from web.refusals import refused, with_wait


def run_season(request: HttpRequest, slug: str) -> Season:
    """Return a season that the reader runs; 404 for everybody else, as for one that does not exist."""
    season = shown_season(request, slug)
    if not season.viewer_role:
        raise Http404(slug)
    return season


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def season_new(request: HttpRequest) -> HttpResponse:
    """Ask for the rules of a new season; usual ones are filled in."""
    usual = set_up.SeasonPlan("")

    def make(plan: set_up.SeasonPlan) -> HttpResponse:
        season = set_up.create_season(by=signed_in(request), plan=plan)
        messages.success(request, _("The season is made. Add its events now."))
        return redirect("season-events", season.slug)

    return _plan_page(request, usual, make, {"season": None})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the rules and words of a season."""
    season = run_season(request, slug)

    def change(plan: set_up.SeasonPlan) -> HttpResponse:
        set_up.change_season(season=season, by=signed_in(request), plan=plan)
        messages.success(request, _("Saved. The table follows these rules now."))
        return redirect("season", season.slug)

    return _plan_page(request, set_up.plan_of(season), change, {"season": season, "tab": "edit"})


def _plan_page(
    request: HttpRequest,
    plan: set_up.SeasonPlan,
    act: Callable[[set_up.SeasonPlan], HttpResponse],
    context: dict[str, Any],
) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    form, divisions = SeasonForm(sent, initial=initial_of(plan)), division_forms(plan.divisions, sent)
    refusal = None
    # Both are asked, so that all errors are shown at once.
    if sent is not None and all([form.is_valid(), divisions.is_valid()]):
        try:
            return act(form.plan(divisions_in(divisions)))
        except TournamentError as error:
            refusal = error
            blame(form, error)
    context = {**context, "form": form, "asked": divisions, "role": _role_in(context)}
    page = render_page(request, "seasons/edit.html", context, status=422 if sent is not None else 200)
    return with_wait(page, refusal)


def _role_in(context: dict[str, Any]) -> str:
    return str(context["season"].viewer_role or "") if context["season"] else ""


@require_http_methods(["GET", "HEAD", "POST"])
def season_events(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all events of a season with their state and weight; who runs it adds others."""
    season = shown_season(request, slug) if request.method != "POST" else run_season(request, slug)
    role = season.viewer_role or ""
    may_add = bool(role) and season.is_open
    form = AddEventForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            row = events.add_event(
                season=season, by=signed_in(request), slug=data["event"], weight=data["weight"] or FULL_WEIGHT
            )
        except TournamentError as refusal:
            blame(form, refusal, beside=BESIDE)
        else:
            messages.success(request, _added(row))
            return redirect("season-events", season.slug)
    lines = queries.event_lines(season, viewer(request), role=role)
    context = {
        "season": season,
        "role": role,
        "events": with_winners(lines),
        "is_weighted": is_weighted(lines),
        "form": form if may_add else None,
        "tab": "events",
    }
    return render_page(request, "seasons/events.html", context, status=422 if form.is_bound else 200)


def _added(row: SeasonEvent) -> str:
    name = row.tournament.name
    if row.state == SeasonEvent.State.ASKED:
        return _("“%(name)s” is asked for: it counts once one of its organisers agrees.") % {"name": name}
    return _("“%(name)s” is in the season.") % {"name": name}


def _weigh(request: HttpRequest, row: SeasonEvent, by: User) -> str:
    try:
        weight = read(request.POST.get("weight", ""), FULL_WEIGHT)
    except ValueError:
        weight = 0
    events.weigh_event(row=row, by=by, weight=weight)
    return _("Saved. The table follows.")


def _remove(request: HttpRequest, row: SeasonEvent, by: User) -> str:
    events.remove_event(row=row, by=by)
    return _("“%(name)s” is not in the season any more. You can add it again.") % {"name": row.tournament.name}


def _accept(request: HttpRequest, row: SeasonEvent, by: User) -> str:
    events.accept_event(row=row, by=by)
    return _("“%(name)s” counts in the season from now on.") % {"name": row.tournament.name}


Act = Callable[[HttpRequest, SeasonEvent, User], str]
EVENT_ACTS: Final[dict[str, Act]] = {"weigh": _weigh, "remove": _remove}
"""Acts of those who run the season on one of its events."""
OWN_ACTS: Final[dict[str, Act]] = {"accept": _accept, "remove": _remove}
"""Acts of an event's organisers on a season that counts it or asks for it."""


@require_POST
@login_required
def season_event_do(request: HttpRequest, slug: str, event: str, verb: str) -> HttpResponse:
    """Weigh or remove an event of a season."""
    season = run_season(request, slug)
    row = SeasonEvent.objects.select_related("season", "tournament").filter(season=season, tournament__slug=event)
    found = row.first()
    if verb not in EVENT_ACTS:
        raise Http404(verb)
    try:
        words = EVENT_ACTS[verb](request, events.still_there(found), signed_in(request))
    except TournamentError as refusal:
        return refused(request, refusal, back=reverse("season-events", args=[slug]))
    messages.success(request, words)
    return redirect("season-events", slug)
