"""What the list of the entries of an event has columns for, and its order before anybody is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from tournaments.models import Entry
from tournaments.standings.entry_records import EntryRecord

Line = tuple[Entry, EntryRecord]
USUAL: Final = (Entry.State.ENTERED, Entry.State.ACTIVE)
"""States that go without saying: an entry has one of them unless the list says otherwise."""


def columns_of(lines: Sequence[Line], *, is_ranked: bool, is_by_rating: bool, is_whole: bool) -> dict[str, object]:
    """Return which columns say something of these entries, and the states that are not said.

    is_by_rating: a ladder's own rating orders them; is_whole: there are no entries besides these.
    """
    records = [record for _entry, record in lines]
    bots = [entry.player.bot for entry, _record in lines]
    owners = {bot.owner_id: bot.owner for bot in bots if bot is not None}
    of_one = is_ranked and is_whole and len(owners) == 1 and None not in bots
    return {
        "has_records": any(record.played for record in records),
        "has_deal_sets": is_ranked and any(record.deal_sets for record in records),
        # One name in every row tells nothing: it is said once, above them.
        "has_owners": is_ranked and bool(owners) and not of_one,
        "owner": next(iter(owners.values())) if of_one else None,
        # That of its game's board beside it would contradict its order.
        "has_ratings": not is_by_rating and any(record.rating is not None for record in records),
        "has_seeds": any(entry.seed for entry, _record in lines),
        "has_states": any(entry.state not in USUAL or record.rank for entry, record in lines),
        "usual": USUAL,
    }


def by_rating(lines: Sequence[Line]) -> list[Line] | None:
    """Return entries that nothing orders yet, the best rated first; None where seeds order them or none is rated."""
    if any(entry.seed for entry, _record in lines) or all(record.rating is None for _entry, record in lines):
        return None
    return sorted(lines, key=lambda line: (line[0].state not in USUAL, -_value(line[1])))


def _value(record: EntryRecord) -> float:
    return -math.inf if record.rating is None else record.rating
