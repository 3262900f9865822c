"""The sweep: every quarter of a minute, what was lost is taken back and rung for again, closed entries are pinned.

Ready bots enter the official ladders, which are opened anew when their month is over. What concerns accounts, hooks and
mails, and all that is dropped after a time, is `tidying`, of another service.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from activity import wake_ups
from activity.journal import tell_queue
from bots.jobs import checks, claims
from bots.models import Check
from bots.selectors.workers import idle_processes
from tournaments.jobs import (
    advancing,
    challenge_drawing,
    deriving,
    drawing,
    house_ladders,
    ladder_drawing,
    playing,
    rating_pools,
    rehearsals,
    stages,
    tallying,
)
from tournaments.jobs.steps import Step, do_all
from tournaments.models import Match


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep did: rows taken back, expired leases dropped, bells rung."""

    taken_back: int
    leases: int
    bells: int


def sweep() -> Swept:
    """Give back what hangs on expired leases, then ring for whatever waits. Harmless to run twice at once.

    A step that fails stops none of the others.
    """
    said = do_all("sweep", _steps())
    taken = said["checks"] + said["matches"]
    if taken:
        tell_queue()
    return Swept(taken, said["leases"], sum(do_all("sweep", _rings()).values()))


def _steps() -> Mapping[str, Step]:
    """In order: a lease is dropped once nothing hangs on it."""
    return {
        "checks": lambda: claims.take_back_expired(Check, checks.notes),
        "matches": lambda: claims.take_back_expired(Match, playing.notes),
        "leases": lambda: claims.drop_empty_leases([Check, Match]),
        "entries": drawing.pin_closed_entries,
        "ladders": house_ladders.keep_open,
        "ladder_entries": house_ladders.enter_ready,
        "tallies": tallying.add_up,
    }


def _rings() -> Mapping[str, Step]:
    """What is rung for; each says how many bells."""
    return {"ring_play": _ring_to_play, "ring_derive": _ring_to_derive, "ring_rehearse": _ring_to_rehearse}


def _ring_to_play() -> int:
    waiting = checks.waiting() + playing.waiting()
    times = min(waiting, idle_processes()) if waiting else 0
    return times * wake_ups.ring("play", times)


def _ring_to_derive() -> int:
    to_draw = advancing.waiting().exists() or stages.beginning().exists() or ladder_drawing.are_waiting()
    to_draw = to_draw or challenge_drawing.are_waiting()
    waits = to_draw or deriving.work_waits() or rating_pools.stale().exists()
    return int(waits and wake_ups.ring("derive"))


def _ring_to_rehearse() -> int:
    return int(rehearsals.work_waits() and wake_ups.ring("rehearse"))
