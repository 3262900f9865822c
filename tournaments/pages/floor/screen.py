"""Projector's page: tables and leaders in large type, a page of rows after the other, without any navigation."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from bots.templatetags.hanami import sprite_of
from tournaments.models import Match, Stage
from tournaments.pages.events.event import load, render_event
from tournaments.pages.floor.before import page_code
from tournaments.pages.floor.check_in import check_in_of
from tournaments.pages.floor.dashboard import at_stage, clock_at
from tournaments.scores import tables as desk
from tournaments.standings import queries as standings

ON_SCREEN: Final = 60
EDGE: Final = ("0101", "0301", "0801", "1101", "1201")
"""The cards along the edge: the five brights."""


@require_safe
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the projector's page: the tables of the round that is on, and the leaders, in large type; it follows
    live.
    """
    page = at_stage(load(request, slug, stage=request.GET.get("stage", "")[:3]), request)
    if not page.event.is_of_people:
        raise Http404(slug)
    rounds = desk.open_rounds(page.stage)
    chosen = desk.current_round(page.stage, rounds)
    if page.stage.flows and page.stage.state == Stage.State.ACTIVE:
        tables = desk.flowing_tables(page.stage)
    else:
        tables = desk.round_tables(chosen) if chosen is not None else []
    leaders = standings.leaders(page.stage, limit=ON_SCREEN)
    # Before a result counts everybody is first: the wall has better use of its room.
    top = leaders if standings.has_counted(leaders) else []
    context = {
        "sprite": sprite_of(request),
        "edge": EDGE,
        **clock_at(page, chosen),
        "round": chosen,
        "check_in": check_in_of(page) if chosen is None else None,
        "tables": tables,
        "done_n": sum(table.match.state == Match.State.CONFIRMED for table in tables),
        "is_flow": page.stage.flows and page.stage.state == Stage.State.ACTIVE,
        "top": top,
        "first_figure": standings.first_figure(page.stage, top),
        "code": page_code(request, page),
    }
    return render_event(request, page, "screen", context, template="desk/screen.html")
