"""Records of entries for their list: rating, matches won, rank, and what orders them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.fields.json import KT

from tournaments.models import Entry, Match, Rating, Seat, Stage, Standing
from tournaments.standings.queries import Column, column_in, stored


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """What the list says of an entry. rating: mu - 3 sigma on the main board of its game, None for one without one;
    sides: of that board; played, won: matches that count and those that it won outright; rank: in the stage, None
    before it has one; shared: whether another entry has the same; figure: its value of what the table compares first;
    deal_sets: those that a ladder has rated it by.
    """

    rating: float | None = None
    sides: int = 0
    played: int = 0
    won: int = 0
    rank: int | None = None
    shared: bool = False
    figure: str = ""
    deal_sets: int = 0

    @property
    def value(self) -> float:
        """The figure as a number, for those that are shown with places."""
        return float(Fraction(self.figure or 0))


NOTHING = EntryRecord()


def in_order(entries: QuerySet[Entry], stage: Stage) -> tuple[QuerySet[Entry], QuerySet[Entry]]:
    """Return the entries of a stage in two parts: as its table has them; those without a row, as they are."""
    now = Standing.objects.filter(stage=stage, after_round=0, entry=OuterRef("pk"))
    rows = entries.filter(standings__stage=stage, standings__after_round=0)
    return rows.order_by("standings__row"), entries.filter(~Exists(now))


def compared_in(stage: Stage) -> list[Column]:
    """Return what the rows of a table are compared by, in order; nothing where there is none. One query."""
    first = stored(stage, after_round=0).values_list("explanation", flat=True).first()
    return [column_in(stage, each["tie_break"]) for each in first or ()]


def records_of(stage: Stage, entries: Sequence[Entry], *, is_drawn: bool) -> dict[int, EntryRecord]:
    """Return the records by key of the entry. One query; three once the stage is drawn.

    entries: with their bots, the active versions and the pinned ones.
    """
    ratings = _ratings(stage, entries)
    ranks = _ranks(stage, entries) if is_drawn else {}
    # A ladder plays hundreds of matches for each entry, and rates every one of them: its rating says more.
    is_open_ended = stage.format.is_open_ended
    counts = _counts(stage, entries) if is_drawn and not is_open_ended else {}
    sets = _deal_sets(stage, entries) if is_drawn and is_open_ended else {}
    found = {}
    for pk in (entry.pk for entry in entries):
        played, won = counts.get(pk, (0, 0))
        rank, shared, figure = ranks.get(pk, (None, False, ""))
        rating, sides = ratings.get(pk, (None, 0))
        found[pk] = EntryRecord(rating, sides, played, won, rank, shared, figure, sets.get(pk, 0))
    return found


def _ratings(stage: Stage, entries: Sequence[Entry]) -> dict[int, tuple[float, int]]:
    """Return the rating of the version that plays, and the sides of its board: of several those with the most."""
    versions = {entry.pk: _version(entry) for entry in entries}
    wanted = {version for version in versions.values() if version}
    if not wanted:
        return {}
    rows = Rating.objects.filter(version__in=wanted, pool__stage=None, pool__preset=stage.preset)
    rows = rows.filter(pool__seats=stage.seats_pref).order_by("pool__sides")
    known: dict[int | None, tuple[float, int]] = {
        version: (value, sides) for version, value, sides in rows.values_list("version", "value", "pool__sides")
    }
    return {entry: known[version] for entry, version in versions.items() if version in known}


def _version(entry: Entry) -> int | None:
    bot = entry.player.bot
    return entry.bot_version_id or (bot.active_version_id if bot is not None else None)


def _ranks(stage: Stage, entries: Sequence[Entry]) -> dict[int, tuple[int, bool, str]]:
    """Return the rank of each entry, whether another one shares it, and the figure that it is ranked by first.

    Groups rank apart, and are not compared.
    """
    table = Standing.objects.filter(stage=stage, after_round=0)
    # Equal ranks stand in neighbouring rows: a look at these two goes by an index, one at all equals read every row.
    beside = Q(row=OuterRef("row") - 1) | Q(row=OuterRef("row") + 1)
    level = table.filter(beside, rank=OuterRef("rank"))
    rows = table.filter(entry__in=[entry.pk for entry in entries]).annotate(shared=Exists(level))
    is_one = stage.groups_n < 2
    # Of the explanation its first value alone: with all its terms it can be long.
    return {
        entry: (rank, shared and is_one, figure or "")
        for entry, rank, shared, figure in rows.values_list("entry", "rank", "shared", KT("explanation__0__value"))
    }


def _counts(stage: Stage, entries: Sequence[Entry]) -> dict[int, tuple[int, int]]:
    """Return, by entry, how many matches of the event count and how many it won, as the standings count tables won."""
    seats = Seat.objects.filter(entry__in=[entry.pk for entry in entries], match__state=Match.State.CONFIRMED)
    # By side, not by entry: with rotating partners two entries share one.
    tied = Seat.objects.filter(match=OuterRef("match"), place=1).exclude(side=OuterRef("side"))
    rows = seats.values("entry").annotate(
        played=Count("match", distinct=True), won=Count("match", filter=Q(~Exists(tied), place=1), distinct=True)
    )
    return {row["entry"]: (row["played"], row["won"]) for row in rows.order_by()}


def _deal_sets(stage: Stage, entries: Sequence[Entry]) -> dict[int, int]:
    """Return, by entry, by how many deal sets its ladder has rated it, with all of its versions."""
    rows = Rating.objects.filter(pool__stage=stage, entry__in=[entry.pk for entry in entries])
    return dict(rows.values_list("entry").annotate(n=Sum(F("events") + F("pending"))).order_by())
