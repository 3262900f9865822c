"""The list of tournaments, the queue."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from engine.games import PRESETS
from tournaments.matches import queue as queue_selectors
from tournaments.people import event_lists
from web.page import render_page, viewer
from web.paging import MAX_EXAMINED, far, page_of

WHEN = ("", "live", "soon", "past", "archived", "mine")


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Show all tournaments: what is on first, then what comes, then what is over."""
    query = request.GET
    when = query.get("when", "")
    preset = query.get("preset", "")
    seats = query.get("seats", "")
    chosen: dict[str, Any] = {
        "when": when if when in WHEN else "",
        "preset": preset if preset in PRESETS else "",
        "seats": int(seats) if seats in {"2", "3", "4", "5", "6", "7"} else None,
        "words": query.get("q", "").strip()[:60],
        "where": query.get("where", "").strip()[:60],
        "who": query.get("who", "") if query.get("who", "") in ("people", "bots") else "",
    }
    rows = event_lists.tournament_list(viewer(request), **chosen)
    choices = {"presets": PRESETS.values(), "seats_choices": range(2, 8)}
    most = MAX_EXAMINED if chosen["when"] == "mine" else far(chosen["words"])
    context = {"page": page_of(request, rows, size=20, most=most), **choices, **chosen}
    return render_page(request, "tournaments/list.html", context)


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Show what is played now, what waits in which place, and the workers with their sandbox probes.

    `?show=mine`, `?show=rated`: only those matches, with their places among all.
    """
    found = queue_selectors.queue(viewer(request), request.GET.get("show", "")[:8])
    return render_page(request, "pages/queue.html", {"queue": found, "channels": f"q:@{found.version}"})
