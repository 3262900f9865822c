"""Many deals stepped together: action numbers in, masks, tensors and rewards out, in arrays that lie in one piece.

The arrays are plain buffers, yours or its own; `numpy.frombuffer(batch.masks, numpy.uint8)` shows one without a copy. A
deal that ends is followed by the next one at once, so every row always has somebody to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from struct import Struct
from typing import Any, Final

from engine.action import Action
from engine.actions import ActionSpace, StepwiseSpace, table_of
from engine.errors import EngineError
from engine.game import Game, Ruleset, State, game_of
from engine.rewards import rewards_of
from engine.shuffling import Dealer
from engine.tensors import FLOAT, Features, History, Tensors, features_of, tensors_of

NO_CARD: Final = -1


class Batch:
    """A number of deals of a ruleset, stepped together.

    masks: `count * actions` bytes, 1 where an action is legal. to_act: `count` bytes, the seat that decides. done:
    `count` bytes, 1 where the last step ended a deal. rewards: `count * seats` float32, of the deal that ended, else 0.
    observations: `count * size` float32, the tensor of the seat that decides; empty without `observe`.
    stepwise: a card that may take several is answered first, its target in the next step, as in `Episode`.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        seats: int,
        count: int,
        *,
        seed: int = 0,
        observe: bool = True,
        stepwise: bool = False,
        masks: Any = None,
        observations: Any = None,
    ) -> None:
        """Deal. masks, observations: writable buffers of the sizes above to write into, instead of its own.

        Raises BadSeating, EngineError `batch.empty` for less than one deal and `batch.buffer` for a wrong size.
        """
        if count < 1:
            raise EngineError("A batch holds one deal at least.", code="batch.empty")
        self.ruleset = ruleset
        self.seats = seats
        self.count = count
        self.steps = 0
        self.sides: tuple[int, ...] = ruleset.sides(seats)
        self._space: StepwiseSpace | None = StepwiseSpace(ruleset) if stepwise else None
        self.actions: int = ActionSpace(ruleset).size if self._space is None else self._space.size
        table = table_of(ruleset.game)
        self._ids: dict[Action, int] = table.ids
        self._actions: tuple[Action, ...] = table.actions
        self._tensors: Tensors | None = tensors_of(ruleset, seats) if observe else None
        self._features: Features | None = features_of(ruleset.game) if observe else None
        self.size: int = self._tensors.size if self._tensors is not None else 0
        self._game: Game = game_of(ruleset.game)
        self._set_buffers(masks, observations)
        self._deal_all(seed)

    def _set_buffers(self, masks: Any, observations: Any) -> None:
        count, seats = self.count, self.seats
        wanted, floats = count * self.actions, count * self.size * FLOAT
        # Its own bytes are the quickest to write; another's buffer gets a copy of them, all at once.
        self._mask = bytearray(wanted)
        self.masks: Any = masks if masks is not None else self._mask
        self.observations: Any = observations if observations is not None else bytearray(floats)
        _check_size(self.masks, wanted)
        _check_size(self.observations, floats)
        self._copy: memoryview | None = None if masks is None else memoryview(masks).cast("B")
        self.to_act = bytearray(count)
        self.done = bytearray(count)
        self.rewards = bytearray(count * seats * FLOAT)
        # One row is written at a time and copied to its span, by objects that are made once: a mask is half of a step.
        width = self.actions
        self._line = bytearray(width)
        self._zeros = bytearray(width)
        self._one: Any = 1
        self._whole: Any = slice(0, width)
        self._spans: list[Any] = [slice(row * width, (row + 1) * width) for row in range(count)]
        self._places: dict[Action, Any] = dict(self._ids)
        self._none_done = bytes(count)
        self._no_rewards = bytes(count * seats * FLOAT)
        self._write_rewards = Struct("=" + "f" * seats).pack_into

    def _deal_all(self, seed: int) -> None:
        count = self.count
        self._dealer = Dealer(self._game, self.ruleset, self.seats, seed)
        # Chance of its own: the deals do not depend on whether `sample` is asked.
        self._draw: Callable[[], float] = Random(seed + 1).random
        self._totals = self._dealer.totals
        self._rows: list[int] = list(range(count))
        self._legal: list[tuple[Action, ...]] = [()] * count
        # In two steps: what may be answered in a row, and the card whose target is asked for, -1 if none.
        self._choices: list[dict[int, tuple[Action, ...]]] = [{}] * count
        self._chosen: list[int] = [NO_CARD] * count
        self._histories: list[History] = [History() for _ in range(count)]
        self._states: list[State] = [self._dealer.deal() for _ in range(count)]
        self._lists: list[Callable[[], tuple[Action, ...]]] = [state.legal_actions for state in self._states]
        self._does: list[Callable[[Action], None]] = [state.apply_unchecked for state in self._states]
        for row in range(count):
            self._show(row)
        self._copy_masks()

    def sample(self, rows: Sequence[int] | None = None) -> list[int]:
        """Return a legal action number for every row, or for some, each equally likely."""
        ids = self._ids
        draw = self._draw
        found: list[int] = []
        chosen = self._rows if rows is None else rows
        if self._space is not None:
            for row in chosen:
                numbers = list(self._choices[row])
                found.append(numbers[int(draw() * len(numbers))])
            return found
        for row in chosen:
            legal = self._legal[row]
            # `float`: in machine code a product of two kinds of numbers is a call.
            found.append(ids[legal[int(draw() * float(len(legal)))]])
        return found

    def step(self, numbers: Any, rows: Any = None) -> None:
        """Do an action in every row, or in some, and show what follows. numbers: of the actions, one per row; rows:
        which, all by default; both a list, an array of numpy or another sequence of whole numbers.

        `done` and `rewards` are of this step alone. Raises EngineError `batch.illegal`, with the rows before it done,
        for a number that its mask does not allow.
        """
        # Numbers of numpy become those of Python here, all at once.
        chosen: list[int] = self._rows if rows is None else [int(row) for row in rows]
        wanted: list[int] = [int(number) for number in numbers]
        if len(wanted) != len(chosen):
            raise EngineError(f"{len(chosen)} rows need as many actions, not {len(wanted)}.", code="batch.illegal")
        self.done[:] = self._none_done
        self.rewards[:] = self._no_rewards
        if self._space is None:
            self._answer(chosen, wanted)
        else:
            self._answer_stepwise(self._space, chosen, wanted)
        self._copy_masks()
        self.steps += len(chosen)

    def _answer(self, rows: list[int], numbers: list[int]) -> None:
        """Do the action that each number names."""
        width, actions, legal, does = self.actions, self._actions, self._legal, self._does
        for place in range(len(rows)):
            row = rows[place]
            number = numbers[place]
            if not 0 <= number < width or actions[number] not in legal[row]:
                raise _illegal(row, number)
            if self._tensors is None:
                does[row](actions[number])
            else:
                self._apply(row, self._states[row], actions[number])
            self._show(row)

    def _answer_stepwise(self, space: StepwiseSpace, rows: list[int], numbers: list[int]) -> None:
        """Do the action that each number leads to, or ask for the target of the card that it names."""
        for place in range(len(rows)):
            row = rows[place]
            number = numbers[place]
            found = self._choices[row].get(number)
            if found is None:
                raise _illegal(row, number)
            if len(found) > 1:
                self._chosen[row] = number
                self._choices[row] = space.targets(found)
                self._write(row, self._states[row], self._legal[row])
            else:
                self._apply(row, self._states[row], found[0])
                self._show(row)

    def _copy_masks(self) -> None:
        if self._copy is not None:
            self._copy[:] = self._mask

    def _apply(self, row: int, state: State, action: Action) -> None:
        """Do an action and note it for the tensors, if there are any."""
        features = self._features
        tensors = self._tensors
        if features is None or tensors is None:
            state.apply_unchecked(action)
            return
        seat, turned = state.seat_to_act, features.turned(state)
        state.apply_unchecked(action)
        if tensors.public(action):
            flipped = features.last_turned(state) if features.turned(state) > turned else -1
            self._histories[row].note(seat, action, flipped)

    def _end(self, row: int, state: State) -> None:
        """Note what a deal was worth and deal the next one."""
        self.done[row] = 1
        rewards = rewards_of(state.outcome(), self.ruleset, self.sides)
        self._write_rewards(self.rewards, row * self.seats * FLOAT, *rewards)
        self._place(row, self._dealer.deal())

    def _place(self, row: int, state: State) -> None:
        """Put a new deal into a row. Its two methods are looked up once, not at every step."""
        self._states[row] = state
        self._histories[row] = History()
        self._lists[row] = state.legal_actions
        self._does[row] = state.apply_unchecked

    def _show(self, row: int) -> None:
        """Write who decides in a row, what is legal, and what that seat knows; a deal that is over makes way first."""
        legal = self._lists[row]()
        if not legal:
            self._end(row, self._states[row])
            legal = self._lists[row]()
        state = self._states[row]
        self.to_act[row] = state.seat_to_act
        self._legal[row] = legal
        if self._space is not None:
            self._chosen[row] = NO_CARD
            self._choices[row] = self._space.choices(legal)
        self._write(row, state, legal)

    def _write(self, row: int, state: State, legal: tuple[Action, ...]) -> None:
        """Write the mask of a row, and its tensor."""
        tensors = self._tensors
        if tensors is not None:
            known = self._game.observe(state, state.seat_to_act, legal)
            at = row * self.size * FLOAT
            tensors.write(known, self._histories[row], 0, self._totals, self._chosen[row], self.observations, at)
        line, one = self._line, self._one
        if self._space is None:
            places = self._places
            for action in legal:
                line[places[action]] = one
        else:
            for number in self._choices[row]:
                line[number] = one
        self._mask[self._spans[row]] = line
        line[self._whole] = self._zeros


def _illegal(row: int, number: int) -> EngineError:
    return EngineError(f"Row {row} has no legal action {number}.", code="batch.illegal")


def _check_size(buffer: Any, wanted: int) -> None:
    found = memoryview(buffer).nbytes
    if found != wanted:
        raise EngineError(f"The buffer has {found} bytes and needs {wanted}.", code="batch.buffer")
