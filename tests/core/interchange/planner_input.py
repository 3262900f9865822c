"""From an event as files exchange it to what planners read: the way back of `core.interchange.swiss.event_of`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.formats.model import Certificate, Entrant, Finished, Plan, Pod, Quality
from core.interchange.model import PLAYED, WORTH, Away, Event, Game, Mark, UnplayedRound

UNCOUNTED = Quality(0, 0, 0, 0, 0, 0)
UNPROVED = Certificate(0, 0, 0, "read")


@dataclass(frozen=True, slots=True)
class PlannerInput:
    """The input of planners. Entries are called by `entry_of` of their number."""

    entrants: tuple[Entrant, ...]
    history: tuple[Plan, ...]
    finished: tuple[Finished, ...]


def entry_of(number: int) -> str:
    """The name of an entry read from a file."""
    # With leading zeros: names then sort as the numbers do, up to the 9999 players that a report holds.
    return f"{number:04}"


def planner_input(event: Event, *, absent: Sequence[int] = ()) -> PlannerInput:
    """Entrants, plans (figures not counted: `quality.rescore` does) and ends of a file's rounds.

    absent: numbers that do not play the next round.
    """
    following = event.last_round + 1
    points = event.points()
    rests = [*event.unplayed, *(UnplayedRound(following, number, Away.ABSENT) for number in absent)]
    excused: dict[int, dict[int, Fraction]] = {player.number: {} for player in event.players}
    byes: dict[int, list[str]] = {}
    for rest in rests:
        if rest.kind is Away.BYE:
            byes.setdefault(rest.round, []).append(entry_of(rest.player))
        else:
            excused[rest.player][rest.round] = event.worth(rest.kind)
    entrants = tuple(
        Entrant(
            entry_of(player.number),
            player.number,
            score=points[player.number],
            excused=tuple(sorted(excused[player.number].items())),
        )
        for player in event.players
    )
    history, finished = [], []
    for turn in range(1, following):
        games = [game for game in event.games if game.round == turn]
        pods = tuple(Pod(at, (entry_of(g.first), entry_of(g.second))) for at, g in enumerate(games, start=1))
        finished += [_finished(turn, at, game) for at, game in enumerate(games, start=1) if Mark.OPEN not in game.marks]
        history.append(Plan(turn, pods, tuple(byes.get(turn, ())), UNCOUNTED, UNPROVED))
    return PlannerInput(entrants, tuple(history), tuple(finished))


def _finished(turn: int, table: int, game: Game) -> Finished:
    worth = (WORTH[game.marks[0]], WORTH[game.marks[1]])
    places = (1 + (worth[0] < worth[1]), 1 + (worth[1] < worth[0]))
    if all(mark in PLAYED for mark in game.marks):
        return Finished(turn, table, places, worth, (False, False))
    return Finished(turn, table, places, worth, (game.marks[0] is Mark.NO_SHOW, game.marks[1] is Mark.NO_SHOW))
