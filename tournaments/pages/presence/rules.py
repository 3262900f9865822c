"""The event's rules on byes, late arrivals, no-shows and substitutes: a form for organisers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.errors import DomainError
from tournaments.entries.people import BEFORE, DURING
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.models.presence import PresenceSettings
from tournaments.pages.events.event import load, render_event
from tournaments.presence import settings
from web.page import signed_in
from web.refusals import status_of

LATE = tuple(
    (value, words) for value, words in PresenceSettings.Worth.choices if value in settings.CHOICES["late_worth"]
)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules, or store what was sent. Organisers of events of people only."""
    page = load(request, slug)
    if not page.all_roles & ORGANISERS or not page.event.is_of_people:
        raise Http404(slug)
    if request.method != "POST":
        return _shown(request, page, {name: getattr(page.event, name) for name in settings.NAMES})
    wanted = _sent(request, page)
    try:
        settings.choose_presence(tournament=page.event, by=signed_in(request), wanted=wanted)
    except DomainError as refusal:
        values = {name: getattr(page.event, name) for name in settings.NAMES} | wanted
        return _shown(request, page, values, refusal)
    messages.success(request, _("Saved. It applies to what is noted from now on."))
    return HttpResponseRedirect(reverse("tournament-presence-rules", args=[slug]))


def _sent(request: HttpRequest, page: EventPage) -> dict[str, Any]:
    """Return the settings that the form holds; those that it does not show stay as they are."""
    found: dict[str, Any] = {name: request.POST[name][:9] for name in settings.CHOICES if name in request.POST}
    for name in settings.BOUNDS:
        if name in request.POST:
            text = request.POST[name].strip()
            # -1, which the service refuses, for what is no number; an empty field is 0: no limit, or none at all.
            found[name] = int(text or "0") if (text or "0").isdecimal() and len(text) < 6 else -1
    return found | {name: bool(request.POST.get(name)) for name in settings.FLAGS}


def _shown(
    request: HttpRequest, page: EventPage, values: dict[str, Any], refusal: DomainError | None = None
) -> HttpResponse:
    context = {
        "values": values,
        "refusal": refusal,
        "refusal_at": f"presence-{refusal.extra.get('field', '')}" if refusal else "",
        "worths": PresenceSettings.Worth.choices,
        "late_worths": LATE,
        "walkovers": PresenceSettings.Walkover.choices,
        "bounds": settings.BOUNDS,
        "may_change": page.event.state in (*BEFORE, *DURING),
        "is_before": page.event.state in BEFORE,
    }
    answer = render_event(request, page, "presence", context, template="desk/presence_rules.html")
    answer.status_code = status_of(refusal) if refusal else 200
    return answer
