"""`/docs/`: the guides by audience, the search in them, a guide, the decisions."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from guides.finding import MAX_LENGTH, find
from guides.reading import read
from guides.shelf import AUDIENCES, DECISIONS, Guide, shelf
from web.page import render_page

STARTS: Final = {
    "Players": "03.1",
    "Bot authors": "11.2",
    "Organisers": "08.1",
    "Operators and developers": "12.1",
}
"""The card of each audience."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the guides by audience; with `?q=` the sections that have all its words."""
    words = " ".join(request.GET.get("q", "").split())[:MAX_LENGTH]
    rooms = [
        (AUDIENCES[name], [(each, read(each).minutes) for each in guides], STARTS[name])
        for name, guides in shelf().by_audience().items()
    ]
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


def _page(request: HttpRequest, found: Guide) -> HttpResponse:
    previous, following = shelf().beside(found)
    reading = read(found, request.build_absolute_uri("/").removesuffix("/"))
    context = {
        "guide": found,
        "reading": reading,
        "previous": previous,
        "following": following,
        "audience": AUDIENCES.get(found.audience, ""),
        "card": STARTS.get(found.audience, ""),
        "is_decision": found.audience == DECISIONS,
    }
    return render_page(request, "docs/guide.html", context)
