"""Teams whose members sit apart, as pages show them: meetings of a round, line-ups, results of members."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from django.utils.translation import gettext as _

from accounts.alphabet import name_key
from accounts.phrasing import listed
from core.formats.stage_format import TeamSeating
from core.standings.fold import fold
from core.standings.model import Scoring, Spec
from core.standings.table import Row, Table
from tournaments.matches.records.confirmed import SEAT_COLUMNS, results_from
from tournaments.matches.records.results import ranking_of
from tournaments.matches.schedule import RoundBlock, TableBlock, TableRow
from tournaments.models import Entry, Match, Member, Seat, Stage, Tournament
from tournaments.pairing.lineups_query import Slot, playing_in, slot_of, teams_of
from tournaments.standings.queries import Figure, column

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Side:
    """One team of a meeting. points: of its boards, as far as they are confirmed; boards: its board points."""

    entry: Entry
    points: int
    boards: Fraction
    won: bool


@dataclass(frozen=True, slots=True)
class Half:
    """One team's half of a board. sits: the name of the player there, "" for nobody."""

    entry: Entry
    sits: str
    points: int
    won: bool
    forfeit: bool


@dataclass(frozen=True, slots=True)
class Board:
    """One board of a meeting.

    rows: in the order of the meeting's teams; first: the name of the player on the first seat.
    """

    number: int
    table: TableBlock
    rows: tuple[Half, ...]
    first: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two teams and their boards. is_done: every board is confirmed. why: the planner's reason for the meeting."""

    sides: tuple[Side, Side]
    boards: tuple[Board, ...]
    is_done: bool
    why: str = ""

    @property
    def has_begun(self) -> bool:
        """True if a board is confirmed: before that there is no score."""
        return any(board.table.is_done for board in self.boards)


def is_of_meetings(stage: Stage) -> bool:
    """Return whether the stage pairs teams, board against board."""
    return bool(stage.tournament.boards) and stage.format.teams is TeamSeating.MEETINGS


def meetings_of(stage: Stage, tables: Sequence[TableBlock]) -> tuple[Meeting, ...]:
    """Return the tables of a round by meeting, in the order of their first tables; none where boards are mixed.

    No query.
    """
    if not is_of_meetings(stage):
        return ()
    groups: dict[frozenset[int], list[TableBlock]] = defaultdict(list)
    for table in tables:
        groups[frozenset(row.entry.pk for row in table.rows if row.entry is not None)].append(table)
    return tuple(_meeting(own) for teams, own in groups.items() if len(teams) == 2)


def _meeting(tables: Sequence[TableBlock]) -> Meeting:
    ordered = sorted(tables, key=lambda table: table.rows[0].board or 0)
    entries = [row.entry for row in ordered[0].rows if row.entry is not None]
    points: Counter[int] = Counter()
    shares: dict[int, Fraction] = defaultdict(Fraction)
    for table in ordered:
        for row in table.rows:
            if table.is_done and row.entry is not None:
                points[row.entry.pk] += row.points
                shares[row.entry.pk] += _share([each.cells[0].seat for each in table.rows], row.cells[0].seat)
    is_done = all(table.is_done for table in ordered)
    best = max(shares.values(), default=Fraction(0))
    # Level boards give neither team the meeting, however many points they made.
    level = len(set(shares.values())) < 2
    sides = [
        Side(entry, points[entry.pk], shares[entry.pk], is_done and not level and shares[entry.pk] == best)
        for entry in entries
    ]
    order = [side.entry.pk for side in sides]
    return Meeting((sides[0], sides[1]), tuple(_board(table, order) for table in ordered), is_done, ordered[0].why)


def _board(table: TableBlock, order: Sequence[int]) -> Board:
    halves = {row.entry.pk: _half(row.entry, row) for row in table.rows if row.entry is not None}
    first = next(iter(halves.values()))
    return Board(table.rows[0].board or 0, table, tuple(halves[team] for team in order), first.sits)


def _half(entry: Entry, row: TableRow) -> Half:
    seat = row.cells[0].seat
    sits = seat.player.name if seat is not None and seat.player is not None else ""
    is_forfeit = seat is not None and seat.outcome == Seat.Outcome.FORFEIT
    return Half(entry, sits, row.points, row.won, is_forfeit)


def _share(seats: Sequence[Seat | None], own: Seat | None) -> Fraction:
    """Return 1 for a board won, a half for a level one; nothing at a board that nobody came to."""
    places = [seat.place or 0 for seat in seats if seat is not None]
    # Where no side has place 1 nobody came: all of them are last.
    if own is None or min(places, default=0) > 1:
        return Fraction(0)
    return HALF if places.count(own.place or 0) > 1 else Fraction(own.place == 1)


def rule_of(event: Tournament, stage: Stage) -> str:
    """Describe in a sentence how boards make a team's score; "" where teams do not sit apart."""
    at_two = stage.format.teams is TeamSeating.MEETINGS
    words = {
        "sum": _("A team's score is the sum of its %(boards)s boards."),
        "best": _("A team's score is the sum of its best %(best)s of %(boards)s boards in every round."),
        "boards": _("A team's score is its board points: 1 for a board won, half for a tied one."),
        "meetings": _("A team's score is the meetings it won, half for a tied one; then its board points."),
    }
    if event.team_score == "boards" and not at_two:
        text = _(
            "A team's score is its board points: for each board, the share of the others at its table that it beat."
        )
    else:
        text = words.get(event.team_score, "")
    settled = _(
        "An empty board, or a player who does not come, is last with 0 points. This was settled before round 1."
    )
    shown = {"boards": event.boards, "best": event.team_best}
    return f"{text % shown} {settled}" if text else ""


@dataclass(frozen=True, slots=True)
class RoundOfTeams:
    """A round as pages show it where teams sit apart: its meetings; none where boards are mixed."""

    block: RoundBlock
    meetings: tuple[Meeting, ...]


def with_meetings(stage: Stage, blocks: Sequence[RoundBlock]) -> list[RoundOfTeams]:
    """Return the rounds with their meetings. No query."""
    return [RoundOfTeams(block, meetings_of(stage, block.tables)) for block in blocks]


@dataclass(frozen=True, slots=True)
class MemberLine:
    """Results of a person on their boards. boards: those they sat on, as text; row: of the standings of people.

    rank: among people; shared: whether somebody else has the same; number: of the line, from 1.
    """

    row: Row
    rank: int
    shared: bool
    number: int
    name: str
    team: str
    boards: str

    @property
    def figures(self) -> list[Figure]:
        """Every figure with the terms it is made of."""
        found = (line.to_json() for line in self.row.explanation)
        return [
            Figure(column(str(line["tie_break"])), line["value"], cast("list[dict[str, Any]]", line["terms"]), ())
            for line in found
        ]


@dataclass(frozen=True, slots=True)
class MemberTable:
    """The people of a stage of teams that sit apart, best first. columns: ids of figures in order of comparison."""

    columns: tuple[str, ...]
    lines: tuple[MemberLine, ...]


def member_standings(stage: Stage) -> MemberTable:
    """Return everybody by what they won themselves, ranked as the stage ranks, regardless of their team.

    Two queries.
    """
    seats = Seat.objects.filter(match__stage=stage, match__state=Match.State.CONFIRMED, board__isnull=False)
    columns = ("player__uuid", "player__name", "entry__player__name", "board")
    rows = [dict(row) for row in seats.values(*SEAT_COLUMNS, *columns).order_by("match__round__number", "match_id")]
    for row in rows:
        # An empty seat gets a name of its own: its opponents' results count, and two of them are not one person.
        row["who"] = row["player__uuid"] or f"nobody {row['match_id']} {row['index']}"
    spec = Spec(
        scoring=Scoring(stage.scoring),
        keys=ranking_of(stage, of_members=True),
        lots_seed=stage.commitment,
        edition=stage.edition,
    )
    sat: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["player__uuid"] is not None:
            sat[str(row["who"])].append(row)
    names = sorted(sat, key=lambda who: (name_key(str(sat[who][0]["player__name"])), who))
    # Persons have no seeds in a stage of teams: by name, so that every fold gives the same order.
    seeds = {who: number for number, who in enumerate(names, start=1)}
    table = fold(results_from(rows, Counter(), who="who"), [], spec, entries=seeds)
    return MemberTable(table.columns, tuple(_lines(table, sat)))


def _lines(table: Table, sat: Mapping[str, Sequence[dict[str, Any]]]) -> Iterable[MemberLine]:
    """Yield the rows of people, ranked among themselves: empty seats take no rank."""
    own = [row for row in table.rows if row.entry in sat]
    for number, row in enumerate(own, start=1):
        rank = 1 + sum(other.rank < row.rank for other in own)
        shared = sum(other.rank == row.rank for other in own) > 1
        seats = sat[row.entry]
        teams = list(dict.fromkeys(str(seat["entry__player__name"]) for seat in seats))
        numbers = sorted({int(seat["board"]) for seat in seats})
        name = str(seats[0]["player__name"])
        yield MemberLine(row, rank, shared, number, name, listed(teams), listed(numbers))


@dataclass(frozen=True, slots=True)
class LineupLine:
    """A team's line-up in a round: the member on each board (None: nobody), and its reserves."""

    team: Entry
    boards: tuple[Member | None, ...]
    reserves: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class LineupPage:
    """The line-ups that hold for the round that is open. slot: None when none is."""

    slot: Slot | None
    lines: tuple[LineupLine, ...]


def lineup_page(event: Tournament) -> LineupPage:
    """Return the line-ups of all teams that play, by name. About five queries."""
    slot = slot_of(event)
    teams = teams_of(event).filter(state__in=(Entry.State.ENTERED, Entry.State.ACTIVE)).select_related("player")
    ordered = sorted(teams, key=lambda team: (name_key(team.player.name), team.pk))
    # No open round: as after every stage and round that there can be, so the last line-up holds.
    number = (slot.stage.order, slot.number) if slot else (99, 99)
    rows = Member.objects.filter(playing_in(*number), team__in=[team.pk for team in ordered])
    by_team: dict[int, list[Member]] = defaultdict(list)
    for member in rows.select_related("person__player").order_by("number", "pk"):
        by_team[member.team_id].append(member)
    return LineupPage(slot, tuple(_lineup(event, team, by_team[team.pk]) for team in ordered))


def _lineup(event: Tournament, team: Entry, members: Sequence[Member]) -> LineupLine:
    seated = {member.number: member for member in members}
    numbers = range(1, event.boards + 1)
    reserves = tuple(member for member in members if member.number not in numbers)
    return LineupLine(team, tuple(seated.get(number) for number in numbers), reserves)
