"""Clubs as pages read them, from the entries of events that the reader may be told of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from accounts.alphabet import name_key
from accounts.models import User
from tournaments.lifecycle.visibility import named_to
from tournaments.models import ClubMember, ClubTally, Entry, Match, Player, Seat, Stage, Tournament
from tournaments.models.club import club_key
from tournaments.seasons.identity import key_of

GONE: Final = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED, Entry.State.WAITLISTED)
EVENTS: Final = 50
MAX_LISTED: Final = 5_000
"""Clubs of the list; beyond these a search finds them."""


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


def club_keys(viewer: User | None, *, words: str = "") -> list[str]:
    """Return the keys of the clubs that the reader may be told of, in their order. words: in the name. One query.

    From the sums of players by club: what it costs grows with the clubs, not with the people of all years.
    """
    sums = ClubTally.objects.exclude(club_key="").filter(club_key__contains=club_key(words))
    # One entry of each club is looked for, not all of them.
    named = sums.filter(Exists(_entries(viewer).filter(player__club_key=OuterRef("club_key"))))
    there = named.values("club_key").annotate(total=Sum("n")).filter(total__gt=0).order_by("club_key")
    # Sorted in Python: the two databases have no order of letters in common.
    return sorted(there.values_list("club_key", flat=True)[:MAX_LISTED])


def club_lines(keys: Sequence[str], viewer: User | None) -> list[ClubLine]:
    """Return these clubs, in this order. One query, of their own entries alone."""
    rows = _entries(viewer).filter(player__club_key__in=keys).order_by()
    spelled: dict[str, Counter[str]] = {}
    for key, name, n in rows.values_list("player__club_key", "player__club").annotate(n=Count("pk")):
        spelled.setdefault(key, Counter())[name] += n
    there = [(key, spelled[key]) for key in keys if key in spelled]
    return [ClubLine(key, usual_spelling(names), sum(names.values())) for key, names in there]


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
