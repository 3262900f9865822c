"""Facts that hold in a Nuki position after actions, after the setup, or after join and drop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from engine.cards import CODES, CardSet, codes
from engine.games.nuki.dekiyaku import dekiyaku_in
from engine.games.nuki.position import NOBODY
from engine.games.nuki.settlement import Line
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import Claims
from tests.engine.vectors.facts import PROSE, same_cards
from tests.engine.vectors.given import seat_number
from tests.engine.vectors.nuki_acting import Step, formed
from tests.engine.vectors.nuki_given import NukiGiven
from tests.engine.vectors.nuki_settling import PaymentFacts, Settled

NUKI_PROSE: Final = PROSE | {"decision_after", "unit"}


class TableFacts(PaymentFacts):
    """Facts of a position and of how it came about: the world before, the world now, the steps between."""

    def __init__(self, given: NukiGiven, before: NukiState, after: NukiState, steps: Sequence[Step]) -> None:
        self.given, self.before, self.after, self.steps = given, before, after, steps
        self.seats = after.rules.seats
        self.thrown_in = after.redeal > before.redeal

    def check(self, expect: Mapping[str, Any], where: str = "") -> None:
        super().check({key: value for key, value in expect.items() if key not in NUKI_PROSE}, where)

    @cached_property
    def _settled(self) -> Settled:
        assert self.after.is_over, "the Deal is not over"
        return Settled(self.given, self.after)

    @property
    def lines(self) -> Sequence[Line]:  # type: ignore[override]  # settled only when it is asked for
        return self._settled.lines

    @property
    def both(self) -> Any:  # type: ignore[override]  # a field there, counted here once it is read
        return self._settled.both

    @property
    def winner(self) -> int | None:  # type: ignore[override]  # known only after the deal was settled
        return self._settled.winner

    def _multiplier(self) -> int:
        return self.after.multiplier

    @property
    def _last(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    # refusals
    def fact_rejected(self, expected: Any) -> Any:
        return bool(self._last and self._last.refused)

    def fact_accepted(self, expected: Any) -> Any:
        return not self.fact_rejected(expected)

    fact_legal = fact_accepted

    def fact_state_unchanged(self, expected: Any) -> Any:
        return bool(self._last and self._last.refused and self._last.refused.unchanged)

    def fact_reason(self, expected: Any) -> Any:
        return self._last.refused.code if self._last and self._last.refused else self.after.end

    # where the cards are
    def fact_captured_added(self, expected: Mapping[str, Any]) -> Any:
        gained = [now & ~then for now, then in zip(self.after.captured, self.before.captured, strict=True)]
        return self._as_named(gained, expected)

    fact_extra_captured = fact_captured_added

    def _as_named(self, sets: Sequence[CardSet], expected: Mapping[str, Any]) -> Any:
        """Card sets by seat; seats that are not named have nothing."""
        named = {name: same_cards(cards) for name, cards in expected.items() if cards}
        found = {f"p{seat}": codes(cards) for seat, cards in enumerate(sets) if cards}
        return expected if found == named else found

    def fact_final_captured(self, expected: Any) -> Any:
        if isinstance(expected, list):
            expected_by = {f"p{seat}": cards for seat, cards in enumerate(expected)}
            return expected if self._as_named(self.after.captured, expected_by) == expected_by else None
        return self._as_named(self.after.captured, expected)

    fact_side_piles = fact_final_captured

    def fact_hands_after(self, expected: Mapping[str, Any]) -> Any:
        held = {name: codes(self.after.hands[seat_number(name)]) for name in expected}
        return expected if held == {name: same_cards(cards) for name, cards in expected.items()} else held

    fact_hands = fact_hands_after

    def fact_hand_after(self, expected: Any) -> Any:
        return expected if codes(self.after.hands[0]) == same_cards(expected) else codes(self.after.hands[0])

    def fact_field_after(self, expected: Any) -> Any:
        return [CODES[card] for card in self.after.field_order()]

    def fact_field(self, expected: Any) -> Any:
        return self.after.field.bit_count() if isinstance(expected, int) else self.fact_field_after(expected)

    def fact_field_left(self, expected: Any) -> Any:
        left = codes(self.after.field)
        return expected if left == same_cards(expected) else left

    fact_dead = fact_field_left
    fact_dead_field = fact_field_left

    def fact_field_refilled(self, expected: Any) -> Any:
        return self.after.hidden() != self.before.hidden()

    def fact_pile_left(self, expected: Any) -> Any:
        return self.after.pile_left

    def fact_pile(self, expected: Any) -> Any:
        return self.after.pile_left if isinstance(expected, int) else self.fact_pile_top_first(expected)

    fact_pile_at_start_of_play = fact_pile

    def fact_pile_top_first(self, expected: Any) -> Any:
        return [CODES[card] for card in self.after.hidden()]

    def fact_flipped(self, expected: Any) -> Any:
        cards = [card for step in self.steps for card in step.flips]
        return cards if isinstance(expected, list) else ", ".join(cards)

    # who decides, and what was seen
    def fact_next_turn(self, expected: Any) -> Any:
        seat = self.after.seat_to_act
        if seat == NOBODY:
            return None
        return "dealer" if expected == "dealer" and seat == self.after.dealer else f"p{seat}"

    fact_turn = fact_next_turn

    def fact_dealer(self, expected: Any) -> Any:
        return f"p{self.after.dealer}"

    def fact_events(self, expected: Any) -> Any:
        return [event for step in self.steps for event in step.events]

    def fact_decision(self, expected: Any) -> Any:
        """Return whether a call was asked for."""
        return any(step.asked for step in self.steps)

    def fact_formed(self, expected: Any) -> Any:
        return formed(self.before, self.after)

    def fact_dekiyaku(self, expected: Any) -> Any:
        found = [{made.id: made.kan for made in dekiyaku_in(pile)} for pile in self.after.captured]
        if isinstance(expected, list):
            return found
        return {f"p{seat}": made for seat, made in enumerate(found) if made or f"p{seat}" in expected}

    def fact_teyaku(self, expected: Any) -> Any:
        """Per seat [A, B], each [name, kan] or null."""
        shown = [_pair(claims) for claims in self.after.claims]
        return {f"p{seat}": pair for seat, pair in enumerate(shown)} if isinstance(expected, Mapping) else shown

    def fact_multiplier(self, expected: Any) -> Any:
        return self.after.multiplier

    def fact_carry_out(self, expected: Any) -> Any:
        return self.after.carry_out

    # the end of the Deal
    def fact_round_over(self, expected: Any) -> Any:
        return self.after.is_over

    def fact_play_continues(self, expected: Any) -> Any:
        return not self.after.is_over and not self.thrown_in

    def fact_result(self, expected: Any) -> Any:
        return "misdeal" if self.thrown_in else self.after.end

    def fact_counts_as_round(self, expected: Any) -> Any:
        return not self.thrown_in and self.after.is_over

    def fact_redeal_by(self, expected: Any) -> Any:
        if not self.thrown_in:
            return None
        assert self.after.dealer == self.before.dealer
        return expected if expected in ("same dealer", "dealer") else f"p{self.after.dealer}"

    def fact_carry_unchanged(self, expected: Any) -> Any:
        return self.after.carry == self.given.data.get("carry", 0) and self.thrown_in

    def fact_next_dealer(self, expected: Any) -> Any:
        return f"p{self.after.dealer}" if self.thrown_in else self.fact_round_winner(expected)

    def fact_after_deal(self, expected: Mapping[str, Any]) -> Any:
        TableFacts(self.given, self.before, self.before, []).check(expected, "after_deal.")
        return expected

    def other(self, key: str) -> Any:
        """step_1, step_2 ..: the facts of one entry of `action`."""
        number = key.removeprefix("step_")
        if key == number or not number.isdigit():
            return None
        assert 1 <= int(number) <= len(self.steps), f"{key}: only {len(self.steps)} actions were done"
        step = self.steps[int(number) - 1]

        def check_step(expected: Mapping[str, Any]) -> Any:
            TableFacts(self.given, step.before, step.after, [step]).check(expected, f"{key}.")
            return expected

        return check_step


def _pair(claims: Claims | None) -> list[Any]:
    if claims is None:
        return [None, None]
    return [None if claim is None else [claim.id, claim.kan] for claim in (claims.a, claims.b)]


class JoinFacts(TableFacts):
    """`join_drop`: the answers, one after another, in a Deal that was just dealt."""

    def _said(self, word: str) -> list[str]:
        return [name for name, said in self.given.data["answers"] if said == word]

    def fact_active(self, expected: Any) -> Any:
        found = [f"p{seat}" for seat in self.after.active]
        return expected if sorted(expected) == sorted(found) else found

    def fact_dropped(self, expected: Any) -> Any:
        return self._said("drop")

    def fact_forced_out(self, expected: Any) -> Any:
        asked = {name for name, _ in self.given.data["answers"]}
        found = [f"p{seat}" for seat in range(self.seats) if seat not in self.after.active and f"p{seat}" not in asked]
        return ", ".join(found) if isinstance(expected, str) else (found if self.after.active else [])

    def fact_dealer_for_round(self, expected: Any) -> Any:
        return None if self.after.leader == NOBODY else f"p{self.after.leader}"

    def fact_no_game(self, expected: Any) -> Any:
        return self.after.end == "no_game"

    def fact_paid_to_pot(self, expected: Any) -> Any:
        paid = enumerate(zip(self.after.paid, self.before.paid, strict=True))
        found = {f"p{seat}": now - then for seat, (now, then) in paid}
        return {name: points for name, points in found.items() if points or name in expected}

    def fact_pot(self, expected: Any) -> Any:
        return sum(self.after.paid) + self.given.data.get("pot", 0)

    def fact_goes_to(self, expected: Any) -> Any:
        if self.after.end == "no_game":
            return expected if expected == "round winner" else f"p{self.after.ended_by}"
        return "round winner"

    def fact_cards_returned_by_inactive(self, expected: Any) -> Any:
        return sum(cards.bit_count() for cards in self.after.returned)

    fact_returned = fact_cards_returned_by_inactive

    def fact_play_continues(self, expected: Any) -> Any:
        return bool(self.after.active)

    def fact_captured(self, expected: Any) -> Any:
        return self._as_named(self.after.captured, expected)


class SetupFacts(TableFacts):
    """`setup`, `multiplier`: a field looked at before the first decision."""

    def __init__(self, given: NukiGiven, before: NukiState, after: NukiState, *, stands: bool) -> None:
        super().__init__(given, before, after, [])
        self.thrown_in = not stands

    def fact_result(self, expected: Any) -> Any:
        return "misdeal" if self.thrown_in else None

    def fact_carry_out(self, expected: Any) -> Any:
        return self.after.carry if self.thrown_in else self.after.carry_out
