"""The sweep: every quarter of a minute lost work is requeued, wake-ups are sent again, closed entries are pinned.

Ready bots enter the official ladders, which are opened again when their month is over; their seasons end with medals.
Accounts, webhooks and mails, and all that is dropped after a time, belong to `purge`, of another service.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from activity import wake_ups
from activity.journal import publish_queue_change
from bots.jobs import checks, claims
from bots.models import Check
from bots.selectors.workers import idle_processes
from tournaments.matches import counters, play
from tournaments.models import Match
from tournaments.operations.steps import Step, do_all
from tournaments.progress import derive, stages
from tournaments.progress.draws import comparisons, ladders, next_round, starters
from tournaments.ratings import pools
from tournaments.ratings.ladders import house, medals
from tournaments.simulation import jobs as rehearsals


@dataclass(frozen=True, slots=True)
class Swept:
    """Result of a sweep: rows taken back, expired leases dropped, wake-ups sent."""

    taken_back: int
    leases: int
    notified: int


def sweep() -> Swept:
    """Requeue what belongs to expired leases, then send a wake-up for everything that waits. Harmless twice at once.

    A step that fails stops none of the others.
    """
    results = do_all("sweep", _steps())
    taken = results["checks"] + results["matches"]
    if taken:
        publish_queue_change()
    # Wake-ups last: what this very sweep has taken back waits, too.
    return Swept(taken, results["leases"], sum(do_all("sweep", _wake_up_steps()).values()))


def _steps() -> Mapping[str, Step]:
    """Return the steps in order: a lease is dropped once nothing names it."""
    return {
        "checks": lambda: claims.take_back_expired(Check, checks.events_of),
        "matches": lambda: claims.take_back_expired(Match, play.events_of),
        "leases": lambda: claims.drop_empty_leases([Check, Match]),
        "entries": starters.pin_closed_entries,
        "ladders": house.ensure_open,
        "ladder_seasons": medals.end_seasons,
        "ladder_entries": house.enter_ready,
        "tallies": counters.add_up,
    }


def _wake_up_steps() -> Mapping[str, Step]:
    """Return the steps that send wake-ups; each returns how many."""
    return {"ring_play": _notify_to_play, "ring_derive": _notify_to_derive, "ring_rehearse": _notify_to_rehearse}


def _notify_to_play() -> int:
    waiting = checks.waiting() + play.waiting()
    times = min(waiting, idle_processes()) if waiting else 0
    return times * wake_ups.notify_workers("play", times)


def _notify_to_derive() -> int:
    to_draw = next_round.waiting().exists() or stages.beginning().exists() or ladders.are_waiting()
    to_draw = to_draw or comparisons.are_waiting()
    waits = to_draw or derive.work_waits() or pools.stale().exists()
    return int(waits and wake_ups.notify_workers("derive"))


def _notify_to_rehearse() -> int:
    return int(rehearsals.work_waits() and wake_ups.notify_workers("rehearse"))
