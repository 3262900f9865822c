"""Decisions of a seat as interned values. One class for every game: a kind, and what it names.

A kind has a `Form`: what it names and how that is written. The forms here are those of the Sakura turn, which several
games share; a game brings its own ones along (`Game.kinds`), and the registry adds them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from engine.cards import CODES, INDEX
from engine.errors import BadAction

Kind: TypeAlias = str
Shape: TypeAlias = Literal["capture", "target", "card", "month", "amount", "word", "flag"]
JsonAction: TypeAlias = dict[str, object]

# Below 0, so that `take >= 0` alone tells a named card.
UNNAMED: Final = -1
NONE: Final = -2
LEAVE: Final = -3
RETURN: Final = -4
TRIPLE: Final = -5
WORDS: Final = MappingProxyType({"none": NONE, "leave": LEAVE, "return": RETURN, "all": TRIPLE})
WORD_OF: Final = MappingProxyType({value: word for word, value in WORDS.items()})
MAX_AMOUNT: Final = 9_999
"""The highest number an action can name; a game's own limit is lower."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of an action of a kind: what it names, and so how it looks as JSON and text.

    shape: `capture` a card and perhaps its target (`play` alone), `target` a field card or a word of `WORDS`, `card`,
    `month`, `amount` a number, `word` one of `words`, `flag` nothing.
    """

    kind: Kind
    shape: Shape
    words: tuple[str, ...] = ()


TURN_KINDS: Final[tuple[Form, ...]] = (
    Form("play", "capture"),
    Form("hiki", "month"),
    Form("draw_only", "flag"),
    Form("draw_take", "target"),
    Form("blocked_choice", "target"),
)
"""The turn of the Sakura family: hand card, hiki, the flip alone, the flipped card's target, after a block."""

FORMS: Final[dict[Kind, Form]] = {form.kind: form for form in TURN_KINDS}


def learn(forms: Iterable[Form]) -> None:
    """Add the forms of a game. Raises ValueError if a kind has another form already: a kind means one thing."""
    for form in forms:
        if FORMS.setdefault(form.kind, form) != form:
            raise ValueError(f"the action {form.kind} is {FORMS[form.kind]} already, it cannot be {form} too")


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """One decision of one seat. Get it from `legal_actions()`, `from_json` or `Action.of`: equal ones are identical.

    card, take: card indices, UNNAMED if not named; take may also be NONE, LEAVE, RETURN or TRIPLE ("all").
    month: 1..12; amount: of a bid, UNNAMED if none was named; word: the answer. Which of them count: `Form`.
    """

    kind: Kind
    card: int = UNNAMED
    take: int = UNNAMED
    month: int = 0
    amount: int = UNNAMED
    word: str = ""

    @staticmethod
    def of(
        kind: Kind, card: int = UNNAMED, take: int = UNNAMED, month: int = 0, amount: int = UNNAMED, word: str = ""
    ) -> Action:
        """The interned action with these parts."""
        key = (kind, card, take, month, amount, word)
        action = _INTERNED.get(key)
        if action is None:
            # setdefault: of two threads that make the same action at once both get the one that came first.
            action = _INTERNED.setdefault(key, Action(kind, card, take, month, amount, word))
        return action

    def to_json(self) -> JsonAction:
        """A new dict named as in the vectors, like {"play": "03.3", "take": "03.1"} (site.md 6)."""
        if self.kind == "play":
            played: JsonAction = {"play": CODES[self.card]}
            return played if self.take == UNNAMED else {**played, "take": target_text(self.take)}
        return {self.kind: self._named()}

    def _named(self) -> object:
        """Return what it names, as JSON."""
        form = FORMS.get(self.kind)
        shape = "flag" if form is None else form.shape
        if shape == "target":
            return target_text(self.take)
        if shape == "month":
            return self.month
        if shape == "amount":
            return self.amount
        if shape == "word":
            return self.word
        return CODES[self.card] if shape == "card" else True

    @staticmethod
    def from_json(value: object) -> Action:
        """The action of a dict as `to_json` makes it. Raises BadAction for anything else."""
        if not isinstance(value, dict):
            raise BadAction(f"An action is an object like {{'play': '03.3'}}, not {value!r:.80}.")
        action = _read(value)
        # The way back must give the same keys: what has superfluous ones is refused, not guessed. "by" is allowed,
        # since events carry it.
        if action is None or (set(value) - {"by"}) != set(action.to_json()):
            raise BadAction(f"No action looks like {value!r:.120}. Answer with one of the legal actions.")
        return action

    def __str__(self) -> str:
        return " ".join(f"{key} {value}" for key, value in self.to_json().items())

    def __reduce__(self) -> tuple[object, ...]:
        # Unpickled and copied through `of`: actions are compared by identity (eq=False).
        return Action.of, (self.kind, self.card, self.take, self.month, self.amount, self.word)


_INTERNED: dict[tuple[Kind, int, int, int, int, str], Action] = {}


def target_text(take: int) -> str:
    """A target as JSON and text: a card code or a word; `?` if none was named."""
    if take == UNNAMED:
        return "?"
    return WORD_OF[take] if take < 0 else CODES[take]


def _take(value: object) -> int | None:
    if not isinstance(value, str):
        return None
    return WORDS[value] if value in WORDS else INDEX.get(value)


def _read(value: dict[str, object]) -> Action | None:
    """The action that the keys of a dict name, or None; superfluous keys are the caller's business."""
    if "play" in value:
        card, take = value["play"], _take(value["take"]) if "take" in value else UNNAMED
        if not isinstance(card, str) or card not in INDEX or take is None:
            return None
        return Action.of("play", INDEX[card], take)
    form = next((FORMS[kind] for kind in value if kind in FORMS), None)
    return None if form is None else read_named(form, value[form.kind])


def read_named(form: Form, value: object) -> Action | None:
    """The action of a form other than `capture` that names this JSON value, None if it cannot."""
    kind = form.kind
    if form.shape == "flag":
        return Action.of(kind) if value is True else None
    if form.shape in ("month", "amount"):
        # JSON's true is a Python int.
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        if form.shape == "month":
            return Action.of(kind, month=value) if 1 <= value <= 12 else None
        return Action.of(kind, amount=value) if 0 <= value <= MAX_AMOUNT else None
    if not isinstance(value, str):
        return None
    if form.shape == "word":
        return Action.of(kind, word=value) if value in form.words else None
    if form.shape == "card":
        return Action.of(kind, INDEX[value]) if value in INDEX else None
    take = _take(value)
    return None if take is None or form.shape != "target" else Action.of(kind, take=take)
