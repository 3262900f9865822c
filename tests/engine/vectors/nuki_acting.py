"""Doing the actions of a Nuki vector, one decision at a time, and noting what each did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from engine.action import UNNAMED, WORDS, Action
from engine.cards import CODES, card_index
from engine.errors import IllegalAction
from engine.games.nuki.dekiyaku import dekiyaku_in
from engine.games.nuki.position import NukiPosition
from engine.games.nuki.state import NukiState
from tests.engine.vectors.acting import Refused, listed
from tests.engine.vectors.given import seat_number

KNOWN: Final = frozenset([
    "by", "play", "take", "draw_take", "flip_take", "flip", "call", "hiki", "draw_only", "join", "mizuten", "see",
    "triplet",
])  # fmt: skip


def world(state: NukiState) -> tuple[object, ...]:
    """Everything a world holds, for comparison."""
    values = (getattr(state, name) for name in NukiPosition.__slots__)
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


@dataclass
class Step:
    """The effect of one entry of `action`: the worlds before and after it, its events, its refusal."""

    seat: int
    before: NukiState
    after: NukiState
    events: list[str] = field(default_factory=list)
    flips: list[str] = field(default_factory=list)
    refused: Refused | None = None
    asked: bool = False


class Actor:
    """Plays the entries of `action` on one world. claimed: the months named of two triplets, by seat."""

    def __init__(self, state: NukiState, claimed: dict[int, int]) -> None:
        self.state, self.claimed = state, claimed
        self.step = Step(-1, state.copy(), state)

    def run(self, entry: dict[str, Any], *, must_refuse: bool) -> Step:
        """One entry, a turn or a part of it. must_refuse: a choice that nobody named is then an error too."""
        unknown = set(entry) - KNOWN
        assert not unknown, f"the adapter does not know these keys of action: {sorted(unknown)}"
        seat = seat_number(entry["by"])
        self._show(entry)
        self.step = Step(seat, self.state.copy(), self.state)
        try:
            self._turn(seat, entry)
            if must_refuse and self.state.phase == "flip_choice":
                self._do(seat, Action.of("draw_take"))
        except Refused as refused:
            self.step.refused = refused
        self.step.after = self.state.copy()
        return self.step

    def _show(self, entry: dict[str, Any]) -> None:
        """Name a triplet that the vector leaves open: as it was claimed, or the earlier month."""
        while self.state.phase == "showdown" and "triplet" not in entry:
            legal = self.state.legal_actions()
            month = self.claimed.get(self.state.turn, legal[0].month)
            self.state.apply(Action.of("triplet", month=month))

    def _turn(self, seat: int, entry: dict[str, Any]) -> None:
        flips = len(self.step.flips)
        action = self._first(entry)
        if action is not None:
            self._do(seat, action)
        drawn = entry.get("draw_take", entry.get("flip_take"))
        if drawn is not None:
            self._choose_flipped(seat, listed(drawn)[0])
        if "call" in entry and action is not None and action.kind != "call":
            self._do(seat, Action.of("call", word=entry["call"]))
        if "flip" in entry:
            turned_up = self.step.flips[flips:]
            assert turned_up == [entry["flip"]], f"turned up: {turned_up}, expected {entry['flip']}"

    @staticmethod
    def _first(entry: dict[str, Any]) -> Action | None:
        """The decision that an entry begins with, None if it only names what the flipped card takes."""
        if "play" in entry:
            return Action.of("play", card_index(entry["play"]), _take(entry.get("take")))
        if "hiki" in entry:
            return Action.of("hiki", month=entry["hiki"])
        for kind in ("join", "call"):
            if kind in entry:
                return Action.of(kind, word=entry[kind])
        if "triplet" in entry:
            return Action.of("triplet", month=int(entry["triplet"]))
        if "mizuten" in entry:
            return Action.of("mizuten" if entry["mizuten"] else "see")
        if "see" in entry:
            return Action.of("see")
        return None if "draw_take" in entry or "flip_take" in entry else Action.of("draw_only")

    def _choose_flipped(self, seat: int, choice: Any) -> None:
        """The choice for the flipped card; where nothing was to be chosen the named card must have been taken."""
        if self.state.phase != "flip_choice":
            held = self.state.captured[seat] >> card_index(choice) & 1
            assert held, f"the flipped card did not take {choice}, and no choice was asked for"
            return
        self._do(seat, Action.of("draw_take", take=_take(choice)))

    def _do(self, seat: int, action: Action) -> None:
        before, position, notes = world(self.state), self.state.position, len(self.state.notes)
        try:
            self.state.apply(action, seat=seat)
        except IllegalAction as error:
            raise Refused(error.code, unchanged=world(self.state) == before) from error
        self.step.events += [note[0] for note in self.state.notes[notes:] if note[0] == "triple"]
        self.step.asked |= self.state.phase == "decision"
        if self.state.position > position:
            self.step.flips.append(CODES[self.state.pile[position]])


def _take(value: object) -> int:
    """A target: a card, a word, or nothing."""
    if value is None:
        return UNNAMED
    assert isinstance(value, str)
    return WORDS[value] if value in WORDS else card_index(value)


def formed(before: NukiState, after: NukiState) -> dict[str, int]:
    """The dekiyaku that came about between two worlds, with their kan."""
    old = {made for pile in before.captured for made in dekiyaku_in(pile)}
    return {made.id: made.kan for pile in after.captured for made in dekiyaku_in(pile) if made not in old}
