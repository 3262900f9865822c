"""What a seat can decide, as interned values. One class for every game: a kind, and what it names."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from engine.cards import CODES, INDEX
from engine.errors import BadAction

Kind: TypeAlias = Literal["play", "hiki", "draw_only", "draw_take", "blocked_choice"]
JsonAction: TypeAlias = dict[str, object]

UNNAMED: Final = -1
NONE: Final = -2
LEAVE: Final = -3
RETURN: Final = -4
TRIPLE: Final = -5
WORDS: Final = MappingProxyType({"none": NONE, "leave": LEAVE, "return": RETURN, "all": TRIPLE})
WORD_OF: Final = MappingProxyType({value: word for word, value in WORDS.items()})


@dataclass(frozen=True, slots=True)
class Action:
    """One decision of one seat. Get it from `legal_actions()`, `from_json` or `Action.of`: equal ones are identical.

    kind: `play` (card, take), `hiki` (month), `draw_only`, `draw_take` (take), `blocked_choice` (take).
    card, take: card indices, UNNAMED if not named; take may also be NONE, LEAVE, RETURN or TRIPLE ("all").
    """

    kind: Kind
    card: int = UNNAMED
    take: int = UNNAMED
    month: int = 0

    @staticmethod
    def of(kind: Kind, card: int = UNNAMED, take: int = UNNAMED, month: int = 0) -> Action:
        """The interned action with these parts."""
        key = (kind, card, take, month)
        action = _INTERNED.get(key)
        if action is None:
            action = _INTERNED.setdefault(key, Action(kind, card, take, month))
        return action

    def to_json(self) -> JsonAction:
        """A new dict named as in the vectors, like {"play": "03.3", "take": "03.1"} (site.md 6)."""
        if self.kind == "play":
            played: JsonAction = {"play": CODES[self.card]}
            return played if self.take == UNNAMED else {**played, "take": _name(self.take)}
        if self.kind == "hiki":
            return {"hiki": self.month}
        if self.kind == "draw_only":
            return {"draw_only": True}
        return {self.kind: _name(self.take)}

    @staticmethod
    def from_json(value: object) -> Action:
        """The action of a dict as `to_json` makes it. Raises BadAction for anything else."""
        if not isinstance(value, dict):
            raise BadAction(f"An action is an object like {{'play': '03.3'}}, not {value!r:.80}.")
        action = _read(value)
        if action is None or (set(value) - {"by"}) != set(action.to_json()):
            raise BadAction(f"No action looks like {value!r:.120}. Answer with one of the legal actions.")
        return action

    def __str__(self) -> str:
        return " ".join(f"{key} {value}" for key, value in self.to_json().items())

    def __reduce__(self) -> tuple[object, ...]:
        return Action.of, (self.kind, self.card, self.take, self.month)


_INTERNED: dict[tuple[Kind, int, int, int], Action] = {}


def _name(take: int) -> str:
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
    if "hiki" in value:
        month = value["hiki"]
        known = isinstance(month, int) and not isinstance(month, bool) and 1 <= month <= 12
        return Action.of("hiki", month=month) if known and isinstance(month, int) else None
    if value.get("draw_only") is True:
        return Action.of("draw_only")
    for kind in ("draw_take", "blocked_choice"):
        take = _take(value.get(kind))
        if take is not None:
            return Action.of(kind, take=take)
    return None
