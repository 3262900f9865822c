"""Inputs of ratings: deal sets in the order in which they were made, and the rated ones at their tables.

A pool of a ladder stage rates its entries, each with the version that played; a pool of a preset rates the versions of
bots over all events that are not private, or people over the events that count for that and rated tables of the site.
All legs of a deal set are one result, settled as in the standings; a match of people stands for itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import Exists, Max, Min, OuterRef, Q, QuerySet

from core.formats import experiments, kinds
from core.ratings.lines import name_of, read_name
from core.ratings.model import Content, Event, Slot
from core.standings.errors import StandingsError
from core.standings.model import Scoring, Spec
from core.standings.settle import settle
from engine.errors import EngineError
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.records.confirmed import SEAT_COLUMNS, is_no_show, results_from
from tournaments.models import Match, RatingEvent, RatingPool, Ruleset, Seat, Stage, StageEntry, Tournament
from tournaments.models.entrant import line_of_player

FINISHED: Final = Match.State.CONFIRMED
SKIPPED: Final = (Match.State.VOID, Match.State.QUARANTINED)
DAY: Final = "match__stage__tournament__started_at"
WAITED_FOR: Final = 1_000
"""An open deal set that this number of others follow is passed over until it is over; the fold is then taken up
before it.
"""
WHO: Final = ("entry_id", "version_n", "bot_version_id", "bot_version__bot_id", "bot_version__n")
REMOTE: Final = "entry__player__bot__remote"
PERSON: Final = ("player_id", "player__user_id", "entry__player_id", "entry__player__user_id", REMOTE, DAY)


class Member(NamedTuple):
    """A rated line. line, n: as `ratings.lines` names them; entry: in a ladder; version: where its files are here.

    Of people n is 1.
    """

    line: int
    n: int
    entry: int | None
    version: int | None


@dataclass(frozen=True, slots=True)
class Window:
    """Deal sets after a pool's `upto`, by id. is_last: no more of them are there, or an open one is among them."""

    contents: Mapping[int, Content]
    members: Mapping[str, Member]
    is_last: bool


def sides_of(stage: Stage, seats: int) -> int:
    """Return how many sides sit at a table of that many seats."""
    return len(set(rules_of(stage).sides(seats)))


def matches_of(pool: RatingPool) -> QuerySet[Match]:
    """Return the matches that a pool is folded from, in any state; extra deals rate nobody."""
    if pool.stage_id is not None:
        return Match.objects.filter(stage=pool.stage_id, deal_set__isnull=False)
    if pool.who == RatingPool.Who.REMOTE:
        return _of_programs(pool)
    rows = Match.objects.filter(extra=0, stage__preset=pool.preset, seats_n=pool.seats)
    rows = of_people(rows) if is_of_people(pool) else _of_bots(rows)
    rows = rows.exclude(stage__tournament__visibility=Tournament.Visibility.PRIVATE)
    return rows.filter(stage__tournament__copy_mask=None, stage__ruleset__in=_rulesets_of(pool))


def tables_of_the_site() -> tuple[str, ...]:
    """Return the kinds of stages that are one match at a table of the site."""
    return kinds(lambda each: each.stands_alone)


def _of_programs(pool: RatingPool) -> QuerySet[Match]:
    """Return rated matches at tables of the site at which only programs sit."""
    of_table = {
        "stage__kind__in": tables_of_the_site(),
        "stage__tournament__rated": True,
        "stage__tournament__who": Tournament.Who.BOTS,
    }
    rows = Match.objects.filter(stage__preset=pool.preset, seats_n=pool.seats, deal_set__isnull=False, **of_table)
    return rows.filter(stage__tournament__copy_mask=None, stage__ruleset__in=_rulesets_of(pool))


def of_people(rows: QuerySet[Match]) -> QuerySet[Match]:
    """Return those that may count for people: without decks of the service, or a rated table of the site."""
    of_table = Q(stage__kind__in=tables_of_the_site(), stage__tournament__who=Tournament.Who.PEOPLE)
    return rows.filter(Q(deal_set=None) | of_table, stage__tournament__rated=True)


def _of_bots(rows: QuerySet[Match]) -> QuerySet[Match]:
    # Who is compared was chosen by somebody who wants an answer.
    return rows.filter(deal_set__isnull=False).exclude(stage__kind__in=experiments())


def is_of_people(pool: RatingPool) -> bool:
    """Return whether people are rated, match by match."""
    return pool.who == RatingPool.Who.PEOPLE


def number_of(pool: RatingPool) -> str:
    """Return the column of a match by which its result is numbered, in the order of creation."""
    return "id" if is_of_people(pool) else "deal_set"


def _rulesets_of(pool: RatingPool) -> list[int]:
    """Return the rulesets by which tables of the pool have its number of sides: a preset may be solo or in teams."""
    stages: dict[int, Stage] = {}
    for ruleset in Ruleset.objects.filter(stages__preset=pool.preset).distinct():
        stages[ruleset.pk] = Stage(ruleset=ruleset)
    return [pk for pk, stage in stages.items() if _can_seat(stage, pool)]


def _can_seat(stage: Stage, pool: RatingPool) -> bool:
    try:
        return sides_of(stage, pool.seats) == pool.sides
    except EngineError:
        return False


def window(pool: RatingPool, most: int) -> Window:
    """Return the next deal sets, at most that many; all that there are if one of these is still open."""
    key = number_of(pool)
    later = matches_of(pool).filter(**{f"{key}__gt": pool.upto})
    # Numbers first, without their matches: a batch is a number of deal sets, not of legs.
    numbers = list(later.order_by(key).values_list(key, flat=True).distinct()[:most])
    if not numbers:
        return Window({}, {}, is_last=True)
    is_last = len(numbers) < most
    matches = later.filter(**{f"{key}__lte": numbers[-1]})
    states = _states(matches, key)
    # An open one ends what can be settled, so all beyond it is read as well, to be counted in provisionally.
    if not is_last and any(map(_is_open, states.values())):
        is_last, matches = True, later
        states = _states(matches, key)
    contents, members = _contents(pool, matches, states)
    return Window(contents, members, is_last)


def everything(pool: RatingPool) -> Window:
    """Return all deal sets of a pool."""
    matches = matches_of(pool)
    contents, members = _contents(pool, matches, _states(matches, number_of(pool)))
    return Window(contents, members, is_last=True)


def days_of(pool: RatingPool, names: Iterable[str]) -> dict[str, int]:
    """Return the day of the last settled event of each of these people; nothing for bots, whose ratings do not age."""
    if not is_of_people(pool):
        return {}
    lines = {read_name(name)[0]: name for name in names}
    rows = RatingEvent.objects.filter(pool=pool, line__in=lines).values("line").annotate(last=Max("deal_set"))
    last = dict(rows.values_list("line", "last"))
    began = dict(Match.objects.filter(pk__in=last.values()).values_list("pk", "stage__tournament__started_at"))
    days = {line: began.get(number) for line, number in last.items()}
    return {lines[line]: day.toordinal() for line, day in days.items() if day is not None}


def first_changed(pool: RatingPool) -> int | None:
    """Find the first deal set up to the pool's `upto` of which the fold knows otherwise than the matches say."""
    settled = matches_of(pool).filter(deal_set__lte=pool.upto)
    known = RatingEvent.objects.filter(pool=pool, deal_set=OuterRef("deal_set"))
    # Three ways to differ: open again, finished and never folded, folded and not finished any more.
    still_open = settled.exclude(state__in=(FINISHED, *SKIPPED))
    unknown = settled.filter(~Exists(known), state=FINISHED)
    played = Match.objects.filter(deal_set=OuterRef("deal_set"), state=FINISHED)
    unplayed = RatingEvent.objects.filter(~Exists(played), pool=pool)
    found = [rows.aggregate(first=Min("deal_set"))["first"] for rows in (still_open, unknown, unplayed)]
    return min((number for number in found if number is not None), default=None)


def first_changed_in(pool: RatingPool, tournament: Tournament) -> int | None:
    """Find the same in one event of people, corrected results among them: what it costs grows with the event."""
    counted = matches_of(pool).filter(stage__tournament=tournament)
    own = list(Match.objects.filter(stage__tournament=tournament, id__lte=pool.upto).values_list("id", flat=True))
    contents, _members_of = _contents(pool, counted.filter(id__in=own), _states(counted.filter(id__in=own), "id"))
    now = {
        (number, line, rank)
        for number, event in contents.items()
        if isinstance(event, Event)
        for side, rank in zip(event.sides, event.ranks, strict=True)
        for line in side
    }
    known = RatingEvent.objects.filter(pool=pool, deal_set__in=own).values_list("deal_set", "line", "n", "place")
    before = {(number, name_of(line, n), place) for number, line, n, place in known}
    still_open = {number for number, event in contents.items() if event is Slot.OPEN}
    return min({number for number, _line, _rank in now ^ before} | still_open, default=None)


States = dict[int, list[str]]


def _states(matches: QuerySet[Match], key: str) -> States:
    states: States = defaultdict(list)
    for number, state in matches.order_by(key, "leg").values_list(key, "state"):
        states[number or 0].append(state)
    return states


def _is_open(states: Iterable[str]) -> bool:
    return any(state != FINISHED and state not in SKIPPED for state in states)


def _contents(
    pool: RatingPool, matches: QuerySet[Match], states: States
) -> tuple[dict[int, Content], dict[str, Member]]:
    finished = matches.filter(state=FINISHED)
    columns = (*SEAT_COLUMNS, *WHO, *(PERSON if is_of_people(pool) else ()), "match__deal_set")
    rows = list(Seat.objects.filter(match__in=finished.values("pk")).values(*columns))
    members = _members(pool, rows)
    by_set: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_set[row["match_id" if is_of_people(pool) else "match__deal_set"]].append(row)
    # The number from which fewer than WAITED_FOR deal sets follow: an open one before it does not hold up the fold.
    late = sorted(states)[-WAITED_FOR:][0] if states else 0
    contents: dict[int, Content] = {}
    for number, own in states.items():
        if _is_open(own):
            contents[number] = Slot.OPEN if number >= late else Slot.SKIPPED
        else:
            contents[number] = _event(number, by_set.get(number, []))
    return contents, members


def _members(pool: RatingPool, rows: list[dict[str, Any]]) -> dict[str, Member]:
    """Return everybody in these rows by name; each row gets its name as "who", "" for one that is not rated."""
    seeds: dict[int, int] = {}
    if pool.stage_id is not None:
        listed = StageEntry.objects.filter(stage=pool.stage_id, entry__in={row["entry_id"] for row in rows})
        seeds = dict(listed.values_list("entry", "seed"))
    members = {}
    for row in rows:
        member = _member(pool, row, seeds)
        row["who"] = name_of(member.line, member.n) if member else ""
        if member:
            members[row["who"]] = member
    return members


def _member(pool: RatingPool, row: dict[str, Any], seeds: Mapping[int, int]) -> Member | None:
    if pool.stage_id is not None:
        seed = seeds.get(row["entry_id"])
        return Member(seed, row["version_n"] or 1, row["entry_id"], row["bot_version_id"]) if seed else None
    if is_of_people(pool):
        return _person(row)
    if row["bot_version_id"] is None:
        return None
    return Member(row["bot_version__bot_id"], row["bot_version__n"], None, row["bot_version_id"])


def _person(row: dict[str, Any]) -> Member | None:
    """Return the person who sits there: the member of a team, or the person or bot of the entry."""
    whose = "player" if row["player_id"] is not None else "entry__player"
    player, user = row[f"{whose}_id"], row[f"{whose}__user_id"]
    return Member(line_of_player(player, user), 1, None, None) if player is not None else None


def _event(number: int, rows: list[dict[str, Any]]) -> Content:
    """Return the places over all legs; nothing where somebody met themselves or is not rated.

    A no-show has neither won nor lost: the others are rated among themselves, and nobody by a walk-over.
    """
    if rows and rows[0]["match__stage__edition"] > 1:
        rows = [row for row in rows if not is_no_show(row)]
    if len({row["side"] for row in rows}) < 2 or not all(row["who"] for row in rows):
        return Slot.SKIPPED
    # Remote programs are rated among themselves alone, at tables of their own (decision 0148).
    if any(row.get(REMOTE) for row in rows):
        return Slot.SKIPPED
    spec = Spec(scoring=Scoring(rows[0]["match__stage__scoring"]), edition=rows[0]["match__stage__edition"])
    try:
        settled = settle(results_from(rows, Counter(), who="who"), spec)
    except StandingsError:
        return Slot.SKIPPED
    began = rows[0].get(DAY)
    places = tuple(side.place for side in settled.sides)
    day = began.toordinal() if began is not None else 0
    return Event(number, tuple(side.entries for side in settled.sides), places, day)
