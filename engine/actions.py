"""Action spaces of fixed size: a number for every action that a game can list, the same for ever.

`ActionSpace` has one number per canonical action. `StepwiseSpace` asks in two steps where a card may take several: the
card first, its target second, so that some fifty numbers and the calls suffice. Numbers are published as a table with
a hash (`hanafuda-actions/1`) and never change; an action that is added to a game goes to the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Protocol

from engine.action import LEAVE, RETURN, TRIPLE, TURN_KINDS, UNNAMED, Action, Form
from engine.canonical import record_hash
from engine.cards import CODES, GAJI, members
from engine.errors import EngineError
from engine.game import Game, Json, Ruleset, game_of
from engine.notation import format_action

FORMAT: Final = "hanafuda-actions/1"
STEPWISE_FORMAT: Final = "hanafuda-actions-stepwise/1"
CARDS: Final = 48
WHOLE, LAID, BACK, PLAIN = range(CARDS, CARDS + 4)
"""The targets that are no card, in two steps: all of a triple, leave, return, and no target where one may be named."""
FIRST_CALL: Final = PLAIN + 1
_TARGET_OF: Final = {TRIPLE: WHOLE, LEAVE: LAID, RETURN: BACK, UNNAMED: PLAIN}
_TARGET_WORDS: Final = ("all", "leave", "return", "-")
_WORDS: Final[Mapping[str, tuple[int, ...]]] = {"draw_take": (TRIPLE, LEAVE), "blocked_choice": (LEAVE, RETURN)}
"""Of the turn of the Sakura family: what a target can be besides a card, by kind."""


class Space(Protocol):
    """The numbers of the actions of a ruleset. size: one more than the highest that a ruleset can list."""

    size: int

    def choices(self, legal: Sequence[Action]) -> dict[int, tuple[Action, ...]]:
        """Return what may be answered now: the actions that each number leads to, in canonical order."""

    def targets(self, actions: Sequence[Action]) -> dict[int, tuple[Action, ...]]:
        """Return what may be answered after a number that leads to several actions."""

    def text(self, number: int) -> str:
        """Return what a number means, as text."""


def _of_form(form: Form, game: Game) -> Iterator[Action]:
    """Yield every action of a form that a game could list, in the order of the table."""
    cards = tuple(members(game.deck))
    if form.shape == "capture":
        yield from _captures(form.kind, cards, wild=set(TURN_KINDS) <= set(game.kinds))
    elif form.shape == "target":
        yield from (Action.of(form.kind, take=card) for card in cards)
        words = _WORDS.get(form.kind, ()) if set(TURN_KINDS) <= set(game.kinds) else ()
        yield from (Action.of(form.kind, take=word) for word in words)
    elif form.shape == "card":
        yield from (Action.of(form.kind, card) for card in cards)
    elif form.shape == "month":
        yield from (Action.of(form.kind, month=month) for month in range(1, 13))
    elif form.shape == "word":
        yield from (Action.of(form.kind, word=word) for word in form.words)
    elif form.shape == "amount":
        yield from (Action.of(form.kind, amount=amount) for amount in range(1, _ceiling(form, game) + 1))
    else:
        yield Action.of(form.kind)


def _captures(kind: str, cards: Sequence[int], *, wild: bool) -> Iterator[Action]:
    """Yield the plays of hand cards: without a target, with one of the month, and of a Gaji that takes any card."""
    yield from (Action.of(kind, card) for card in cards)
    for card in cards:
        same = [target for target in cards if target // 4 == card // 4 and target != card]
        yield from (Action.of(kind, card, target) for target in same)
    if wild:
        others = [target for target in cards if target // 4 != GAJI // 4]
        yield from (Action.of(kind, GAJI, target) for target in others)
        yield Action.of(kind, GAJI, LEAVE)


def _ceiling(form: Form, game: Game) -> int:
    """Return the highest amount that any ruleset of the game allows: the maximum of its option `<kind>_max`."""
    info = next((info for info in game.options if info.id == f"{form.kind}_max"), None)
    if info is None or info.maximum is None:
        raise EngineError(f"{game.name} sets no maximum for {form.kind}, so it has no table.", code="action.unbounded")
    return info.maximum


class ActionTable:
    """Every action of a game by its number: `actions[number]`, and back by `ids[action]`."""

    def __init__(self, game: Game) -> None:
        """Number the actions of a game. Raises EngineError `action.unbounded` where there is no end of them."""
        self.game = game.id
        # Amounts last: the space of a ruleset ends with its own highest amount.
        forms = sorted(game.kinds, key=lambda form: form.shape == "amount")
        self.actions: tuple[Action, ...] = tuple(action for form in forms for action in _of_form(form, game))
        self.ids: dict[Action, int] = {action: number for number, action in enumerate(self.actions)}
        self.amounts = {form.kind for form in forms if form.shape == "amount"}

    def to_json(self) -> Json:
        """Return the table as it is published: format, game, and the notation of every action in order."""
        return {"format": FORMAT, "game": self.game, "actions": [format_action(action) for action in self.actions]}

    @property
    def hash(self) -> str:
        """`sha256:` and the hex digest of the canonical JSON of the table."""
        return record_hash(self.to_json())

    def width(self, ruleset: Ruleset) -> int:
        """Return how many of the numbers a ruleset can use: all but the amounts above its highest."""
        highest = {kind: getattr(ruleset.options, f"{kind}_max") for kind in self.amounts}
        return sum(action.kind not in highest or action.amount <= highest[action.kind] for action in self.actions)


@lru_cache(maxsize=32)
def table_of(game: str) -> ActionTable:
    """The table of a game. Raises BadOption for a game that is not registered.

    >>> table_of("poka").actions[47], len(table_of("poka").actions)
    (Action(kind='discard', card=47, take=-1, month=0, amount=-1, word=''), 50)
    """
    return ActionTable(game_of(game))


class ActionSpace:
    """One number per canonical action of a ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.table = table_of(ruleset.game)
        self.size = self.table.width(ruleset)
        self.ids: dict[Action, int] = self.table.ids

    def choices(self, legal: Sequence[Action]) -> dict[int, tuple[Action, ...]]:
        """Return the legal actions by number, in canonical order."""
        ids = self.ids
        return {ids[action]: (action,) for action in legal}

    def targets(self, actions: Sequence[Action]) -> dict[int, tuple[Action, ...]]:
        """Return the same: a number leads to one action here."""
        return self.choices(actions)

    def text(self, number: int) -> str:
        """Return the notation of an action.

        >>> from engine.games import ruleset
        >>> ActionSpace(ruleset("hawaii")).text(48)
        '01.1*01.2'
        """
        return format_action(self.table.actions[number])


class StepwiseSpace:
    """Two steps where a card may take several: numbers 0 to 47 are cards, then words for targets, then all calls."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.table = table_of(ruleset.game)
        flat = self.table.actions[: self.table.width(ruleset)]
        self.calls: tuple[Action, ...] = tuple(action for action in flat if _names_no_card(action))
        self._calls = {action: FIRST_CALL + number for number, action in enumerate(self.calls)}
        self.size = FIRST_CALL + len(self.calls)

    def to_json(self) -> Json:
        """Return the table as it is published: the cards, the words, then the notation of every call."""
        calls = [format_action(action) for action in self.calls]
        return {"format": STEPWISE_FORMAT, "game": self.table.game, "actions": [*CODES, *_TARGET_WORDS, *calls]}

    def choices(self, legal: Sequence[Action]) -> dict[int, tuple[Action, ...]]:
        """Return what may be answered first: a card, the target of a card that waits, or a call."""
        return _grouped((self._first(action), action) for action in legal)

    def targets(self, actions: Sequence[Action]) -> dict[int, tuple[Action, ...]]:
        """Return what may be answered second: the targets of the card that was chosen."""
        return _grouped((_target(action), action) for action in actions)

    def _first(self, action: Action) -> int:
        if action in self._calls:
            return self._calls[action]
        return action.card if action.card != UNNAMED else _target(action)

    def text(self, number: int) -> str:
        """Return the code of a card, the word of a target, or the notation of a call."""
        if number < FIRST_CALL:
            return (*CODES, *_TARGET_WORDS)[number]
        return format_action(self.calls[number - FIRST_CALL])


def _grouped(pairs: Iterable[tuple[int, Action]]) -> dict[int, tuple[Action, ...]]:
    found: dict[int, tuple[Action, ...]] = {}
    for number, action in pairs:
        found[number] = (*found.get(number, ()), action)
    return found


def _target(action: Action) -> int:
    return action.take if action.take >= 0 else _TARGET_OF[action.take]


def _names_no_card(action: Action) -> bool:
    return action.card == UNNAMED and action.take == UNNAMED


@lru_cache(maxsize=256)
def space_of(ruleset: Ruleset, *, stepwise: bool = False) -> Space:
    """The action space of a ruleset."""
    return StepwiseSpace(ruleset) if stepwise else ActionSpace(ruleset)


def write_mask(space: Space, legal: Sequence[Action], buffer: bytearray | memoryview, offset: int = 0) -> None:
    """Write which numbers are legal: `space.size` bytes from `offset` on, each 1 or 0. buffer: of bytes, writable."""
    buffer[offset : offset + space.size] = bytes(space.size)
    for number in space.choices(legal):
        buffer[offset + number] = 1
