"""Private links as the organiser's page and the cards show them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.alphabet import ByName
from tournaments.models import Entry, EntryLink, Match, Member, RequestedBye, Seat, Tournament

E = Entry.State
GONE = (E.WITHDRAWN, E.DISQUALIFIED)


def people_of(event: Tournament) -> QuerySet[Entry]:
    """Return everybody who may have a link: people, not teams and not bots; also those who left, to come back by it."""
    rows = Entry.objects.filter(tournament=event, player__bot=None, members=None)
    return rows.select_related("player", "tournament").order_by(ByName("player__name"), "pk")


@dataclass(frozen=True, slots=True)
class LinkLine:
    """One person. link: the open one. team: the name of theirs, "" for none."""

    entry: Entry
    link: EntryLink | None
    team: str

    @property
    def is_gone(self) -> bool:
        """True if they left."""
        return self.entry.state in GONE


def link_lines(event: Tournament) -> list[LinkLine]:
    """Return everybody by name. Two queries; three where people have partners."""
    links = Prefetch("links", EntryLink.objects.filter(ended_at=None), to_attr="open_links")
    teams: dict[int, str] = {}
    if event.partners:
        members = Member.objects.filter(team__tournament=event, until_round=None)
        teams = dict(members.values_list("person_id", "team__player__name"))
    return [
        LinkLine(entry, next(iter(getattr(entry, "open_links", ())), None), teams.get(entry.pk, ""))
        for entry in people_of(event).prefetch_related(links)
    ]


def guest_links(pks: Collection[int]) -> list[EntryLink]:
    """Return those of these links (keys) that are open, with person and event. One query, none without keys.

    has_byes: whether the person sits out rounds by arrangement, or has.
    """
    if not pks:
        return []
    byes = Exists(RequestedBye.objects.filter(entry=OuterRef("entry")))
    rows = EntryLink.objects.filter(pk__in=list(pks), ended_at=None).annotate(has_byes=byes)
    return list(rows.select_related("entry__player", "entry__tournament").order_by("pk"))


def leaving_of(event: Tournament) -> list[EntryLink]:
    """Return those in a team who ask to leave, first come first; their team cannot go on without them. One query."""
    rows = EntryLink.objects.filter(entry__tournament=event, ended_at=None, entry__state=E.PARTNERED)
    return list(rows.exclude(leaving_at=None).select_related("entry__player").order_by("leaving_at"))


def own_seats(entries: Sequence[Entry]) -> Q:
    """Select the seats of these people: where they sit themselves, or where their name stands for the side."""
    players = [entry.player_id for entry in entries]
    return Q(player__in=players) | Q(player=None, entry__in=[entry.pk for entry in entries])


def side_at(match: Match, entry: Entry) -> int | None:
    """Return the side on which a person sits at a table; None if they do not. One query."""
    return side_of_person(str(match.uuid), entry)


def side_of_person(match: str, entry: Entry) -> int | None:
    """Return the same of a match by its uuid."""
    seats = Seat.objects.filter(own_seats([entry]), match__uuid=match, match__deal_set=None)
    return seats.values_list("side", flat=True).first()
