"""Events a person took part in, and their record against others met at tables: by accounts, not by names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F, OuterRef, Q, QuerySet

from accounts.alphabet import name_key
from accounts.models import User
from tournaments.lifecycle.json_lists import Listed
from tournaments.lifecycle.visibility import OF_STATE, named_to
from tournaments.models import Entry, Match, Player, Seat, Standing, Tournament

ENTRIES: Final = 80
LINE: Final = (
    *("tournament__slug", "tournament__name", *OF_STATE, "player__name"),
    *(f"player__bot__{column}" for column in ("slug", "name", "emblem_card", "emblem_colour")),
)
MEETINGS: Final = 20
MAX_READ: Final = 4_000


@dataclass(frozen=True, slots=True)
class Meeting:
    """The record of somebody against another account. ahead, level, behind: matches by their place."""

    username: str
    name: str
    ahead: int = 0
    level: int = 0
    behind: int = 0

    @property
    def matches(self) -> int:
        """All matches."""
        return self.ahead + self.level + self.behind


def events_of(person: User, *, has_many: bool = False) -> list[Entry]:
    """Return what they are or were entered in, themselves or by their bots, in public events; the newest first.

    has_many: bots, more than a thousand. Each with what a line says of `tournament` and `player`, and `ranks`, theirs
    now in the stages of it. One query.
    """
    now = Standing.objects.filter(entry=OuterRef("pk"), after_round=0).order_by("stage").values(it=F("rank"))
    rows = Entry.objects.filter(named_to(None, "tournament__"), _entered(person, has_many))
    rows = rows.exclude(state=Entry.State.WITHDRAWN).filter(tournament__is_challenge=False)
    rows = rows.select_related("tournament", "player__bot").annotate(ranks=Listed(now)).only(*LINE)
    return list(rows.order_by("-id")[:ENTRIES])


def by_event(entries: Iterable[Entry]) -> list[tuple[Tournament, list[Entry]]]:
    """Return entries by their event, in the order of the first of each; within an event the better ranks first."""
    found: dict[int, tuple[Tournament, list[Entry]]] = {}
    for entry in entries:
        found.setdefault(entry.tournament_id, (entry.tournament, []))[1].append(entry)
    for _event, own in found.values():
        own.sort(key=_by_rank)
    return list(found.values())


def _by_rank(entry: Entry) -> tuple[bool, list[int], str]:
    ranks: list[int] = vars(entry)["ranks"]
    return not ranks, ranks[-1:], name_key(entry.player.name)


def _entered(person: User, has_many: bool) -> Q:
    """Select their entries, from their side; of somebody who has very many the newest are found soon in all."""
    if has_many:
        return Q(player__user=person) | Q(player__bot__owner=person)
    own = Entry.objects.filter(player__user=person).values("pk")
    players = Player.objects.filter(bot__pk__among=person.bots.values("pk"))
    return Q(pk__in=own.union(Entry.objects.filter(player__pk__among=players.values("pk")).values("pk")))


def meetings_of(person: User) -> list[Meeting]:
    """Return those they met most on another side of a table, in events that are not private. One query.

    Of the last matches that were confirmed; copies of events that are over count nowhere.
    """
    found: dict[str, Meeting] = {}
    met = set()
    for match, own, other, username, name in _rows(person):
        if (match, username) in met or username == person.username:
            continue  # several seats of one side
        met.add((match, username))
        old = found.get(username, Meeting(username, name or username))
        ahead, level, behind = old.ahead + (own < other), old.level + (own == other), old.behind + (own > other)
        found[username] = Meeting(username, old.name, ahead, level, behind)
    return sorted(found.values(), key=lambda each: (-each.matches, name_key(each.name)))[:MEETINGS]


def _rows(person: User) -> Iterable[tuple[Any, ...]]:
    """Yield (match, own place, their place, user name, shown name) of everybody else at their tables."""
    seats = _seats(person).exclude(match__stage__tournament__visibility=Tournament.Visibility.PRIVATE)
    seats = seats.filter(match__stage__tournament__copy_mask=None)
    seats = seats.filter(match__state=Match.State.CONFIRMED, place__isnull=False, match__seats__place__isnull=False)
    sitting = ("match__seats__player__user", "match__seats__entry__player__user")
    names = [f"{path}__{field}" for path in sitting for field in ("username", "display_name", "is_active")]
    columns = ("match", "place", "side", "match__seats__place", "match__seats__side", "match__seats__player", *names)
    rows = seats.order_by("-match", "index", "match__seats__index").values_list(*columns)[:MAX_READ]
    for match, own, side, other, their_side, player, *people in rows:
        username, name, is_active = people[:3] if player is not None else people[3:]
        if side != their_side and username and is_active:
            yield match, own, other, username, name


def _seats(person: User) -> QuerySet[Seat]:
    """Return seats where they sat themselves, or their name stood for the side: each found by an index of its own."""
    themselves = Seat.objects.filter(player__user=person).values("pk")
    by_entry = Seat.objects.filter(Q(player=None), entry__player__user=person).values("pk")
    # UNION of keys: with OR over two joins PostgreSQL would use neither index.
    return Seat.objects.filter(pk__in=themselves.union(by_entry))
