"""What a browser shows: written when it is sent, of what its reader may see then, in their language."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.letters import language_of
from tournaments.models import Match, Notice, NoticePlan, PushMessage, PushSubscription, Round, Tournament
from tournaments.notifications.lines import is_withdrawn, path_of, with_all, words_of
from tournaments.notifications.plans_query import has_push
from tournaments.notifications.seen import seen_by

KIND: Final = Notice.Kind
# For how long a message is of use; a phone that is off for longer never shows it.
LIFETIMES: Final = {KIND.CALLED: timedelta(minutes=15), KIND.TABLE: timedelta(hours=2), KIND.REPORT: timedelta(hours=6)}
USUAL: Final = timedelta(hours=12)
URGENT: Final = (KIND.CALLED, KIND.REPORT)
MAX_TITLE: Final = 80
# An encrypted message may have 4,096 bytes; a letter takes up to four.
MAX_BODY: Final = 500
NOT_YET: Final = (Match.State.PENDING, Match.State.READY, Match.State.QUEUED)
SITTING_DOWN: Final = (Match.State.CALLED, Match.State.PLAYING)


def lifetime(notice: Notice) -> timedelta:
    """Return for how long a message about it is of use."""
    return LIFETIMES.get(KIND(notice.kind), USUAL)


def is_urgent(notice: Notice) -> bool:
    """Return whether the push service is to wake a phone that saves its battery."""
    return notice.kind in URGENT


def payload_of(message: PushMessage) -> dict[str, Any] | None:
    """Write a message as it is to be sent now; None if nobody wants it, or nothing of it may be told, any more."""
    row = message.subscription
    found = with_all(_readable(row)).filter(pk=message.notice_id).first()
    if found is None or is_withdrawn(found) or _is_over(found):
        return None
    language = language_of(row.user, row.language) if row.user is not None else row.language
    with translation.override(language or settings.LANGUAGE_CODE):
        return {
            "id": message.uuid.hex,
            # Of one table only the newest message stays on the screen.
            "tag": f"table-{found.match.uuid}" if found.match is not None else f"notice-{found.pk}",
            "title": _title(found)[:MAX_TITLE],
            "body": words_of(found)[:MAX_BODY],
            "lang": translation.get_language(),
            "url": _path(row, found),
            "pages": _pages(row, found),
            "urgent": is_urgent(found),
        }


def _readable(row: PushSubscription) -> QuerySet[Notice]:
    """Select notices that may be told to this browser now."""
    if row.user is not None:
        if not row.user.is_active:
            return Notice.objects.none()
        push = NoticePlan.objects.filter(user=row.user).values_list("push", flat=True).first() or {}
        kinds = [kind for kind in KIND.values if has_push(push, kind)]
        # What was read on the page meanwhile is told already.
        return Notice.objects.filter(seen_by(row.user), reader=row.user, read_at=None, kind__in=kinds)
    if row.link is None or row.link.ended_at is not None:
        return Notice.objects.none()
    mine = Notice.objects.filter(link=row.link).exclude(tournament__state=Tournament.State.DRAFT)
    return mine.exclude(round__state=Round.State.DRAFT)


def _is_over(row: Notice) -> bool:
    """Return whether what happened since has made it pointless: the table was called, or it plays no more."""
    state = row.match.state if row.match is not None else None
    if row.kind == KIND.TABLE:
        return state not in NOT_YET
    if row.kind == KIND.REPORT:
        return state != (Match.State.DISPUTED if row.what == "disputed" else Match.State.REPORTED)
    return row.kind == KIND.CALLED and state not in SITTING_DOWN


def _title(row: Notice) -> str:
    if row.kind == KIND.CALLED and row.match is not None and row.match.known_table is not None:
        return _("Table %(table)s, now") % {"table": row.match.known_table}
    return row.tournament.name if row.tournament is not None else "Hanami"


def _path(subscription: PushSubscription, row: Notice) -> str:
    """Return the page that a click opens."""
    if subscription.link is None:
        return reverse("notice", args=[row.pk])
    entry = subscription.link.entry
    if row.match is not None and row.via == "own":
        return reverse("my-table", args=[entry.uuid, row.match.uuid])
    return reverse("my-day", args=[entry.uuid])


def _pages(subscription: PushSubscription, row: Notice) -> list[str]:
    """Return the pages of which an open one is brought to the front instead, the best one first."""
    if subscription.link is None:
        return [path_of(row).partition("?")[0]]
    table = [reverse("table", args=[row.match.uuid])] if row.match is not None else []
    return [*table, reverse("my-day", args=[subscription.link.entry.uuid])]
