"""From standings to the next round: the knowledge of the fold in the words of planners.

A stage goes on like this: results -> `ends_of` and the fold; table -> `scores_of`; both into `formats.schedule`.
Pure, as everything here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from core.formats.model import Finished, Plan, Pod
from core.standings.model import MatchResult, Scoring, Spec
from core.standings.settle import Settled, SideScore, settle
from core.standings.table import Table

Legs = dict[tuple[int, int, int], list[MatchResult]]
"""By round, table, and extra deal (0: the match itself)."""


def ends_of(
    history: Sequence[Plan], results: Iterable[MatchResult], spec: Spec, *, lots_rounds: int = 0
) -> list[Finished]:
    """Return how the pods of `history` ended, as far as they did: all legs of a pod are one result.

    results: confirmed matches, raw; round and table say which pod. A pod without all its legs is left out.
    `absent`: did not turn up (a forfeit in a match that nobody played); a forfeit in play counts as played.
    lots_rounds: up to this round lots decided who goes on from a level knock-out match, regardless of other rules.
    """
    legs: Legs = defaultdict(list)
    for result in results:
        legs[result.round, result.table, result.extra].append(result)
    found = []
    for plan in history:
        for pod in plan.pods:
            own = _legs_result(legs, plan.round, pod.table)
            if own:
                by_lots = plan.round <= lots_rounds
                ties = () if by_lots else _ties(legs, plan.round, pod, own, spec)
                end = _finished(plan.round, pod, own, settle(own, spec), spec)
                found.append(replace(end, ties=ties, by_lots=by_lots))
    return found


def _legs_result(legs: Legs, turn: int, table: int, extra: int = 0) -> list[MatchResult]:
    """Return all legs of a match, or of an extra deal; none while one is missing."""
    own = legs.get((turn, table, extra), [])
    # Half a deal set tells nothing: the seats that a player had with these cards are only fair together.
    return own if own and len(own) >= max(leg.legs for leg in own) else []


def _ties(legs: Legs, turn: int, pod: Pod, own: Sequence[MatchResult], spec: Spec) -> tuple[tuple[Fraction, ...], ...]:
    """Return what tells equal places apart, the smaller first: points, the place in each extra deal, what was decided.

    Source: tournaments.md section 5, the list of deciders of an elimination.
    """
    settled = settle(own, spec)
    extras: list[Settled] = []
    while deal := _legs_result(legs, turn, pod.table, len(extras) + 1):
        extras.append(settle(deal, spec))
    return tuple(
        (
            -settled.side_of(entry).points,
            *(Fraction(place_in(extra, entry)) for extra in extras),
            *map(Fraction, settled.side_of(entry).deciders),
        )
        for entry in pod.seats
    )


def place_in(extra: Settled, entry: str) -> int:
    """Return the place of an entry in an extra deal; where places are equal the points tell, if they do."""
    own = extra.side_of(entry)
    return 1 + sum((side.place, -side.points) < (own.place, -own.points) for side in extra.sides)


def _finished(turn: int, pod: Pod, legs: Sequence[MatchResult], settled: Settled, spec: Spec) -> Finished:
    sides = [settled.side_of(entry) for entry in pod.seats]
    away = {seat.entry for leg in legs if not leg.is_played for seat in leg.seats if seat.forfeit}
    return Finished(
        round=turn,
        table=pod.table,
        places=tuple(side.place for side in sides),
        scores=tuple(_gain(side, spec) for side in sides),
        absent=tuple(not settled.is_played and entry in away for entry in pod.seats),
    )


def _gain(side: SideScore, spec: Spec) -> Fraction:
    """Return what the stage ranks by first, won at this table."""
    return {
        Scoring.CUMULATIVE: side.points,
        Scoring.ROUND_VICTORY: side.victories,
        Scoring.PLACE: side.share,
    }[spec.scoring]


def scores_of(table: Table) -> dict[str, Fraction]:
    """Each entry's score for `Entrant.score`: the first column of the standings."""
    firsts = {row.entry: row.key[0] for row in table.rows}
    return {entry: value if isinstance(value, Fraction) else Fraction(0) for entry, value in firsts.items()}
