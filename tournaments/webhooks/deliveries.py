"""Deliveries: the choice of the next ones, claims by one conditional UPDATE, retries, giving up.

A claim moves `due_at` on, so it ends on its own when its sender dies, and the delivery is sent again with the same id:
at least once, and once for a receiver that keeps the ids. All times are the database's.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog
from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from activity.journal import audit
from tournaments.domain_events.programs import WebhookStopped
from tournaments.models import Delivery, Hook
from tournaments.webhooks.event_types import PING
from tournaments.webhooks.http import DEADLINE_S, Outcome
from web.rate_limits import take

# Seconds after each try that came to nothing: eight more within a day.
RETRIES_S: Final = (10, 60, 300, 1200, 3600, 3 * 3600, 6 * 3600, 12 * 3600)
# Longer than a sending may take, with room for its records: a claim that ends too early sends twice.
CLAIM: Final = timedelta(seconds=6 * DEADLINE_S)
# Sendings a minute to one receiver at most, all hooks and all senders together.
PACE: Final = 120
STOPPED_AFTER: Final = timedelta(days=3)
STOPPED_TRIES: Final = 10
SLOW_MS: Final = 2000
LOOKED_AT: Final = 100
log = structlog.get_logger(__name__)
State = Delivery.State


@dataclass(frozen=True, slots=True)
class Claim:
    """A delivery of ours for a while, with its hook and the hook's owner. number: of the claim; a later one ends it."""

    delivery: Delivery
    number: int

    @property
    def hook(self) -> Hook:
        return self.delivery.hook

    def owned(self) -> QuerySet[Delivery]:
        """Return the row, if nobody has claimed it since: every later write is guarded by it."""
        return Delivery.objects.filter(pk=self.delivery.pk, state=State.OPEN, claims=self.number)


def due() -> QuerySet[Delivery]:
    """Return what may be sent now."""
    return Delivery.objects.filter(state=State.OPEN, due_at__lte=Now())


def claim(limit: int, slow: int, busy: Collection[str]) -> list[Claim]:
    """Claim up to `limit` deliveries, one of each receiver: the one that waits longest.

    slow: how many of them may be of receivers that were slow or failed lately, so that they never take all the room.
    busy: receivers that are being sent to.
    """
    claimed: list[Claim] = []
    taken = set(busy)
    for hook in _waiting_hooks(taken):
        is_slow = hook.is_slow or hook.failing_since is not None
        if len(claimed) == limit:
            break
        if hook.receiver in taken or (is_slow and slow <= 0):
            continue
        found = _claim_one(hook)
        if found is not None:
            claimed.append(found)
            taken.add(hook.receiver)
            slow -= is_slow
    return claimed


def _waiting_hooks(busy: Collection[str]) -> list[Hook]:
    """Return hooks with something due, the one that waits longest first. Healthy ones are always among them."""
    mine = due().filter(hook=OuterRef("pk"))
    rows = Hook.objects.filter(Exists(mine)).exclude(receiver__in=busy)
    rows = rows.annotate(first=Min("deliveries__due_at", filter=Q(deliveries__state=State.OPEN))).order_by(
        "first", "pk"
    )
    is_healthy = Q(is_slow=False, failing_since=None)
    # Each kind with a limit of its own: a hundred hooks that fail would else hide the healthy ones behind them.
    return [*rows.filter(is_healthy)[:LOOKED_AT], *rows.exclude(is_healthy)[:LOOKED_AT]]


def _claim_one(hook: Hook) -> Claim | None:
    first = due().filter(hook=hook).order_by("due_at", "pk").values_list("pk", "claims").first()
    if first is None:
        return None
    if not hook_may_go(hook):
        return None
    pk, claims = first
    # With the number of claims in WHERE: of two senders that read the same row one changes it, the other sees 0.
    mine = due().filter(pk=pk, claims=claims)
    if not mine.update(claims=claims + 1, due_at=Now() + CLAIM, tries=F("tries") + 1):
        return None
    delivery = Delivery.objects.select_related("hook__user").get(pk=pk)
    return Claim(delivery, claims + 1)


def hook_may_go(hook: Hook) -> bool:
    """Count one sending to its receiver; False, and all of the hook waits, once the receiver's minute is full."""
    name = hashlib.sha256(hook.receiver.encode()).hexdigest()[:24]
    taken = take(f"hook:{name}", most=PACE, within=timedelta(minutes=1))
    if taken.is_over:
        # All of its deliveries move on, or every look of the sender would count against the next minute.
        due().filter(hook=hook).update(due_at=Now() + timedelta(seconds=taken.reset_s))
    return not taken.is_over


def drop(claim: Claim, why: str) -> None:
    """Drop a delivery: its owner may not hear of it any more, or nothing can sign it."""
    claim.owned().update(state=State.DROPPED, error=why, tried_at=timezone.now())
    log.info("hook.dropped", delivery=str(claim.delivery.uuid), hook=str(claim.hook.uuid), why=why)


def record(claim: Claim, outcome: Outcome) -> bool:
    """Write how a sending went; False if the claim is not ours any more, and then nothing is written."""
    answer = outcome.answer
    fields = {
        "status": answer.status if answer else None,
        "answer": _shown(answer.text)[:300] if answer else "",
        "error": outcome.error,
        "ms": outcome.ms,
        "tried_at": timezone.now(),
        **_next(claim, is_taken=outcome.is_taken),
    }
    with transaction.atomic():
        if not claim.owned().update(**fields):
            return False
        _count(claim, outcome)
    _log_delivery(claim, outcome, str(fields["state"]))
    return True


def _shown(text: str) -> str:
    """Return what of an answer can be stored and shown: no NUL, which PostgreSQL refuses, and no other controls."""
    return "".join(each if each.isprintable() else " " for each in text)


def _next(claim: Claim, *, is_taken: bool) -> dict[str, object]:
    """Return the state after a try. A test sending is tried once: somebody is looking."""
    tries = claim.delivery.tries
    if is_taken:
        return {"state": State.DELIVERED}
    if claim.delivery.kind == PING or tries > len(RETRIES_S):
        return {"state": State.FAILED}
    wait = RETRIES_S[tries - 1] * random.uniform(0.9, 1.1)  # not all at once after an outage
    return {"state": State.OPEN, "due_at": Now() + timedelta(seconds=wait)}


def _count(claim: Claim, outcome: Outcome) -> None:
    """Count a try for its hook. After days without a success it is switched off."""
    rows = Hook.objects.filter(pk=claim.hook.pk)
    is_slow = outcome.ms > SLOW_MS
    if outcome.is_taken:
        # Only if it changes something: a healthy hook with thousands of deliveries costs no write each.
        rows.filter(Q(failures__gt=0) | ~Q(is_slow=is_slow)).update(failing_since=None, failures=0, is_slow=is_slow)
        return
    if claim.delivery.kind == PING:
        return
    # Added up in the database: two senders may record tries of one hook at once.
    rows.update(failing_since=Coalesce("failing_since", Now()), failures=F("failures") + 1, is_slow=is_slow)
    # Both: a hook with one delivery in three days has not failed often enough to be sure of it.
    long_failing = rows.filter(failing_since__lt=Now() - STOPPED_AFTER, failures__gte=STOPPED_TRIES)
    if long_failing.exists():
        stop(claim.hook, Hook.Reason.FAILING)


def stop(hook: Hook, reason: Hook.Reason) -> None:
    """Switch a hook off; its page says so, and why. What waits is not sent."""
    active = Hook.objects.filter(pk=hook.pk, state=Hook.State.ACTIVE)
    if active.update(state=Hook.State.STOPPED, reason=reason, stopped_at=timezone.now()):
        drop_waiting(hook)
        audit(WebhookStopped, f"hook:{hook.uuid}", actor=None, after={"reason": str(reason)})
        log.warning("hook.stopped", hook=str(hook.uuid), receiver=hook.receiver, reason=str(reason))


def drop_waiting(hook: Hook) -> None:
    """Drop what waits of a hook that is off; it can be sent again from its page."""
    Delivery.objects.filter(hook=hook, state=State.OPEN).update(state=State.DROPPED, error="hook.off")


def _log_delivery(claim: Claim, outcome: Outcome, state: str) -> None:
    delivery, hook = claim.delivery, claim.hook
    log.info(
        "hook.sent",
        delivery=str(delivery.uuid),
        hook=str(hook.uuid),
        kind=delivery.kind,
        receiver=hook.receiver,
        state=state,
        status=outcome.answer.status if outcome.answer else None,
        error=outcome.error,
        ms=outcome.ms,
        tries=delivery.tries,
    )
