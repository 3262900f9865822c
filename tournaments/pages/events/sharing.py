"""Page of an event to be shared: what, when and where, how to come in, and a code to scan. It can be printed."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from bots.templatetags.hanami import sprite_of
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Tournament
from tournaments.pages.events.event import load, render_event
from tournaments.pages.floor.announcements import drawn_code
from tournaments.registration.set_up import has_opened, settings_of

T = Tournament.State
CARDS: Final = ("0101", "0301", "0801", "1101", "1201")
"""The five brights, which head the sheet."""
BEFORE: Final = (T.DRAFT, T.PUBLISHED, T.REGISTRATION)


@require_safe
def share_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the sheet to everybody who may see the event. That of a private one has no code: strangers who scan it would
    find nothing.
    """
    page = load(request, slug)
    how = way_in(page)
    route = "tournament-register" if how in ("register", "later") else "tournament"
    address = request.build_absolute_uri(reverse(route, args=[slug]))
    is_private = page.event.visibility == Tournament.Visibility.PRIVATE
    context = {
        "how": how,
        "address": address,
        "shown_address": address.partition("://")[2].rstrip("/"),
        "code": "" if is_private else drawn_code(address),
        "is_private": is_private,
        "opens_at": settings_of(page.event).opens_at if how == "later" else None,
        "sprite": sprite_of(request),
        "cards": CARDS,
    }
    return render_event(request, page, "share", context)


def way_in(page: EventPage) -> str:
    """Return how somebody comes into the event: "register", "later" (registration opens), "enter" (a bot), "ask" (the
    organiser writes people down), "watch" once entries are closed.
    """
    event = page.event
    if event.state not in BEFORE or event.has_closed_entries:
        return "watch"
    if not event.is_of_people:
        return "enter"
    chosen = settings_of(event)
    if has_opened(chosen, event):
        return "register"
    return "later" if chosen.is_on else "ask"
