"""What stands on the dashboard below the steps to round 1: the time until the start, and the code of the event."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.timesince import timeuntil

from tournaments.entries.people import BEFORE
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Tournament
from tournaments.pages.floor.announcements import drawn_code


def before_it_begins(request: HttpRequest, page: EventPage) -> dict[str, Any]:
    """Return how long it is until the start ("" once the hour has come) and the code; nothing once the event runs."""
    if page.event.state not in BEFORE:
        return {}
    begins = page.event.starts_at
    return {"until": timeuntil(begins) if begins and begins > timezone.now() else "", "code": page_code(request, page)}


def page_code(request: HttpRequest, page: EventPage) -> SafeString | str:
    """Return the code of the event's address, to be scanned from a wall; "" for one that strangers do not find."""
    # Who scanned it would find nothing there: a draft and a private event are a 404 to strangers.
    if page.event.visibility == Tournament.Visibility.PRIVATE or page.event.state == Tournament.State.DRAFT:
        return ""
    return drawn_code(request.build_absolute_uri(reverse("tournament", args=[page.event.slug])))
