"""Matches as pages list them: single lines, and the tables of a round with their legs side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from accounts.models import User
from tournaments.lifecycle.visibility import each_first
from tournaments.matches.byes import asked_text, bye_text, requested_by_round
from tournaments.matches.chains import groups_of
from tournaments.matches.reasons import by_table
from tournaments.models import Entry, Match, MatchTally, Round, Seat, Stage, Standing, Tournament

M = Match.State
NOT_CALLED = (M.PENDING, M.READY, M.VOID)
GONE = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)
# Maximum number of the reader's own entries on one page.
MINE = 40
FRESH_REPLAYS: Final = 7
# What no line shows of a seat: most of the columns of its six tables. `log_marks` grows with the length of a match.
NOT_IN_A_LINE = (
    "log_marks",
    *(f"entry__{name}" for name in ("nonce", "copy", "fixed_table", "entered_by", "created_at")),
    *(
        f"{way}__{name}"
        for way in ("player__bot", "entry__player__bot")
        for name in ("plays", "suspended_at", "suspended_reason", "created_at")
    ),
    *(
        f"bot_version__{name}"
        for name in ("protocol", "plays", "clock", "files", "source", "note", "benched_at", "bench_reason")
    ),
    *(
        f"bot_version__{name}"
        for name in ("forfeits_in_a_row", "hidden_at", "hidden_by", "hidden_reason", "created_at")
    ),
)
# Matches and seats that one page of the schedule shows before it leaves earlier rounds to pages of their own.
BATCH_SIZE = 30
MAX_SEATS: Final = 88


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry in one leg. `seat`: None where it does not sit (another leg seats it elsewhere, never nowhere)."""

    match: Match
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class TableRow:
    """One entry at a table over all legs. `points`, `victories`: sums of the finished legs.

    partners: where they change, the others of its side, who have no row of their own.
    members: of a team who sit here, if that is not what it is called. board: of a team whose members sit apart; without
    members nobody sits there.
    """

    entry: Entry | None
    cells: tuple[Cell, ...]
    points: int
    victories: int
    won: bool
    members: tuple[str, ...] = ()
    board: int | None = None
    partners: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Names of those the row is about."""
        names = [self.entry.player.name] if self.entry is not None else []
        return " & ".join([*names, *self.partners])

    @property
    def forfeited(self) -> bool:
        """True if it forfeited one of the legs."""
        return any(cell.seat is not None and cell.seat.outcome == Seat.Outcome.FORFEIT for cell in self.cells)

    @property
    def has_left(self) -> bool:
        """True if the entry has left the event while a leg of its table is open."""
        is_open = any(cell.match.state not in (M.CONFIRMED, M.VOID) for cell in self.cells)
        return is_open and self.entry is not None and self.entry.state in GONE


@dataclass(frozen=True, slots=True)
class TableBlock:
    """One table of a round. group: label of the group that sits there, "" where everybody plays in one."""

    number: int
    why: str
    legs: tuple[Match, ...]
    rows: tuple[TableRow, ...]
    group: str = ""

    @property
    def is_done(self) -> bool:
        """True if every leg is finished."""
        return all(leg.state == M.CONFIRMED for leg in self.legs)

    @property
    def by_place(self) -> list[tuple[int, TableRow]]:
        """Return (seat, row): the best first once its one match is over, else in order of the seats."""
        seated = list(enumerate(self.rows, start=1))
        if len(self.legs) > 1 or not self.is_done:
            return seated
        places = {seat: row.cells[0].seat.place if row.cells[0].seat else None for seat, row in seated}
        return sorted(seated, key=lambda pair: (places[pair[0]] or len(seated), pair[0]))

    @property
    def is_tied(self) -> bool:
        """True if several sides won it, so that none of them is the winner."""
        return sum(row.won for row in self.rows) > 1

    @property
    def winner(self) -> TableRow | None:
        """The row that won it alone; None while it is played, and where several did."""
        won = [row for row in self.rows if row.won]
        return won[0] if self.is_done and len(won) == 1 else None

    @property
    def is_pair(self) -> bool:
        """True if two sides meet: the table is one line, with the scores between their names."""
        return len(self.rows) == 2


@dataclass(frozen=True, slots=True)
class RoundBlock:
    """A round and its tables.

    resting: names of the entries without a table; of single boards with their number. requested: of those who sit out
    by arrangement, with what it is worth.
    """

    round: Round
    tables: tuple[TableBlock, ...]
    resting: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """True if every table is finished."""
        return bool(self.tables) and all(table.is_done for table in self.tables)

    @property
    def winners(self) -> tuple[TableRow, ...]:
        """Who won a table alone, in the order of the tables."""
        return tuple(table.winner for table in self.tables if table.winner is not None)

    @property
    def pairs(self) -> tuple[TableBlock, ...]:
        """Tables of two sides, a line each; none in a round that seats more at a table: all have one form there."""
        has_larger = any(len(table.rows) > 2 for table in self.tables)
        return () if has_larger else tuple(table for table in self.tables if table.is_pair)

    @property
    def others(self) -> tuple[TableBlock, ...]:
        """All other tables, by their numbers."""
        return self.tables if not self.pairs else tuple(table for table in self.tables if not table.is_pair)


def seats_named() -> Prefetch[str, QuerySet[Seat], str]:
    """Prefetch seats with what a line shows of them."""
    rows = Seat.objects.select_related("entry__player__bot", "player__bot", "bot_version").defer(*NOT_IN_A_LINE)
    return Prefetch("seats", rows.order_by("match_id", "index"))


def quarantined_matches(stage: Stage, *, limit: int = 10) -> list[Match]:
    """Return the held matches of a stage, in the order in which they were held. Two queries."""
    rows = Match.objects.filter(stage=stage, state=M.QUARANTINED).select_related("round")
    rows = rows.order_by(F("claimed_at").asc(nulls_last=True), "id")
    return list(rows.prefetch_related(seats_named())[:limit])


def fresh_replays() -> list[Match]:
    """Return the matches that finished last in public tournaments. Two queries."""
    return list(newest_public().select_related("stage__tournament").prefetch_related(seats_named())[:FRESH_REPLAYS])


def newest_public() -> QuerySet[Match]:
    """Return the finished matches of public tournaments, the newest first."""
    public = Q(stage__tournament__visibility=Tournament.Visibility.PUBLIC)
    return Match.objects.filter(public, state=M.CONFIRMED).order_by("-finished_at", "-id")


def rounds_of(stage: Stage) -> list[Round]:
    """Return the rounds of a stage with `matches_n`, `done_n` (of stored sums) and `is_called`. One query."""
    tallies = MatchTally.objects.filter(stage=stage, round=OuterRef("pk")).order_by()
    figures = {
        # Coalesce: a round without rows in the sums has none of these matches, and a sum of no rows is NULL.
        name: Coalesce(Subquery(rows.values("round").annotate(total=Sum("n")).values("total")), 0)
        for name, rows in (("matches_n", tallies.exclude(state=M.VOID)), ("done_n", tallies.filter(state=M.CONFIRMED)))
    }
    rows = Round.objects.filter(stage=stage).annotate(is_called=was_called(), **figures)
    return list(rows.order_by("number"))


def was_called() -> Exists:
    """Return, for a round, whether people were called to one of its tables."""
    return Exists(Match.objects.filter(round=OuterRef("pk"), deal_set=None).exclude(state__in=NOT_CALLED))


def chosen_rounds(rounds: Sequence[Round], wanted: str, seats: int) -> list[Round]:
    """Return the rounds a page shows: the one asked for; all if they are few; else the first that is not complete and
    as many before it as there is room for. seats: at a table.
    """
    asked = [each for each in rounds if str(each.number) == wanted]
    room = min(BATCH_SIZE, MAX_SEATS // seats)
    if asked or sum(_figure(each, "matches_n") for each in rounds) <= room:
        return asked or list(rounds)
    open_at = (n for n, each in enumerate(rounds) if _figure(each, "done_n") < _figure(each, "matches_n"))
    first = now = next(open_at, len(rounds) - 1)
    room -= _figure(rounds[now], "matches_n")
    while first > 0 and _figure(rounds[first - 1], "matches_n") <= room:
        first -= 1
        room -= _figure(rounds[first], "matches_n")
    return list(rounds[first : now + 1])


def _figure(row: Round, name: str) -> int:
    return int(getattr(row, name))


def round_blocks(stage: Stage, rounds: Sequence[Round]) -> list[RoundBlock]:
    """Return the tables of some rounds of one stage, and who sits out. Three queries; one more where it has groups."""
    groups = groups_of(stage)
    matches = Match.objects.filter(round__in=rounds, extra=0).order_by("round__number", "table_no", "leg")
    by_round: dict[int, list[Match]] = defaultdict(list)
    for match in matches.prefetch_related(seats_named()):
        by_round[match.round_id or 0].append(match)
    byes = {each.pk: [(str(entry), 0) for entry in each.plan.get("byes", ())] for each in rounds}
    for each in rounds:
        byes[each.pk] += [(str(entry), int(board)) for entry, board in each.plan.get("boards_out", ())]
    asked = requested_by_round(stage)
    wanted = [entry for entries in byes.values() for entry, _n in entries]
    wanted += [entry for each in rounds for entry in asked.get(each.number, ())]
    names = {str(uuid): name for uuid, name in _names(wanted)} if wanted else {}
    return [
        RoundBlock(
            each,
            tuple(_tables(stage, by_round[each.pk], groups, by_table(each.plan))),
            tuple(bye_text(names[entry], board) for entry, board in byes[each.pk] if entry in names),
            tuple(asked_text(names[entry], worth) for entry, worth in asked.get(each.number, {}).items()),
        )
        for each in rounds
    ]


def _names(entries: Sequence[str]) -> Iterable[tuple[UUID, str]]:
    return Entry.objects.filter(uuid__in=entries).values_list("uuid", "player__name")


def _tables(
    stage: Stage, matches: Iterable[Match], groups: dict[int, str], why: Mapping[int, str]
) -> Iterable[TableBlock]:
    for number, group in groupby(matches, key=lambda match: match.table_no or 0):
        legs = tuple(group)
        rows = table_rows(stage, legs)
        label = next((groups.get(row.entry.pk, "") for row in rows if row.entry is not None), "")
        yield TableBlock(number, why.get(number, legs[0].why), legs, rows, label)


def table_rows(stage: Stage, legs: tuple[Match, ...]) -> tuple[TableRow, ...]:
    """Return the entries at a table, in the order of the first leg's seats."""
    seats = {(leg.pk, seat.entry_id): seat for leg in legs for seat in leg.seats.all()}
    sides = _sharing(legs[0]) if stage.format.changes_partners else {}
    entries = [entry for entry in dict.fromkeys(seat.entry for seat in legs[0].seats.all()) if _leads(entry, sides)]
    sums = {entry.pk: _sum(seats, legs, entry.pk) for entry in entries if entry is not None}
    is_done = all(leg.state == M.CONFIRMED for leg in legs)
    winners = _winners(stage, legs, seats, sums) if is_done else frozenset()
    rows = []
    for entry in entries:
        pk = entry.pk if entry is not None else 0
        points, victories = sums.get(pk, (0, 0))
        cells = tuple(Cell(leg, seats.get((leg.pk, pk))) for leg in legs)
        board = next((cell.seat.board for cell in cells if cell.seat is not None), None)
        members = _members(legs[0], entry)
        fellows = tuple(sides.get(pk, ())[1:])
        rows.append(TableRow(entry, cells, points, victories, pk in winners, members, board, fellows))
    return tuple(rows)


def _winners(
    stage: Stage,
    legs: tuple[Match, ...],
    seats: Mapping[tuple[int, int | None], Seat],
    sums: Mapping[int, tuple[int, int]],
) -> frozenset[int]:
    """Return the keys of the entries with the highest figure: a table may have two winners.

    seats: by leg and entry; sums: (points, deals won) by entry. Of one leg who has its first place has won, regardless
    of figures (who forfeits may have more); of those who share it the one with more points, where points decide.
    """
    by_points = decides_by_points(stage, seats.values())
    keys = set(sums)
    if len(legs) == 1:
        keys = {key for key in keys if (seat := seats.get((legs[0].pk, key))) is not None and seat.place == 1}
        if not by_points:
            return frozenset(keys)
    figures = {key: _key(stage, sums[key], by_points=by_points) for key in keys}
    return frozenset(key for key in keys if figures[key] == max(figures.values()))


def decides_by_points(stage: Stage, seats: Iterable[Seat]) -> bool:
    """Return whether points decide a match that is level in deals won: somebody has to advance (decision 0074).

    A board of a team is no match of its own: level, it is a half for both.
    """
    is_board = any(seat.board for seat in seats)
    return stage.format.is_bracket and stage.scoring == Stage.Scoring.ROUND_VICTORY and not is_board


def _key(stage: Stage, sums: tuple[int, int], *, by_points: bool) -> tuple[int, ...]:
    points, victories = sums
    if by_points:
        return (victories, points)
    return (victories,) if stage.scoring == Stage.Scoring.ROUND_VICTORY else (points,)


def _sharing(match: Match) -> dict[int, list[str]]:
    """Return, by the key of the entry that sits first on its side, the names of that side."""
    sides: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for seat in match.seats.all():
        if seat.entry is not None:
            sides[seat.side].append((seat.entry.pk, seat.entry.player.name))
    return {own[0][0]: [name for _pk, name in own] for own in sides.values()}


def _leads(entry: Entry | None, sides: dict[int, list[str]]) -> bool:
    """Return whether an entry has a row: where partners change, one for every side."""
    return not sides or entry is None or entry.pk in sides


def _members(match: Match, entry: Entry | None) -> tuple[str, ...]:
    """Return the names of those who sit for a team, if its name does not say so already."""
    if entry is None:
        return ()
    players = [seat.player for seat in match.seats.all() if seat.entry_id == entry.pk and seat.player is not None]
    names = tuple(dict.fromkeys(player.name for player in players))
    return () if entry.player.name in (" & ".join(names), *names) else names


def _sum(seats: dict[tuple[int, int | None], Seat], legs: Iterable[Match], entry: int) -> tuple[int, int]:
    own = [seats[leg.pk, entry] for leg in legs if (leg.pk, entry) in seats and leg.state == M.CONFIRMED]
    return sum(seat.points or 0 for seat in own), sum(seat.victories or 0 for seat in own)


@dataclass(frozen=True, slots=True)
class Mine:
    """One of the viewer's entries in a tournament: where it stands and what it plays next or played last."""

    entry: Entry
    rank: int | None
    match: Match | None


def my_entries(stage: Stage, viewer: User | None) -> list[Mine]:
    """Return the viewer's entries, each with its rank and the match to look at. Two queries at most."""
    if viewer is None:
        return []
    rank = Standing.objects.filter(stage=stage, after_round=0, entry=OuterRef("pk")).values("rank")[:1]
    entries = list(
        Entry.objects.filter(tournament_id=stage.tournament_id, player__bot__owner=viewer)
        .exclude(state=Entry.State.WITHDRAWN)
        .select_related("player", "bot_version")
        .annotate(rank_now=Subquery(rank))
        .order_by("id")[:MINE]
    )
    matches = _next_matches(stage, entries)
    return [Mine(entry, entry.rank_now, matches.get(entry.pk)) for entry in entries]


def _next_matches(stage: Stage, entries: Sequence[Entry]) -> dict[int, Match]:
    """Return, per entry, the match in play, else the next in the queue, else the last finished."""
    if not entries:
        return {}
    order = (each_first(Q(match__state=M.CLAIMED)), each_first(Q(match__state=M.QUEUED)), "-match__finished_at", "id")
    seats = Seat.objects.filter(match__stage=stage, entry__in=entries).exclude(match__state=M.VOID)
    found: dict[int, Match] = {}
    shown = ("entry_id", "match__uuid", "match__state")
    for seat in seats.select_related("match").only(*shown).order_by(*order):
        # Rows come in order of interest, so the first one of each entry is the one to show.
        found.setdefault(seat.entry_id or 0, seat.match)
    return found
