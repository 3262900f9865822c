"""Lists of people and of matches."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from engine.games import PRESETS
from tournaments.matches.queries import STATES, Wanted, match_list, names_of
from tournaments.people.list import best_of, last_events, people_list, with_best, with_last
from web.page import render_page, viewer
from web.paging import MAX_EXAMINED, page_of


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List the people who have bots or run events; `?q=` searches their names."""
    words = " ".join(request.GET.get("q", "").split())[:60]
    page = page_of(request, with_last(with_best(people_list(words))), size=40, most=MAX_EXAMINED)
    events = last_events(page.rows)
    people = [(person, best, events.get(vars(person)["last"])) for person, best in best_of(page.rows)]
    context = {"page": page, "people": people, "words": words}
    return render_page(request, "pages/people.html", context)


@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """List all matches (`?event=&preset=&bot=&state=`); `?before=`, `?after=`: the match beside which to go on."""
    query = request.GET
    preset, state = query.get("preset", ""), query.get("state", "")
    wanted = Wanted(
        event=query.get("event", "").strip()[:60],
        preset=preset if preset in PRESETS else "",
        bot=query.get("bot", "").strip()[:60],
        state=state if state in STATES else "",
    )
    person = viewer(request)
    event_name, bot_name = names_of(person, wanted)
    filters = {name: getattr(wanted, name) for name in ("event", "preset", "bot", "state") if getattr(wanted, name)}
    # Beside a match, not by number: the list grows at its top while somebody reads it.
    found = match_list(person, wanted, before=_uuid(query.get("before", "")), after=_uuid(query.get("after", "")))
    context = {
        "found": found,
        "wanted": wanted,
        "event_name": event_name,
        "bot_name": bot_name,
        "presets": PRESETS.values(),
        "is_filtered": bool(filters),
        "older": urlencode({**filters, "before": found.older}) if found.older else "",
        "newer": urlencode({**filters, "after": found.newer}) if found.newer else "",
    }
    return render_page(request, "matches/list.html", context)


def _uuid(text: str) -> UUID | None:
    """Return the id, None for what is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
