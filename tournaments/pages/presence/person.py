"""The presence of one person, for organisers: leaving is asked here, with what follows from it."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.pages.events.event import load, render_event
from tournaments.pages.presence.acts import entry_of
from tournaments.presence.queries import presence_of, reserves_of


@require_safe
@login_required
def person_page(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Show what may be done about a person's presence. Organisers of events of people only."""
    page = load(request, slug)
    if not page.all_roles & ORGANISERS or not page.event.is_of_people:
        raise Http404(slug)
    entry = entry_of(page.event, str(uuid))
    context = {"presence": presence_of(entry), "entry": entry, "reserves": reserves_of(page.event)}
    return render_event(request, page, "presence", context, template="desk/presence.html")
