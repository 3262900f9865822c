"""The pure circle: results, standings, the next round. Standings as people see them are those the draw goes by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from core.formats.model import Entrant, Finished, Plan, Pod, Seats
from core.interchange import trf
from core.interchange.progress import ends_of, scores_of
from core.interchange.swiss import About, event_of
from core.standings.fold import fold
from core.standings.model import (
    ByePolicy,
    Forfeit,
    MatchResult,
    PlaceBy,
    Scoring,
    SeatResult,
    Spec,
    Unplayed,
    UnplayedKind,
    UnplayedRule,
)
from core.standings.table import Table
from tests.core.formats.next_plan import plan
from tests.core.formats.simulation import Simulation, Troubles
from tests.core.interchange.checker import tie_breaks, verdict
from tests.core.interchange.planner_input import UNCOUNTED, UNPROVED

FIDE = Spec(
    scoring=Scoring.PLACE,
    tie_breaks=("bh", "bhc1", "sb"),
    bye=ByePolicy(place=1),
    place_by=PlaceBy.POINTS,
    unplayed=UnplayedRule.FIDE,
)
KINDS = {Fraction(1): UnplayedKind.FULL, Fraction(1, 2): UnplayedKind.HALF, Fraction(0): UnplayedKind.ABSENT}


def unplayed_of(entrants: Sequence[Entrant], history: Sequence[Plan]) -> list[Unplayed]:
    """Rounds without a table for the fold: byes of the draw, rests by arrangement, absences of who was not there.

    An entry that neither played, had a bye nor was excused is absent from a round: withdrawn, or not there yet.
    """
    rests = []
    for drawn in history:
        seated = {entry for pod in drawn.pods for entry in pod.seats}
        for item in entrants:
            if item.entry in drawn.byes:
                rests.append(Unplayed(item.entry, drawn.round, UnplayedKind.BYE))
            elif item.entry not in seated:
                worth = dict(item.excused).get(drawn.round, Fraction(0))
                rests.append(Unplayed(item.entry, drawn.round, KINDS.get(worth, UnplayedKind.ABSENT)))
    return rests


def match_of(turn: int, pod: Pod, points: list[int], away: list[bool], *, leg: int = 0, legs: int = 1) -> MatchResult:
    """One match with these points; who is away never sat down."""
    return MatchResult(
        match=f"{turn}.{pod.table}.{leg}",
        round=turn,
        table=pod.table,
        seats=tuple(
            SeatResult(entry, seat, seat, own, 0, forfeit=Forfeit("no_show") if gone else None)
            for seat, (entry, own, gone) in enumerate(zip(pod.seats, points, away))
        ),
        deal_set=f"set {turn}.{pod.table}" if legs > 1 else "",
        leg=leg,
        legs=legs,
        is_played=not any(away),
    )


def matches_of(played: Simulation) -> list[MatchResult]:
    """Return what a simulated event's ends look like as results of matches."""
    pods = {(drawn.round, pod.table): pod for drawn in played.plans for pod in drawn.pods}
    return [
        match_of(end.round, pods[end.round, end.table], [-place for place in end.places], list(end.absent))
        for end in played.finished
    ]


def folded(played: Simulation) -> Table:
    entries = {item.entry: item.seed for item in played.entrants}
    unplayed = unplayed_of(played.entrants, played.plans)
    return fold(matches_of(played), [], FIDE, entries=entries, unplayed=unplayed)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_standings_give_the_draw_its_scores_and_the_checker_its_figures(seed: int, tmp_path: Path) -> None:
    """An event of Hanami's own results: what the fold says of them is what the checker works out of the report."""
    played = Simulation("dutch", 12 + 5 * seed, 6, seed, troubles=Troubles(0.04, 0.08, 0.06, 0.15)).play()
    table = folded(played)
    assert scores_of(table) == {item.entry: item.score for item in played.entrants}
    told = [replace(end, places=(), ties=()) for end in ends_of(played.plans, matches_of(played), FIDE)]
    known = sorted((replace(end, places=()) for end in played.finished), key=lambda end: (end.round, end.table))
    assert sorted(told, key=lambda end: (end.round, end.table)) == known
    event = event_of(About("x", {}, {}), played.entrants, played.plans, played.finished, rounds=6)
    path = tmp_path / "event.trf"
    path.write_bytes(trf.encode(trf.write(event)))
    assert verdict(path).passed
    figures = tie_breaks(path, ("PTS", "BH", "BH/C1", "SB"))
    seeds = {item.entry: item.seed for item in played.entrants}
    assert {row.entry: list(row.key) for row in table.rows} == {entry: figures[seed] for entry, seed in seeds.items()}


@pytest.mark.parametrize("scoring", list(Scoring))
def test_a_stage_goes_on_by_what_it_ranks_by(scoring: Scoring) -> None:
    """Three rounds of pods in two legs each: the leaders of the table sit at the first one."""
    spec, seats, rng = Spec(scoring=scoring), Seats(4, 4, 4), Random(3)
    entrants = [Entrant(f"e{at:02}", at) for at in range(1, 18)]
    plans: list[Plan] = []
    results: list[MatchResult] = []
    for turn in range(1, 4):
        table = fold(results, [], spec, entries={item.entry: item.seed for item in entrants})
        score = scores_of(table)
        entrants = [replace(item, score=score[item.entry]) for item in entrants]
        plans.append(plan("pods", entrants, 3, seats, 1, history=plans, finished=ends_of(plans, results, spec)))
        for pod in plans[-1].pods:
            for leg in (1, 2):
                points = [rng.randrange(-40, 200) for _ in pod.seats]
                results.append(match_of(turn, pod, points, [False] * 4, leg=leg, legs=2))
    ends = ends_of(plans, results, spec)
    assert len(ends) == 12
    assert ends_of(plans, results[:-1], spec) == ends[:-1]  # a pod counts when its last leg is in
    at = {(drawn.round, pod.table): pod.seats for drawn in plans for pod in drawn.pods}
    table = fold(results, [], spec, entries={item.entry: item.seed for item in entrants})
    gained: dict[str, Fraction] = {item.entry: Fraction(0) for item in entrants}
    for end in ends:
        for entry, own in zip(at[end.round, end.table], end.scores):
            gained[entry] += own
    assert gained == scores_of(table)


def test_a_forfeit_in_play_was_played() -> None:
    pod = Pod(1, ("a", "b"))
    history = [Plan(1, (pod,), (), UNCOUNTED, UNPROVED)]
    match = match_of(1, pod, [40, 20], [True, False])
    assert ends_of(history, [match], FIDE)[0].absent == (True, False)
    began = replace(match, is_played=True)
    found = ends_of(history, [began], FIDE)
    own, ties = (Fraction(0), Fraction(1)), ((Fraction(0),), (Fraction(-20),))
    assert found == [Finished(1, 1, (2, 1), own, (False, False), ties)]
