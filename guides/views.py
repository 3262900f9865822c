"""`/docs/`: the guides by audience, the search in them, a guide, the decisions."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from guides.finding import MAX_LENGTH, find
from guides.reading import read
from guides.shelf import AUDIENCES, DECISIONS, Guide, shelf
from web.page import render_page

EXAMPLE: Final = "https://hanami.example.org"
"""How guides name a service in what a reader types."""
STARTS: Final = {
    "Players": "03.1",
    "Bot authors": "11.2",
    "Organisers": "08.1",
    "Operators and developers": "12.1",
}
"""The card beside the first guide of each audience."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the guides by audience; with `?q=` the sections that have all its words."""
    words = " ".join(request.GET.get("q", "").split())[:MAX_LENGTH]
    rooms = [(AUDIENCES[name], guides, STARTS[name]) for name, guides in shelf().by_audience().items()]
    return render_page(request, "docs/index.html", {"words": words, "found": find(words), "rooms": rooms})


@require_safe
def guide(request: HttpRequest, name: str) -> HttpResponse:
    """Show a guide."""
    found = shelf().named(name)
    if found is None:
        raise Http404(name)
    return _page(request, found)


@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    """Show all decisions by number: why things are as they are."""
    return render_page(request, "docs/decisions.html", {"decisions": shelf().decisions})


@require_safe
def decision(request: HttpRequest, name: str) -> HttpResponse:
    """Show a decision."""
    found = shelf().decision(name)
    if found is None:
        raise Http404(name)
    return _page(request, found)


def at_home(html: SafeString, site: str) -> SafeString:
    """Return a guide's HTML with this site's address in place of the example's: its commands can be copied.

    site: `https://hanami.example.com`, without a slash at its end.
    """
    return mark_safe(html.replace(EXAMPLE, escape(site)))  # noqa: S308  # safe HTML with a piece of text in it


def _page(request: HttpRequest, found: Guide) -> HttpResponse:
    previous, following = shelf().beside(found)
    reading = read(found)
    context = {
        "guide": found,
        "reading": reading,
        "html": at_home(reading.html, request.build_absolute_uri("/").removesuffix("/")),
        "previous": previous,
        "following": following,
        "audience": AUDIENCES.get(found.audience, ""),
        "is_decision": found.audience == DECISIONS,
    }
    return render_page(request, "docs/guide.html", context)
