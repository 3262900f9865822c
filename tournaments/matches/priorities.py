"""Priorities of matches: how tournaments share the workers, low numbers first (tournaments.md section 9).

priority = max(smallest queued, the tournament's last) + estimated cost, in milliseconds of a worker. The smallest
queued one is the time that is being served now: anyone who starts later starts there, so a small tournament does not
wait for a big one, and of two that run side by side each gets as much of the workers' time as the other. A match that
is played again keeps its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import median
from typing import Final

from django.db.models import F, Max, QuerySet

from tournaments.models import Match, Stage, Tournament

# Number of finished matches that are looked at, the newest ones.
MEASURED: Final = 50
# The newest stages alike: a club's league of years has hundreds, and all would be joined for fifty matches.
STAGES: Final = 20
# Per seat and deal of a match that was never played like this: house bots of rules on a small machine.
GUESS_MS: Final = 20


def places(start: int, costs: Iterable[int]) -> Iterator[int]:
    """Return the priorities of a tournament's matches in their order: each stands its cost behind the one before."""
    at = start
    for cost in costs:
        at += max(1, cost)  # at least 1: matches of one tournament keep their order in the queue
        yield at


def first_queued(matches: QuerySet[Match]) -> int | None:
    """Return the smallest number among those of the matches that wait; one step along the index of the queue."""
    return matches.filter(state=Match.State.QUEUED).order_by("priority").values_list("priority", flat=True).first()


def running() -> QuerySet[Match]:
    """Return matches of tournaments that run: the waiting ones of a paused one do not hold the queue back."""
    return Match.objects.filter(stage__tournament__state=Tournament.State.RUNNING)


def served_now() -> int:
    """Return the number the queue has come to: of the first match that may be claimed, else the last that was given."""
    first = first_queued(running())
    return first if first is not None else Match.objects.aggregate(last=Max("priority"))["last"] or 0


def start_of(tournament: Tournament) -> int:
    """Return the number at which the next matches of a tournament begin."""
    last = Match.objects.filter(stage__tournament=tournament).aggregate(found=Max("priority"))["found"] or 0
    # A tournament that has much in the queue already goes on behind that; a new one begins where the queue is now.
    return max(served_now(), last)


def estimated_ms(stage: Stage, seats: int, deals: int) -> int:
    """Estimate the milliseconds a match will keep a worker: the median of those played by these rules, seats and clock.

    deals: of a match by its rules; what the guess is made of where nothing was played yet.
    """
    alike = Stage.objects.filter(ruleset=stage.ruleset_id, clock=stage.clock, clock_figures=stage.clock_figures)
    stages = list(alike.order_by("-id").values_list("pk", flat=True)[:STAGES])
    played = Match.objects.filter(stage__in=stages, seats_n=seats, state=Match.State.CONFIRMED)
    # By key, the order in which they were drawn: the index has it, and `finished_at` of these stages would be sorted.
    times = played.order_by("-id")
    found = [
        (ended - begun).total_seconds() * 1000
        for begun, ended in times.values_list("claimed_at", "finished_at")[:MEASURED]
        if begun is not None and ended is not None
    ]
    # The median: a match that waited for a machine under load, or died at once, does not move it.
    return max(1, round(median(found))) if found else GUESS_MS * seats * max(1, deals)


def catch_up(tournament: Tournament) -> None:
    """Move the queued matches of a tournament that rested to where the queue is now: it does not get it all at once.

    Call it in the transaction that lets the tournament run again.
    """
    own = Match.objects.filter(stage__tournament=tournament)
    # Without its own matches: their low numbers would say that the queue has not moved.
    first, now = first_queued(own), first_queued(running().exclude(stage__tournament=tournament))
    if first is not None and now is not None and now > first:
        # All by the same amount, so that their order among themselves stays. In the database: a list of keys could be
        # long.
        own.filter(state=Match.State.QUEUED).update(priority=F("priority") + (now - first))
