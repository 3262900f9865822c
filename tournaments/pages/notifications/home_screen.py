"""Web app manifests: what a phone needs to put a page on its home screen, where iPhones alone allow notifications.

A page on the home screen has cookies of its own. The manifest of somebody's day therefore starts with their private
link, which opens the day there again; that of the site starts with the home page, where one logs in.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from tournaments.entries.links import link_token
from tournaments.pages.entries.guest_access import link_of

ICONS: Final = (("site/icon-192.png", 192, "any"), ("site/icon-512.png", 512, "any"),
                ("site/icon-full-512.png", 512, "maskable"))  # fmt: skip
"""Files drawn from `icon.svg`, their width in pixels, and purpose: a maskable one has no corners and a wide margin."""
# As in `site.css` and in the frame of every page: the ground of the light theme.
GROUND: Final = "#fbf7ef"
SHORT: Final = 30
"""Letters of a name under an icon; phones cut it further."""


@require_safe
@cache_control(max_age=86_400, public=True)
def site_manifest(_request: HttpRequest) -> JsonResponse:
    """Return the manifest of the site."""
    return _answer(name="Hanami", short_name="Hanami", start_url=reverse("home"), id=reverse("home"))


@require_safe
# It holds a private link.
@never_cache
def day_manifest(request: HttpRequest, uuid: UUID) -> JsonResponse:
    """Return the manifest of somebody's day; 404 without its private link."""
    link, _was_open = link_of(request, str(uuid))
    if link is None:
        raise Http404(str(uuid))
    person, event = link.entry.player.name, link.entry.tournament.name
    # Empty where the server's key has changed: the organiser renews such a link.
    token = link_token(link)
    return _answer(
        name=f"{event} · {person}",
        short_name=event[:SHORT],
        start_url=reverse("link", args=[token]) if token else reverse("my-day", args=[uuid]),
        # Without the link: a renewed one is still the same page of the same phone.
        id=reverse("my-day", args=[uuid]),
    )


def _answer(**named: Any) -> JsonResponse:
    icons = [
        {"src": static(path), "sizes": f"{width}x{width}", "type": "image/png", "purpose": purpose}
        for path, width, purpose in ICONS
    ]
    shared = {"scope": "/", "display": "standalone", "background_color": GROUND, "theme_color": GROUND, "icons": icons}
    # Phones read a manifest of a private page with its cookie: see the link in `my_day/day.html`.
    return JsonResponse({**named, **shared}, content_type="application/manifest+json")
