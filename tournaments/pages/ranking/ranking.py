"""The ranking of a whole event: as a page, and as a poster to print."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.pages.events.event import load, render_event
from tournaments.ranking.event_ranking import ranking_of
from tournaments.ranking.words import explanation_of

PAPERS: Final = {"a4": "A4", "a3": "A3", "letter": "Letter"}
"""Sizes of paper of a poster, by the word in its address."""
PLACES: Final = (3, 10)
"""Numbers of first places that the page offers posters of; every number can be asked for."""


@require_safe
def ranking_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everybody over all stages, best first, and how the order came about."""
    page = load(request, slug)
    ranking = ranking_of(page.event, stages=page.stages)
    context = {"ranking": ranking, "explained": explanation_of(ranking), "papers": PAPERS, "places": PLACES}
    return render_event(request, page, "ranking", context, template="ranking/ranking.html")


@require_safe
def poster_page(request: HttpRequest, slug: str, paper: str) -> HttpResponse:
    """Show the ranking in type that is read from two metres, to print. `?places=10`: the first ten places alone."""
    if paper not in PAPERS:
        raise Http404(paper)
    page = load(request, slug)
    wanted = request.GET.get("places", "")
    if wanted and not (wanted.isascii() and wanted.isdigit() and len(wanted) < 6 and int(wanted)):
        raise Http404(wanted)
    ranking = ranking_of(page.event, stages=page.stages)
    placed = [line for line in ranking.placed if not wanted or (line.rank or 0) <= int(wanted)]
    context = {"ranking": ranking, "lines": placed, "paper": paper, "papers": PAPERS, "wanted": wanted}
    return render_event(request, page, "ranking", context, template="ranking/poster.html")
