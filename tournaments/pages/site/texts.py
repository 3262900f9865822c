"""Pages of text."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from bots.templatetags.hanami import sprite_of
from engine import ENGINE_VERSION
from engine.cards import CODES
from engine.deck import deck_order
from tournaments.operations.incidents import incidents
from web.page import render_page

SHOWN: Final = 8
"""Cards of the test vector."""


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Show what this is, who runs it, what it is made of."""
    return render_page(request, "pages/about.html", {"engine": ENGINE_VERSION})


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    """Show how decks are committed to and revealed, how bots are locked in, how a result is checked."""
    order = [CODES[card] for card in deck_order(bytes(32), 1)[:SHOWN]]
    return render_page(request, "pages/fairness.html", {"sprite": sprite_of(request), "order": order})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what is stored, for how long and who sees it; our own faults."""
    return render_page(request, "pages/privacy.html", {"incidents": incidents()})


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Say to search engines what is no text for people: programs' addresses and own pages."""
    return HttpResponse(
        "User-agent: *\nDisallow: /api/\nDisallow: /events/\nDisallow: /me/\n", content_type="text/plain"
    )


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead programs that ask for the icon by its old name to the icon of the pages."""
    return redirect(static("site/icon.svg"))
