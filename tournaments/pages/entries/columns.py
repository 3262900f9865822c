"""What the list of the entries of an event has columns for, and its order before anybody is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from accounts.models import User
from tournaments.models import Entry, Stage
from tournaments.ranking.figures import OF_THE_BRACKET
from tournaments.ratings.queries import query_of
from tournaments.standings.entry_records import EntryRecord
from tournaments.standings.queries import RATING, Column

Line = tuple[Entry, EntryRecord]
USUAL: Final = (Entry.State.ENTERED, Entry.State.ACTIVE)
"""States that go without saying: an entry has one of them unless the list says otherwise."""


def columns_of(
    lines: Sequence[Line], stage: Stage, *, order: Sequence[Column], is_ranked: bool, is_whole: bool
) -> dict[str, object]:
    """Return which columns say something of these entries, what they are, and the states that are not said.

    order: what they are ranked by; is_whole: there are no entries besides these.
    """
    # In a bracket it is the place, which is the rank.
    ranked_by = order[0] if order and order[0].id != OF_THE_BRACKET else None
    # A ladder ranks by its own rating.
    is_by_rating = ranked_by is not None and ranked_by.id == RATING
    records = [record for _entry, record in lines]
    bots = [entry.player.bot for entry, _record in lines]
    owners = {bot.owner_id: bot.owner for bot in bots if bot is not None}
    of_one = is_ranked and is_whole and len(owners) == 1 and None not in bots
    return {
        "order": order,
        "ranked_by": ranked_by,
        "is_by_rating": is_by_rating,
        "has_records": any(record.played for record in records),
        "has_deal_sets": is_ranked and any(record.deal_sets for record in records),
        # One name in every row tells nothing: it is said once, above them.
        "has_owners": is_ranked and bool(owners) and not of_one,
        "owner": next(iter(owners.values())) if of_one else None,
        # That of its game's board beside it would contradict its order.
        "rated_on": None if is_by_rating else _board(stage, records),
        "has_seeds": any(entry.seed for entry, _record in lines),
        "has_states": any(entry.state not in USUAL or record.rank for entry, record in lines),
        "usual": USUAL,
    }


def _board(stage: Stage, records: Sequence[EntryRecord]) -> dict[str, object] | None:
    """Return the leaderboard that the ratings of a list are of; None without one of them."""
    sides = {record.sides for record in records if record.rating is not None}
    if not sides:
        return None
    seats = stage.seats_pref
    of_all = sides.pop() if len(sides) == 1 else seats
    return {"preset": stage.preset, "seats": seats, "sides": of_all, "query": query_of(seats, of_all)}


def has_own(lines: Sequence[Line], person: User | None) -> bool:
    """Return whether some of these entries are of a person, so that they may withdraw them."""
    bots = [entry.player.bot for entry, _record in lines]
    return person is not None and any(bot is not None and bot.owner_id == person.pk for bot in bots)


def by_rating(lines: Sequence[Line]) -> list[Line] | None:
    """Return entries that nothing orders yet, the best rated first; None where seeds order them or none is rated."""
    if any(entry.seed for entry, _record in lines) or all(record.rating is None for _entry, record in lines):
        return None
    return sorted(lines, key=lambda line: (line[0].state not in USUAL, -_value(line[1])))


def _value(record: EntryRecord) -> float:
    return -math.inf if record.rating is None else record.rating
