"""The ratings of all public events together, one pool for each preset and shape of table.

Matches of many events interleave there, so a fold may go through much again: a pool is folded at most every few
seconds, by anyone who receives a wake-up. The mark that it has to be is written with the results themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from accounts.transactions import allow_long_pauses
from activity.journal import publish
from core.formats import experiments
from tournaments.domain_events.tournaments import RatingsChanged
from tournaments.models import Match, RatingPool, Stage, Tournament
from tournaments.ratings import fold as rating
from tournaments.ratings import inputs as rating_inputs
from tournaments.ratings.queries import live_channel

GAP: Final = timedelta(seconds=10)


def mark(tournament: Tournament, matches: Sequence[str] | None = None) -> None:
    """Note that results of an event are to be folded in. Call it in the transaction that reads them.

    matches: UUIDs of those that were confirmed; None: anything may have happened to any of them.
    """
    if tournament.visibility == Tournament.Visibility.PRIVATE or tournament.is_copy:
        return
    if tournament.rated:
        _mark_people(tournament)
    rows = Match.objects.filter(stage__tournament=tournament, deal_set__isnull=False, state=Match.State.CONFIRMED)
    rows = rows.exclude(stage__kind__in=experiments())
    touched = rows if matches is None else rows.filter(uuid__in=matches)
    for stage, seats, first in touched.order_by().values_list("stage", "seats_n").annotate(first=Min("deal_set")):
        pool = _pool_of(Stage.objects.select_related("ruleset").get(pk=stage), seats)
        changed = first if matches is not None else rating_inputs.first_changed(pool)
        _mark(pool, changed)


def mark_stage(stage: Stage) -> None:
    """Note that nothing of a stage counts any more, once none of its matches does. `mark` looks after people's."""
    event = stage.tournament
    if event.visibility == Tournament.Visibility.PRIVATE or event.is_copy:
        return
    rows = Match.objects.filter(stage=stage, deal_set__isnull=False).order_by()
    for seats in rows.values_list("seats_n", flat=True).distinct():
        pool = _pool_of(stage, seats)
        _mark(pool, rating_inputs.first_changed(pool))


def mark_programs(stage: Stage, seats: int) -> None:
    """Note that a table at which only remote programs sit has a result that is rated."""
    _mark(_pool_of(stage, seats, RatingPool.Who.REMOTE), None)


def _mark_people(tournament: Tournament) -> None:
    """Compare all matches of people of the event with what was folded: they are few and corrected by hand."""
    rows = rating_inputs.of_people(Match.objects.filter(stage__tournament=tournament))
    for stage, seats in rows.order_by().values_list("stage", "seats_n").distinct():
        pool = _pool_of(Stage.objects.select_related("ruleset").get(pk=stage), seats, RatingPool.Who.PEOPLE)
        _mark(pool, rating_inputs.first_changed_in(pool, tournament))


def _mark(pool: RatingPool, changed: int | None) -> None:
    """Mark the pool as stale; if the change lies in what is folded, note that the fold starts there again."""
    # One UPDATE without reading: workers of several events mark one pool at once.
    RatingPool.objects.filter(pk=pool.pk).update(is_stale=True)
    if changed is not None:
        # Only ever earlier, by a condition of the UPDATE: of two marks the earlier one stays in any order.
        earlier = Q(redo_from=None) | Q(redo_from__gt=changed)
        RatingPool.objects.filter(earlier, pk=pool.pk, upto__gte=changed).update(redo_from=changed)


def _pool_of(stage: Stage, seats: int, who: str = RatingPool.Who.BOTS) -> RatingPool:
    sides = rating_inputs.sides_of(stage, seats)
    pool, _made = RatingPool.objects.get_or_create(stage=None, who=who, preset=stage.preset, seats=seats, sides=sides)
    return pool


def stale() -> QuerySet[RatingPool]:
    """Return pools that are to be folded and may be."""
    rested = Q(folded_at=None) | Q(folded_at__lte=timezone.now() - GAP)
    return RatingPool.objects.filter(rested, stage=None, is_stale=True).order_by("pk")


def fold_stale() -> int:
    """Fold every pool that has waited long enough. Returns how many."""
    return sum(fold(pk) for pk in stale().values_list("pk", flat=True))


@transaction.atomic
def fold(pk: int) -> bool:
    """Fold one pool if it still has to be, alone: under its row lock."""
    # PostgreSQL would end a transaction that thinks for minutes between two statements.
    allow_long_pauses()
    # is_stale is asked again with the lock: the process that held it before may have folded everything.
    pool = RatingPool.objects.select_for_update().filter(pk=pk, is_stale=True).first()
    if pool is None:
        return False
    if rating.update_ratings(pool) and pool.who == RatingPool.Who.BOTS:
        publish(RatingsChanged(live_channel(pool.preset)))
    return True


@transaction.atomic
def rebuild(pk: int) -> list[str]:
    """Fold one pool from everything. Returns where the stored rows differed."""
    allow_long_pauses()
    pool = RatingPool.objects.select_for_update().get(pk=pk)
    rating.update_ratings(pool)
    found = rating.differences(pool)
    rating.rebuild(pool)
    return found
