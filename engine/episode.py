"""An episode as environments play it: action numbers in; who decides, masks, tensors and rewards out.

An episode is a match of the engine by a ruleset: `ruleset.one_deal()` for one deal, the ruleset for a whole match.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from engine.action import Action
from engine.actions import Space, space_of
from engine.course import Course, SeedOrders
from engine.errors import EngineError
from engine.game import Game, Ruleset, game_of
from engine.rewards import rewards_of
from engine.tensors import Features, History, Tensors, features_of, tensors_of

ENDED: Final = -1


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
        self.choices: dict[int, tuple[Action, ...]] = {}
        self.seat = ENDED
        self.chosen = ENDED
        self._legal: tuple[Action, ...] = ()
        self._game: Game = game_of(ruleset.game)
        self._features: Features = features_of(ruleset.game)
        self._empty = bytes(self.space.size)

    def begin(self, seed: bytes) -> None:
        """Deal by a seed of 32 bytes. An episode that is over as it is dealt is passed over for one that is not."""
        course = Course(self.ruleset, self.seats, SeedOrders(seed, self._game.deck))
        while course.is_over:
            seed = hashlib.sha256(seed).digest()
            course = Course(self.ruleset, self.seats, SeedOrders(seed, self._game.deck))
        self.course = course
        self.history = History()
        self._ask(course)

    @property
    def is_over(self) -> bool:
        return self.seat == ENDED

    def step(self, number: int) -> list[float] | None:
        """Answer with a number. Return the rewards of all seats if that ended a deal, or None.

        Raises EngineError `episode.illegal` for a number that is not legal now; nothing changes then.
        """
        actions = self.choices.get(number)
        course = self.course
        if actions is None or course is None:
            raise EngineError(f"There is no legal action {number} now.", code="episode.illegal")
        if len(actions) > 1:
            self.chosen, self.choices = number, self.space.targets(actions)
            return None
        return self._play(course, actions[0])

    def _play(self, course: Course, action: Action) -> list[float] | None:
        state, deal, features = course.state, len(course.deals), self._features
        seat, turned = self.seat, features.turned(state)
        course.play_listed(action)
        if course.state is not state:
            self.history = History()
        elif self.tensors.public(action):
            self.history.note(seat, action, features.last_turned(state) if features.turned(state) > turned else -1)
        self._ask(course)
        return self._rewards(course, deal) if state.is_over else None

    def _rewards(self, course: Course, deal: int) -> list[float]:
        """Return the rewards of the deals that have ended since, those that were over as they were dealt too."""
        rewards = [0.0] * self.seats
        for log in course.deals[deal - 1 :]:
            if log.outcome is not None:
                found = rewards_of(log.outcome, self.ruleset, self.sides)
                rewards = [first + second for first, second in zip(rewards, found, strict=True)]
        return rewards

    def _ask(self, course: Course) -> None:
        self.chosen = ENDED
        self.seat = course.seat_to_act
        self._legal = course.legal_actions()
        self.choices = self.space.choices(self._legal)

    def mask(self) -> bytearray:
        """Return `space.size` new bytes, 1 where a number is legal now."""
        found = bytearray(self._empty)
        for number in self.choices:
            found[number] = 1
        return found

    def write_mask(self, buffer: Any, offset: int = 0) -> None:
        """Write `space.size` bytes, 1 where a number is legal now. buffer: of bytes, writable."""
        buffer[offset : offset + self.space.size] = self._empty
        for number in self.choices:
            buffer[offset + number] = 1

    def write_tensor(self, seat: int, buffer: Any, offset: int = 0) -> None:
        """Write what a seat knows, `tensors.size` float32, from the byte `offset` on. buffer: writable, in one piece.

        Raises EngineError `episode.illegal` before the first episode.
        """
        course = self.course
        if course is None:
            raise EngineError("No episode has begun. Call `begin`.", code="episode.illegal")
        known = self._game.observe(course.state, seat, self._legal)
        # After the end the last deal is the present one, not one that was played before it.
        chosen = self.chosen if seat == self.seat else ENDED
        deals = len(course.deals) - 1
        self.tensors.write(known, self.history, deals, course.totals, chosen, buffer, offset)


def seed_bytes(*parts: object) -> bytes:
    """Return the 32 bytes of a seed that depends on these parts.

    >>> seed_bytes(7, 1) == seed_bytes(7, 1) != seed_bytes(7, 2)
    True
    """
    return hashlib.sha256(repr(parts).encode()).digest()
