"""A trial from beginning to end: start, a smoke match for each preset, 200 decisions in positions of all kinds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from bots.runner.player import Launcher
from bots.runner.table import Played, play
from bots.trials import tables
from bots.trials.findings import Finding, Tried, smoke_of, start_of, states_of, tried
from bots.trials.tables import Candidate, Sitting

DECISIONS: Final = 200
"""How often the candidate is asked against players who do anything."""
MATCHES_MOST: Final = 100
"""So many matches at most bring these decisions about: in some games one is hardly ever asked."""
PATIENCE_S: Final = 60.0
"""A candidate that takes its time is asked so long, not so often: others wait for their checks, and matches for all."""

Judge = Callable[[Played], None]
"""Looks at a match before it counts, and raises if it does not (the service's doubts about wall clocks)."""


def run(
    candidate: Candidate,
    launcher: Launcher,
    *,
    pulse: Callable[[], None] | None = None,
    judge: Judge | None = None,
    patience_s: float = PATIENCE_S,
) -> Iterator[Finding]:
    """Put the candidate through everything, finding by finding; the first that is not ok is the last.

    pulse: as in `bots.runner.table.play`. patience_s: after so long no further match of the last step begins. Raises
    InfraFault when a match could not be played by no fault of a bot.
    """

    def sit(sitting: Sitting) -> Tried:
        played = play(sitting.spec, launcher, pulse=pulse)
        if judge is not None:
            judge(played)
        return tried(sitting, played)

    for number, preset in enumerate(candidate.plays):
        one = sit(tables.smoke(candidate, preset))
        if number == 0:
            start = start_of(one)
            yield start
            if not start.ok:
                return
        smoke = smoke_of(preset, one)
        yield smoke
        if not smoke.ok:
            return
    yield states_of(list(_until_asked(map(sit, islice(tables.states(candidate), MATCHES_MOST)), patience_s)))


def _until_asked(matches: Iterator[Tried], patience_s: float) -> Iterator[Tried]:
    """Matches until the candidate was asked often or long enough, or failed."""
    asked, until = 0, time.monotonic() + patience_s
    for one in matches:
        yield one
        asked += one.asked
        if one.forfeit is not None or asked >= DECISIONS or time.monotonic() >= until:
            return
