"""Pages of text."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from engine import ENGINE_VERSION
from tournaments.operations.incidents import incidents
from web.page import render_page


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Show what this is, who runs it, what it is made of."""
    return render_page(request, "pages/about.html", {"engine": ENGINE_VERSION})


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    """Show how decks are committed to and revealed, how bots are locked in, how a result is checked."""
    return render_page(request, "pages/fairness.html", {})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what is stored, for how long and who sees it; our own faults."""
    return render_page(request, "pages/privacy.html", {"incidents": incidents()})
