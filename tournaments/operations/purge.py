"""Tidying: every quarter of a minute, what was kept long enough is dropped, and hooks and mails that wait are rung for.

The sender does it: most of it is in tables of accounts, mails and hooks, which the workers, who run strangers' code,
cannot reach (decision 0095).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from accounts.answers import forget_answers
from accounts.failed_logins import forget_failed_logins
from accounts.posting import ring_if_waiting
from accounts.sessions import forget_sessions
from activity import consumers, wake_ups
from activity.journal import forget_told
from tournaments.notifications import consumer as noticing
from tournaments.notifications import digests, mail
from tournaments.operations.steps import Step, do_all
from tournaments.scores import photo_purge
from tournaments.webhooks import consumer as hooking
from tournaments.webhooks import deliveries
from web.rate_limits import forget_meters

METERS_KEPT: Final = timedelta(days=2)


def tidy() -> dict[str, int]:
    """Drop what is over, make the morning's digests, ring for what is to be sent. Harmless to run twice at once.

    Returns what each step said, mostly rows. A step that fails stops none of the others.
    """
    return do_all("tidy", _steps())


def _steps() -> Mapping[str, Step]:
    return {
        "outbox": lambda: forget_told(consumers.unread()),
        "meters": lambda: forget_meters(older_than=METERS_KEPT),
        "answers": forget_answers,
        "sessions": forget_sessions,
        "failed_logins": forget_failed_logins,
        "letters": ring_if_waiting,
        "deliveries": hooking.forget_deliveries,
        "digests": digests.make_digests,
        "mails": mail.forget_mails,
        "notices": noticing.forget_notices,
        "photos": photo_purge.forget_photos,
        "ring_tail": lambda: _ring("tail", waits=consumers.is_behind()),
        "ring_send": lambda: _ring("send", waits=deliveries.due().exists()),
        "ring_mail": lambda: _ring("mail", waits=mail.waiting()),
    }


def _ring(queue: wake_ups.Queue, *, waits: bool) -> None:
    if waits:
        wake_ups.ring_once(queue)
