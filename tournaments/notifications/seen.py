"""Visibility of notices: who may still see one, and who may be notified of an event; asked when made, read and sent.

A notice that came by way of a bot or a person names an event only to those to whom a page about that bot or person
would (`visibility.named_to`); something followed itself is shown to anyone who may open it (`visibility.visible_to`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import OuterRef, Q, QuerySet

from accounts.among import has_one
from accounts.models import User
from bots.models import BotVersion
from tournaments.lifecycle.visibility import INVITED, named_to, visible_to
from tournaments.models import Entry, Invitation, Notice, Role, Round, Tournament

# Ways (`Notice.via`) on which an event is only named if it is public.
INDIRECT: Final = ("bot", "person")


def seen_by(user: User) -> Q:
    """Select notices whose event, round and version this person may see now.

    Each is looked up by its key: joined, PostgreSQL would read all events to judge a page of notices.
    """
    event = Tournament.objects.filter(pk=OuterRef("tournament"))
    is_standalone = ~Q(via__in=INDIRECT) & has_one(event.filter(visible_to(user)))
    hidden = BotVersion.objects.filter(pk=OuterRef("version"), hidden_at__isnull=False).exclude(bot__owner=user)
    drafted = Round.objects.filter(pk=OuterRef("round"), state=Round.State.DRAFT)
    return (
        (Q(tournament=None) | has_one(event.filter(named_to(user))) | is_standalone)
        & (Q(version=None) | ~has_one(hidden))
        & (Q(round=None) | ~has_one(drafted))
    )


def notices_of(user: User, *, unread: bool = False) -> QuerySet[Notice]:
    """Return a person's notices that they may still see, newest first."""
    rows = Notice.objects.filter(seen_by(user), reader=user)
    return (rows.filter(read_at=None) if unread else rows).order_by("-id")


def newest_of(user: User) -> int:
    """Return the id of a person's newest notice, also if they may not see it any more; 0 of none. One query."""
    return Notice.objects.filter(reader=user).order_by("-id").values_list("pk", flat=True).first() or 0


def who_may_know(event: Tournament, readers: Iterable[int], *, indirect: bool) -> set[int]:
    """Return those of these people (ids) who may be notified of an event. Three queries at most, however many they are.

    indirect: they follow a bot or a person, not the event. The same as `visible_to` and `named_to`, for many at once.
    """
    wanted = set(readers)
    is_draft = event.state == Tournament.State.DRAFT
    is_open = event.visibility == Tournament.Visibility.PUBLIC or (
        event.visibility == Tournament.Visibility.UNLISTED and not indirect
    )
    if is_open and not is_draft:
        return wanted
    insiders = set(Role.objects.filter(tournament=event).values_list("user", flat=True))
    if not is_draft:
        owners = Entry.objects.filter(tournament=event, player__bot__isnull=False)
        insiders |= set(owners.values_list("player__bot__owner", flat=True))
        invited = Invitation.objects.filter(tournament=event, state__in=INVITED, user__in=wanted)
        insiders |= {user for user in invited.values_list("user", flat=True) if user is not None}
    return wanted & insiders
