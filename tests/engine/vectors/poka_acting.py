"""Doing the actions of a Poka vector, one turn at a time, and noting what each did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from engine.action import Action
from engine.cards import ALL, CODES, card_index, card_set, codes, members
from engine.errors import IllegalAction
from engine.games.poka.position import PokaPosition
from engine.games.poka.state import PokaState
from engine.games.poka.turn import resume
from tests.engine.vectors.given import seat_number
from tests.engine.vectors.poka_given import PokaGiven, first_flip

KNOWN: Final = frozenset(["by", "discard", "discard_all", "pass", "stop", "flip"])


@dataclass
class Step:
    """The effect of one entry of `action`: the worlds before and after it, its flip and reshuffle, its refusal."""

    before: PokaState
    after: PokaState
    flips: list[str] = field(default_factory=list)
    kept_top: str | None = None
    reshuffled: list[str] | None = None
    refused: str | None = None
    unchanged: bool = False


def world(state: PokaState) -> tuple[object, ...]:
    """Everything a world holds, for comparison."""
    values = (getattr(state, name) for name in PokaPosition.__slots__)
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


class Actor:
    """Plays the entries of `action` on one world. both_passed: the flip is still to come."""

    def __init__(self, state: PokaState, *, both_passed: bool) -> None:
        self.state = state
        self.both_passed = both_passed
        self.step = Step(state.copy(), state)

    def run(self, entry: dict[str, Any]) -> Step:
        """One entry. A turn is refused as a whole: what it had laid goes back to the hand."""
        unknown = set(entry) - KNOWN
        assert not unknown, f"the adapter does not know these keys of action: {sorted(unknown)}"
        self.step = Step(self.state.copy(), self.state)
        if self.both_passed:
            self._watch(lambda: first_flip(self.state))
            self.both_passed = False
        before = self.state.copy()
        try:
            self._turn(entry)
        except IllegalAction as error:
            self.step.refused = error.code
            self.state = before
        self.step.after = self.state.copy()
        if isinstance(entry.get("flip"), str):
            assert self.step.flips == [entry["flip"]], f"turned up: {self.step.flips}, expected {entry['flip']}"
        return self.step

    def _turn(self, entry: dict[str, Any]) -> None:
        seat = seat_number(entry["by"]) if "by" in entry else self.state.turn
        if "discard" in entry:
            named = entry["discard"]
            cards = [card_index(code) for code in ([named] if isinstance(named, str) else named)]
            self._discard(seat, cards)
        elif "discard_all" in entry:
            self._discard(seat, all_in_order(self.state, seat))
        elif "pass" in entry:
            self._do(seat, Action.of("pass"))
        elif "stop" in entry:
            self._do(seat, Action.of("stop"))
        else:
            assert "flip" in entry, "nothing is to be done"
            if not self.step.flips:
                self._watch(lambda: first_flip(self.state))

    def _discard(self, seat: int, cards: list[int]) -> None:
        """The cards of one turn, then stop, if the turn has not ended on its own."""
        for card in cards:
            self._do(seat, Action.of("discard", card))
        if not cards or (self.state.seat_to_act == seat and self.state.laid):
            self._do(seat, Action.of("stop"))

    def _do(self, seat: int, action: Action) -> None:
        before = world(self.state)
        try:
            self._watch(lambda: self.state.apply(action, seat=seat))
        except IllegalAction:
            self.step.unchanged = world(self.state) == before
            raise

    def _watch(self, act: Any) -> None:
        """Do something and note the card that it turned up, and the pile that it formed again."""
        state = self.state
        top, reshuffles, gone, left = state.discard[-1], state.reshuffles, state.discard[:-1], state.pile_left
        act()
        if state.reshuffles > reshuffles:
            self.step.kept_top, self.step.reshuffled = CODES[top], codes(card_set(gone))
        if state.reshuffles > reshuffles or state.pile_left < left:
            self.step.flips.append(CODES[state.discard[-1]])


def all_in_order(state: PokaState, seat: int) -> list[int]:
    """The hand in an order in which one turn may discard all of it."""
    found = _orders(state.copy(), seat, [])
    assert found is not None, f"no turn can discard all of {codes(state.hands[seat])}"
    return found


def _orders(state: PokaState, seat: int, done: list[int]) -> list[int] | None:
    if state.is_over:
        return done
    for action in state.legal_actions():
        if action.kind != "discard" or state.turn != seat:
            continue
        twin = state.copy()
        twin.apply_unchecked(action)
        found = _orders(twin, seat, [*done, action.card])
        if found is not None:
            return found
    return None


def described(given: PokaGiven) -> PokaState:
    """A position that is only told in words: somebody is about to discard six cards in one turn.

    `first_turn` (or a note that says so) makes it his first; otherwise he has passed before, really: nothing in his
    hand followed, the other seat passed as well, and the card that was turned up lets him go.
    """
    note = given.data.get("note", "")
    seat = 1 if note.startswith("p1") else 0
    run = [card_index(f"{month:02}.1") for month in range(4, 10)]
    march, november, spare = card_index("03.1"), card_index("11.1"), card_index("01.3")
    first = given.data.get("first_turn", False) and "passed" not in note
    hands = [card_set([spare])] * 2
    hands[seat] = card_set(run)
    rest = list(members(ALL & ~card_set([*run, march, november, spare])))
    state = given.world(hands, [march if first else november], rest if first else [march, *rest], seat)
    resume(state, 0)
    if not first:
        state.apply(Action.of("pass"), seat=seat)
        state.apply(Action.of("pass"), seat=1 - seat)
    return state
