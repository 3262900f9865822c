"""Ratings of people beside a rated table: what they are before it, and what its result did to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from core.ratings import model
from tables.actions.folding import rules_of
from tables.models import LiveSeat, LiveTable
from tournaments.models import Rating, RatingEvent, RatingPool
from tournaments.models.entrant import line_of_user


@dataclass(frozen=True, slots=True)
class SeatRating:
    """A person's rating at a table. value: mu - 3 sigma, as lists rank; None: not rated by these rules yet.

    before: the value before the result of this table; None if it is not counted for good yet. is_counted: whether
    `value` has it.
    """

    name: str
    value: float | None
    before: float | None = None
    is_counted: bool = False

    @property
    def change(self) -> float | None:
        """What the result did to the value."""
        return None if self.before is None or self.value is None else self.value - self.before


def sides_of(table: LiveTable) -> int:
    """Return how many sides sit at a table."""
    return len(set(rules_of(table).sides(table.seats_n)))


def ratings_at(table: LiveTable, seats: Sequence[LiveSeat]) -> list[SeatRating]:
    """Return the present ratings of the people who sit at a table. One query."""
    known = _values([(table, seat) for seat in seats])
    return [SeatRating(seat.name, known.get((table.pk, seat.index))) for seat in seats]


def ratings_of_openers(tables: Iterable[LiveTable]) -> dict[int, float | None]:
    """Return by table the rating of its first seat, None without one. tables: with their seats. One query."""
    first = [(table, seat) for table in tables if table.rated for seat in table.seats.all()[:1]]
    known = _values(first) if first else {}
    return {table.pk: known.get((table.pk, seat.index)) for table, seat in first}


def _values(wanted: Sequence[tuple[LiveTable, LiveSeat]]) -> Mapping[tuple[int, int], float]:
    """Return by table and seat the value of the people who are rated by the rules there."""
    people = [(table, seat, line_of_user(seat.user_id)) for table, seat in wanted if seat.user_id is not None]
    rows = Rating.objects.filter(
        pool__who=RatingPool.Who.PEOPLE,
        pool__stage=None,
        pool__preset__in={table.preset for table, _seat, _line in people},
        line__in={line for _table, _seat, line in people},
    )
    columns = ("pool__preset", "pool__seats", "pool__sides", "line", "value")
    known = {tuple(row): value for *row, value in rows.values_list(*columns)}
    found = (
        (table.pk, seat.index, known.get((table.preset, table.seats_n, sides_of(table), line)))
        for table, seat, line in people
    )
    return {(table, index): value for table, index, value in found if value is not None}


def ratings_after(table: LiveTable, seats: Sequence[LiveSeat]) -> list[SeatRating]:
    """Return what the result of a recorded table did to the ratings of its people. Two queries.

    A result is counted provisionally while an earlier match is still played: then nothing says by how much it counts.
    """
    lines = {seat.index: line_of_user(seat.user_id) for seat in seats if seat.user_id is not None}
    pool = Q(pool__who=RatingPool.Who.PEOPLE, pool__stage=None, pool__preset=table.preset, pool__seats=table.seats_n)
    done = RatingEvent.objects.filter(pool, deal_set=table.match_id or 0, line__in=lines.values())
    events = {row.line: row for row in done}
    waiting = Rating.objects.filter(pool, pool__sides=sides_of(table), line__in=lines.values())
    now = {row.line: row for row in waiting}
    return [_after(table, seat, lines.get(seat.index, 0), events, now) for seat in seats]


def _after(
    table: LiveTable, seat: LiveSeat, line: int, events: Mapping[int, RatingEvent], now: Mapping[int, Rating]
) -> SeatRating:
    if (event := events.get(line)) is not None:
        before, after = (event.mu_before, event.sigma_before), (event.mu_after, event.sigma_after)
        return SeatRating(seat.name, model.Rating(*after).shown, model.Rating(*before).shown, is_counted=True)
    row = now.get(line)
    is_counted = row is not None and table.match_id is not None and row.newest >= table.match_id
    return SeatRating(seat.name, row.value if row is not None else None, is_counted=is_counted)
