"""Tidying, every quarter of a minute: expired rows are dropped, webhooks and mails that wait get a wake-up.

The sender does it: most of it is in tables of accounts, mails and webhooks, which the workers, who run strangers'
code, cannot reach (decision 0095).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from accounts.answers import purge_expired_answers
from accounts.failed_logins import purge_expired_failed_logins
from accounts.posting import notify_if_waiting
from accounts.sessions import purge_expired_sessions
from activity import consumers, wake_ups
from activity.journal import purge_expired_events
from tournaments.invitations.addresses import purge_expired_addresses
from tournaments.notifications import consumer as noticing
from tournaments.notifications import digests, mail
from tournaments.notifications.push import queue as pushes
from tournaments.operations.steps import Step, do_all
from tournaments.registration import purge as registration_purge
from tournaments.registration.letters import tell_changes
from tournaments.registration.team_places import release_held_places
from tournaments.scores import photo_purge
from tournaments.seasons import updating as seasons
from tournaments.webhooks import consumer as hooking
from tournaments.webhooks import deliveries
from web.rate_limits import purge_expired_meters

METER_RETENTION: Final = timedelta(days=2)


def tidy() -> dict[str, int]:
    """Drop what is over, make the morning's digests, send wake-ups for what is to be sent.

    Harmless to run twice at once.

    Returns what each step returned, mostly rows. A step that fails stops none of the others.
    """
    return do_all("tidy", _steps())


def _steps() -> Mapping[str, Step]:
    return {
        # `unread` names the rows that consumers have still to read: they stay.
        "outbox": lambda: purge_expired_events(consumers.unread()),
        "meters": lambda: purge_expired_meters(older_than=METER_RETENTION),
        "answers": purge_expired_answers,
        "sessions": purge_expired_sessions,
        "failed_logins": purge_expired_failed_logins,
        "letters": notify_if_waiting,
        "deliveries": hooking.purge_expired_deliveries,
        "digests": digests.make_digests,
        "mails": mail.purge_expired_mails,
        "pushes": pushes.purge_expired_pushes,
        "notices": noticing.purge_expired_notifications,
        "registrations": registration_purge.purge_expired_registrations,
        "birth_years": registration_purge.purge_expired_years,
        "held_places": release_held_places,
        "registration_mails": tell_changes,
        "photos": photo_purge.purge_expired_photos,
        "invited": purge_expired_addresses,
        "ring_tail": lambda: _notify("tail", waits=consumers.has_lag() or seasons.stale().exists()),
        "ring_send": lambda: _notify("send", waits=deliveries.due().exists()),
        "ring_push": lambda: _notify("push", waits=pushes.waiting()),
        "ring_mail": lambda: _notify("mail", waits=mail.waiting()),
    }


def _notify(queue: wake_ups.Queue, *, waits: bool) -> None:
    if waits:
        wake_ups.notify_once(queue)
