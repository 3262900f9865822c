"""Clubs as pages read them, from the entries of events that the reader may be told of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Count, Max, Q, QuerySet

from accounts.alphabet import name_key
from accounts.models import User
from tournaments.lifecycle.visibility import named_to
from tournaments.models import ClubMember, Entry, Match, Player, Seat, Stage, Tournament
from tournaments.models.club import club_key
from tournaments.seasons.identity import key_of

GONE: Final = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED, Entry.State.WAITLISTED)
EVENTS: Final = 50


def _entries(viewer: User | None) -> QuerySet[Entry]:
    """Return the entries of people with a club, in events that pages may name to the reader."""
    rows = Entry.objects.filter(named_to(viewer, "tournament__"), tournament__is_challenge=False)
    return rows.filter(player__kind=Player.Kind.HUMAN).exclude(player__club_key="").exclude(state__in=GONE)


@dataclass(frozen=True, slots=True)
class ClubLine:
    """A club of the list. name: its most usual spelling; entries: how often somebody was entered for it."""

    key: str
    name: str
    entries: int
    newest: int


def club_list(viewer: User | None, *, words: str = "") -> list[ClubLine]:
    """Return all clubs by name. words: in any of its spellings. One query."""
    rows = _entries(viewer).filter(player__club_key__contains=club_key(words)).order_by()
    grouped = rows.values_list("player__club_key", "player__club").annotate(n=Count("pk"), last=Max("tournament"))
    spelled: dict[str, Counter[str]] = {}
    newest: dict[str, int] = {}
    for key, name, n, last in grouped:
        spelled.setdefault(key, Counter())[name] += n
        newest[key] = max(newest.get(key, 0), last)
    found = [ClubLine(key, usual_spelling(names), sum(names.values()), newest[key]) for key, names in spelled.items()]
    return sorted(found, key=lambda line: name_key(line.name))


def usual_spelling(names: Counter[str]) -> str:
    """Return the most usual spelling; of equally usual ones the first by name, so that it is the same each time."""
    return min(names, key=lambda name: (-names[name], name_key(name)))


@dataclass(slots=True)
class ClubPerson:
    """Somebody of a club. events: how many they were entered in for it; tables, won: played there, and won."""

    name: str
    user: User | None
    events: set[int] = field(default_factory=set)
    tables: int = 0
    won: int = 0
    has_joined: bool = False

    @property
    def events_n(self) -> int:
        """How many events."""
        return len(self.events)


@dataclass(frozen=True, slots=True)
class ClubPage:
    """A club. people: those who won most tables first; events: the newest first; spellings: all of its names."""

    key: str
    name: str
    spellings: tuple[str, ...]
    people: tuple[ClubPerson, ...]
    events: tuple[Tournament, ...]
    is_member: bool


def club_page(key: str, viewer: User | None) -> ClubPage | None:
    """Return a club by its key; None if nobody was entered for it and nobody joined. Four queries."""
    if not key:
        return None  # of people without a club
    rows = _entries(viewer).filter(player__club_key=key).select_related("player__user")
    entries = list(rows.order_by("-tournament", "-pk"))
    spelled = Counter(entry.player.club for entry in entries)
    joined = list(ClubMember.objects.filter(key=key, user__is_active=True).select_related("user").order_by("pk"))
    if not spelled and not joined:
        return None
    people = _people(entries, _figures(entries), joined)
    events = Tournament.objects.filter(pk__in={entry.tournament_id for entry in entries})
    return ClubPage(
        key,
        usual_spelling(spelled) if spelled else joined[0].name,
        tuple(sorted(spelled, key=name_key)),
        people,
        tuple(events.order_by("-pk")[:EVENTS]),
        viewer is not None and any(member.user_id == viewer.pk for member in joined),
    )


def _figures(entries: Sequence[Entry]) -> dict[int, tuple[int, int]]:
    """Return, by entry, how many tables it played and how many of them it won."""
    seats = Seat.objects.filter(entry__in=[entry.pk for entry in entries], match__state=Match.State.CONFIRMED)
    seats = seats.exclude(match__stage__state=Stage.State.VOID).order_by()
    counted = seats.values_list("entry").annotate(
        tables=Count("match", distinct=True), won=Count("match", distinct=True, filter=Q(place=1))
    )
    return {entry: (tables, won) for entry, tables, won in counted if entry is not None}


def _people(
    entries: Iterable[Entry], figures: Mapping[int, tuple[int, int]], joined: Iterable[ClubMember]
) -> tuple[ClubPerson, ...]:
    found: dict[str, ClubPerson] = {}
    for entry in entries:
        player = entry.player
        key = key_of(player.name, player.user_id, player.bot_id)
        person = found.setdefault(key, ClubPerson(player.name, player.user))
        tables, won = figures.get(entry.pk, (0, 0))
        person.events.add(entry.tournament_id)
        person.tables, person.won = person.tables + tables, person.won + won
    for member in joined:
        key = key_of("", member.user_id, None)
        found.setdefault(key, ClubPerson(member.user.shown_name, member.user)).has_joined = True
    ordered = sorted(found.values(), key=lambda each: (-each.won, -each.tables, -each.events_n, name_key(each.name)))
    return tuple(ordered)
