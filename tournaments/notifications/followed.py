"""Things that a person follows: found by their address, listed with their names, searched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.among import has_one
from accounts.models import User
from bots.models import Bot
from tournaments.lifecycle.visibility import invited_to, named_to, visible_to
from tournaments.models import Entry, Follow, Invitation, Match, Player, Seat, Tournament
from web.presets import event_title

# Kinds of things that can be followed, as addresses name them; see `Follow`.
KINDS: Final = ("tournament", "bot", "person", "player", "match")
COLUMNS: Final = {
    "tournament": "tournament__slug",
    "bot": "bot__slug",
    "person": "person__username",
    "player": "player__uuid",
    "match": "match__uuid",
}
MAX_CALENDAR: Final = 200


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def thing(user: User, kind: str, what: str) -> dict[str, Any] | None:
    """Return what an address names, as `notifications.follow.follow` takes it; None if this person may not know it."""
    found: object | None = None
    if kind == "tournament":
        found = Tournament.objects.filter(visible_to(user), slug=what).first()
    elif kind == "bot":
        found = Bot.objects.filter(slug=what).first()
    elif kind == "person":
        found = User.objects.filter(username=what, is_active=True).first()
    elif kind == "player" and (uuid := _uuid(what)):
        entered = Entry.objects.filter(visible_to(user, "tournament__"), player=OuterRef("pk"))
        found = Player.objects.filter(Exists(entered), uuid=uuid).first()
    elif kind == "match" and (uuid := _uuid(what)):
        found = Match.objects.filter(visible_to(user, "stage__tournament__"), uuid=uuid).first()
    return {kind: found} if found is not None else None


def is_following(user: User, kind: str, what: str) -> bool:
    """Return whether somebody follows what an address names. One query."""
    return Follow.objects.filter(user=user, **{COLUMNS[kind]: what}).exists()


def players_followed(user: User, event: Tournament) -> set[int]:
    """Return the people of an event that somebody follows. One query."""
    return set(Follow.objects.filter(user=user, player__entries__tournament=event).values_list("player", flat=True))


@dataclass(frozen=True, slots=True)
class FollowLine:
    """One thing that is followed. what: its name in addresses; about: its kind in words."""

    kind: str
    what: str
    name: str
    path: str
    about: str


def seen_follows(user: User) -> Q:
    """Select follows of what may still be opened: an event may have become private since, a person may have left.

    Each is looked up by its key: joined, PostgreSQL would take longer to plan the page than to read it.
    """
    event = Tournament.objects.filter(visible_to(user), pk=OuterRef("tournament"))
    person = User.objects.filter(pk=OuterRef("person"), is_active=True)
    match = Match.objects.filter(visible_to(user, "stage__tournament__"), pk=OuterRef("match"))
    entered = Entry.objects.filter(visible_to(user, "tournament__"), player=OuterRef("player"))
    rows = {"tournament": event, "person": person, "match": match, "player": entered}
    return Q(bot__isnull=False) | _any(rows)


def _any(rows: Mapping[str, QuerySet[Any]]) -> Q:
    """Select follows for whose thing, by its kind, there is a row."""
    asked = (Q(**{f"{kind}__isnull": False}) & has_one(found) for kind, found in rows.items())
    return reduce(or_, asked)


def follows_of(user: User, *, kind: str = "", words: str = "") -> QuerySet[Follow]:
    """Return what a person follows and may still open, newest first. words: in its name."""
    rows = Follow.objects.filter(seen_follows(user), user=user)
    if kind in KINDS:
        rows = rows.filter(**{f"{kind}__isnull": False})
    return (rows.filter(_named(words)) if words else rows).order_by("-id")


def _named(words: str) -> Q:
    """Select follows of things with these words in their name: for a table, in that of its event."""
    of_user = Q(username__icontains=words) | Q(display_name__icontains=words)
    rows = {
        "tournament": Tournament.objects.filter(pk=OuterRef("tournament"), name__icontains=words),
        "bot": Bot.objects.filter(pk=OuterRef("bot"), name__icontains=words),
        "person": User.objects.filter(of_user, pk=OuterRef("person")),
        "player": Player.objects.filter(pk=OuterRef("player"), name__icontains=words),
        "match": Match.objects.filter(pk=OuterRef("match"), stage__tournament__name__icontains=words),
    }
    return _any(rows)


def with_names(rows: QuerySet[Follow]) -> QuerySet[Follow]:
    """Add everything the lines of follows need: four queries, however many they are."""
    entries = Entry.objects.select_related("tournament").order_by("-id")
    matches = Match.objects.select_related("stage__tournament")
    seats = Seat.objects.select_related("entry__player", "player").defer("log_marks").order_by("match_id", "index")
    return rows.select_related("tournament", "bot__owner", "person", "player").prefetch_related(
        Prefetch("player__entries", entries), Prefetch("match", matches), Prefetch("match__seats", seats)
    )


def lines_of(rows: Iterable[Follow]) -> list[FollowLine]:
    """Describe follows (as `with_names` gives them) in words."""
    return [_line(row) for row in rows]


def _line(row: Follow) -> FollowLine:
    if row.tournament is not None:
        path = reverse("tournament", args=[row.tournament.slug])
        return FollowLine("tournament", row.tournament.slug, event_title(row.tournament.name), path, _("event"))
    if row.bot is not None:
        about = _("bot of %(who)s") % {"who": row.bot.owner.shown_name}
        return FollowLine("bot", row.bot.slug, row.bot.name, reverse("bot", args=[row.bot.slug]), about)
    if row.person is not None:
        path = reverse("user", args=[row.person.username])
        return FollowLine("person", row.person.username, row.person.shown_name, path, _("person"))
    return _player(row.player) if row.player is not None else _table(row.match)


def _player(player: Player) -> FollowLine:
    event = next((entry.tournament for entry in player.entries.all()), None)
    path = reverse("tournament-entries", args=[event.slug]) if event is not None else reverse("follow")
    about = _("plays in %(event)s") % {"event": event_title(event.name) if event is not None else "–"}
    return FollowLine("player", str(player.uuid), player.name, path, about)


def _table(match: Match | None) -> FollowLine:
    if match is None:
        raise TypeError("the database holds that one thing is followed")
    names = [seat.entry.player.name for seat in match.seats.all() if seat.entry is not None]
    name = " – ".join(dict.fromkeys(names)) or _("a table")
    about = _("table in %(event)s") % {"event": event_title(match.stage.tournament.name)}
    return FollowLine("match", str(match.uuid), name, reverse("match", args=[match.uuid]), about)


def calendar_events(user: User) -> list[Tournament]:
    """Return events that a person follows, is entered in or has accepted an invitation to, and may open: the newest.

    One query.
    """
    mine = Q(player__bot__owner=user) | Q(player__user=user)
    entered = Entry.objects.filter(mine, tournament=OuterRef("pk")).exclude(state=Entry.State.WITHDRAWN)
    followed = Follow.objects.filter(user=user, tournament=OuterRef("pk"))
    accepted = invited_to(user, "pk", [Invitation.State.ACCEPTED])
    rows = Tournament.objects.filter(visible_to(user)).filter(Q(Exists(followed)) | Q(Exists(entered)) | Q(accepted))
    return list(rows.filter(is_challenge=False).order_by("-id")[:MAX_CALENDAR])


def calendar_tables(user: User) -> QuerySet[Match]:
    """Return tables that a person follows, or at which they or players whom they follow sit, and that they may open.

    By way of an account they follow, only of events that pages about that account may name.
    """
    people = Player.objects.filter(kind=Player.Kind.HUMAN)
    known = people.filter(Q(user=user) | Q(Exists(Follow.objects.filter(user=user, player=OuterRef("pk")))))
    followed_tables = people.filter(Exists(Follow.objects.filter(user=user, person=OuterRef("user"))))
    followed = Follow.objects.filter(user=user, match=OuterRef("pk"))
    mine = Q(Exists(followed)) | Q(Exists(_sits(known)))
    rows = Match.objects.filter(visible_to(user, "stage__tournament__"))
    return rows.filter(mine | (Q(Exists(_sits(followed_tables))) & named_to(user, "stage__tournament__")))


def _sits(players: QuerySet[Player]) -> QuerySet[Seat]:
    """Return the seats of these players at a match."""
    return Seat.objects.filter(Q(player__in=players) | Q(entry__player__in=players), match=OuterRef("pk"))
