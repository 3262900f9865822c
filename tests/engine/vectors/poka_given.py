"""The start of a Poka vector: ruleset, a position (it may be partial), totals, what happened in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import ALL, CardSet, card_index, members, set_of
from engine.deck import further_order
from engine.game import DealStart, Ruleset
from engine.games import ruleset
from engine.games.poka import deal, turn
from engine.games.poka.rules import SEATS, compile_rules
from engine.games.poka.scoring import PokaOutcome, won_by
from engine.games.poka.state import PokaState
from tests.engine.vectors.files import Vector
from tests.engine.vectors.given import seat_number

KNOWN: Final = frozenset(
    [
        "players",
        "cases",
        "dealer",
        "turn",
        "hands",
        "hand",
        "pile",
        "deck",
        "deck_top_first",
        "draws",
        "redraws",
        "note",
        "round_scores",
        "scores",
        "totals",
        "discard_top",
        "discard_bottom_to_top",
        "first_turn",
        "both_passed",
        "event",
    ]
)
EVENT: Final = re.compile(r"p([01])\b(.*)")
REASONS: Final = ("buttakuri", "ghost_triplet", "january_triplet", "triple_sticky", "all_out")


def shuffle(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
    """Further orders of a position that no seed belongs to."""
    return further_order(bytes(32), label, 1, number, cards)


def indices(codes: Iterable[str]) -> list[int]:
    return [card_index(code) for code in codes]


def per_seat(values: Any) -> list[Any]:
    """Values by seat or by side letter, or a list in seat order."""
    if not isinstance(values, Mapping):
        return list(values)
    found: list[Any] = [0] * SEATS
    for name, value in values.items():
        found["AB".index(name) if name in ("A", "B") else seat_number(name)] = value
    return found


@dataclass
class PokaGiven:
    """The `given` of a vector with its preset and options, read on demand."""

    vector: Vector

    def __post_init__(self) -> None:
        self.data: dict[str, Any] = self.vector.get("given") or {}
        unknown = set(self.data) - KNOWN
        assert not unknown, f"the adapter does not know these keys of given: {sorted(unknown)}"

    def ruleset(self) -> Ruleset:
        """Preset and options. `teams` is no option of Poka; `validate` looks at it."""
        options = {key: value for key, value in (self.vector.get("options") or {}).items() if key != "teams"}
        return ruleset(self.vector["preset"], **options)

    @property
    def dealer(self) -> int:
        return seat_number(self.data.get("dealer", "p0"))

    def deals(self) -> list[list[int]]:
        """Points of the Deals told in `round_scores`: one Deal per seat, or a list of Deals."""
        scores = self.data.get("round_scores") or []
        told = scores if isinstance(scores, list) and scores and isinstance(scores[0], list | dict) else [scores]
        return [per_seat(score) for score in told if score]

    def totals(self) -> list[int]:
        """Points before the Deal, per seat: `scores` or `totals`, and the Deals of `round_scores`."""
        found = per_seat(self.data.get("scores", self.data.get("totals", [0] * SEATS)))
        return [held + sum(deal[seat] for deal in self.deals()) for seat, held in enumerate(found)]

    def order(self) -> tuple[int, ...]:
        """The order of the deck: as listed, or sorted if only words are given."""
        order = self.data.get("deck_top_first", "sorted")
        return tuple(members(ALL)) if isinstance(order, str) else tuple(indices(order))

    def new_deal(self) -> PokaState:
        """A whole Deal, its teyaku looked for."""
        rules, order = self.ruleset(), self.order()
        start = DealStart(rules, SEATS, self.dealer, 1, order, 0, shuffle, {}, tuple(self.totals()))
        return deal.new_deal(start)

    def dealt(self) -> PokaState:
        """A whole Deal as the cards lie, before anybody looks at them."""
        cards = deal.deal_cards(self.order(), self.dealer)
        hands = [sum(1 << card for card in hand) for hand in cards.hands]
        return self.world(hands, [cards.discard], cards.pile, self.dealer)

    def position(self) -> PokaState:
        """The position as it lies, partial or not; both passed: the flip is still to come."""
        if "deck_top_first" in self.data:
            return self.new_deal()
        hands = self.hands()
        discard = indices(self.data.get("discard_bottom_to_top", ()))
        if "discard_top" in self.data:
            discard.append(card_index(self.data["discard_top"]))
        if not discard:
            discard = [next(card for card in range(47, -1, -1) if not any(hand >> card & 1 for hand in hands))]
        seat = seat_number(self.data.get("turn", f"p{self.dealer}" if "dealer" in self.data else "p0"))
        state = self.world(hands, discard, indices(self.data.get("pile", ())), seat)
        first = self.data.get("first_turn", False)
        state.first_turn = per_seat(first) if isinstance(first, Mapping | list) else [bool(first)] * SEATS
        return state

    def world(self, hands: Sequence[int], discard: Sequence[int], pile: Sequence[int], seat: int) -> PokaState:
        rules = compile_rules(self.ruleset())
        return PokaState(rules, dealer=self.dealer, hands=hands, discard=discard, pile=pile, shuffle=shuffle, turn=seat)

    def hands(self) -> list[CardSet]:
        hands = [0] * SEATS
        for seat, cards in self.data.get("hands", {"p0": self.data.get("hand", [])}).items():
            hands[seat_number(seat)] = set_of(cards)
        return hands

    def event(self) -> PokaOutcome:
        """Return how the Deal ended, told as `p0 All Out`, `p0 empties his hand`, or a seat and its teyaku's id."""
        text = self.data["event"]
        found = EVENT.fullmatch(text)
        assert found, f"no seat is named: {text}"
        told = found[2].lower().replace(" ", "_")
        reason = next((name for name in REASONS if name in told), "emptied" if "empt" in told else None)
        assert reason, f"the adapter does not know this event: {text}"
        return won_by(int(found[1]), reason)


def first_flip(state: PokaState) -> None:
    """The flip that both passes have brought about, at the start of the turn of who passed first."""
    turn.flip(state)
    turn.resume(state, 0)
