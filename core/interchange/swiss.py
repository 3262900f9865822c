"""Conversion of what planners read (entrants, plans, ends of matches) to an event as files exchange it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from core.formats.model import Entrant, Finished, Plan
from core.formats.swiss.scores import HALF, Meeting, in_order, meetings
from core.interchange.model import Away, Event, Game, Mark, Player, UnplayedRound

KINDS = {Fraction(1): Away.FULL, HALF: Away.HALF, Fraction(0): Away.ABSENT}


@dataclass(frozen=True, slots=True)
class About:
    """Facts of an export about the event besides its rounds. names, ranks, ratings: by entry.

    ranks: of the final standings. tie_breaks: those that a report can name, in our own names.
    """

    name: str
    names: Mapping[str, str]
    ranks: Mapping[str, int]
    starts: date | None = None
    ends: date | None = None
    ratings: Mapping[str, int] = field(default_factory=dict)
    tie_breaks: tuple[str, ...] = ()
    is_round_robin: bool = False


def event_of(
    about: About,
    entrants: Sequence[Entrant],
    history: Sequence[Plan],
    finished: Sequence[Finished],
    *,
    rounds: int,
    bye: Fraction = Fraction(1),
    unfinished: Collection[tuple[int, int]] = (),
) -> Event:
    """The event of a two-seat stage with rounds played so far, ready to be written.

    entrants: all of the stage, withdrawn ones too; their order by seed gives the pairing numbers. history: the plans of
    the rounds to be told. rounds: planned. bye: place share of a bye. unfinished: (round, table) of pods that are still
    to be played. Of the others one that nothing is known about, or to which nobody came, is told as a loss of both
    without play.
    """
    number = {item.entry: at for at, item in enumerate(in_order(entrants), start=1)}
    still = {(plan.round, pod.seats) for plan in history for pod in plan.pods if (plan.round, pod.table) in unfinished}
    games = tuple(
        Game(met.round, number[met.seats[0]], number[met.seats[1]], _marks(met, (met.round, met.seats) in still))
        for met in meetings(history, finished)
    )
    byes_asked = [UnplayedRound(plan.round, number[entry], Away.BYE) for plan in history for entry in plan.byes]
    byes_asked += [
        UnplayedRound(turn, number[item.entry], KINDS[worth])
        for item in entrants
        for turn, worth in item.excused
        if turn <= len(history)
    ]
    players = tuple(
        Player(at, about.names.get(who, who), about.ranks.get(who, 0), about.ratings.get(who, 0))
        for who, at in number.items()
    )
    boards = [(game.first, game.second) for game in games if game.round == 1]
    top = min(boards, key=min) if boards else None
    top_first = None if top is None else top[0] < top[1]
    order = tuple(sorted(byes_asked, key=lambda rest: (rest.round, rest.player)))
    event = Event(about.name, players, games, order, rounds, bye, top_first, about.starts, about.ends)
    return replace(event, tie_breaks=about.tie_breaks, is_round_robin=about.is_round_robin)


def _marks(met: Meeting, is_open: bool) -> tuple[Mark, Mark]:
    letters = {Fraction(1): Mark.WON, HALF: Mark.DREW, Fraction(0): Mark.LOST}
    if is_open:
        return Mark.OPEN, Mark.OPEN
    if not met.is_played:
        letters = {Fraction(1): Mark.WALKOVER, Fraction(0): Mark.NO_SHOW}
    return letters[met.worth[0]], letters[met.worth[1]]
