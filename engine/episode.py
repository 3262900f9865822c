"""An episode as environments play it: action numbers in; who decides, masks, tensors and rewards out.

An episode is a match of the engine by a ruleset: `ruleset.one_deal()` for one deal, the ruleset for a whole match.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

from engine.action import Action
from engine.actions import Space, space_of, table_of
from engine.course import MAX_MOVES, Course, SeedOrders
from engine.errors import EngineError
from engine.game import Game, Ruleset, State, game_of
from engine.rewards import rewards_of
from engine.tensors import Features, History, Tensors, features_of, tensors_of

ENDED: Final = -1


class IllegalNumber(EngineError):
    """A number that is not legal now, `episode.illegal`."""


class Episode:
    """One episode after another of a ruleset. seat: the one that decides, -1 before the first and after the last.

    choices: the actions that each legal number leads to; chosen: in two steps the card whose target is asked for, or
    -1.
    """

    def __init__(self, ruleset: Ruleset, seats: int, *, stepwise: bool = False) -> None:
        """Raises BadSeating if the seats do not fit, and EngineError `tensor.none` for a game without tensors."""
        self.ruleset = ruleset
        self.seats = seats
        self.sides = ruleset.sides(seats)
        self.space: Space = space_of(ruleset, stepwise=stepwise)
        self.tensors: Tensors = tensors_of(ruleset, seats)
        self.course: Course | None = None
        self.history = History()
        self.seat = ENDED
        self.chosen = ENDED
        table = table_of(ruleset.game)
        self._actions: tuple[Action, ...] = table.actions
        # In one step a number is an action, and nothing has to be grouped.
        self._ids: dict[Action, int] | None = None if stepwise else table.ids
        self._choices: dict[int, tuple[Action, ...]] | None = {}
        self._legal: tuple[Action, ...] = ()
        self._game: Game = game_of(ruleset.game)
        self._features: Features = features_of(ruleset.game)
        self._silent: frozenset[str] = self.tensors.silent
        self._size: int = self.space.size
        self._empty = bytes(self._size)

    def begin(self, seed: bytes) -> None:
        """Deal by a seed of 32 bytes. An episode that is over as it is dealt is passed over for one that is not."""
        course = Course(self.ruleset, self.seats, SeedOrders(seed, self._game.deck))
        while course.is_over:
            seed = hashlib.sha256(seed).digest()
            course = Course(self.ruleset, self.seats, SeedOrders(seed, self._game.deck))
        self.course = course
        self._deal(course)

    def _deal(self, course: Course) -> None:
        """Take up the present deal. What every ply asks of it is looked up once."""
        self.history = History()
        self._state: State = course.state
        self._lists: Callable[[], tuple[Action, ...]] = course.state.legal_actions
        self._does: Callable[[Action], None] = course.state.apply_unchecked
        log = course.deals[-1]
        self._seats: list[int] = log.seats
        self._moves: list[Action] = log.actions
        self._left = MAX_MOVES - course.moves_total
        self._show(self._lists(), course.seat_to_act)

    @property
    def is_over(self) -> bool:
        return self.seat == ENDED

    @property
    def choices(self) -> dict[int, tuple[Action, ...]]:
        """The actions that each legal number leads to, in canonical order."""
        if self._choices is None:
            self._choices = self.space.choices(self._legal)
        return self._choices

    def step(self, number: int) -> list[float] | None:
        """Answer with a number. Return the rewards of all seats if that ended a deal, or None.

        Raises EngineError `episode.illegal` for a number that is not legal now; nothing changes then.
        """
        if self._ids is not None:
            if 0 <= number < self._size:
                action = self._actions[number]
                if action in self._legal:
                    return self._play(action)
            raise _illegal(number)
        actions = self.choices.get(number)
        if actions is None:
            raise _illegal(number)
        if len(actions) > 1:
            self.chosen, self._choices = number, self.space.targets(actions)
            return None
        return self._play(actions[0])

    def _play(self, action: Action) -> list[float] | None:
        """Do an action as `Course.play_listed` does; mostly nothing follows, and the course need not be asked."""
        state, features, seat = self._state, self._features, self.seat
        turned = features.turned(state)
        self._seats.append(seat)
        self._moves.append(action)
        self._does(action)
        if action.kind not in self._silent:
            flipped = features.last_turned(state) if features.turned(state) > turned else -1
            self.history.note(seat, action, flipped)
        legal = self._lists()
        if not legal or len(self._moves) >= self._left:
            return self._settle(state)
        self._show(legal, state.seat_to_act)
        return None

    def _settle(self, state: State) -> list[float] | None:
        """Let the course score a deal that is over and deal the next one, or end a match that has grown too long."""
        course = self.course
        assert course is not None, "the episode has begun"
        deal = course.deal
        course.settle()
        rewards = self._rewards(course, deal) if state.is_over else None
        if course.is_over:
            self._show((), ENDED)
        else:
            self._deal(course)
        return rewards

    def _rewards(self, course: Course, deal: int) -> list[float]:
        """Return the rewards of the deals that have ended since, those that were over as they were dealt too."""
        rewards = [0.0] * self.seats
        for log in course.deals[deal - 1 :]:
            if log.outcome is not None:
                found = rewards_of(log.outcome, self.ruleset, self.sides)
                rewards = [first + second for first, second in zip(rewards, found, strict=True)]
        return rewards

    def _show(self, legal: tuple[Action, ...], seat: int) -> None:
        self.chosen = ENDED
        self.seat = seat
        self._legal = legal
        self._choices = None

    def mask(self) -> bytearray:
        """Return `space.size` new bytes, 1 where a number is legal now."""
        found = bytearray(self._empty)
        ids = self._ids
        if ids is None:
            for number in self.choices:
                found[number] = 1
        else:
            for action in self._legal:
                found[ids[action]] = 1
        return found

    def write_mask(self, buffer: Any, offset: int = 0) -> None:
        """Write `space.size` bytes, 1 where a number is legal now. buffer: of bytes, writable."""
        buffer[offset : offset + self._size] = self.mask()

    def tensor(self, seat: int) -> bytearray:
        """Return what a seat knows: `tensors.size` new float32.

        Raises EngineError `episode.illegal` before the first episode.
        """
        course = self.course
        if course is None:
            raise EngineError("No episode has begun. Call `begin`.", code="episode.illegal")
        # After the end the last deal is the present one, not one that was played before it.
        deals = len(course.deals) - 1
        known = self._game.observe(self._state, seat, self._legal)
        chosen = self.chosen if seat == self.seat else ENDED
        return bytearray().join(self.tensors.parts(known, self.history, deals, course.totals, chosen))

    def write_tensor(self, seat: int, buffer: Any, offset: int = 0) -> None:
        """Write what a seat knows, `tensors.size` float32, from the byte `offset` on. buffer: writable, in one piece.

        Raises EngineError `episode.illegal` before the first episode.
        """
        self.tensors.put(buffer, offset, self.tensor(seat))


def _illegal(number: int) -> IllegalNumber:
    return IllegalNumber(f"There is no legal action {number} now.", code="episode.illegal")


def seed_bytes(*parts: object) -> bytes:
    """Return the 32 bytes of a seed that depends on these parts.

    >>> seed_bytes(7, 1) == seed_bytes(7, 1) != seed_bytes(7, 2)
    True
    """
    return hashlib.sha256(repr(parts).encode()).digest()
