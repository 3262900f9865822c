"""Page on which two people of a round change places before it is called: choose them, see what it breaks, do it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.errors import TournamentError
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.models import Round
from tournaments.pages.events.event import render_event
from tournaments.pages.floor.dashboard import open_dashboard
from tournaments.progress.draws.swaps import Swap, entries_of, preview_swap
from web.page import signed_in
from web.refusals import status_of


@require_safe
@login_required
def swap_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what would follow (`?one=<entry>&other=<entry>`). Nothing is written here."""
    page, found = open_dashboard(request, slug)
    rows = page.stage.rounds.select_related("stage__tournament", "stage__ruleset")
    row = rows.filter(number=number).first()
    if row is None or not found & ORGANISERS:
        raise Http404(str(number))
    one, other = request.GET.get("one", "")[:40], request.GET.get("other", "")[:40]
    context: dict[str, Any] = {"round": row, "one": one, "other": other, "status": 200}
    if one or other:
        context |= _shown(request, row, one, other)
    context["entries"] = entries_of(row)
    answer = render_event(request, page, "swap", context, template="desk/swap.html")
    answer.status_code = context["status"]
    return answer


def _shown(request: HttpRequest, row: Round, one: str, other: str) -> dict[str, Any]:
    try:
        swap = preview_swap(round_row=row, by=signed_in(request), one=one, other=other)
    except TournamentError as refusal:
        return {"refusal": refusal, "status": status_of(refusal)}
    return {"swap": swap, "tables": tables_in(swap)}


def tables_in(swap: Swap) -> list[tuple[int, str]]:
    """Return the tables that change, with who would sit there."""
    return [(pod.table, " – ".join(swap.names[entry] for entry in pod.seats)) for pod in swap.touched]
