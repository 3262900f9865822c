"""Calling off a stage that has begun: nothing of it counts any more, and it can be drawn again from its sources.

What was played stays readable under another number of stage; a new row with a secret of its own takes the stage's
place in the chain. The preview does all of it and takes it back, so that what it lists is what then changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import publish, publish_queue_change
from core.errors import TournamentError
from engine.deck import commitment
from tournaments.domain_events.matches import MatchVoided
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import OWNER, act, may, transition
from tournaments.lifecycle.values import written_reason
from tournaments.models import (
    Match,
    PairRule,
    Progression,
    RequestedBye,
    ResultReport,
    Seat,
    Stage,
    Standing,
    Tournament,
)
from tournaments.progress import derive
from tournaments.progress.corrections import affected
from tournaments.progress.corrections.affected import Affected
from tournaments.progress.corrections.cascade import FIGURES
from tournaments.ratings import pools
from tournaments.scores.reports import reject_open
from tournaments.standings import ledger_cache
from tournaments.undo.recorder import undoable

S, T = Stage.State, Tournament.State
BEGUN: Final = (S.ACTIVE, S.SETTLING, S.CLOSED)
# Columns that the stage in its place has of its own, and that a new secret leaves behind.
OWN: Final = frozenset({"id", "uuid", "state", "secret", "commitment", "mix", "revealed_at", "reason"})
# Bounds the channels of matches that one transaction locks; the event's own page hears of all.
MAX_EVENTS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Voiding:
    """The effects of calling a stage off. tables: of it; results: those that count now. hash: names all of it."""

    stage: Stage
    tables: int
    results: int
    changes: tuple[Affected, ...]
    hash: str


def can_be_voided(stage: Stage, event: Tournament, advancement: Iterable[Progression]) -> bool:
    """Return whether the stage has begun after others, nothing is drawn from it yet, and its event is on.

    advancement: out of it.
    """
    if stage.order == 1 or stage.state not in BEGUN or event.state not in (T.RUNNING, T.PAUSED):
        return False
    return all(rule.target.state == S.PLANNED for rule in advancement)


def preview_void(*, stage: Stage, by: User) -> Voiding:
    """Show what would follow. Changes nothing. Raises what `void_stage` raises."""
    try:
        with transaction.atomic():
            found, _fresh = _voided(stage, by, "", [])
            transaction.set_rollback(True)
    finally:
        _discard_tables(stage)
    # The rollback undid the rows; the object in memory still had the state VOID.
    stage.refresh_from_db()
    return found


def _discard_tables(stage: Stage) -> None:
    """Clear the ledgers of what was folded and rolled back."""
    ledger_cache.discard(Stage.objects.filter(tournament=stage.tournament_id).values_list("uuid", flat=True))


@undoable("void_stage", OWNER, never_of_bots=True)
def void_stage(*, stage: Stage, by: User, reason: str, seen: str) -> Stage:
    """Call a stage off that has begun. seen: `hash` of what was previewed. Returns the one in its place, to be drawn.

    Its matches are void, its standings gone, its decks and its secret public. Raises TournamentError
    "tournament.not_organiser" (owners alone), "stage.reason_needed", "stage.already_void" (a double click),
    "stage.not_begun" (take its draw back, or undo the start), "stage.leads_on" (a stage after it is drawn: call that
    off or take it back first), "stage.event_over" (undo the last signature first), "stage.moved" (something changed
    since it was looked at).
    """
    reason = written_reason(reason, kind="stage")
    events: list[DomainEvent] = []
    try:
        with transaction.atomic():
            found, fresh = _voided(stage, by, reason, events)
            if found.hash != seen:
                message = _("Something changed in the meantime. Check the consequences again, then decide.")
                raise TournamentError(message, code="stage.moved")
            publish(*events)
            wake_ups.notify_on_commit("derive")
    except BaseException:
        _discard_tables(stage)
        raise
    return fresh


def _voided(stage: Stage, by: User, reason: str, events: list[DomainEvent]) -> tuple[Voiding, Stage]:
    """Do all of it. Needs a transaction; anyone who only looks takes it back."""
    event = stage.tournament
    locks.lock_standings(event)
    may(event, by, OWNER, "void_stage")
    # After the event's lock and in the order of keys, as everywhere; workers that record a result wait for their row.
    rows = Match.objects.select_for_update(of=("self",)).filter(stage=stage)
    matches = list(rows.order_by("pk").only("uuid", "state"))
    # Read again under the lock: a second click finds the stage void here.
    stage.refresh_from_db()
    event.refresh_from_db()
    _require(stage)
    before = affected.rows_of(event)
    results = sum(match.state == Match.State.CONFIRMED for match in matches)
    _end_matches(stage, matches, by, events)
    derive.complete_rounds(stage, events)
    derive.reveal_deal_sets(stage)
    # A stage that counts for nothing has no table.
    Standing.objects.filter(stage=stage).delete()
    fresh = _put_aside(stage, by, reason, results, events)
    pools.mark_stage(stage)
    derive.refresh(event)
    changes = affected.between(before, affected.rows_of(event))
    digest = affected.digest(changes, str(stage.pk), "void")
    return Voiding(stage, len(matches), results, changes, digest), fresh


def _require(stage: Stage) -> None:
    """Refuse a stage that cannot be called off now."""
    if stage.state == S.VOID:
        message = _("It is already cancelled: somebody else (or a second click) was faster. Nothing was done twice.")
        raise TournamentError(message, code="stage.already_void")
    if stage.tournament.state not in (T.RUNNING, T.PAUSED):
        message = _("The event is not running. If it is finished, undo the confirmation of its standings first.")
        raise TournamentError(message, code="stage.event_over", extra={"state": stage.tournament.state})
    if stage.state not in BEGUN or not stage.ways_in.exists():
        message = _("You can only cancel a stage that is drawn from another stage. Otherwise cancel the event.")
        raise TournamentError(message, code="stage.not_begun", extra={"state": stage.state})
    if not can_be_voided(stage, stage.tournament, stage.ways_out.select_related("target")):
        message = _("A later stage is drawn from this one. Undo that draw, or cancel that stage, first.")
        raise TournamentError(message, code="stage.leads_on")


def _end_matches(stage: Stage, matches: Sequence[Match], by: User, events: list[DomainEvent]) -> None:
    """Make all matches void and store what was reported of them. Workers that play one find their claim gone."""
    keys = [match.pk for match in matches]
    R = ResultReport.State
    ResultReport.objects.filter(match__in=keys, state=R.CONFIRMED).update(state=R.SUPERSEDED)
    reject_open(keys, by)
    blank: dict[str, Any] = dict.fromkeys(FIGURES)
    Seat.objects.filter(match__in=keys).update(**blank | {"outcome": Seat.Outcome.OPEN})
    # In one UPDATE, not by `act`: a stage may have thousands of matches, and its own log line says it for all.
    void = transition(Match, "take_out")
    ended = Match.objects.filter(pk__in=keys, state__in=void.sources)
    ended.update(state=void.target, lease=None, finished_at=timezone.now())
    if stage.tournament.has_bots:
        publish_queue_change()
    events += [MatchVoided(match.channel, state=void.target) for match in matches[:MAX_EVENTS]]


def _put_aside(stage: Stage, by: User, reason: str, results: int, events: list[DomainEvent]) -> Stage:
    """Keep what was played under another number; a new stage, planned, takes the place and the ways."""
    number, event = stage.order, stage.tournament
    last = Stage.objects.filter(tournament=event, state=S.VOID, order__gt=Stage.VOID_ORDER)
    # Called off for the third time, stage 2 becomes 302: the remainder says which stage it was.
    times = sum(order % Stage.VOID_ORDER == number for order in last.values_list("order", flat=True))
    aside = {"order": number + Stage.VOID_ORDER * (times + 1), "revealed_at": timezone.now(), "reason": reason}
    secret = secrets.token_bytes(32)
    payload = {"stage": number, "name": stage.name, "results": results, "commitment": commitment(secret)}
    # Before the new row: (tournament, order) is unique, so the old one must have left its number.
    act(stage, "void", by, reason=reason, changes=aside, payload=payload, later=events)
    copied = [field.attname for field in Stage._meta.concrete_fields if field.attname not in OWN]
    same = {name: getattr(stage, name) for name in copied} | {"order": number, "lots_seed": "", "draw_seed": ""}
    fresh = Stage.objects.create(**same, secret=secret, commitment=commitment(secret))
    # Ways, rules about pairs and requested byes belong to the stage that will be played; entries keep pointing at the
    # one that was.
    RequestedBye.objects.filter(stage=stage).update(stage=fresh)
    PairRule.objects.filter(stage=stage).update(stage=fresh)
    Progression.objects.filter(target=stage).update(target=fresh)
    Progression.objects.filter(source=stage).update(source=fresh)
    return fresh
