"""Doing the actions of a vector, one decision at a time, and noting what each did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.action import UNNAMED, WORDS, Action
from engine.cards import CODES, card_index
from engine.errors import IllegalAction
from engine.games.sakura.state import SakuraState
from engine.games.sakura.trace import note_json
from tests.engine.vectors.given import seat_number
from tests.engine.worlds import FACTS

KNOWN: Final = frozenset(
    [
        "by",
        "play",
        "take",
        "then",
        "blocked_choice",
        "draw_take",
        "flip_take",
        "flip",
        "hiki",
        "draw_only",
        "draw_only_turns",
    ]
)
CHOICES: Final = ("flip_choice", "flip_gaji")


def note_text(note: Mapping[str, Any]) -> str | None:
    """An engine event in the words of the vectors (rules.md 9.3 `events`); None for what those words leave out."""
    code = note["code"]
    if code == "hiki_block":
        return f"blocked by p{note['by']} hiki {note['month']}"
    if code in ("transfer", "flip_transfer"):
        return f"{str(code).replace('_', ' ')} {note['card']} to side {note['side']}"
    return str(code) if code in ("triple", "forbidden") else None


class Refused(Exception):
    """A decision was refused."""

    def __init__(self, code: str, *, unchanged: bool) -> None:
        super().__init__(code)
        self.code = code
        self.unchanged = unchanged


@dataclass
class Step:
    """The effect of one entry of `action`: the worlds before and after it, its events, its refusal."""

    before: SakuraState
    after: SakuraState
    events: list[str] = field(default_factory=list)
    blocked_by: list[str] = field(default_factory=list)
    flips: list[str] = field(default_factory=list)
    sequence: list[str] = field(default_factory=list)
    refused: Refused | None = None


def world(state: SakuraState) -> tuple[object, ...]:
    """Everything a world holds, for comparison."""
    values = (getattr(state, name) for name in FACTS)
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def take_of(value: object) -> int:
    """A target: a card, a word, or nothing."""
    if value is None:
        return UNNAMED
    assert isinstance(value, str)
    return WORDS[value] if value in WORDS else card_index(value)


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class Actor:
    """Plays the entries of `action` on one world."""

    def __init__(self, state: SakuraState) -> None:
        self.state = state
        self.step = Step(state.copy(), state)

    def run(self, entry: dict[str, Any], *, must_refuse: bool) -> Step:
        """One entry, a turn or a part of it. must_refuse: a choice that nobody named is then an error too."""
        unknown = set(entry) - KNOWN
        assert not unknown, f"the adapter does not know these keys of action: {sorted(unknown)}"
        self.step = Step(self.state.copy(), self.state)
        try:
            for _ in range(entry.get("draw_only_turns", 0)):
                self._turn({"by": f"p{self.state.turn}", "draw_only": True})
            if "draw_only_turns" not in entry:
                self._turn(entry)
            if must_refuse and self.state.phase in CHOICES:
                self._do(self.state.turn, Action.of("draw_take"))
        except Refused as refused:
            self.step.refused = refused
        self.step.after = self.state.copy()
        return self.step

    def _turn(self, entry: dict[str, Any]) -> None:
        seat = seat_number(entry["by"])
        flips = len(self.step.flips)
        self._hand_part(seat, entry)
        if "then" in entry:
            self._hand_part(seat, {"by": entry["by"], **entry["then"]})
        drawn = entry.get("draw_take", entry.get("flip_take"))
        if drawn is not None:
            self._choose_flipped(seat, listed(drawn))
        if "flip" in entry and isinstance(entry["flip"], str):
            turned_up = self.step.flips[flips:]
            assert turned_up == [entry["flip"]], f"turned up: {turned_up}, expected {entry['flip']}"

    def _hand_part(self, seat: int, entry: dict[str, Any]) -> None:
        if "hiki" in entry:
            self._do(seat, Action.of("hiki", month=entry["hiki"]))
        elif "play" in entry:
            first, *rest = listed(entry.get("take"))
            self._do(seat, Action.of("play", card_index(entry["play"]), take_of(first)))
            for choice in rest:
                self._do(seat, Action.of("blocked_choice", take=take_of(choice)))
        elif "blocked_choice" in entry:
            for choice in listed(entry["blocked_choice"]):
                self._do(seat, Action.of("blocked_choice", take=take_of(choice)))
        elif self.state.phase not in CHOICES:
            self._do(seat, Action.of("draw_only"))

    def _choose_flipped(self, seat: int, choices: list[Any]) -> None:
        """The choice for the flipped card; where nothing was to be chosen the named card must have been taken."""
        first, *rest = choices
        if self.state.phase not in CHOICES:
            card = card_index(first)
            held = self.state.captured[self.state.rules.sides[seat]]
            assert held >> card & 1, f"the flipped card did not take {first}, and no choice was asked for"
            return
        self._do(seat, Action.of("draw_take", take=take_of(first)))
        for choice in rest:
            self._do(seat, Action.of("blocked_choice", take=take_of(choice)))

    def _do(self, seat: int, action: Action) -> None:
        before, position = world(self.state), self.state.position
        shown = [hand | gone for hand, gone in zip(self.state.hands, self.state.played, strict=True)]
        notes = len(self.state.notes)
        try:
            self.state.apply(action, seat=seat)
        except IllegalAction as error:
            raise Refused(error.code, unchanged=world(self.state) == before) from error
        for note in self.state.notes[notes:]:
            told = note_json(note, self.state, shown)
            text = note_text(told)
            if text:
                self.step.events.append(text)
            if told["code"] in ("hiki_block", "forbidden"):
                self.step.blocked_by.append(f"p{told['by']}")
        if self.state.position > position:
            card = CODES[self.state.pile[position]]
            self.step.flips.append(card)
            self.step.sequence.append(f"p{seat} flips {card}")
