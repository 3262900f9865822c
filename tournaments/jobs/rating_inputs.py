"""What ratings are folded from: deal sets in the order in which they were made, and who sat at their tables.

A pool of a ladder stage rates its entries, each with the version that played; a pool of a preset rates the versions of
bots over all events that are not private. All legs of a deal set are one result, settled as in the standings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import Exists, Min, OuterRef, QuerySet

from engine.errors import EngineError
from tournaments.interchange.event_ids import MARK
from tournaments.jobs.planning import rules_of
from tournaments.models import Match, RatingEvent, RatingPool, Ruleset, Seat, Stage, StageEntry, Tournament
from tournaments.ratings.lines import name_of
from tournaments.ratings.model import Content, Event, Slot
from tournaments.selectors.results import SEAT_COLUMNS, results_from
from tournaments.standings.errors import StandingsError
from tournaments.standings.model import Scoring, Spec
from tournaments.standings.settle import settle

FINISHED: Final = Match.State.CONFIRMED
SKIPPED: Final = (Match.State.VOID, Match.State.QUARANTINED)
WAITED_FOR: Final = 1_000
"""An open deal set that so many others follow is passed over until it is over; the fold is then taken up before it."""
WHO: Final = ("entry_id", "version_n", "bot_version_id", "bot_version__bot_id", "bot_version__n")


class Member(NamedTuple):
    """Who is rated. line, n: as `ratings.lines` names them; entry: in a ladder; version: where its files are here."""

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
    """How many sides sit at a table of so many seats."""
    return len(set(rules_of(stage).sides(seats)))


def matches_of(pool: RatingPool) -> QuerySet[Match]:
    """The matches that a pool is folded from, whatever their state."""
    if pool.stage_id is not None:
        return Match.objects.filter(stage=pool.stage_id, deal_set__isnull=False)
    rows = Match.objects.filter(stage__preset=pool.preset, seats_n=pool.seats, deal_set__isnull=False)
    rows = rows.exclude(stage__tournament__visibility=Tournament.Visibility.PRIVATE)
    return rows.exclude(stage__tournament__policies__has_key=MARK).filter(stage__ruleset__in=_rulesets_of(pool))


def _rulesets_of(pool: RatingPool) -> list[int]:
    """The rulesets by which tables of the pool have its number of sides: a preset may be played solo and in teams."""
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
    """The next deal sets, at most so many; all that there are if one of these is still open."""
    later = matches_of(pool).filter(deal_set__gt=pool.upto)
    numbers = list(later.order_by("deal_set").values_list("deal_set", flat=True).distinct()[:most])
    if not numbers:
        return Window({}, {}, is_last=True)
    is_last = len(numbers) < most
    matches = later.filter(deal_set__lte=numbers[-1])
    states = _states(matches)
    if not is_last and any(map(_is_open, states.values())):
        is_last, matches = True, later
        states = _states(matches)
    contents, members = _contents(pool, matches, states)
    return Window(contents, members, is_last)


def everything(pool: RatingPool) -> Window:
    """All deal sets of a pool."""
    matches = matches_of(pool)
    contents, members = _contents(pool, matches, _states(matches))
    return Window(contents, members, is_last=True)


def first_changed(pool: RatingPool) -> int | None:
    """The first deal set up to the pool's `upto` of which the fold knows otherwise than the matches say."""
    settled = matches_of(pool).filter(deal_set__lte=pool.upto)
    known = RatingEvent.objects.filter(pool=pool, deal_set=OuterRef("deal_set"))
    still_open = settled.exclude(state__in=(FINISHED, *SKIPPED))
    unknown = settled.filter(~Exists(known), state=FINISHED)
    played = Match.objects.filter(deal_set=OuterRef("deal_set"), state=FINISHED)
    unplayed = RatingEvent.objects.filter(~Exists(played), pool=pool)
    found = [rows.aggregate(first=Min("deal_set"))["first"] for rows in (still_open, unknown, unplayed)]
    return min((number for number in found if number is not None), default=None)


States = dict[int, list[str]]


def _states(matches: QuerySet[Match]) -> States:
    states: States = defaultdict(list)
    for number, state in matches.order_by("deal_set", "leg").values_list("deal_set", "state"):
        states[number or 0].append(state)
    return states


def _is_open(states: Iterable[str]) -> bool:
    return any(state != FINISHED and state not in SKIPPED for state in states)


def _contents(
    pool: RatingPool, matches: QuerySet[Match], states: States
) -> tuple[dict[int, Content], dict[str, Member]]:
    finished = matches.filter(state=FINISHED)
    rows = list(Seat.objects.filter(match__in=finished.values("pk")).values(*SEAT_COLUMNS, *WHO, "match__deal_set"))
    members = _members(pool, rows)
    by_set: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_set[row["match__deal_set"]].append(row)
    late = sorted(states)[-WAITED_FOR:][0] if states else 0
    contents: dict[int, Content] = {}
    for number, own in states.items():
        if _is_open(own):
            contents[number] = Slot.OPEN if number >= late else Slot.SKIPPED
        else:
            contents[number] = _event(number, by_set.get(number, []))
    return contents, members


def _members(pool: RatingPool, rows: list[dict[str, Any]]) -> dict[str, Member]:
    """Everybody in these rows by name; each row is told its name as "who", "" for somebody who is not rated."""
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
    if row["bot_version_id"] is None:
        return None
    return Member(row["bot_version__bot_id"], row["bot_version__n"], None, row["bot_version_id"])


def _event(number: int, rows: list[dict[str, Any]]) -> Content:
    """The places over all legs; nothing where somebody met themselves or is not rated."""
    if not rows or not all(row["who"] for row in rows):
        return Slot.SKIPPED
    spec = Spec(scoring=Scoring(rows[0]["match__stage__scoring"]))
    try:
        settled = settle(results_from(rows, Counter(), who="who"), spec)
    except StandingsError:
        return Slot.SKIPPED
    return Event(number, tuple(side.entries for side in settled.sides), tuple(side.place for side in settled.sides))
