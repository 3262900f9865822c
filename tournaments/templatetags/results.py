"""Results row by row, as lists of matches show them: two sides with the score between them, or all by place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.utils import timezone
from django.utils.dateformat import format as written
from django.utils.translation import gettext as _

from bots.templatetags.hanami import amount
from bots.templatetags.times import form_in_use
from tournaments.matches.schedule import TableRow, decides_by_points
from tournaments.models import Match, Player, Seat, Stage
from tournaments.templatetags.figures import by_place

register = template.Library()
PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a match. rank: its place at the table, None without one. won: alone."""

    player: Player | None
    name: str
    points: int
    victories: int
    rank: int | None = None
    won: bool = False
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The sides of a match, the best first. is_over: they have figures; by_deals: deals won rank, before points."""

    sides: tuple[Side, ...]
    is_over: bool
    by_deals: bool
    is_by_points: bool = False

    @property
    def is_pair(self) -> bool:
        """True if two sides meet: the score stands between their names."""
        return len(self.sides) == PAIR

    @property
    def figures(self) -> list[str]:
        """What ranks, by side."""
        return [amount(side.victories if self.by_deals else side.points) for side in self.sides]

    @property
    def ranked(self) -> list[tuple[Side, str]]:
        """Return (side, its figure) of a table of several."""
        return list(zip(self.sides, self.figures, strict=True))

    @property
    def more(self) -> str:
        """Words on the points of two sides where deals won rank; "" elsewhere."""
        if not self.by_deals:
            return ""
        one, other = (amount(side.points) for side in self.sides)
        if self.is_by_points:
            return _("by %(a)s : %(b)s points") % {"a": one, "b": other}
        return _("%(points)s pts") % {"points": f"{one} : {other}"}


@register.simple_tag
def result_of(match: Match, rows: Sequence[TableRow] = ()) -> Result:
    """Return what a list shows of a match, or of all legs of a table: its rows. No query: seats are read with it."""
    by_deals = match.stage.scoring == Stage.Scoring.ROUND_VICTORY
    if rows:
        found = [_of_row(row) for row in rows]
    else:
        found = list(_of_seats(by_place(match.seats.all())))
    is_over = match.state == Match.State.CONFIRMED
    result = Result(_with_winner(match, found), is_over, by_deals)
    level = by_deals and result.is_pair and len({side.victories for side in result.sides}) == 1
    return replace(result, is_by_points=is_over and level and any(side.won for side in result.sides))


@register.simple_tag
def age_of(match: Match) -> str:
    """Return how long a match has been over, for a line or a heading: by the hour for a day, then its day."""
    if match.state != Match.State.CONFIRMED or match.finished_at is None:
        return ""
    age = timezone.now() - match.finished_at
    if age < timedelta(hours=1):
        return _("less than an hour ago")
    if age < timedelta(days=1):
        return str(naturaltime(match.finished_at))
    return written(timezone.localtime(match.finished_at), form_in_use("day"))


def _of_row(row: TableRow) -> Side:
    player = row.entry.player if row.entry else None
    return Side(player, row.name, row.points, row.victories, won=row.won, forfeited=row.forfeited)


def _of_seats(seats: Iterable[Seat]) -> Iterable[Side]:
    """Yield a side for each entry: the seats of a team follow each other."""
    last: tuple[int | None, int | None] | None = None
    for seat in seats:
        if (key := (seat.entry_id, seat.player_id)) != last:
            player = seat.entry.player if seat.entry else seat.player
            forfeited = seat.outcome == Seat.Outcome.FORFEIT
            points, victories = seat.points or 0, seat.victories or 0
            yield Side(player, player.name if player else "", points, victories, seat.place, seat.place == 1, forfeited)
        last = key


def _with_winner(match: Match, sides: Sequence[Side]) -> tuple[Side, ...]:
    """Return the sides with one winner: who shares the first place has not won, unless points decide between two."""
    first = [side for side in sides if side.won]
    if len(first) == 1:
        return tuple(sides)
    decides = len(first) == PAIR == len(sides) and decides_by_points(match.stage, match.seats.all())
    if decides and first[0].points != first[1].points:
        best = max(first, key=lambda side: side.points)
        return tuple(replace(side, won=side is best) for side in sorted(sides, key=lambda side: side is not best))
    return tuple(replace(side, won=False) for side in sides)
