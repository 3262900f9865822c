"""A deal set between two players: one seed, played from every seat. Plays in this process, UNSAFE: house bots only."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Final

from benchmarks.duplicate.players import files_of
from benchmarks.duplicate.rehearsal import Rehearsal, can_be_rehearsed
from bots.runner.inprocess import UnsafeInProcessLauncher
from bots.runner.spec import MatchSpec
from bots.runner.table import play
from engine.deck import commitment
from engine.game import OptionValue
from engine.games import ruleset

Z95: Final = 1.96
FIRST, SECOND, OTHERS = range(3)
_LAUNCHER: Final = UnsafeInProcessLauncher()


@dataclass(frozen=True)
class Contest:
    """`first` against `second`. seats: at the table.

    others: who has all other seats, so that both play the same hands against them in turn. Without, the other seats
    are divided: each of the two sits alone, at every seat, among players like the other one.
    """

    preset: str
    first: str
    second: str
    seats: int = 2
    others: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    @property
    def players(self) -> tuple[str, str, str]:
        """Return the players: `first`, `second`, `others`."""
        return self.first, self.second, self.others

    def tables(self) -> list[tuple[int, ...]]:
        """Return the seating of each match of a deal set, as numbers in `players`."""
        pairs = [(FIRST, SECOND), (SECOND, FIRST)]
        if self.others:
            pairs = [(FIRST, OTHERS), (SECOND, OTHERS)]
        elif self.seats == 2:
            # At two seats the turned pair is the same two tables again.
            del pairs[1]
        seats = range(self.seats)
        return [tuple(one if seat == alone else rest for seat in seats) for one, rest in pairs for alone in seats]


@dataclass(frozen=True)
class Duel:
    """One deal set of a contest; its number picks the seed."""

    contest: Contest
    number: int


@dataclass(frozen=True)
class Verdict:
    """The verdict of a deal set on `first`: place share minus 1/2, and the difference in what the preset counts, a
    match.

    The place share is how often it is placed before `second`. cpu_ms, asked: of `first`, all matches together; 0 where
    they were rehearsed. differs: False where both played the same matches.
    """

    share: float
    lead: float
    cpu_ms: float = 0.0
    asked: int = 0
    differs: bool = True


@dataclass(frozen=True)
class _Result:
    """A match: per seat who it is (number in `players`), what counts, and the place; CPU and decisions of `first`."""

    table: tuple[int, ...]
    figures: Sequence[int]
    places: Sequence[int]
    cpu_ms: float = 0.0
    asked: int = 0


def play_duel(duel: Duel) -> Verdict:
    """Play every match of a deal set at the table, or rehearse it where that comes to the same."""
    if can_be_rehearsed(duel.contest.players):
        return rehearse_duel(duel)
    return table_duel(duel)


def table_duel(duel: Duel) -> Verdict:
    """Play every match of a deal set as in a tournament, but for clocks and the sandbox."""
    contest, seed = duel.contest, _seed(duel)
    return _verdict(
        contest,
        [_play(contest, duel.number, seed, leg, table) for leg, table in enumerate(contest.tables(), start=1)],
    )


def rehearse_duel(duel: Duel) -> Verdict:
    """The same verdict, for players who can be rehearsed: `rehearsal` says why. No CPU time is in it."""
    contest = duel.contest
    rules, tables = ruleset(contest.preset, **contest.options), contest.tables()
    rehearsal = Rehearsal(contest.players, rules, contest.seats, _seed(duel))
    # With others at the table the two never meet in one match, so the shortcut proves nothing.
    if not contest.others and not rehearsal.may_differ():
        return Verdict(0.0, 0.0, differs=False)
    counted = rules.options.scoring == "victories"
    results = [
        _Result(table, result.victories if counted else result.score, result.rank)
        for table, result in zip(tables, rehearsal.results(tables))
    ]
    return _verdict(contest, results)


def _seed(duel: Duel) -> bytes:
    return hashlib.sha256(f"benchmarks.house {duel.number}".encode()).digest()[:16]


def _verdict(contest: Contest, results: Sequence[_Result]) -> Verdict:
    if contest.others:
        found = [_in_turn(*pair, seat) for seat, pair in enumerate(zip(results, results[contest.seats :]))]
    else:
        found = [_together(result) for result in results]
    return Verdict(
        fmean(share for share, _ in found) - 0.5,
        fmean(lead for _, lead in found),
        sum(result.cpu_ms for result in results),
        sum(result.asked for result in results),
    )


def _together(result: _Result) -> tuple[float, float]:
    """Place share and lead of the seats of `first` over those of `second` in one match."""
    first, second = ([seat for seat, who in enumerate(result.table) if who == player] for player in (FIRST, SECOND))
    places, figures = result.places, result.figures
    share = fmean(_better(places[b], places[a]) for a in first for b in second)
    return share, fmean(figures[seat] for seat in first) - fmean(figures[seat] for seat in second)


def _in_turn(first: _Result, second: _Result, seat: int) -> tuple[float, float]:
    """The same, where each of them had this seat in a match of its own."""
    a, b = first.figures[seat], second.figures[seat]
    return _better(a, b), a - b


def _better(one: int, other: int) -> float:
    return float(one > other) + (one == other) / 2


def _play(contest: Contest, number: int, seed: bytes, leg: int, table: tuple[int, ...]) -> _Result:
    rules, commit = ruleset(contest.preset, **contest.options), commitment(seed)
    spec = MatchSpec(
        match_id=f"duel-{number}-{leg}",
        ruleset=rules,
        preset=contest.preset,
        seats=contest.seats,
        seed=seed,
        leg=leg,
        fair={"stage": commit, "commit": commit, "deal_set": str(number), "leg": leg},
        bots=tuple(files_of(contest.players[who]) for who in table),
    )
    played = play(spec, _LAUNCHER)
    # House bots must never forfeit; a figure with one in it would measure the bug.
    if played.forfeits:
        log = played.seats[played.forfeits[0].seat].log.decode()
        raise RuntimeError(f"{contest} {number}: {played.forfeits[0]}, {log}")
    result = played.document["record"]["result"]
    mine = [seat for who, seat in zip(table, played.seats) if who == FIRST]
    return _Result(
        table,
        result["victories" if rules.options.scoring == "victories" else "score"],
        result["rank"],
        sum(seat.cpu_ms for seat in mine),
        sum(len(seat.offsets) - 1 for seat in mine),
    )


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half width of its 95 % interval; one value per deal set."""
    return fmean(values), Z95 * stdev(values) / len(values) ** 0.5
