"""Plays a contest, on several processors if there are: every match at the table of the service."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, Final

from bots.errors import InfraFault
from bots.runner.player import Launcher
from bots.runner.table import Played, play
from kit.contest import Contest
from kit.errors import Unwell
from kit.launching import start_again
from kit.repeating import failure_of

WORTH_A_PROCESS: Final = 8
"""Matches that are played in the time it takes to start another process."""
MAX_FAULTS: Final = 5
"""Failures of a deal set whose particulars are kept; all are counted."""


@dataclass(frozen=True, slots=True)
class Sat:
    """A player's match, all its seats together. place: share of the others' seats it finished before (level: half).

    lead: its figure less the mean of the others'. cpu_ms, asked: of its decisions; slowest_ms: of one of them.
    """

    player: int
    place: Fraction
    lead: float
    cpu_ms: float
    asked: int
    slowest_ms: int
    code: str | None


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """One match: player number per seat, place per side, and who did how."""

    seating: tuple[int, ...]
    places: tuple[int, ...]
    sat: tuple[Sat, ...]


@dataclass(frozen=True, slots=True)
class SetPlayed:
    """A deal set, leg by leg. failures: particulars of the first ones, for `hanami repro`."""

    number: int
    matches: tuple[MatchPlayed, ...]
    failures: tuple[dict[str, Any], ...]


_launcher: Launcher | InfraFault | None = None
"""Of this process of the pool, or why it has none."""


def play_sets(
    contest: Contest, launcher: Launcher, *, jobs: int, unsafe: bool = False, records: Path | None = None
) -> Generator[SetPlayed, None, None]:
    """Every deal set as it ends, in no certain order. records: a folder that gets every match's document.

    Raises InfraFault if a match could not be played, Unwell if a process was lost.
    """
    # A process imports the engine and starts a fork server of its own first; for a few matches that takes longer.
    jobs = min(jobs, max(1, contest.matches // WORTH_A_PROCESS))
    if jobs == 1:
        for number in range(contest.sets):
            yield play_set(contest, number, launcher, records)
        return
    # `spawn`: a fork of this process would share the descriptors of its fork server.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(unsafe,))
    try:
        yield from _in_pool(pool, contest, jobs, records)
    except BrokenProcessPool as lost:
        raise Unwell("A process that played was lost. Try again; --jobs 1 plays in this one alone.") from lost
    finally:
        # Also when the caller stops reading: Ctrl-C, or a test that has decided.
        pool.shutdown(wait=True, cancel_futures=True)


def _in_pool(pool: ProcessPoolExecutor, contest: Contest, jobs: int, records: Path | None) -> Iterator[SetPlayed]:
    """Keeps a few deal sets ahead of what is played, so that Ctrl-C has little to wait for."""
    # Twice as many as processes: each has its next deal set waiting when it ends one.
    numbers = iter(range(contest.sets))
    running: set[Future[SetPlayed]] = {
        pool.submit(_play_here, contest, number, records) for number in islice(numbers, 2 * jobs)
    }
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        running |= {pool.submit(_play_here, contest, number, records) for number in islice(numbers, len(done))}
        for future in done:
            yield future.result()


def _begin(unsafe: bool) -> None:
    """Prepare a new process of the pool: Ctrl-C is for the one that was started by hand."""
    global _launcher
    # A terminal sends it to every process of the group; a match broken off here would be taken for a lost process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _launcher = start_again(unsafe=unsafe)
    except InfraFault as fault:
        # Raised here it would break the pool, and nobody would learn the reason.
        _launcher = fault


def _play_here(contest: Contest, number: int, records: Path | None) -> SetPlayed:
    assert _launcher is not None
    if isinstance(_launcher, InfraFault):
        raise _launcher
    return play_set(contest, number, _launcher, records)


def play_set(contest: Contest, number: int, launcher: Launcher, records: Path | None = None) -> SetPlayed:
    """Every match of one deal set."""
    matches: list[MatchPlayed] = []
    failures: list[dict[str, Any]] = []
    for leg, seating in contest.legs(number):
        spec = contest.spec(number, leg, seating)
        played = play(spec, launcher)
        places = tuple(played.document["record"]["result"]["rank"])
        matches.append(MatchPlayed(seating, places, sat(contest, seating, played)))
        for forfeit in played.forfeits:
            # Each carries a whole document, and all of them go back through the pipe of the pool.
            if len(failures) < MAX_FAULTS:
                failures.append({**failure_of(spec, played, forfeit), "player": seating[forfeit.seat]})
        if records is not None:
            text = json.dumps(with_names(contest, seating, spec.seed, played), ensure_ascii=False)
            (records / f"{spec.match_id}.json").write_text(text, encoding="utf-8")
    return SetPlayed(number, tuple(matches), tuple(failures))


def with_names(contest: Contest, seating: Sequence[int], seed: bytes, played: Played) -> dict[str, Any]:
    """The document with what the service adds when it serves one: who played, and the seed, which is ours to tell."""
    names = [contest.players[who].name for who in seating]
    return {**played.document, "view": {**played.document["view"], "names": names, "seed": seed.hex()}}


def sat(contest: Contest, seating: Sequence[int], played: Played) -> tuple[Sat, ...]:
    """Return what a match says of each player."""
    result, view = played.document["record"]["result"], played.document["view"]
    places = [result["rank"][side] for side in contest.sides]
    figures = [result[contest.counts][side] for side in contest.sides]
    # A zero to begin with: a seat that was never asked has a slowest answer too.
    times = [[0] for _ in seating]
    for deal in view["deals"]:
        for move in deal["moves"]:
            times[int(move["a"]["by"][1:])].append(move["ms"] or 0)
    found = []
    for who in sorted(set(seating)):
        mine = [seat for seat, other in enumerate(seating) if other == who]
        others = [seat for seat, other in enumerate(seating) if other != who]
        readings = [played.seats[seat] for seat in mine]
        found.append(
            Sat(
                player=who,
                place=_share([places[seat] for seat in mine], [places[seat] for seat in others]),
                lead=_lead([figures[seat] for seat in mine], [figures[seat] for seat in others]),
                cpu_ms=sum(sum(times[seat]) for seat in mine),
                asked=sum(sum(1 for deal, _, _ in reading.offsets if deal) for reading in readings),
                slowest_ms=max(max(times[seat]) for seat in mine),
                code=next((reading.code for reading in readings if reading.code), None),
            )
        )
    return tuple(found)


def _share(mine: Sequence[int], others: Sequence[int]) -> Fraction:
    """Return how often mine were placed before the others; level counts half. 1/2 where there are no others."""
    halves = [2 * (a < b) + (a == b) for a in mine for b in others]
    return Fraction(sum(halves), 2 * len(halves)) if halves else Fraction(1, 2)


def _lead(mine: Sequence[int], others: Sequence[int]) -> float:
    return sum(mine) / len(mine) - sum(others) / len(others) if others else 0.0


def processors() -> int:
    """Return how many processes can play at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
