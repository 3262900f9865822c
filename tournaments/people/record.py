"""The record of a bot: what its last matches were from its own point of view, and against whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from bots.models import Bot
from tournaments.models import Match, Seat
from tournaments.ratings.history import Meeting, Versus, versus_of

# Results in a row, as a page shows how a bot fares lately.
FORM: Final = 10
# Opponents that the table of a page names: those that were met most.
OPPONENTS: Final = 30
OF_OTHER: Final = ("slug", "name", "emblem_card", "emblem_colour")


class Outcome(StrEnum):
    """A match from one side: first alone, first with others, or behind somebody."""

    WON = "won"
    LEVEL = "level"
    LOST = "lost"


def outcome_of(own: int, others: Iterable[int]) -> Outcome:
    """Return what a place was worth. own, others: places of the sides, 1 is best."""
    best = min(others, default=own + 1)
    if own == best:
        return Outcome.LEVEL
    return Outcome.WON if own < best else Outcome.LOST


@dataclass(frozen=True, slots=True)
class Record:
    """What a bot won and lost lately. lately: its last outcomes, the newest first; opponents: those it met most first.

    is_more: it has played more matches than these.
    """

    won: int = 0
    level: int = 0
    lost: int = 0
    lately: tuple[Outcome, ...] = ()
    opponents: tuple[Versus, ...] = ()
    is_more: bool = False

    @property
    def matches(self) -> int:
        """All that were counted."""
        return self.won + self.level + self.lost


def record_of(bot: Bot, matches: Sequence[int], *, is_more: bool = False) -> Record:
    """Return the record over these matches (keys), whose result the reader may know. One query, none for no match."""
    if not matches:
        return Record()
    met: dict[int, list[Meeting]] = defaultdict(list)
    known: dict[int, Bot] = {}
    outcomes = []
    for match, seats in groupby(_seats(matches), key=itemgetter("match")):
        sides = _sides(list(seats), bot.pk)
        if sides is None:
            continue
        own, others = sides
        outcomes.append(outcome_of(own["place"], (each["place"] for each in others)))
        for each in others:
            other = each["bot_version__bot"]
            if other is None:
                continue  # somebody at a table without a bot
            known[other] = Bot(pk=other, **{name: each[f"bot_version__bot__{name}"] for name in OF_OTHER})
            met[other].append((match, each["match__deal_set"], own["place"], each["place"]))
    counted = Counter(outcomes)
    opponents = sorted((versus_of(known[key], rows) for key, rows in met.items()), key=_most_met)
    figures = (counted[Outcome.WON], counted[Outcome.LEVEL], counted[Outcome.LOST])
    return Record(*figures, tuple(outcomes[:FORM]), tuple(opponents[:OPPONENTS]), is_more)


def _most_met(versus: Versus) -> tuple[int, str]:
    return -versus.matches, versus.other.name


def _seats(matches: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield the seats of matches, the newest match first; copies hold matches that their original has already."""
    rows = Seat.objects.filter(match__in=matches, match__stage__tournament__copy_mask=None)
    other = ("bot_version__bot", *(f"bot_version__bot__{name}" for name in OF_OTHER))
    yield from rows.order_by("-match", "index").values("match", "match__deal_set", "side", "place", *other)


def _sides(seats: Sequence[dict[str, Any]], bot: int) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    """Return the first seat of the bot's side and of each other side; None where it sat on several, or has no place."""
    first = {seat["side"]: seat for seat in reversed(seats)}
    own = {seat["side"] for seat in seats if seat["bot_version__bot"] == bot}
    if len(own) != 1 or any(seat["place"] is None for seat in first.values()):
        return None
    (side,) = own
    return first.pop(side), [first[each] for each in sorted(first)]


@dataclass(frozen=True, slots=True)
class Result:
    """A match as a line of a bot's page. outcome: None while it is played, and where the bot sat on several sides.

    own: its seat; others: the first seat of each other side.
    """

    match: Match
    outcome: Outcome | None
    own: Seat | None
    others: tuple[Seat, ...]

    @property
    def sides(self) -> int:
        """How many sides there were."""
        return len(self.others) + 1


def results_of(bot: Bot, matches: Sequence[Match]) -> list[Result]:
    """Return these matches, read with their seats, as the bot saw them. No query."""
    return [_result(bot, match) for match in matches]


def _result(bot: Bot, match: Match) -> Result:
    first: dict[int, Seat] = {}
    own: dict[int, Seat] = {}
    for seat in match.seats.all():
        first.setdefault(seat.side, seat)
        if seat.bot_version is not None and seat.bot_version.bot_id == bot.pk:
            own.setdefault(seat.side, seat)
    side, mine = next(iter(own.items()), (None, None))
    others = tuple(seat for key, seat in sorted(first.items()) if key != side)
    is_told = match.state == Match.State.CONFIRMED and len(own) == 1 and mine is not None and mine.place is not None
    places = [seat.place for seat in others if seat.place is not None]
    return Result(match, outcome_of(mine.place or 0, places) if is_told and mine else None, mine, others)
