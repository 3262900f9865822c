"""Page of an event's organisers: the seasons that count it, or ask to."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.errors import TournamentError
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.models import SeasonEvent, Tournament
from tournaments.pages.events.event import load, render_event
from tournaments.pages.seasons.organising import OWN_ACTS
from tournaments.seasons.events import still_there
from tournaments.seasons.queries import run_without, waiting_at
from web.page import signed_in
from web.refusals import refused


def _organised(request: HttpRequest, slug: str) -> Tournament:
    found = Tournament.objects.filter(slug=slug).first()
    if found is None or not roles_of(found, signed_in(request)) & ORGANISERS:
        raise Http404(slug)
    return found


@login_required
@require_safe
def event_seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """List the seasons that count this event, and those that ask to."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    context = {"rows": waiting_at(page.event), "own": run_without(page.event, signed_in(request))}
    return render_event(request, page, "seasons", context, template="seasons/of_event.html")


@require_POST
@login_required
def event_season_do(request: HttpRequest, slug: str, season: str, verb: str) -> HttpResponse:
    """Agree that a season counts this event, or take it out."""
    event = _organised(request, slug)
    rows = SeasonEvent.objects.select_related("season", "tournament").filter(tournament=event, season__slug=season)
    found = rows.first()
    if verb not in OWN_ACTS:
        raise Http404(verb)
    try:
        words = OWN_ACTS[verb](request, still_there(found), signed_in(request))
    except TournamentError as refusal:
        return refused(request, refusal, back=reverse("tournament-seasons", args=[slug]))
    messages.success(request, words)
    return redirect("tournament-seasons", slug)
