"""One person's day at an event: their table now and next, partners and opponents, results, and place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from tournaments.entries.links_query import own_seats
from tournaments.lifecycle.floor_settings import ClockLine, clock_line
from tournaments.matches.chains import ways_of
from tournaments.matches.records.confirmed import ruled
from tournaments.matches.schedule import seats_named
from tournaments.models import (
    Entry,
    EntryLink,
    Match,
    Member,
    Progression,
    Round,
    Seat,
    Stage,
    StageEntry,
    Standing,
    Tournament,
)
from tournaments.ranking.event_ranking import ranking_of
from tournaments.scores.tables import SETTLED, SideLine, sides_of

M, R, S, T = Match.State, Round.State, Stage.State, Tournament.State
OPEN_ROUNDS = (R.PUBLISHED, R.PLAYING)
DURING = (T.RUNNING, T.PAUSED)
OVER = (T.FINISHED, T.ARCHIVED)
NOT_YET = (M.PENDING, M.READY)


class Through(StrEnum):
    """Prospects of going on.

    IN, OUT: settled. ABOVE, BELOW: of the line, if it ended now. PLAYS: still in a bracket.
    """

    IN = "in"
    OUT = "out"
    ABOVE = "above"
    BELOW = "below"
    PLAYS = "plays"
    UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One table of theirs.

    own: their side; others: the opponents; partners: those who share their side, and their pile.
    """

    match: Match
    own: SideLine
    others: tuple[SideLine, ...]
    partners: tuple[str, ...]

    @property
    def is_called(self) -> bool:
        """True if they are to sit down now."""
        return self.match.state not in NOT_YET

    @property
    def against(self) -> str:
        """Everybody else at the table."""
        return " – ".join(side.marked for side in self.others)

    @property
    def points(self) -> str:
        """The points of all sides, their own first."""
        return " : ".join(str(side.points) for side in (self.own, *self.others) if side.points is not None)


@dataclass(frozen=True, slots=True)
class Place:
    """Their place in a stage. of: how many are ranked with them (in their group); last: the last place to go on.

    most: how many go on at most, of all groups together; None: everybody up to `last`. into: the stage they go on to.
    """

    stage: Stage
    rank: int
    of: int
    group: str = ""
    through: Through = Through.UNKNOWN
    last: int = 0
    most: int | None = None
    into: Stage | None = None


@dataclass(frozen=True, slots=True)
class MyDay:
    """Everything of one person's page. now: the table they sit at or are called to next; ahead: those after it.

    rests: the number of the round that they sit out, 0 if they do not. final: (place, of how many) once all is signed.
    """

    entry: Entry
    team: Entry | None
    partners: tuple[str, ...]
    now: Sitting | None
    ahead: tuple[Sitting, ...]
    done: tuple[Sitting, ...]
    rests: int
    clock: ClockLine | None
    place: Place | None
    final: tuple[int, int] | None
    stages: tuple[Stage, ...]


def my_day(link: EntryLink) -> MyDay:
    """Read the day of a link's person. At most eight queries, however many rounds there are."""
    entry = link.entry
    event = entry.tournament
    team, partners = _team_of(entry)
    sittings = [_sitting(match, entry) for match in _matches(entry)]
    waiting = [each for each in sittings if each.match.state not in SETTLED]
    rounds = _open_rounds(event)
    stages = tuple(event.stages.order_by("order"))
    ways = _ways(event, stages)
    ranked = team or entry
    place = _place(ranked, ways, has_table=bool(waiting))
    now = waiting[0] if waiting else None
    return MyDay(
        entry=entry,
        team=team,
        partners=partners,
        now=now,
        ahead=tuple(waiting[1:]),
        done=tuple(each for each in sittings if each.match.state == M.CONFIRMED),
        rests=_byes(rounds, ranked, now),
        clock=_clock(event, rounds, now),
        place=place,
        final=_final(event, stages, ways, ranked, place),
        stages=stages,
    )


def _team_of(entry: Entry) -> tuple[Entry | None, tuple[str, ...]]:
    """Return the team they play or played for last, and the others who play for it now.

    One query, none without partners.
    """
    if not entry.tournament.partners:
        return None, ()
    rows = Member.objects.filter(team__members__person=entry).select_related("team__player", "person__player")
    members = list(rows.order_by("number", "pk").distinct())
    own = sorted((each for each in members if each.person_id == entry.pk), key=lambda each: each.until_round is None)
    if not own:
        return None, ()
    team = own[-1].team
    now = (each for each in members if each.team_id == team.pk and each.until_round is None)
    return team, tuple(each.person.player.name for each in now if each.person_id != entry.pk)


def _matches(entry: Entry) -> list[Match]:
    """Return their tables in the order of play, those of rounds that others may see. Two queries."""
    seats = Seat.objects.filter(own_seats([entry]), match__stage__tournament=entry.tournament_id)
    rows = Match.objects.filter(pk__in=seats.values("match"), deal_set=None).exclude(round__state=R.DRAFT)
    rows = rows.annotate(is_ruled=ruled()).select_related("stage__tournament", "round")
    rows = rows.defer("round__plan", "round__quality")
    return list(rows.order_by("stage__order", "round__number", "pk").prefetch_related(seats_named()))


def _sitting(match: Match, entry: Entry) -> Sitting:
    seats = match.seats.all()
    mine = [seat for seat in seats if seat.player_id == entry.player_id]
    # A seat with a player is that person's; one without stands for the entry, under whose name they play.
    mine = mine or [seat for seat in seats if seat.player_id is None and seat.entry_id == entry.pk]
    number = mine[0].side
    sides = sides_of(match)
    own = next(side for side in sides if side.index == number)
    partners = tuple(name for name in own.names if name != entry.player.name)
    return Sitting(match, own, tuple(side for side in sides if side.index != number), partners)


def _open_rounds(event: Tournament) -> list[Round]:
    """Return the rounds that are published and not over, by stage and number. One query while the event runs."""
    if event.state not in DURING:
        return []
    rows = Round.objects.filter(stage__tournament=event, state__in=OPEN_ROUNDS).select_related("stage", "clock")
    return list(rows.defer("quality").order_by("stage__order", "number"))


def _byes(rounds: Sequence[Round], ranked: Entry, now: Sitting | None) -> int:
    """Return the round that they sit out: the one that is played, if they have no table in it."""
    for row in rounds:
        if now is not None and row.pk == now.match.round_id:
            return 0
        if str(ranked.uuid) in row.plan.get("byes", ()):
            return row.number
    return 0


def _clock(event: Tournament, rounds: Sequence[Round], now: Sitting | None) -> ClockLine | None:
    """Return the clock of the round they are at, else of the first that is played."""
    own = [row for row in rounds if now is not None and row.pk == now.match.round_id]
    lines = (clock_line(event, row) for row in own or rounds)
    return next((line for line in lines if line is not None), None)


def _ways(event: Tournament, stages: Sequence[Stage]) -> list[Progression]:
    """Return the ways between its stages. One query, none where there is one stage."""
    return ways_of(event) if len(stages) > 1 else []


def _place(ranked: Entry, ways: Sequence[Progression], *, has_table: bool) -> Place | None:
    """Return their place in the stage they reached last. One query."""
    # NULL equals nothing in SQL: without Coalesce a stage of one group would count nobody.
    alike = StageEntry.objects.filter(stage=OuterRef("stage")).annotate(part=Coalesce("group", 0))
    counted = alike.filter(part=OuterRef("part")).order_by().values("part").annotate(n=Count("pk"))
    rows = StageEntry.objects.filter(entry=ranked).annotate(part=Coalesce("group", 0))
    standing = Standing.objects.filter(stage=OuterRef("stage"), entry=OuterRef("entry"), after_round=0)
    rows = rows.annotate(of=Subquery(counted.values("n")[:1]), rank=Subquery(standing.values("rank")[:1]))
    found = rows.select_related("stage", "group").order_by("-stage__order").first()
    if found is None or (found.rank is None and found.came_by_id is None):
        return None
    label = found.group.label if found.group is not None else ""
    place = Place(found.stage, found.rank or 0, found.of, label)
    if found.rank is None:
        return replace(place, through=Through.IN)
    if found.stage.format.is_bracket and found.stage.state != S.CLOSED and has_table:
        return replace(place, through=Through.PLAYS)
    return _with_line(place, [way for way in ways if way.source_id == found.stage_id])


def _with_line(place: Place, ways: Sequence[Progression]) -> Place:
    """Compare the place with the line of the ways on. An entry in the target has a row there, and is not asked here."""
    if not ways:
        return place
    on = next((way for way in ways if way.first <= place.rank <= way.last), None)
    line = on or max(ways, key=lambda way: way.last)
    through = Through.ABOVE if on is not None else Through.BELOW
    if line.target.state != S.PLANNED:
        through = Through.OUT
    return replace(place, through=through, last=line.last, most=line.most, into=line.target)


def _final(
    event: Tournament, stages: Sequence[Stage], ways: Sequence[Progression], ranked: Entry, place: Place | None
) -> tuple[int, int] | None:
    """Return the final place of who was ranked. One query where there are several stages, none else."""
    if event.state not in OVER or place is None:
        return None
    if len(stages) == 1:
        return place.rank, place.of
    table = ranking_of(event, stages=stages, ways=ways).placed
    own = next((line.rank for line in table if line.entry.pk == ranked.pk), None)
    return (own, len(table)) if own is not None else None
