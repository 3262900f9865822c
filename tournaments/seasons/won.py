"""What the entries of an event won at its tables."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Match, Seat, Stage, Tournament


@dataclass(frozen=True, slots=True)
class Won:
    """What an entry won at all tables of an event. deals: all that were won there, by anybody."""

    points: int = 0
    victories: int = 0
    deals: int = 0


def won_in(event: Tournament) -> dict[int, Won]:
    """Return, by entry, what was won at the tables of an event. A bye and a deal that was not played bring nothing."""
    seats = Seat.objects.filter(match__stage__tournament=event, match__state=Match.State.CONFIRMED, entry__isnull=False)
    seats = seats.exclude(match__stage__state=Stage.State.VOID)
    rows = seats.order_by("match", "index").values_list("match", "side", "board", "entry", "points", "victories")
    tables: dict[int, dict[tuple[int, int | None], tuple[int, int, int]]] = {}
    for match, side, board, entry, points, victories in rows:
        # Partners of one side have the same figures: they count once.
        tables.setdefault(match, {})[side, board] = (entry or 0, points or 0, victories or 0)
    found: dict[int, Won] = {}
    for sides in tables.values():
        deals = sum(victories for _entry, _points, victories in sides.values())
        for entry, points, victories in sides.values():
            known = found.get(entry, Won())
            found[entry] = Won(known.points + points, known.victories + victories, known.deals + deals)
    return found
