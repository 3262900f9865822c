"""Deliveries from the outbox: a row becomes one delivery for each hook that hears of it.

Driven by the outbox through a cursor (`activity.consumers`): the deliveries are written in the transaction that moves
it on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final
from uuid import uuid5

from django.conf import settings
from django.db.models import Count, F
from django.db.models.functions import Now
from django.utils import timezone

from activity import consumers, stuck, wake_ups
from bots.models import Outbox
from tournaments.models import Delivery, Hook, HookSecret
from tournaments.webhooks.audience import audience
from tournaments.webhooks.event_types import WebhookEvent, webhook_events

# Deliveries of a hook that wait at most; what comes then is left out and counted.
MAX_WAITING: Final = 500
# Bounds one transaction; the next tidying takes the rest.
FORGOTTEN_AT_ONCE: Final = 5_000


def enqueue_deliveries() -> int:
    """Make deliveries of what is new. Returns how many rows of the outbox were read."""
    # Rows that failed before are tried once more; new ones do not wait for them.
    stuck.try_again(consumers.HOOKS.name, _make)
    read = 0
    while some := consumers.advance(consumers.HOOKS, _make):
        read += some
    return read


def _make(rows: Sequence[Outbox]) -> None:
    active = Hook.objects.filter(state=Hook.State.ACTIVE, user__is_active=True)
    wanted = {kind for kinds in active.values_list("kinds", flat=True) for kind in kinds}
    # Without a hook that wants anything no row is interpreted at all.
    if not wanted:
        return
    found: dict[str, WebhookEvent] = {}
    for row in rows:
        for each in webhook_events(row, wanted):
            found.setdefault(each.source, each)  # several rows may tell one thing, e.g. the tables of a round
    made = [
        delivery_of(hook, each)
        for each in found.values()
        for hook in audience(each.kind, each.about)
        if each.kind in hook.kinds
    ]
    if made:
        _write(made)
        wake_ups.notify_once("send")


def delivery_of(hook: Hook, event: WebhookEvent) -> Delivery:
    """Return the delivery of an event to a hook, not saved.

    Its id follows from both, at any time and on any machine.
    """
    return Delivery(
        uuid=uuid5(hook.uuid, event.source),
        hook=hook,
        source=event.source,
        kind=event.kind,
        about=event.about,
        at=event.at,
        due_at=Now(),
    )


def _write(made: Sequence[Delivery]) -> None:
    """Insert what is not there yet; of a hook that does not keep up no more than `MAX_WAITING` wait."""
    hooks = {delivery.hook_id for delivery in made}
    waiting = Counter(_waiting(hooks))
    left_out: Counter[int] = Counter()
    written = []
    for delivery in made:
        waiting[delivery.hook_id] += 1
        if waiting[delivery.hook_id] <= MAX_WAITING:
            written.append(delivery)
        else:
            left_out[delivery.hook_id] += 1
    # (hook, source) is unique: a row of a later batch may tell the same thing, and stuck rows are tried again.
    Delivery.objects.bulk_create(written, ignore_conflicts=True)
    # In the order of keys, so that two consumers never wait for each other crosswise.
    for hook, number in sorted(left_out.items()):
        Hook.objects.filter(pk=hook).update(left_out=F("left_out") + number)


def _waiting(hooks: Iterable[int]) -> dict[int, int]:
    rows = Delivery.objects.filter(state=Delivery.State.OPEN, hook__in=hooks).order_by()
    return dict(rows.values_list("hook").annotate(Count("pk")))


def purge_expired_deliveries() -> int:
    """Drop deliveries that were made long ago, and secrets that have ended: part of tidying. Returns how many."""
    HookSecret.objects.filter(ends_at__lt=Now()).delete()
    before = timezone.now() - timedelta(days=settings.HOOK_DELIVERIES_KEPT_DAYS)
    old = Delivery.objects.filter(made_at__lt=before).exclude(state=Delivery.State.OPEN)
    oldest = list(old.order_by("pk").values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    gone, _by_model = Delivery.objects.filter(pk__in=oldest).delete()
    return gone
