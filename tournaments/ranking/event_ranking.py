"""The ranking of a whole event: who got further ranks higher, then the last stage decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import OuterRef, Subquery

from accounts.alphabet import name_key
from core.formats.progression import event_ranking
from tournaments.lifecycle.display_names import OF_ENTRY
from tournaments.matches.chains import ways_of
from tournaments.models import Entry, Progression, Stage, StageEntry, Standing, Tournament
from tournaments.ranking.lines import PODIUM, Departure, EventRanking, RankLine

OVER: Final = (Tournament.State.FINISHED, Tournament.State.ARCHIVED)
DEPARTURES: Final = {
    Entry.State.WITHDRAWN.value: Departure.WITHDRAWN,
    Entry.State.DISQUALIFIED.value: Departure.DISQUALIFIED,
}
NO_PLACE: Final = (Entry.State.DISQUALIFIED.value,)
BEGINNING: Final = 2 * PODIUM + 1
"""Rows that tell who stands on the podium and beside it: nobody does where more than twice its places are shared."""
Ranks = dict[int, dict[str, int]]
"""By the number of a stage: the rank of each entry, by its UUID, in its group."""


@dataclass(frozen=True, slots=True)
class _Field:
    """Who played in which stage. groups: the label by (number of the stage, UUID), "" where everybody plays in one."""

    stages: dict[int, Stage]
    entries: dict[str, Entry]
    groups: dict[tuple[int, str], str]

    def is_out(self, uuid: str) -> bool:
        """Return whether an entry has no place."""
        return self.entries[uuid].state in NO_PLACE


def ranking_of(
    event: Tournament, *, stages: Sequence[Stage] | None = None, ways: Iterable[Progression] | None = None
) -> EventRanking:
    """Return the ranking of an event as it is now; without lines until the first round is drawn.

    Those who reached the last stage come first, in its order, then those who stayed in the stages before it, stage by
    stage. Equal places stay shared: also those of the same place in different groups, which never met. Entries that
    have withdrawn keep the place that their results give and are marked; disqualified ones have none, and those behind
    them move up. While the event runs, those who went on stand before those who did not, even if nothing of the next
    stage has been played.

    stages, ways: of the event, where they are at hand. One query for any number of entries, one more for each of
    the two that is not given. A team is an entry; its members are not ranked.
    """
    known = {stage.order: stage for stage in (event.stages.order_by("order") if stages is None else stages)}
    field, stored = _field(known)
    is_final = event.state in OVER
    if not stored:
        return EventRanking((), is_final)
    # One stage leads nowhere, so it is not asked for ways.
    found = ways if ways is not None else ways_of(event) if len(known) > 1 else ()
    lines = [
        *_placed(field, stored, [(way.source.order, way.target.order, way.first) for way in found]),
        *_without_place(field, stored),
    ]
    return EventRanking(tuple(sorted(lines, key=_order)), is_final)


def beginning_of(event: Tournament, stages: Sequence[Stage], top: Sequence[Standing]) -> EventRanking | None:
    """Return the first lines of the ranking from the first rows of a table: pages of large events need no more.

    No query. top: `BEGINNING` rows of the last stage or all, as `standings.queries.leaders` returns them. None where
    they do not tell: in an event of several stages or groups, and where somebody among them is disqualified, who has no
    place and lets others move up.
    """
    stage = stages[-1]
    if len(stages) > 1 or stage.groups_n > 1 or any(row.entry.state in NO_PLACE for row in top):
        return None
    places = [row.rank for row in top]
    lines = tuple(
        RankLine(
            row.entry,
            places.index(row.rank) + 1,
            places.count(row.rank) > 1,
            stage,
            row.rank,
            "",
            DEPARTURES.get(row.entry.state, Departure.NONE),
        )
        for row in top
    )
    return EventRanking(lines, event.state in OVER)


def _field(stages: dict[int, Stage]) -> tuple[_Field, Ranks]:
    """Return who played where, and their ranks in the stages of which something counts. One query."""
    numbers = {stage.pk: order for order, stage in stages.items()}
    # Round 0 of the table is "now", the only one that every stage is sure to have.
    table = Standing.objects.filter(stage=OuterRef("stage"), entry=OuterRef("entry"), after_round=0)
    rows = StageEntry.objects.filter(stage__in=list(numbers)).annotate(rank=Subquery(table.values("rank")[:1]))
    rows = rows.select_related("entry__player__bot__owner", "entry__bot_version", "group").order_by()
    groups: dict[tuple[int, str], str] = {}
    entries: dict[str, Entry] = {}
    ranks: Ranks = {}
    for row in rows.only("stage_id", "group__label", *(f"entry__{name}" for name in OF_ENTRY)):
        order, uuid = numbers[row.stage_id], str(row.entry.uuid)
        groups[order, uuid], entries[uuid] = row.group.label if row.group else "", row.entry
        if row.rank is not None:
            ranks.setdefault(order, {})[uuid] = row.rank
    return _Field(stages, entries, groups), ranks


def _placed(field: _Field, stored: Ranks, ways: Sequence[tuple[int, int, int]]) -> Iterator[RankLine]:
    """Yield the lines with a place, in any order."""
    ranks: Ranks = {order: dict(own) for order, own in stored.items()}
    for order, uuid in field.groups:
        # Drawn, and nothing of it has counted: all who went on to it are level, before those who did not.
        if order not in stored:
            ranks.setdefault(order, {})[uuid] = 1
    counted = {
        order: {uuid: rank for uuid, rank in own.items() if not field.is_out(uuid)} for order, own in ranks.items()
    }
    table = event_ranking(counted, ways, len(field.stages))
    shared = Counter(item.rank for item in table)
    for item in table:
        yield RankLine(
            field.entries[item.entry],
            item.rank,
            shared[item.rank] > 1,
            field.stages[item.stage],
            item.place if item.stage in stored else None,
            field.groups[item.stage, item.entry],
            DEPARTURES.get(field.entries[item.entry].state, Departure.NONE),
        )


def _without_place(field: _Field, stored: Ranks) -> Iterator[RankLine]:
    """Yield the lines of disqualified entries: where they were when it happened, without a rank in the event."""
    for uuid in filter(field.is_out, field.entries):
        last = max(order for order, entry in field.groups if entry == uuid)
        place, group = stored.get(last, {}).get(uuid), field.groups[last, uuid]
        yield RankLine(field.entries[uuid], None, False, field.stages[last], place, group, Departure.DISQUALIFIED)


def _order(line: RankLine) -> tuple[bool, int, str, str, str]:
    """Sort by rank; those on a shared place by group and name, so that a list is the same each time."""
    name = name_key(line.entry.player.name)
    return (line.rank is None, line.rank or 0, line.group, name, str(line.entry.uuid))
