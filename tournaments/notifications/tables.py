"""People whom something concerns: tables, their players and followers; followers of an event or a bot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Exists, F, OuterRef, QuerySet

from bots.models import Bot
from tournaments.lifecycle.visibility import IN_PLAY
from tournaments.models import (
    Entry,
    EntryLink,
    Follow,
    Match,
    Player,
    PushSubscription,
    Registration,
    Seat,
    Tournament,
)

# Reasons why a table concerns somebody; of several the first.
REASONS: Final = ("own", "player", "person", "match")
# Members of teams have a private link of their own.
STILL_IN: Final = (*IN_PLAY, Entry.State.WAITLISTED, Entry.State.PARTNERED)


@dataclass(frozen=True, slots=True)
class By:
    """The reason of a notification. via: as `Notice.via`; player: the one at the table they follow or are (id)."""

    via: str
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Tables:
    """Matches by their id. keys: ids by uuid; forfeits: (bot, version, owner, code) of those that forfeited, by id.

    guests: by id, those who sit there and are notified by their private link (its id).
    """

    keys: Mapping[str, int] = field(default_factory=dict)
    rounds: Mapping[int, int | None] = field(default_factory=dict)
    states: Mapping[int, str] = field(default_factory=dict)
    readers: Mapping[int, Mapping[int, By]] = field(default_factory=dict)
    guests: Mapping[int, Mapping[int, By]] = field(default_factory=dict)
    forfeits: Mapping[int, Sequence[tuple[int, int, int, str]]] = field(default_factory=dict)


def tables_of(matches: QuerySet[Match]) -> Tables:
    """Read these matches with the people whom they concern. Eight queries, however many they are."""
    rows = list(matches.order_by("table_no", "id").values_list("pk", "uuid", "round", "state"))
    ids = [pk for pk, _uuid, _round, _state in rows]
    sitting = _sitting(ids)
    return Tables(
        keys={str(uuid): pk for pk, uuid, _round, _state in rows},
        rounds={pk: number for pk, _uuid, number, _state in rows},
        states={pk: state for pk, _uuid, _round, state in rows},
        readers=_readers(ids, sitting),
        guests=_guests(sitting),
        forfeits=_forfeits(ids),
    )


def _readers(matches: Sequence[int], sitting: Mapping[int, Sequence[int]]) -> dict[int, dict[int, By]]:
    """Return, by match and reader, the reason."""
    found: dict[int, dict[int, By]] = {pk: {} for pk in matches}
    for match, user in Follow.objects.filter(match__in=matches).values_list("match", "user"):
        found[match][user] = By("match")
    concerned = _concerned({player for players in sitting.values() for player in players})
    for match, players in sitting.items():
        # From the weakest reason to the strongest, each overwriting the one before.
        for way in reversed(REASONS):
            for player in players:
                found[match] |= {user: By(way, player) for user in concerned[player].get(way, ())}
    return found


def _guests(sitting: Mapping[int, Sequence[int]]) -> dict[int, dict[int, By]]:
    """Return, by match, the private links whose browsers asked to be told, of those who sit there."""
    players = {player for each in sitting.values() for player in each}
    links: dict[int, list[int]] = defaultdict(list)
    for link, player in _told_by_link().filter(entry__player__in=players).values_list("pk", "entry__player"):
        links[player].append(link)
    return {
        match: {link: By("own", player) for player in there for link in links[player]}
        for match, there in sitting.items()
    }


def _told_by_link() -> QuerySet[EntryLink]:
    subscribed = PushSubscription.objects.filter(link=OuterRef("pk"))
    return EntryLink.objects.filter(Exists(subscribed), ended_at=None)


def _sitting(matches: Iterable[int]) -> dict[int, list[int]]:
    """Return the people at each table, members of teams and the teams themselves."""
    seats = Seat.objects.filter(match__in=matches).order_by("match", "index")
    found: dict[int, list[int]] = defaultdict(list)
    for match, player, of_entry in seats.values_list("match", "player", "entry__player"):
        found[match] += [each for each in (player, of_entry) if each is not None and each not in found[match]]
    return found


def _concerned(players: set[int]) -> dict[int, dict[str, set[int]]]:
    """Return, by player, their account ("own"), their followers, and the followers of that account."""
    found: dict[int, dict[str, set[int]]] = defaultdict(dict)
    people = Player.objects.filter(pk__in=players, kind=Player.Kind.HUMAN)
    accounts = dict(people.filter(user__isnull=False).values_list("pk", "user"))
    # The entry of a registration may go on under a substitute's name, who is somebody else.
    same = {"name": F("entry__player__name")}
    registered = Registration.objects.filter(entry__player__in=players, user__isnull=False, **same)
    for player, user in registered.values_list("entry__player", "user"):
        # Who registered hears of their own tables. Followers of the account do not: it never said that it sits there.
        found[player]["own"] = {user}
    fans = _followers("person", set(accounts.values()))
    for player, users in _followers("player", players).items():
        found[player]["player"] = users
    for player, user in accounts.items():
        found[player]["own"] = {user}
        found[player]["person"] = fans.get(user, set())
    return found


def _followers(column: str, wanted: set[int]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    if wanted:
        for thing, user in Follow.objects.filter(**{f"{column}__in": wanted}).values_list(column, "user"):
            found[thing].add(user)
    return found


def _forfeits(matches: Iterable[int]) -> dict[int, list[tuple[int, int, int, str]]]:
    rows = Seat.objects.filter(match__in=matches, outcome=Seat.Outcome.FORFEIT, bot_version__bot__house=False)
    found: dict[int, list[tuple[int, int, int, str]]] = defaultdict(list)
    columns = ("match", "bot_version__bot", "bot_version", "bot_version__bot__owner", "fault__code")
    for match, bot, version, owner, code in rows.values_list(*columns).distinct():
        found[match].append((bot, version, owner, str(code)))
    return found


def followers(**thing: object) -> set[int]:
    """Return those who follow something: `tournament=`, `bot=`, `person=`."""
    return set(Follow.objects.filter(**thing).values_list("user", flat=True))


def of_event(event: Tournament) -> dict[int, By]:
    """Return those who follow it, and those who are entered with a bot or themselves."""
    mine = Entry.objects.filter(tournament=event, state__in=IN_PLAY)
    owners = mine.filter(player__bot__house=False).values_list("player__bot__owner", flat=True)
    people = mine.filter(player__user__isnull=False).values_list("player__user", "player")
    same = {"registration__name": F("player__name")}
    registered = mine.filter(registration__user__isnull=False, **same).values_list("registration__user", "player")
    found = {user: By("event") for user in followers(tournament=event)}
    found |= {user: By("own", player) for user, player in (*people, *registered)}
    return found | {user: By("own") for user in owners}


def guests_of_event(event: Tournament) -> dict[int, By]:
    """Return the private links of the event's people whose browsers asked to be told."""
    links = _told_by_link().filter(entry__tournament=event, entry__state__in=STILL_IN)
    return {link: By("own", player) for link, player in links.values_list("pk", "entry__player")}


def of_bot(bot: Bot) -> dict[int, By]:
    """Return those who follow a bot or its owner; not the owner."""
    found = {user: By("person") for user in followers(person=bot.owner_id)}
    found |= {user: By("bot") for user in followers(bot=bot)}
    found.pop(bot.owner_id, None)
    return found
