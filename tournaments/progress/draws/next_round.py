"""The next round of stages whose rounds follow from results: drawn without a transaction, written once.

A draw may take seconds, so nothing is locked meanwhile. What was drawn is written under the event's lock if the stage
is still where it was; two processes that draw at once draw the same, and the second finds nothing to write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import publish
from bots.selectors.workers import idle_processes
from core.formats import kinds
from core.formats.errors import FormatError
from core.formats.model import Plan
from core.formats.pools import Course
from core.interchange.progress import scores_of
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import act
from tournaments.models import Match, Round, Stage, StageEntry, Tournament
from tournaments.pairing import constraints, inputs
from tournaments.pairing import plans as planning
from tournaments.pairing.table_numbers import numbered
from tournaments.progress import derive
from tournaments.progress.draws import comparisons, draw, ladders
from tournaments.standings import ledger_cache, level_matches

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Next:
    """The continuation of a stage after its first `after` rounds: one more round, or its end.

    gone: entries not drawn.
    """

    after: int
    plan: Plan | None
    gone: tuple[str, ...] = ()


def waiting() -> QuerySet[Stage]:
    """Return stages whose rounds are all complete and which go on by results on their own (`goes_on_alone`)."""
    return ready_to_go_on().exclude(tournament__in=derive.drawn_by_hand())


def ready_to_go_on() -> QuerySet[Stage]:
    """Return stages whose rounds are all complete and which go on by results."""
    open_rounds = Round.objects.filter(stage=OuterRef("pk")).exclude(state__in=inputs.COMPLETE)
    from_results = Stage.objects.filter(kind__in=kinds(lambda each: each.needs_results), state=Stage.State.ACTIVE)
    return from_results.filter(~Exists(open_rounds), tournament__state=Tournament.State.RUNNING)


def advance_waiting() -> int:
    """Draw and write the next round of every stage that waits for it, and fill the queues of ladders and comparisons.

    Returns how many went on or ended.

    A stage that cannot be drawn holds up nobody else: the first such error is raised once all others are done.
    """
    done, broken = 0, []
    for stage in waiting().select_related("tournament", "ruleset").order_by("pk"):
        try:
            done += advance(stage)
        except Exception as error:
            log.exception("advance.broken", stage=str(stage.uuid))
            broken.append(error)
    # Also if a stage is broken: ladders and comparisons are draws of their own.
    done += ladders.go_on_all() + comparisons.go_on_all()
    if broken:
        raise broken[0]
    return done


def advance(stage: Stage) -> bool:
    """Draw and write what follows in one stage. Returns whether this call wrote it.

    A bracket waits while a match that ended level is not decided.
    """
    if level_matches.undecided(stage):
        return False
    # Seconds for a large Swiss, without any lock; the lock comes afterwards and only for writing.
    following = next_of(stage)
    with transaction.atomic():
        locks.lock_standings(stage.tournament)
        # Asked again under the lock: another process may have written this round, or a correction opened an old one.
        if not waiting().filter(pk=stage.pk).exists() or stage.rounds.count() != following.after:
            return False
        if following.plan is None:
            return derive.closes_alone(stage) and _close(stage, following.gone)
        return _write(stage, following.plan)


def next_of(stage: Stage) -> Next:
    """Return what follows in one stage, drawn and not written: from the same results always the same."""
    return _next(stage, course_now(stage))


def course_now(stage: Stage) -> Course:
    """Return the stage so far, with the scores of now."""
    # Only the results are read under the lock. The planners work on plain values.
    with transaction.atomic():
        locks.lock_standings(stage.tournament)
        return _course(stage)


def _course(stage: Stage) -> Course:
    """Read the stage so far. Needs the event's lock, for its ledger."""
    ledgers = ledger_cache.ledgers_of(stage)
    results = ledgers.now.matches_of_rounds(1, ledger_cache.MAX_ROUNDS)
    return planning.course_of(stage, scores_of(ledgers.table(stage)), results)


def _next(stage: Stage, course: Course) -> Next:
    shape = planning.shape_of(stage)
    try:
        plans = planning.plans_of(stage, shape, course, planning.seed_of(stage))
    except FormatError as error:
        if error.code not in planning.OVER:
            raise
        # No plan is the end of the stage; any other error of a planner is a defect and is raised.
        plans = ()
    gone = tuple(entrant.entry for entrant in course.entrants if not entrant.is_active)
    return Next(len(course.history), plans[0] if plans else None, gone)


def _write(stage: Stage, plan: Plan) -> bool:
    """Write the round, published and queued; every idle worker gets a wake-up. Tables with people wait to be called."""
    later: list[DomainEvent] = []
    (plan,) = numbered(stage, constraints.explained((plan,), constraints.clubs_in(stage)))
    row, _matches = draw.write_round(stage, plan)
    act(row, "publish", None, later=later)
    _lock_the_round_before(row, later)
    _fold(stage, later)
    publish(*later)
    queued = draw.queue_ready(Match.objects.filter(round=row))
    wake_ups.notify_on_commit("play", times=min(queued, idle_processes()))
    return True


def _lock_the_round_before(row: Round, later: list[DomainEvent]) -> None:
    before = Round.objects.filter(stage=row.stage, number=row.number - 1, state=Round.State.COMPLETE).first()
    if before is not None:
        act(before, "lock", None, later=later)


def _fold(stage: Stage, later: list[DomainEvent]) -> None:
    """Fold where places follow from what was drawn, and from who was not: in a bracket, and where lives count."""
    if stage.format.ranks_by_bracket and derive.recalculate(stage):
        later.append(derive.news_of(stage))


def _close(stage: Stage, gone: Sequence[str]) -> bool:
    """Close the stage.

    An entry that was not there for what a bracket would have drawn now has left it, and stays so.
    """
    later: list[DomainEvent] = []
    if stage.format.ranks_by_bracket:
        left = StageEntry.objects.filter(stage=stage, entry__uuid__in=gone, left_round=None)
        left.update(left_round=stage.rounds.count() + 1)
    _fold(stage, later)
    derive.settle(stage, later)
    derive.finish(stage.tournament, later)
    publish(*later)
    return True
