"""Every row of an event that people see, before and after an act: what a preview lists is what then changes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.record import canonical
from tournaments.models import Match, Round, Seat, StageEntry, Standing, Tournament
from tournaments.standings import store

STAGE: Final = "stage"
ROUND: Final = "round"
TABLE: Final = "table"
STANDING: Final = "standing"
GOES_ON: Final = "goes_on"
# (kind, stage, round, table, entry UUID, name); what does not apply is 0 or "".
Key = tuple[str, int, int, int, str, str]


@dataclass(frozen=True, slots=True)
class Affected:
    """One row. before, after: its contents as short texts; None: there is no such row then."""

    kind: str
    stage: int
    round: int
    table: int
    name: str
    before: tuple[str, ...] | None
    after: tuple[str, ...] | None


def rows_of(event: Tournament) -> dict[Key, tuple[str, ...]]:
    """Read every row as it is now, without stages that were called off. Six queries for an event of any size."""
    found: dict[Key, tuple[str, ...]] = {}
    for order, state in event.stages.values_list("order", "state"):
        found[STAGE, order, 0, 0, "", ""] = (state,)
    for order, number, state in _rounds(event):
        found[ROUND, order, number, 0, "", ""] = (state,)
    found |= _tables(event)
    standings = Standing.objects.filter(stage__tournament=event, after_round=store.NOW)
    for order, uuid, name, rank, key in standings.values_list(
        "stage__order", "entry__uuid", "entry__player__name", "rank", "key"
    ):
        found[STANDING, order, 0, 0, str(uuid), name] = (str(rank), str(key[0]) if key else "")
    came = StageEntry.objects.filter(stage__in=event.stages.filter(order__gt=1))
    for order, uuid, name, seed in came.values_list("stage__order", "entry__uuid", "entry__player__name", "seed"):
        found[GOES_ON, order, 0, 0, str(uuid), name] = (str(seed),)
    return found


def _rounds(event: Tournament) -> Any:
    return Round.objects.filter(stage__in=event.stages.all()).values_list("stage__order", "number", "state")


def _tables(event: Tournament) -> dict[Key, tuple[str, ...]]:
    """Read, for each table, the people who sit there, its state, and its result."""
    seats: dict[int, list[tuple[str, str]]] = {}
    rows = Seat.objects.filter(match__stage__in=event.stages.all()).order_by("match", "index")
    for match, name, points in rows.values_list("match", "entry__player__name", "points"):
        seats.setdefault(match, []).append((name or "", "" if points is None else str(points)))
    matches = Match.objects.filter(stage__in=event.stages.all()).order_by("pk")
    found: dict[Key, tuple[str, ...]] = {}
    for pk, order, number, table, state in matches.values_list(
        "pk", "stage__order", "round__number", "table_no", "state"
    ):
        names = " – ".join(dict.fromkeys(name for name, _points in seats.get(pk, ())))
        score = " – ".join(points for _name, points in seats.get(pk, ()) if points)
        # Without the match's key: a table that is drawn again with the same people is the same table to those who look.
        found[TABLE, order, number or 0, table or 0, "", ""] = (names, state, score)
    return found


def between(before: Mapping[Key, tuple[str, ...]], after: Mapping[Key, tuple[str, ...]]) -> tuple[Affected, ...]:
    """Return every row that differs, in the order of stages, rounds and tables."""
    changed = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    return tuple(
        Affected(key[0], key[1], key[2], key[3], key[5], before.get(key), after.get(key))
        for key in sorted(changed, key=lambda key: (key[1], key[0], *key[2:]))
    )


def digest(rows: tuple[Affected, ...], *about: str) -> str:
    """Return a hash that names exactly these changes."""
    rows_json = [
        [row.kind, row.stage, row.round, row.table, row.name, _listed(row.before), _listed(row.after)] for row in rows
    ]
    # 32 hex digits, half a SHA-256: it only has to differ between two previews of one event.
    return hashlib.sha256(canonical([list(about), rows_json])).hexdigest()[:32]


def _listed(values: tuple[str, ...] | None) -> list[str] | None:
    return list(values) if values is not None else None
