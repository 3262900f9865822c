"""Ladders for the tests: started, played, compared with a fold of everything."""

from __future__ import annotations

from typing import Any

from bots.jobs.process import Process
from tests.builders import events as a
from tournaments.matches import play
from tournaments.models import Stage, Tournament
from tournaments.progress import derive
from tournaments.progress.draws import next_round
from tournaments.ratings.ladders import ladder
from tournaments.standings import store


def a_ladder(*, bots: int = 4, **changes: Any) -> Tournament:
    """Make a ladder that runs."""
    return a.a_running_event(bots=bots, **{"kind": "ladder", "name": "Plum ladder", "rounds": 3, **changes})


def stage_of(event: Tournament) -> Stage:
    """Return its only stage."""
    return Stage.objects.select_related("tournament", "ruleset").get(tournament=event)


def play_on(process: Process) -> None:
    """Do what workers do with their wake-ups, until nothing waits."""
    while True:
        process.seconds = 0.1
        played = play.play_batch(process)
        derive.derive_waiting()
        if not next_round.advance_waiting() and not played:
            return


def settled(stage: Stage) -> int:
    """Return how many deal sets are folded in for good."""
    return ladder.pool_of(stage).seq


def differences(stage: Stage) -> list[str]:
    """Return what is stored otherwise than a fold of everything says."""
    return store.differences(stage)
