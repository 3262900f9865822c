"""Lists of people, of bots and of matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from bots.templatetags.hanami import sprite_of
from engine.games import PRESETS
from tournaments.matches import highlights, schedule
from tournaments.matches.queries import STATES, Wanted, match_list, names_of, read_lines
from tournaments.models import Match
from tournaments.pages.events.newest_results import ResultLine, are_by_round, named_lines
from tournaments.pages.site.felt import Felt, felt_of
from tournaments.people.bots import best_first, bot_list, rated
from tournaments.people.list import best_of, last_events, people_list, with_best, with_last
from tournaments.templatetags.strips import scale_of
from web.page import render_page, viewer
from web.paging import MAX_EXAMINED, far, page_of

SHELVES: Final = {
    "": gettext_noop("Latest"),
    "on": gettext_noop("On now"),
    "over": gettext_noop("Finished"),
    "waiting": gettext_noop("Waiting"),
    "held": gettext_noop("Held for review"),
}
"""Which matches a reader can ask for: `?state=` and the words of its chip. The first: what can be watched."""
MOMENTS: Final = 4
LOOKED_AT: Final = 6
"""Matches that ended last, of which the moments are: fewer than a process keeps (`highlights.MAX_READ`)."""
FEW: Final = 6
"""People below whom there is room to say how one joins them."""
ON_SHOWN: Final = 10
"""Of the matches that are played now, above those that are over; all of them are on their own shelf."""


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List the people who have bots or run events; `?q=` searches their names."""
    words = " ".join(request.GET.get("q", "").split())[:60]
    page = page_of(request, with_last(with_best(people_list(words))), size=40, most=MAX_EXAMINED)
    events = last_events(page.rows)
    people = [(person, best, events.get(person.pk)) for person, best in best_of(page.rows)]
    context = {"page": page, "people": people, "words": words, "is_few": not words and page.total <= FEW}
    return render_page(request, "pages/people.html", context)


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """List every bot, the best rated first; `?q=` searches their names, `?mine=1` shows the reader's own,
    `?source=public` those with a published source.
    """
    words, person = " ".join(request.GET.get("q", "").split())[:60], viewer(request)
    mine, is_public = person is not None and request.GET.get("mine") == "1", request.GET.get("source") == "public"
    rows = bot_list(words=words, owner=person if mine else None, is_public=is_public)
    page = page_of(request, rows, size=40, most=far(words), parts=best_first(rows))
    context = {"page": page, "bots": rated(page.rows), "words": words, "mine": mine, "is_public": is_public}
    context["scale"] = scale_of(found for bot in page.rows if (found := vars(bot)["rating"]) is not None)
    context["is_beginning"] = not (page.rows or words or is_public)
    # Where all play the same games, a column that says so on every line says nothing.
    context["differ"] = len({tuple(bot.active_version.plays) for bot in page.rows if bot.active_version}) > 1
    context["do_sources_differ"] = len({vars(bot)["source_public"] for bot in page.rows}) > 1
    return render_page(request, "bots/list.html", context)


@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """List matches (`?event=&preset=&bot=&state=`); `?before=`, `?after=`: the match beside which to go on.

    Without a state: those that are played now, then those that are over; what only waits is not there to be watched.
    """
    query, person, wanted = request.GET, viewer(request), _wanted(request)
    before, after = _uuid(query.get("before", "")), _uuid(query.get("after", ""))
    event_name, bot_name = names_of(person, wanted)
    filters = {name: getattr(wanted, name) for name in ("event", "preset", "bot", "state") if getattr(wanted, name)}
    # Beside a match, not by number: the list grows at its top while somebody reads it.
    found = match_list(person, replace(wanted, state=wanted.state or "over"), before=before, after=after)
    is_first = not wanted.state and before is None and after is None
    on = match_list(person, replace(wanted, state="on"), first=ON_SHOWN).rows if is_first else []
    newest = [] if any(query.values()) else list(schedule.newest_public()[:LOOKED_AT])
    read_lines([*found.rows, *on, *newest])
    felts = _felts(newest)
    drawn = {felt.match.pk for felt in felts}
    # What is drawn above the list is not repeated in it.
    rows = [match for match in found.rows if match.pk not in drawn]
    context = {
        "found": found,
        "on": on,
        "rows": named_lines(rows) if event_name else [ResultLine(match) for match in rows],
        "wanted": wanted,
        "event_name": event_name,
        "bot_name": bot_name,
        "presets": PRESETS.values(),
        "states": {name: _(title) for name, title in SHELVES.items()},
        "felt": felts[0] if felts else None,
        "moments": felts[1:],
        "sprite": sprite_of(request),
        "is_filtered": bool(filters),
        # Where all rows are of one event, its name above them says it.
        "is_mixed": not event_name,
        "is_by_round": bool(event_name) and are_by_round(found.rows),
        "older": urlencode({**filters, "before": found.older}) if found.older else "",
        "newer": urlencode({**filters, "after": found.newer}) if found.newer else "",
    }
    return render_page(request, "matches/list.html", context)


def _wanted(request: HttpRequest) -> Wanted:
    """Return the filters of a request; what does not exist filters nothing."""
    query = request.GET
    preset, state = query.get("preset", ""), query.get("state", "")
    return Wanted(
        event=query.get("event", "").strip()[:60],
        preset=preset if preset in PRESETS else "",
        bot=query.get("bot", "").strip()[:60],
        state=state if state in STATES else "",
    )


def _felts(matches: Sequence[Match]) -> list[Felt]:
    """Return a scene of the newest of these matches, then the best deals of those that ended before it. One query.

    Deals in which a yaku was counted come first: of the others there are no cards to be drawn.
    """
    found = highlights.highlights_of(matches, limit=LOOKED_AT)
    felts = [felt for n, each in enumerate(found) if (felt := felt_of(each, is_best=n > 0))]
    best = sorted(felts[1:], key=lambda felt: not felt.sets)[:MOMENTS]
    return [felt for n, felt in enumerate(felts) if n == 0 or felt in best]


def _uuid(text: str) -> UUID | None:
    """Return the id, None for what is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
