"""The ranking of a whole event: as a page, and as a poster to print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from bots.templatetags.hanami import sprite_of
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.pages.events.event import load, render_event
from tournaments.pages.events.sharing import CARDS
from tournaments.pages.ranking.poster_type import PAPERS, PosterLine, has_fan, scale_of, space_of, width_of
from tournaments.pages.ranking.rows import rows_of
from tournaments.ranking.event_ranking import ranking_of
from tournaments.ranking.figures import ranking_table
from tournaments.ranking.lines import EventRanking, RankLine
from tournaments.ranking.prizes import are_public, awards_of, prizes_of, settings_of
from tournaments.ranking.words import departure_words, explanation_of
from tournaments.standings.queries import criteria_of

PLACES: Final = ("3", "10")
"""Numbers of first places that the page offers posters of; every number can be asked for."""


@require_safe
def ranking_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everybody over all stages, best first, and how the order came about."""
    page = load(request, slug)
    ranking = ranking_of(page.event, stages=page.stages)
    is_plain = len(page.stages) == 1 and page.stage.groups_n == 1
    criteria = [column.name for column in criteria_of(page.stage)] if is_plain else []
    context: dict[str, Any] = {
        "ranking": ranking,
        "explained": explanation_of(ranking, criteria),
        "papers": PAPERS,
        **rows_of(request, ranking),
        **shown_prizes(page, ranking),
    }
    return render_event(request, page, "ranking", context, template="ranking/ranking.html")


def shown_prizes(page: EventPage, ranking: EventRanking) -> dict[str, Any]:
    """Return the prizes as everybody sees them; nothing while only organisers do."""
    settings = settings_of(page.event)
    may_set = bool(page.all_roles & ORGANISERS)
    if not are_public(settings, page.event):
        return {"awards": [], "may_set": may_set}
    found = prizes_of(page.event)
    return {"awards": awards_of(found, ranking), "settings": settings, "is_organiser": False, "may_set": may_set}


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
    column, figures = _figures(ranking, placed)
    beside = max(map(width_of, filter(None, figures)), default=0)
    shown = [PosterLine(line.rank or 0, line.entry.player.name, _below(line), beside) for line in placed]
    scale = scale_of(paper, page.event.name, shown)
    context: dict[str, Any] = {
        "ranking": ranking,
        "lines": list(zip(placed, figures, strict=True)),
        "figure": column,
        "sprite": sprite_of(request),
        "cards": CARDS if has_fan(paper, page.event.name, shown) else (),
        "scale": scale,
        "space": space_of(paper, page.event.name, shown, scale),
        "paper": paper,
        "papers": PAPERS,
        "wanted": wanted,
        "places": PLACES,
    }
    return render_event(request, page, "ranking", context, template="ranking/poster.html")


def _figures(ranking: EventRanking, lines: Sequence[RankLine]) -> tuple[str, list[str]]:
    """Return what a poster shows at the right of the names, and its name; "" where that does not give the order: in a
    bracket, or of stages that rank by different figures.
    """
    table = ranking_table(ranking, lines)
    if not table.columns or any(line.stage.format.ranks_by_bracket for line in lines):
        return "", [""] * len(lines)
    return table.columns[0], [figures[0].shown if figures else "" for _line, figures in table.rows]


def _below(line: RankLine) -> str:
    """Return what a poster says under a name: the club, and what became of those who left."""
    return " ".join(filter(None, (line.entry.player.club, departure_words(line))))
