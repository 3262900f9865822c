"""A trial from beginning to end: start, a smoke match for each preset, 200 decisions in positions of all kinds.

It has a limit as a whole: others wait for their checks, and matches for all of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from bots.runner.player import Launcher
from bots.runner.table import Played, play
from bots.trials import tables
from bots.trials.findings import Finding, Tried, limit_of, smoke_of, start_of, states_of, tried
from bots.trials.tables import Candidate, Sitting

DECISIONS: Final = 200
"""How often the candidate is asked against random players."""
MAX_MATCHES: Final = 100
"""Most matches that bring these decisions about: in some games one is hardly ever asked."""
PATIENCE_S: Final = 60.0
"""Time after which a slow candidate is asked no further; it then gets fewer than 200 decisions."""
CPU_MATCHES: Final = 2
"""CPU of the candidate in a whole trial, in matches of its clock; with `standard` 120 s. Eight presets at 100 ms a
move, 200 decisions at the same pace: 45 s. It may be passed by the one match in which it is reached."""
WALL_S: Final = 60.0
"""Of a whole trial, beside that CPU. As nobody can sleep it is our load, so what is left out for it counts against
nobody."""

ClockCheck = Callable[[Played], None]
"""Looks at a match before it counts, and raises if it does not (the service's doubts about wall clocks)."""


def run(
    candidate: Candidate,
    launcher: Launcher,
    *,
    heartbeat: Callable[[], None] | None = None,
    check_clock: ClockCheck | None = None,
    patience_s: float = PATIENCE_S,
    cpu_s: float | None = None,
    wall_s: float | None = None,
) -> Iterator[Finding]:
    """Put the candidate through everything, finding by finding; the first that is not ok is the last.

    patience_s: how long matches of the last step begin; wall_s: all; cpu_s: used in all (`_limits`). Raises InfraFault.
    """
    used_ms, (budget_s, until) = 0.0, _limits(candidate, cpu_s, wall_s)

    def sit(sitting: Sitting) -> Tried:
        nonlocal used_ms
        played = play(sitting.spec, launcher, heartbeat=heartbeat)
        if check_clock is not None:
            check_clock(played)  # before it counts: a doubtful timeout raises, and another worker tries
        used_ms += played.seats[sitting.seat].cpu_ms
        return tried(sitting, played)

    for number, preset in enumerate(candidate.plays):
        if number and time.monotonic() >= until:  # the first is always played: else nothing is known
            return
        one = sit(tables.smoke(candidate, preset))
        for finding in _findings_of(preset, one, is_first=number == 0):
            yield finding
            if not finding.ok:
                return
        if used_ms > budget_s * 1000:
            yield limit_of(one, used_ms, budget_s)
            return
    if candidate.plays and time.monotonic() >= until:
        return
    patience = min(time.monotonic() + patience_s, until)
    matches = map(sit, islice(tables.states(candidate), MAX_MATCHES))
    yield states_of(list(_until_asked(matches, lambda: time.monotonic() >= patience or used_ms > budget_s * 1000)))


def _limits(candidate: Candidate, cpu_s: float | None, wall_s: float | None) -> tuple[float, float]:
    """Return the CPU that a trial may take, and until when; None: as the clock of the candidate has it."""
    budget_s = CPU_MATCHES * candidate.clock.match_ms / 1000 if cpu_s is None else cpu_s
    return budget_s, time.monotonic() + (budget_s + WALL_S if wall_s is None else wall_s)


def _findings_of(preset: str, one: Tried, *, is_first: bool) -> Iterator[Finding]:
    """Yield the findings of a smoke match; the first one also tells how the candidate started."""
    if is_first:
        yield start_of(one)
    yield smoke_of(preset, one)


def _until_asked(matches: Iterator[Tried], is_enough: Callable[[], bool]) -> Iterator[Tried]:
    """Matches until the candidate was asked often or long enough, or failed."""
    asked = 0
    for one in matches:
        yield one
        asked += one.asked
        if one.forfeit is not None or asked >= DECISIONS or is_enough():
            return
