"""A round that an organiser made by hand: seats shared out as a draw would, figures counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.formats.model import Constraint, Plan, Pod, Reason
from core.formats.schedules import seating
from core.formats.schedules.quality import MAX_SEATS
from core.formats.swiss.stage import LOCKED, planned

BY_HAND = Reason("swiss.locked", LOCKED)


def round_by_hand(
    tables: Mapping[int, Sequence[str]],
    byes: Sequence[str],
    drawn: Plan,
    history: Sequence[Plan],
    constraints: Sequence[Constraint] = (),
) -> Plan:
    """Return the round after `history`. tables: number -> entries. drawn: what the planner would have drawn.

    A table of the same people as in `drawn` keeps its seats and its reasons; at others everybody gets the seat they
    have had least.
    """
    known = {frozenset(pod.seats): pod for pod in drawn.pods}
    kept = {number: known.get(frozenset(seats)) for number, seats in tables.items()}
    changed = {number: sorted(seats) for number, seats in tables.items() if kept[number] is None}
    seated = _seated(changed, history)
    pods = []
    for number in sorted(tables):
        pod = kept[number]
        if pod is not None:
            pods.append(Pod(number, pod.seats, pod.why, pod.table != number))
        else:
            pods.append(Pod(number, seated[number], (BY_HAND,), True))
    return planned(len(history) + 1, tuple(pods), tuple(sorted(byes)), history, constraints, (), "hand")


def _seated(tables: Mapping[int, Sequence[str]], history: Sequence[Plan]) -> dict[int, tuple[str, ...]]:
    """Return the tables in seat order."""
    if not tables:
        return {}
    entries = sorted(entry for seats in tables.values() for entry in seats)
    at = {entry: place for place, entry in enumerate(entries)}
    used = [[0] * MAX_SEATS for _ in entries]
    for pod in (pod for plan in history for pod in plan.pods):
        for seat, entry in enumerate(pod.seats):
            if entry in at:
                used[at[entry]][seat] += 1
    (placed,) = seating.seat([[[at[entry] for entry in seats] for seats in tables.values()]], len(entries), used)
    found = {frozenset(entries[place] for place in table): table for table in placed}
    return {number: tuple(entries[place] for place in found[frozenset(seats)]) for number, seats in tables.items()}
