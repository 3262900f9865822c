"""Tables of people as the organiser dashboard, the slips, the projector and the phones show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import (
    Case,
    Exists,
    F,
    OuterRef,
    Prefetch,
    QuerySet,
    Subquery,
    Value,
    When,
    prefetch_related_objects,
)
from django.utils.translation import gettext as _

from accounts.alphabet import ByName, name_key
from accounts.models import User
from accounts.phrasing import listed
from bots.models import AuditEvent
from tournaments.domain_events.matches import ResultDisputed
from tournaments.matches.records.confirmed import ruled
from tournaments.matches.schedule import seats_named, was_called
from tournaments.models import Entry, Match, ResultReport, Role, Round, Seat, SlipPhoto, Stage, StageEntry, Tournament

M, R = Match.State, Round.State
SETTLED = (M.CONFIRMED, M.VOID)
GONE = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)
# Stands between members in the name of a team that has none of its own.
BETWEEN = " & "
OPEN_REPORTS = (ResultReport.State.SUBMITTED, ResultReport.State.DISPUTED)


@dataclass(frozen=True, slots=True)
class SideLine:
    """One side at a table: the people who sit there, and its figures once they are confirmed. team: the name of a team
    that is not called like its members. is_bot: nobody confirms anything for it. board: of a team that sits apart;
    without names nobody sits there. seats: those of the side, from 0. club_of: by name, the club of those who have one.
    left: those of them who have left the event while their table is open.
    """

    index: int
    names: tuple[str, ...]
    clubs: tuple[str, ...] = ()
    points: int | None = None
    victories: int | None = None
    place: int | None = None
    outcome: str = ""
    team: str = ""
    is_bot: bool = False
    board: int | None = None
    seats: tuple[int, ...] = ()
    club_of: Mapping[str, str] = field(default_factory=dict, hash=False)
    left: tuple[str, ...] = ()

    @property
    def has_left(self) -> bool:
        """True if all of them have left, so that nobody comes to the table for the side."""
        return bool(self.left) and set(self.left) == set(self.names)

    @property
    def is_empty(self) -> bool:
        """True for a board on which nobody sits."""
        return self.board is not None and not self.names

    @property
    def has_slip(self) -> bool:
        """True if somebody sits there who can report."""
        return not (self.is_bot or self.is_empty or self.has_left)

    @property
    def name(self) -> str:
        """All names of the side."""
        if self.is_empty:
            return _("%(team)s (nobody)") % {"team": self.team}
        return f"{self.team} ({' + '.join(self.names)})" if self.team else BETWEEN.join(self.names)

    @property
    def marked(self) -> str:
        """All names of the side, and those of them who have left."""
        if not self.left:
            return self.name
        if self.has_left:
            return _("%(name)s (has left)") % {"name": self.name}
        return _("%(name)s (%(who)s has left)") % {"name": self.name, "who": listed(self.left)}


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a round. reports: newest first, as far as they were asked for. group: its label, if there are
    several. objector: the side that said without figures that what was reported is wrong.
    """

    match: Match
    sides: tuple[SideLine, ...]
    reports: tuple[ResultReport, ...] = field(default=())
    group: str = ""
    objector: SideLine | None = None

    @property
    def open_reports(self) -> tuple[ResultReport, ...]:
        """Reports of sides that nobody has decided yet, the first first."""
        return tuple(each for each in reversed(self.reports) if each.state in OPEN_REPORTS)

    @property
    def title(self) -> str:
        """Everybody at the table."""
        return " – ".join(side.marked for side in self.sides)

    @property
    def is_called(self) -> bool:
        """True if people sit at it: it is called and reported. Else workers play it."""
        return self.match.deal_set_id is None

    @property
    def people_n(self) -> int:
        """Number of its sides that are people: alone among bots one's report is for a scorer to confirm."""
        return sum(side.has_slip for side in self.sides)

    @property
    def meeting(self) -> str:
        """The two teams that meet at a board, the same at all their tables; "" elsewhere."""
        numbers = {side.board for side in self.sides}
        if len(self.sides) != 2 or len(numbers) > 1 or None in numbers:
            return ""
        # Teams swap sides from board to board (odd boards one way), so that every table of a meeting has one title.
        ordered = self.sides if (self.sides[0].board or 1) % 2 else self.sides[::-1]
        return " – ".join(side.team or side.name for side in ordered)

    @property
    def left(self) -> tuple[SideLine, ...]:
        """Sides that have left the event: a walk-over is proposed for the others."""
        return tuple(side for side in self.sides if side.has_left)

    @property
    def empty(self) -> tuple[int, ...]:
        """Sides at which nobody sits."""
        return tuple(side.index for side in self.sides if side.is_empty)


def tables_of(rows: Iterable[Match]) -> list[Table]:
    """Return matches with their sides."""
    return [Table(match, sides_of(match), group=getattr(match, "group", None) or "") for match in rows]


def tables_with_reports(rows: Sequence[Match]) -> list[Table]:
    """Return the same with the reports that wait for a decision. One query more."""
    prefetch_related_objects(rows, _waiting())
    return [replace(table, reports=tuple(getattr(table.match, "waiting", ()))) for table in tables_of(rows)]


def _waiting() -> Prefetch[str, QuerySet[ResultReport], str]:
    """Read the reports that wait for a decision, newest first, as `waiting`."""
    reports = ResultReport.objects.filter(state__in=OPEN_REPORTS).select_related("by").order_by("-version")
    return Prefetch("reports", reports, to_attr="waiting")


def sides_of(match: Match) -> tuple[SideLine, ...]:
    """Return the sides of a match whose seats are at hand, in their order."""
    seats = list(match.seats.all())
    found = []
    for side in sorted({seat.side for seat in seats}):
        own = [seat for seat in seats if seat.side == side]
        # A team sits apart if its seat has a board: then its player sits there, not everybody of the entry.
        board = own[0].board
        sitting = [seat for seat in own if board is None or seat.player is not None]
        players = [seat.player or seat.entry.player for seat in sitting if seat.entry is not None]
        # dict.fromkeys: a side of several seats (partners, a name for a whole team) names everybody once.
        names = tuple(dict.fromkeys(player.name for player in players))
        team = own[0].entry.player.name if own[0].entry is not None else ""
        team = "" if team in (BETWEEN.join(names), *names) else team
        club_of = {player.name: player.club for player in players if player.club}
        clubs = tuple(dict.fromkeys(club_of.values()))
        is_bot = bool(players) and all(player.bot_id is not None for player in players)
        figures = (own[0].points, own[0].victories, own[0].place, own[0].outcome)
        places = tuple(seat.index for seat in own)
        left = _left(match, sitting)
        found.append(SideLine(side, names, clubs, *figures, team, is_bot, board, places, club_of, left))
    return tuple(found)


def _left(match: Match, sitting: Iterable[Seat]) -> tuple[str, ...]:
    """Return those of a side who have left the event, as long as the table is open; a counted result shows who came."""
    if match.state in SETTLED:
        return ()
    gone = (seat for seat in sitting if seat.entry is not None and seat.entry.state in GONE)
    return tuple(dict.fromkeys((seat.player or seat.entry.player).name for seat in gone if seat.entry is not None))


def round_tables(round_row: Round) -> list[Table]:
    """Return the tables of a round by number, with what waits for a decision.

    has_photo: somebody has sent a photo of the slip.

    Three queries, one more where sides disagree.
    """
    return _with_reports(Match.objects.filter(round=round_row, extra=0).order_by("table_no"), round_row.stage)


def flowing_tables(stage: Stage) -> list[Table]:
    """Return what is played of a bracket that flows, by table, and then what waits, in the order of the bracket.

    Queries as of `round_tables`.
    """
    rows = Match.objects.filter(stage=stage, extra=0).exclude(state__in=(M.CONFIRMED, M.VOID))
    rows = rows.exclude(round__state=R.DRAFT).select_related("round", "stage__tournament").defer("round__plan")
    waits = Case(When(state__in=(M.PENDING, M.READY, M.QUEUED), then=Value(1)), default=Value(0))
    # What waits has no table of the hall yet: among those the rounds decide.
    return _with_reports(rows.order_by(waits, "station", "round__number", "table_no"), stage)


def _with_reports(rows: QuerySet[Match], stage: Stage) -> list[Table]:
    """Read tables with what waits for a decision there."""
    rows = rows.prefetch_related(seats_named(), _waiting())
    rows = rows.annotate(is_ruled=ruled(), has_photo=Exists(SlipPhoto.objects.filter(match=OuterRef("pk"))))
    if stage.groups_n > 1:
        # An entry sits in one group of a stage, and so does its whole table: any of its rows has the label.
        own = StageEntry.objects.filter(stage=OuterRef("stage"), entry__seats__match=OuterRef("pk"))
        rows = rows.annotate(group=Subquery(own.values("group__label")[:1]))
    objected = _objected(rows)
    for match in rows:
        match.stage = stage  # one object: what is asked of each table's stage and event costs no query
    return [
        replace(table, objector=_objector(table, objected))
        for table in (replace(each, reports=tuple(getattr(each.match, "waiting", ()))) for each in tables_of(rows))
    ]


def _objected(matches: Iterable[Match]) -> dict[str, int]:
    """Return the side that objected last without figures of its own, by match in dispute (its id).

    One query, or none.
    """
    subjects = [f"match:{match.uuid}" for match in matches if match.state == M.DISPUTED]
    if not subjects:
        return {}
    # The side of an objection stands in the audit log alone; in order of keys, so that the last one remains.
    acts = AuditEvent.objects.filter(verb=ResultDisputed.topic, subject__in=subjects).order_by("pk")
    newest = {subject: after.get("side") for subject, after in acts.values_list("subject", "after")}
    return {subject.removeprefix("match:"): side for subject, side in newest.items() if isinstance(side, int)}


def _objector(table: Table, objected: Mapping[str, int]) -> SideLine | None:
    number = objected.get(str(table.match.uuid))
    if any(report.body.get("side") == number for report in table.open_reports):
        return None  # its own figures say so
    return next((side for side in table.sides if side.index == number), None)


def stage_on(stages: Sequence[Stage]) -> Stage | None:
    """Return the first stage that is played now, else the last one that was drawn; stages by number."""
    on = [stage for stage in stages if stage.state == Stage.State.ACTIVE]
    drawn = [stage for stage in stages if stage.state != Stage.State.PLANNED]
    return on[0] if on else drawn[-1] if drawn else next(iter(stages), None)


def open_rounds(stage: Stage) -> list[Round]:
    """Return the stage's rounds by number, `is_called`: people were called to a table."""
    return list(stage.rounds.defer("plan").select_related("clock").annotate(is_called=was_called()).order_by("number"))


def current_round(stage: Stage, rounds: Sequence[Round], wanted: str = "") -> Round | None:
    """Return the round that was asked for; else the first with an open table; else the last one. No query."""
    asked = [each for each in rounds if str(each.number) == wanted]
    if asked or not rounds:
        return asked[0] if asked else None
    return next((each for each in rounds if each.state not in (R.COMPLETE, R.LOCKED)), rounds[-1])


def table_of(match: Match) -> Table:
    """Return one table with everything that was said about it, its event, rules and round. Four queries at most."""
    rows = Match.objects.select_related("stage__tournament", "stage__ruleset", "round__clock")
    row = rows.annotate(is_ruled=ruled()).defer("round__plan").prefetch_related(seats_named()).get(pk=match.pk)
    if row.round is not None:
        # One object: what is asked of the round's stage finds the ruleset and event that were read with the match.
        row.round.stage = row.stage
    reports = ResultReport.objects.filter(match=row).select_related("by").order_by("-version")
    table = Table(row, sides_of(row), tuple(reports))
    return replace(table, objector=_objector(table, _objected([row])))


def people_of(event: Tournament) -> QuerySet[Entry]:
    """Return everybody who is entered, by seed then by name; bots with their owner."""
    rows = Entry.objects.filter(tournament=event).select_related("player__bot__owner")
    return rows.order_by(F("seed").asc(nulls_last=True), ByName("player__name"), "pk")


def roles_at(event: Tournament) -> list[Role]:
    """Return those who run the event, by role and name."""
    order = list(Role.Kind.values)
    rows = Role.objects.filter(tournament=event).select_related("user")
    return sorted(rows, key=lambda row: (order.index(row.role), name_key(row.user.username)))


def organiser_roles(event: Tournament, viewer: User | None) -> frozenset[str]:
    """Return the roles that open the organiser dashboard to the viewer; none for a stranger."""
    if viewer is None:
        return frozenset()
    return frozenset(Role.objects.filter(tournament=event, user=viewer).values_list("role", flat=True))
