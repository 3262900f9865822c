"""Messages to browsers: made with their notices, claimed by one conditional UPDATE, tried again, given up.

At least once: a message is marked after the push service took it. A sender that dies between the two leaves its claim
to run out, and the message is sent again under the same topic, which replaces the first one at the push service, and
with the same id, by which the browser shows it only once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from activity import wake_ups
from tournaments.models import Notice, PushMessage, PushSubscription
from tournaments.notifications.push.texts import lifetime
from tournaments.webhooks.http import DEADLINE_S

# Longer than a sending may take, with room for its records: a claim that ends too early sends twice.
CLAIM: Final = timedelta(seconds=6 * DEADLINE_S)
# Waits after each attempt that failed; after the last one, or when the message is of no use any more, it is given up.
BACK_OFF_S: Final = (5, 15, 60, 300, 900, 3600)
RETENTION: Final = timedelta(days=7)
FORGOTTEN_AT_ONCE: Final = 5_000
State = PushMessage.State


def enqueue(notices: Sequence[Notice]) -> None:
    """Make the messages of these notices, for every browser of their readers and links. Two queries."""
    by_reader = {notice.reader_id: notice for notice in notices if notice.reader_id is not None}
    by_link = {notice.link_id: notice for notice in notices if notice.link_id is not None}
    if not notices:
        return
    now = timezone.now()
    rows = PushSubscription.objects.filter(Q(user__in=by_reader) | Q(link__in=by_link))
    messages = []
    for row in rows.order_by("pk"):
        notice = by_link.get(row.link_id or 0) or by_reader[row.user_id or 0]
        expires = notice.at + lifetime(notice)
        # News that waited in an outage may be of no use to anybody by now.
        if expires > now:
            messages.append(_message(row, notice, expires))
    # A browser that is subscribed for an account and for a private link hears of one thing once.
    PushMessage.objects.bulk_create(messages, ignore_conflicts=True)
    if messages:
        wake_ups.notify_once("push")


def _message(row: PushSubscription, notice: Notice, expires: datetime) -> PushMessage:
    return PushMessage(
        subscription=row,
        notice=notice,
        browser=row.endpoint_digest,
        source=notice.source,
        due_at=timezone.now(),
        expires_at=expires,
    )


def due() -> QuerySet[PushMessage]:
    """Return what may be sent now."""
    return PushMessage.objects.filter(state=State.OPEN, due_at__lte=timezone.now())


def waiting() -> bool:
    """Return whether a message could be sent now."""
    return due().exists()


def claim(limit: int, busy: Collection[int]) -> list[PushMessage]:
    """Claim up to `limit` messages, those that wait longest first, one of each subscription.

    busy: subscriptions that are being sent to: the messages of one browser go in order.
    """
    claimed: list[PushMessage] = []
    taken = set(busy)
    # A few more than wanted: those of one browser are next to each other.
    found = due().exclude(subscription__in=taken).order_by("due_at", "id")[: 4 * limit]
    for pk, attempts, subscription in found.values_list("pk", "attempts", "subscription"):
        if len(claimed) == limit:
            break
        if subscription in taken:
            continue
        # With the number of attempts in WHERE: of two senders that read the same row one changes it, the other sees 0.
        mine = due().filter(pk=pk, attempts=attempts)
        if mine.update(attempts=F("attempts") + 1, due_at=timezone.now() + CLAIM):
            rows = PushMessage.objects.select_related("subscription__user", "subscription__link__entry")
            # It may be gone since: a browser that was unsubscribed takes its messages along.
            claimed += rows.filter(pk=pk)
            taken.add(subscription)
    return claimed


def owned(message: PushMessage) -> QuerySet[PushMessage]:
    """Return the row, if nobody has claimed it since: every later write is guarded by it."""
    return PushMessage.objects.filter(pk=message.pk, attempts=message.attempts, state=State.OPEN)


def close(message: PushMessage, state: PushMessage.State, *, status: int | None = None, error: str = "") -> bool:
    """Close a message; False if the claim is not ours any more, and then nothing is written."""
    fields = {"state": state, "done_at": timezone.now(), "status": status, "error": error}
    return bool(owned(message).update(**fields))


def put_off(message: PushMessage, *, retry_after_s: int | None, status: int | None, error: str) -> bool:
    """Put a message back; False if it was given up instead: tried too often, or of no use by then.

    retry_after_s: what the push service asked for, if it did.
    """
    left = BACK_OFF_S[message.attempts - 1 :]
    due_at = timezone.now() + timedelta(seconds=max(retry_after_s or 0, left[0] if left else 0))
    if not left or due_at >= message.expires_at:
        close(message, State.FAILED, status=status, error=error)
        return False
    owned(message).update(due_at=due_at, status=status, error=error)
    return True


def purge_expired_pushes() -> int:
    """Drop messages of a week ago, one batch at once. Returns how many."""
    old = PushMessage.objects.filter(made_at__lt=timezone.now() - RETENTION).order_by("made_at")
    oldest = list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    gone, _by_model = PushMessage.objects.filter(pk__in=oldest).delete() if oldest else (0, {})
    return gone
