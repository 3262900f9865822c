"""Page on which an organiser rehearses an event that has not begun, and reads what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.blaming import blame
from core.errors import TournamentError
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Tournament
from tournaments.pages.events import chain
from tournaments.pages.events.event import load, render_event
from tournaments.pages.simulation.rehearsal_form import RehearsalForm
from tournaments.simulation.actions import (
    MAX_ENTRIES,
    MIN_ENTRIES,
    PLANNED,
    entries_so_far,
    plan_hash,
    rehearsal_of,
    rehearse_event,
)
from tournaments.simulation.jobs import Job
from tournaments.sse import live_token
from web.page import signed_in
from web.refusals import refused


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rehearsal_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a rehearsal, follow it, read it; 404 for anyone who does not organise the event."""
    page, person = load(request, slug), signed_in(request)
    if not page.is_organiser:
        raise Http404(slug)
    so_far = entries_so_far(page.event)
    first = {"entries": usual_entries(page.event, so_far)}
    form = RehearsalForm(request.POST if request.method == "POST" else None, initial=first)
    if request.method == "POST" and form.is_valid():
        try:
            rehearse_event(tournament=page.event, by=person, question=form.question())
            return redirect("tournament-rehearsal", slug)
        except TournamentError as refusal:
            if not blame(form, refusal):
                return refused(request, refusal, back=reverse("tournament-rehearsal", args=[slug]))
    answer = _page(request, page, form, so_far)
    if request.method == "POST":
        answer.status_code = 422
    return answer


def usual_entries(event: Tournament, so_far: int) -> int:
    """Return how many are rehearsed with unless another number is asked for: those who are in, once they are enough to
    begin; before that all the places.
    """
    return so_far if so_far >= max(MIN_ENTRIES, event.min_entries) else min(event.max_entries, MAX_ENTRIES)


def _page(request: HttpRequest, page: EventPage, form: RehearsalForm, so_far: int) -> HttpResponse:
    job = rehearsal_of(page.event)
    now = plan_hash(page.event)
    parts = _parts(page, job)
    context: dict[str, Any] = {
        "form": form,
        "job": job,
        "parts": parts,
        "timeline": _timeline(parts),
        "so_far": so_far,
        "may_ask": page.event.state in PLANNED,
        # The event was changed since: the figures are about another one, and the page says so.
        "is_other_plan": job is not None and job.plan != now,
        "with_time": page.event.is_of_people,
        "percent": job.done * 100 // job.asked.runs if job is not None else 0,
        "why": _why(job),
    }
    if job is not None and job.is_open and not page.is_live:  # a draft, which nobody else may listen to
        channel = page.event.channel
        context |= {"follows": f"{channel}@{page.version}", "live_token": live_token([channel])}
    etag = f"{job.token}.{job.state}.{job.done}.{now}.{so_far}" if job is not None else f"{now}.{so_far}"
    return render_event(request, page, "rehearsal", context, etag="" if form.is_bound else etag)


def _parts(page: EventPage, job: Job | None) -> list[dict[str, Any]]:
    """Return the figures of each stage beside its name."""
    if job is None:
        return []
    names = {str(stage.order): (chain.name_of(stage), chain.how(stage)) for stage in page.stages}
    found = []
    for part in job.told.get("parts", ()):
        name, how = names.get(part["name"], (part["name"], ""))
        groups = len({row["group"] for row in part["sample"]})
        found.append({**part, "name": name, "how": how, "groups": groups})
    return found


def _timeline(parts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rounds of all stages one after the other. width: percent of all; is_even: of which stage it is."""
    rounds = [(number, each) for number, part in enumerate(parts, 1) for each in part["by_round"]]
    whole = sum(each["minutes"] for _number, each in rounds) or 1
    # As text: a language with decimal commas would write a width that no browser reads.
    return [
        {**each, "width": f"{100 * each['minutes'] / whole:.1f}", "is_even": number % 2 == 0} for number, each in rounds
    ]


def _why(job: Job | None) -> str:
    """Return in words why it failed."""
    if job is None or not job.code:
        return ""
    known = {
        "rehearsal.lost": _("We lost the worker three times. Try again; if it keeps failing, tell the operator."),
        "rehearsal.broken": _("This is our fault: the error is in the log. Tell the operator."),
    }
    return known.get(job.code, job.message)
