"""Lives: everybody starts with some, the last of each table lose one, who has none left is out.

Tables of equal lives as far as they can be filled, drawn by the Swiss planners with lives for a score: nobody meets
anybody twice while it can be avoided. Every table with a result takes a life, so the stage ends. A round that brought
none (all of it was cancelled) is drawn once more; after a second one the stage ends with the lives there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from core.formats.errors import FormatError
from core.formats.model import Entrant, Finished, Plan, Pod, Reason, Shape, StageSoFar
from core.formats.pods.stage import SwissTables
from core.formats.sizes import check, split
from core.formats.stage_format import Format
from core.formats.swiss.stage import Swiss
from engine.words import Counted, gettext_noop, ngettext

EQUAL = gettext_noop("Lives left at this table: %(lives)d each.")
MIXED = gettext_noop("Lives left at this table: %(low)d to %(high)d; tables of equal lives could not be filled.")
TAKES = gettext_noop("Each of the lowest places at this table loses a life (number of places: %(lose)d).")
RUNS = 40
COUNTED = 9
"""Simulated stages of which the one of middle length gives the tables of each round."""
PATIENCE = 2
"""Rounds one after another without any result after which the stage ends: a third one would bring none either."""


@dataclass(frozen=True, slots=True)
class Left:
    """Lives that are left. lives: of everybody, 0 = out; out: entry -> the round it went out in."""

    lives: Mapping[str, int]
    out: Mapping[str, int]

    @property
    def alive(self) -> tuple[str, ...]:
        """Return who still has lives, most lives first."""
        return tuple(sorted((name for name, own in self.lives.items() if own), key=lambda name: -self.lives[name]))

    def places(self) -> tuple[tuple[str, int, int], ...]:
        """Return (entry, best place, worst place): more lives, else a later round, is better; equal ones share."""
        keys = {entry: (own, self.out.get(entry, 0)) for entry, own in self.lives.items()}
        order = sorted(keys, key=lambda entry: (keys[entry], entry), reverse=True)
        worst = {keys[entry]: place for place, entry in enumerate(order, start=1)}
        size = Counter(keys.values())
        return tuple((entry, worst[keys[entry]] - size[keys[entry]] + 1, worst[keys[entry]]) for entry in order)


def losers(seats: int, advance: int) -> int:
    """Return how many of a table of that size lose a life: all but the best `advance`, at least one."""
    return max(1, seats - advance)


def left(entries: Sequence[Entrant], shape: Shape, history: Sequence[Plan], finished: Sequence[Finished]) -> Left:
    """Count lives after the matches that are finished.

    A late entry starts with as many as the entry that then has fewest. Equal places on the line: points, then seat
    order of the draw reversed (who sat first, the better of the draw, keeps the life). Absent ones always lose one.
    """
    known = {(item.round, item.table): item for item in finished}
    lives = {item.entry: shape.rounds for item in entries if item.joined <= 1}
    out: dict[str, int] = {}
    for plan in history:
        _come_in(entries, lives, plan.round)
        for pod in plan.pods:
            item = known.get((plan.round, pod.table))
            for entry in _lose(pod, item, shape.advance) if item else ():
                lives[entry] = max(0, lives.get(entry, shape.rounds) - 1)
                if not lives[entry]:
                    out.setdefault(entry, plan.round)
    _come_in(entries, lives, len(history) + 1)
    return Left(lives, out)


def _come_in(entries: Sequence[Entrant], lives: dict[str, int], turn: int) -> None:
    fewest = min((own for own in lives.values() if own), default=1)
    for item in entries:
        if item.entry not in lives and item.joined <= turn:
            lives[item.entry] = fewest


def _lose(pod: Pod, item: Finished, advance: int) -> list[str]:
    """Return who loses a life at this table."""
    # Present before absent, then place, points, and at last the seat of the draw: the better of the draw sits first.
    rows = sorted(zip(item.absent, item.places, [-score for score in item.scores], range(len(pod.seats)), strict=True))
    remaining = len(pod.seats) - losers(len(pod.seats), advance)
    return [pod.seats[seat] for place, (away, _, _, seat) in enumerate(rows) if place >= remaining or away]


class Lives(Format):
    """See the module."""

    id = "lives"
    name = "Lives"
    label = gettext_noop("lives")
    description = (
        "Everybody starts with some lives; the last of each table lose one, and a player without lives is out."
    )
    needs_results = True
    ranks_by_bracket = True
    honours_clubs = True

    def rounds(self, entries: int, shape: Shape) -> int:
        """Return the expected rounds, rounded up (`expected_rounds`)."""
        return -int(-expected_rounds(entries, shape) // 1)

    def estimate(self, entries: int, shape: Shape) -> int:
        """Estimate the tables that take all lives."""
        return -(-entries * shape.rounds // max(1, shape.seats.pref - shape.advance))

    def tables_by_round(self, entries: int, shape: Shape) -> tuple[int, ...]:
        """Return the tables of a stage of the usual length."""
        rng = Random(f"lives/tables/{entries}/{shape.rounds}/{shape.advance}")
        played = sorted((_simulated(entries, shape, rng) for _ in range(COUNTED)), key=len)
        return played[COUNTED // 2]

    def sentence(self, shape: Shape) -> Counted:
        """Return how many lives."""
        return ngettext("one life each", "%(n)d lives each; the last at each table loses one", shape.rounds)

    def places(self, stage: StageSoFar, rng: Random) -> Mapping[str, int]:
        """Return places by lives left, then by when the last one was lost."""
        return {
            entry: best
            for entry, best, _worst in left(stage.entries, stage.shape, stage.history, stage.finished).places()
        }

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """The round after `history`, or none when those left no longer fill a table or no round brings results.

        `shape.rounds` lives each; the best `shape.advance` of a table keep theirs. Raises FormatError "seats.range",
        "lives.advance", or "entries.too_few" if no table can be filled at the start.
        """
        shape, history = stage.shape, stage.history
        check(shape.seats)
        if not 1 <= shape.advance < shape.seats.pref:
            message = f"{shape.advance} of {shape.seats.pref} keep their lives: choose 1 to {shape.seats.pref - 1}"
            raise FormatError(message, code="lives.advance")
        if _stands_still(history, stage.finished):
            return []
        now = left(stage.entries, shape, history, stage.finished)
        turn = len(history) + 1
        playing = [
            replace(item, score=Fraction(now.lives[item.entry])) for item in stage.entries if now.lives.get(item.entry)
        ]
        if history and sum(item.plays(turn) for item in playing) < max(2, shape.seats.min):
            return []
        # Lives are handed over as scores: the Swiss planners then put equal lives together.
        inner = SwissTables() if shape.seats.max > 2 else Swiss()
        part = replace(shape, rounds=turn + 1, leaders=0)  # nobody knows which round is the last
        plans = inner.schedule(replace(stage, entries=playing, shape=part), rng)
        return [_with_lives(plan, now.lives, shape) for plan in plans]


def _stands_still(history: Sequence[Plan], finished: Sequence[Finished]) -> bool:
    """Return whether nothing of the last rounds counts."""
    last = {plan.round for plan in history[-PATIENCE:]}
    return len(last) == PATIENCE and not any(item.round in last for item in finished)


def _with_lives(plan: Plan, lives: Mapping[str, int], shape: Shape) -> Plan:
    """Return the plan with its reasons in lives."""
    pods = [replace(pod, why=(_about(pod, lives), *pod.why[1:], _takes(pod, shape))) for pod in plan.pods]
    return replace(plan, pods=tuple(pods))


def _about(pod: Pod, lives: Mapping[str, int]) -> Reason:
    own = [lives[entry] for entry in pod.seats]
    if min(own) == max(own):
        return Reason("lives.equal", EQUAL, (("lives", own[0]),))
    return Reason("lives.mixed", MIXED, (("low", min(own)), ("high", max(own))))


def _takes(pod: Pod, shape: Shape) -> Reason:
    return Reason("lives.takes", TAKES, (("lose", losers(len(pod.seats), shape.advance)),))


def expected_rounds(entries: int, shape: Shape) -> float:
    """Return the mean over simulated stages of equally strong entries; the same each time it is asked."""
    # Seeded by the question itself: a form that asks twice must not show two figures.
    rng = Random(f"lives/{entries}/{shape.rounds}/{shape.advance}")
    return sum(len(_simulated(entries, shape, rng)) for _ in range(RUNS)) / RUNS


def _simulated(entries: int, shape: Shape, rng: Random) -> tuple[int, ...]:
    """Return the number of tables of each round of one simulated stage."""
    lives = [shape.rounds] * entries
    tables = []
    while len(lives) >= max(2, shape.seats.min):
        rng.shuffle(lives)
        lives.sort(reverse=True)
        sizes, byes = split(len(lives), shape.seats)
        at = byes
        for size in sizes:
            for loser in rng.sample(range(at, at + size), losers(size, shape.advance)):
                lives[loser] -= 1
            at += size
        lives = [own for own in lives if own]
        tables.append(len(sizes))
    return tuple(tables)
