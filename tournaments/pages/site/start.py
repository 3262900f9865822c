"""Home page: what is played now, who leads; for visitors what Hanami is, for people with an account what is theirs."""

from __future__ import annotations

from collections.abc import Sequence, Set
from datetime import datetime, timedelta
from typing import Any, Final
from unicodedata import east_asian_width

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.templatetags.hanami import sprite_of
from core.formats import kinds
from engine.cards import CARDS
from tournaments.lifecycle import visibility
from tournaments.matches import highlights, schedule
from tournaments.models import Match, Tournament
from tournaments.pages.matches.rows import row_of
from tournaments.pages.site.felt import felt_of
from tournaments.people import event_lists, own
from tournaments.ratings.leaders import ladder_lines
from tournaments.sse import MAX_CHANNELS, live_token
from web.page import render_page, viewer
from web.presets import official_ladder

TILES: Final = 4
SOON: Final = 4
LADDERS: Final = 6
EXAMINED: Final = TILES + LADDERS + 8
"""Events that are read for the lists of what runs."""
MONTH_CARDS: Final = 4
FRESH: Final = timedelta(minutes=15)
"""How long after the newest match the page still says that it is live."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the home page; ten queries at most."""
    reader = viewer(request)
    rows = _listed(reader)
    live = [event for event in rows if event.state in visibility.LIVE]
    soon = [event for event in rows if event.state in visibility.SOON]
    open_ended = kinds(lambda each: each.is_open_ended)
    ladders = [event for event in live if vars(event)["kind"] in open_ended]
    others = [event for event in live if event not in ladders]
    # What is paused does not play: it comes after what does.
    tiles = sorted(others, key=lambda event: event.state == Tournament.State.PAUSED)[:TILES]
    # Ladders have a table of their own: they are tiles only where nothing else is on or coming up.
    tiles = tiles or ([] if soon else ladders[:TILES])
    followed = list(dict.fromkeys(tiles + ladders))[:MAX_CHANNELS]
    personal = _own(reader, rows) if reader is not None else {}
    matches = personal["matches"] if reader is not None else schedule.fresh_replays()
    mine = {event.pk for event, _ in personal.get("events", ())}
    played_at = _ended_last(matches[0]) if matches else None
    is_own = own.theirs(reader) if reader is not None else lambda _player: False
    # The best deal of what was played, but a moment of what the frame goes on from.
    felt = felt_of(highlights.newest_of(matches), is_best=bool(personal.get("has_played"))) if matches else None
    is_on = any(vars(event)["is_played"] for event in followed)
    context: dict[str, Any] = {
        "live": [event for event in tiles if event.pk not in mine],
        "has_more_live": len(live) > len(tiles),
        "open_ended": open_ended,
        "soon": [event for event in soon if event.pk not in mine],
        "felt": felt,
        "sprite": sprite_of(request),
        # The one on the felt is there already.
        "replays": [row_of(match, is_own) for match in matches if felt is None or match != felt.match],
        "channels": event_lists.channels_of(followed),
        "quiet": not is_on or _is_long_ago(played_at),
        "played_at": played_at,
        # Only where one is private: for public events the stream asks for none.
        "live_token": live_token([event.channel for event in followed]) if any(map(_is_private, followed)) else "",
    }
    now = timezone.localtime()
    context |= _leading(ladders, now, reader, mine) | (personal if reader is not None else _for_visitors(now))
    return render_page(request, "pages/home_own.html" if reader is not None else "pages/home.html", context)


def _ended_last(newest: Match) -> datetime | None:
    """Return when the last public match ended. newest: of those that the page shows, which may be the reader's own."""
    return vars(newest).get("public_at") or newest.finished_at


def _is_long_ago(played_at: datetime | None) -> bool:
    """Return whether nothing has ended lately: then a match that was only begun makes nothing live."""
    return played_at is not None and timezone.now() - played_at > FRESH


def _listed(reader: User | None) -> list[Tournament]:
    """Return events for all lists of the page: what runs, then what comes, and what is the reader's. One query."""
    events = event_lists.on_or_soon(reader)
    # A number of each: a lot that runs must not hide what can be entered.
    live = events.filter(state__in=visibility.LIVE).values("pk")[:EXAMINED]
    soon = events.filter(state__in=visibility.SOON).values("pk")[:SOON]
    if reader is None:
        return list(event_lists.for_start_page(live, soon))
    return list(own.with_own(event_lists.for_start_page(live, soon, own.own_event_keys(reader)), reader))


def _own(reader: User, rows: Sequence[Tournament]) -> dict[str, Any]:
    """Return what is the reader's, and the newest matches of all if they have not played. Five queries at most."""
    events = [(event, _open_tables(event)) for event in own.own_events(rows)]
    bots = own.own_bots(reader)
    # Those who have played, or whose bots have, are shown what they did, not what others did.
    matches, has_played = own.last_matches(reader, bots)
    table = own.next_table(reader)
    # One thing stands out: what waits for the reader before what they might do.
    waits = table is not None or any(open_n and _is_at_tables(event) for event, open_n in events)
    found = {"bots": bots, "matches": matches, "has_played": has_played, "events": events}
    return {**found, "table": table, "waits": waits, "greeted": _on_one_line(reader.shown_name)}


def _on_one_line(name: str) -> SafeString:
    """Return a name that goes to the next line as a whole, with its width in letters, by which its size is chosen."""
    width = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in name)
    return format_html('<span class="whole" data-width="{}">{}</span>', width, name)


def _is_at_tables(event: Tournament) -> bool:
    """Return whether the reader runs this event, which people play now."""
    return bool(vars(event)["is_run"]) and event.is_of_people and event.state == Tournament.State.RUNNING


def _open_tables(event: Tournament) -> int:
    figures = vars(event)
    return (figures["matches_n"] or 0) - (figures["done_n"] or 0)


def _leading(ladders: Sequence[Tournament], now: datetime, reader: User | None, mine: Set[int]) -> dict[str, Any]:
    """Return who leads the ladders, those that the reader is entered in first, then by what is played today.

    Those of `mine` have cards: they are told the reader's place. `ladders_month`: the month that the official ones of
    the others are all of.
    """
    own = [event for event in ladders if event.pk in mine]
    others = sorted((event for event in ladders if event.pk not in mine), key=lambda it: not vars(it).get("is_entered"))
    shown = others[:LADDERS]
    told = ladder_lines([*own, *shown], now.replace(hour=0, minute=0, second=0, microsecond=0), reader)
    for line in told:
        vars(line.event)["own_place"] = line.own
    lines = sorted(told[len(own) :], key=lambda line: (not vars(line.event).get("is_entered"), -line.today))
    found = {"ladders": lines, "ladders_n": len(others), "has_own_ladders": bool(own)}
    found["plays_today"] = any(line.today for line in lines)
    # Around its end the ladders of a month are there beside those of the next. A date: no zone makes it another month.
    months = {official[1].date() for event in shown if (official := official_ladder(event.name))}
    return {**found, "ladders_month": months.pop() if len(months) == 1 else None}


def _for_visitors(now: datetime) -> dict[str, Any]:
    """Return what shows strangers the game: the month's cards, the deal of the day."""
    month = now.month
    return {
        "month": month,
        # The best last: it lies on top.
        "fan": [card.code for card in reversed(CARDS[(month - 1) * MONTH_CARDS : month * MONTH_CARDS])],
        "deal_of_the_day": felt_of(highlights.best_since(now - timedelta(days=1)), is_best=True),
    }


def _is_private(event: Tournament) -> bool:
    return event.visibility == Tournament.Visibility.PRIVATE
