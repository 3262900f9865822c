"""Decisions about held (quarantined) matches: an organiser decides, an operator may requeue one."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from activity import wake_ups
from activity.account_events import StuckNewsRetried
from activity.journal import SERVICE, audit
from bots.models import Check
from bots.services import retry_check
from bots.services.suspending import require_operator
from core.errors import TournamentError
from tournaments.lifecycle.transitions import ORGANISERS, RULERS, act, require_possible, roles_of
from tournaments.lifecycle.values import written_reason
from tournaments.models import Match, StuckNews
from tournaments.progress import derive
from tournaments.scores.reports import reject_open
from tournaments.undo.recorder import undoable

BATCH_SIZE: Final = 300


@dataclass(frozen=True, slots=True)
class Ruling:
    """Rights of a person in a held match now."""

    retry: bool = False
    void: bool = False


def ruling(match: Match, user: User | None) -> Ruling:
    """Return the rights in a held match, none in another: its organisers may retry and void, an operator may retry."""
    if user is None or match.state != Match.State.QUARANTINED:
        return Ruling()
    organises = bool(roles_of(match.stage.tournament, user) & ORGANISERS)
    return Ruling(retry=organises or user.is_staff, void=organises)


def require_void(match: Match, by: User) -> None:
    """Raise the refusals of `void_match` that are known now, before a reason is asked for."""
    require_possible(match, "void", by)


@undoable("retry", never=True)
def retry_match(*, match: Match, by: User) -> Match:
    """Put a held match back into the queue with a clean slate of infrastructure faults; its history stays.

    It keeps its place: it waited long enough. Organisers and operators (`is_staff`) may.
    Raises TournamentError "tournament.not_organiser", "match.already_queued", "match.wrong_state".
    """
    with transaction.atomic():
        fresh = {"faults": 0, "suspects": [], "suspect_worker": None, "queued_at": timezone.now()}
        act(match, "retry", by, changes=fresh)
        wake_ups.notify_on_commit("play")
    return match


def requeue_quarantined(*, by: User) -> int:
    """Requeue what is held, matches, checks of uploads and news, the first hundreds of each. Returns how many.

    News are rows of the outbox that a consumer failed at (`activity.stuck`). A match whose state forbids it (an event
    called off) stays held. Raises BotError "ops.not_operator".
    """
    require_operator(by)
    quarantined = Match.objects.filter(state=Match.State.QUARANTINED).select_related("stage__tournament").order_by("id")
    checks = Check.objects.filter(state=Check.State.QUARANTINED).select_related("version__bot").order_by("id")
    done = 0
    # Each in a transaction of its own: one that may not be retried stops none of the others.
    for match in quarantined[:BATCH_SIZE]:
        with contextlib.suppress(TournamentError):
            retry_match(match=match, by=by)
            done += 1
    for check in checks[:BATCH_SIZE]:
        done += retry_check(check=check, by=by).state == Check.State.QUEUED
    return done + _retry_news(by)


def _retry_news(by: User) -> int:
    """Let consumers of the outbox try the rows again that they failed at."""
    rows = StuckNews.objects.filter(is_due=False)
    with transaction.atomic():
        # A sub-query with a LIMIT: UPDATE has none of its own.
        done = rows.filter(pk__in=rows.order_by("pk").values("pk")[:BATCH_SIZE]).update(is_due=True)
        if done:
            audit(StuckNewsRetried, SERVICE, actor=by, after={"news": done})
            wake_ups.notify_once("tail")
            wake_ups.notify_once("derive")
    return done


@undoable("void", RULERS, never_of_bots=True)
def void_match(*, match: Match, by: User, reason: str) -> Match:
    """Take a match out of the event for good; the other legs of its deal set count without it.

    A worker that is playing it finds its claim gone. Raises TournamentError "match.reason_needed",
    "tournament.not_organiser", "match.already_void", "match.wrong_state" (a finished match stays).
    """
    reason = written_reason(reason, kind="match")
    with transaction.atomic():
        # Without its lease the worker's result finds no claim and is dropped.
        act(match, "void", by, reason=reason, changes={"lease": None, "finished_at": timezone.now()})
        reject_open([match.pk], by)
        wake_ups.notify_on_commit("derive")
    if match.stage.tournament.is_of_people:
        derive.derive(match.stage.tournament.channel)
    return match
