"""Teams and their members as pages show them: teams, single people, draws of partners, results of members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Prefetch, Q, Sum
from django.db.models.expressions import OrderBy

from accounts.alphabet import ByName, name_key
from tournaments.lifecycle.visibility import SOON
from tournaments.models import Entry, Match, Member, PartnerDraw, Round, Seat, Stage, Tournament
from tournaments.pairing.lineups_query import singles_of, team_size, teams_of

E = Entry.State


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team. members: those who play for it now, the captain first; before: those who played for it earlier."""

    entry: Entry
    members: tuple[Member, ...]
    before: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class DrawLine:
    """A draw of partners that was made. teams, left: names in the order of the lots; seed: as hex."""

    draw: PartnerDraw
    seed: str
    teams: tuple[tuple[str, ...], ...]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartnersPage:
    """Everything about partners. next: the draw that is committed to and not made; standing: the last one that holds.

    here: how many singles are checked in. to_come: true while that draw may still be made: the event has not begun, and
    partners are drawn or there are singles enough for a team.
    """

    size: int
    teams: tuple[TeamLine, ...]
    singles: tuple[Entry, ...]
    draws: tuple[DrawLine, ...]
    next: PartnerDraw | None
    standing: DrawLine | None
    to_come: bool = False

    @property
    def here(self) -> int:
        """Number of people without a partner who have come."""
        return sum(entry.state == E.ACTIVE for entry in self.singles)

    @property
    def can_draw(self) -> bool:
        """True if there are enough for a team."""
        return len(self.singles) >= self.size


def partners_page(event: Tournament) -> PartnersPage:
    """Read the page of partners. Six queries."""
    draws = list(event.partner_draws.select_related("drawn_by", "undone_by").order_by("number"))
    singles = tuple(singles_of(event).select_related("player").order_by(ByName("player__name"), "pk"))
    may_come = event.partners == "drawn" or len(singles) >= team_size(event)
    made = tuple(_drawn(draw) for draw in draws if draw.drawn_at is not None)
    standing = [line for line in made if line.draw.undone_at is None]
    return PartnersPage(
        size=team_size(event),
        teams=tuple(team_lines(event)),
        singles=singles,
        draws=tuple(reversed(made)),
        next=next((draw for draw in draws if draw.drawn_at is None), None),
        standing=standing[-1] if standing else None,
        to_come=may_come and event.state in (Tournament.State.DRAFT, *SOON),
    )


def team_lines(event: Tournament) -> list[TeamLine]:
    """Return every team of an event, those that play first, then by name. Two queries."""
    members = Member.objects.select_related("person__player").order_by("number", "from_stage", "from_round")
    rows = teams_of(event).select_related("player").prefetch_related(Prefetch("members", members))
    ordered = sorted(rows, key=lambda row: (row.state not in (E.ENTERED, E.ACTIVE), name_key(row.player.name), row.pk))
    return [(_apart if event.boards else _line)(row) for row in ordered]


def _apart(row: Entry) -> TeamLine:
    """Return a team that sits apart: its people as they came, once each; the draws tell on which board they sit."""
    members = sorted(row.members.all(), key=lambda member: member.pk)
    here = {member.person_id for member in members if member.until_round is None}
    came: dict[int, Member] = {}
    for member in members:
        came.setdefault(member.person_id, member)
    people = came.values()
    now = tuple(member for member in people if member.person_id in here)
    return TeamLine(row, now, tuple(member for member in people if member.person_id not in here))


def _line(row: Entry) -> TeamLine:
    members = list(row.members.all())
    now = tuple(member for member in members if member.until_round is None)
    return TeamLine(row, now, tuple(member for member in members if member.until_round is not None))


def _drawn(draw: PartnerDraw) -> DrawLine:
    names = {item["entry"]: item["name"] for item in draw.listed}
    teams = tuple(tuple(names[entry] for entry in team) for team in draw.teams)
    return DrawLine(draw, bytes(draw.secret).hex(), teams, tuple(names[entry] for entry in draw.left))


@dataclass(frozen=True, slots=True)
class Present:
    """People who are there. here, total: counted; teams: per entry of a person in a team (its key), the team's name."""

    here: int
    total: int
    teams: dict[int, str]


def present_of(event: Tournament, rows: Sequence[Entry]) -> Present:
    """Count those who are there. rows: all entries of the event. One query; none where nobody has partners."""
    pairs: list[tuple[int, int, str]] = []
    if event.partners:
        members = Member.objects.filter(team__tournament=event, until_round=None)
        pairs = list(members.values_list("person_id", "team_id", "team__player__name"))
    of_team = {team: person for person, team, _name in pairs}
    came = {row.pk for row in rows if row.state == E.ACTIVE}
    came |= {person for person, team, _name in pairs if team in came}
    people = [row for row in rows if row.pk not in of_team and not row.player.bot_id]
    gone = (E.WITHDRAWN, E.DISQUALIFIED)
    return Present(
        here=sum(row.pk in came for row in people),
        total=sum(row.state not in gone for row in people),
        teams={person: name for person, _team, name in pairs},
    )


def people_in(entries: Sequence[Entry]) -> int:
    """Count the people of these entries: of a team its members, of anybody else one. One query."""
    members = Member.objects.filter(team__in=entries, until_round=None).values_list("team", "person")
    teams = {team for team, _person in members}
    return len(members) + sum(entry.pk not in teams for entry in entries)


OPEN_TABLES = (Match.State.READY, Match.State.CALLED, Match.State.PLAYING, Match.State.REPORTED, Match.State.DISPUTED)


def tables_now(event: Tournament) -> dict[tuple[str, int], tuple[int, int]]:
    """Return where everybody sits next: (round, table) by ("entry", key) and ("player", key). One query.

    Of rounds that are drawn ahead the first one that is not over.
    """
    rows = Seat.objects.filter(match__stage__tournament=event, match__state__in=OPEN_TABLES, match__round__isnull=False)
    rows = rows.exclude(match__round__state=Round.State.DRAFT).order_by("-match__stage__order", "match__round__number")
    found: dict[tuple[str, int], tuple[int, int]] = {}
    for entry, player, number, table in rows.values_list(
        "entry_id", "player_id", "match__round__number", "match__table_no"
    ):
        # The latest stage, its earliest open round: rows come in that order, so the first one of each stays.
        found.setdefault(("entry", entry or 0), (number or 0, table or 0))
        found.setdefault(("player", player or 0), (number or 0, table or 0))
    return found


@dataclass(frozen=True, slots=True)
class MemberRow:
    """Results of the sides that a person sat on: the whole side's points are everybody's. won: tables won outright.

    shared: true if somebody else has the same rank.
    """

    rank: int
    shared: bool
    name: str
    team: str
    played: int
    points: int
    victories: int
    won: int


def member_table(stage: Stage) -> list[MemberRow]:
    """Return people of a stage whose entries are teams, best first, by what it ranks by; equal ones share a rank.

    A side's result counts once, however many of its seats a person holds. One query; none where nobody has partners.
    """
    if not stage.tournament.partners:
        return []
    order = ("victories", "points") if stage.scoring == Stage.Scoring.ROUND_VICTORY else ("points", "victories")
    rows = _sums(stage, [F(f"sum_{name}").desc(nulls_last=True) for name in order])
    keys = [tuple(row[f"sum_{name}"] or 0 for name in order) for row in rows]
    return [
        MemberRow(
            rank=1 + sum(other > key for other in keys),
            shared=keys.count(key) > 1,
            name=row["player__name"],
            team=row["entry__player__name"],
            played=row["played"],
            points=row["sum_points"] or 0,
            victories=row["sum_victories"] or 0,
            won=row["won"],
        )
        for row, key in zip(rows, keys, strict=True)
    ]


def _sums(stage: Stage, order: Sequence[OrderBy]) -> list[dict[str, Any]]:
    seats = Seat.objects.filter(match__stage=stage, match__state=Match.State.CONFIRMED).exclude(player=None)
    # Seats whose player is the entry's own are those of entries without members.
    seats = seats.exclude(player=F("entry__player"))
    named = seats.values("player", "player__name", "entry__player__name")
    summed = named.annotate(
        played=Count("match", distinct=True),
        sum_points=Sum("points"),
        sum_victories=Sum("victories"),
        won=Count("match", distinct=True, filter=Q(place=1)),
    )
    return [dict(row) for row in summed.order_by(*order, ByName("player__name"), "player")]


def chosen_team(teams: Sequence[TeamLine], wanted: str) -> TeamLine | None:
    """Return the team whose id was asked for."""
    return next((line for line in teams if str(line.entry.uuid) == wanted), None)
