"""Facts that hold after the actions of a vector, one method per `expect` key; a key without a method fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from engine.cards import CODES, CardSet, codes, set_of
from engine.games.sakura.outcome import SakuraOutcome
from engine.games.sakura.position import NOBODY
from engine.games.sakura.rules import Rules
from engine.games.sakura.scoring import next_dealer
from engine.games.sakura.state import SakuraState
from tests.engine.vectors.acting import Step
from tests.engine.vectors.given import seat_number, side_of

PROSE: Final = frozenset({"why", "source", "note", "contains", "still_legal"})
EMPTY_RESULT: Final = frozenset({"redeal", "misdeal"})


def same_cards(expected: Any) -> list[str]:
    """Codes of a list that is a set."""
    return codes(set_of(expected))


def keyed(rules: Rules, value: Sequence[Any], expected: Any) -> Any:
    """A list per side in the shape that is expected: a list, or by seat or letter."""
    if isinstance(expected, Mapping):
        return {name: value[side_of(rules, name)] for name in expected}
    return list(value)


class Facts:
    """Compares `expect` with methods `fact_<key>`, each of which gets the expected value and returns the actual."""

    def check(self, expect: Mapping[str, Any], where: str = "") -> None:
        for key, expected in expect.items():
            if key in PROSE:
                continue
            method = getattr(self, f"fact_{key}", None)
            if method is None:
                method = self.other(key)
            assert method is not None, f"{where}{key}: the adapter does not know this key of expect"
            actual = method(expected)
            assert actual == expected, f"{where}{key}: expected {expected!r}, the engine has {actual!r}"

    def other(self, key: str) -> Any:
        """A method for keys that are no fixed words (card codes, values)."""
        return None


class TableFacts(Facts):
    """Facts of a position and of how it came about: the world before, the world now, the steps between."""

    def __init__(self, before: SakuraState, after: SakuraState, steps: Sequence[Step]) -> None:
        self.before = before
        self.after = after
        self.steps = steps
        self.rules = after.rules
        self.thrown_in = False

    @property
    def _last(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    @cached_property
    def _outcome(self) -> SakuraOutcome:
        assert self.after.is_over, "the Deal is not over"
        return self.after.outcome()

    # refusals
    def fact_rejected(self, expected: Any) -> Any:
        return bool(self._last and self._last.refused)

    def fact_accepted(self, expected: Any) -> Any:
        return not self.fact_rejected(expected)

    fact_legal = fact_accepted

    def fact_state_unchanged(self, expected: Any) -> Any:
        return bool(self._last and self._last.refused and self._last.refused.unchanged)

    def fact_reason(self, expected: Any) -> Any:
        if self._last and self._last.refused:
            return self._last.refused.code
        return self.after.end

    def fact_blocked_by(self, expected: Any) -> Any:
        names = [name for step in self.steps for name in step.blocked_by]
        return names if isinstance(expected, list) else ", ".join(names)

    # where the cards are
    def _gained(self) -> list[CardSet]:
        return [now & ~then for now, then in zip(self.after.captured, self.before.captured, strict=True)]

    def fact_captured_added(self, expected: Mapping[str, Any]) -> Any:
        """By seat; the pile is the side's, so what a side got is compared as a whole, nobody else got anything."""
        named = [0] * self.rules.side_count
        for name, cards in expected.items():
            named[side_of(self.rules, name)] |= set_of(cards)
        return expected if named == self._gained() else {"by side": [codes(pile) for pile in self._gained()]}

    fact_extra_captured = fact_captured_added

    def _hands(self, expected: Mapping[str, Any]) -> Any:
        held = {name: codes(self.after.hands[seat_number(name)]) for name in expected}
        return expected if held == {name: same_cards(cards) for name, cards in expected.items()} else held

    def fact_hands_after(self, expected: Mapping[str, Any]) -> Any:
        return self._hands(expected)

    fact_hands = fact_hands_after

    def fact_hand(self, expected: Any) -> Any:
        return self.after.hands[0].bit_count() if isinstance(expected, int) else self.fact_hand_after(expected)

    def fact_dealer(self, expected: Any) -> Any:
        return f"p{self.after.dealer}"

    def fact_sides(self, expected: Any) -> Any:
        sides = list(self.rules.sides)
        return ["ABCDEFG"[side] for side in sides] if expected and expected[0] in tuple("ABCDEFG") else sides

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

    def fact_removed(self, expected: Any) -> Any:
        return codes(self.after.removed)

    def fact_pile_left(self, expected: Any) -> Any:
        return self.after.pile_left

    def fact_pile(self, expected: Any) -> Any:
        return self.after.pile_left if isinstance(expected, int) else self.fact_pile_top_first(expected)

    def fact_pile_top_first(self, expected: Any) -> Any:
        return [CODES[card] for card in self.after.hidden()]

    def fact_side_piles(self, expected: Any) -> Any:
        piles = keyed(self.rules, [codes(pile) for pile in self.after.captured], expected)
        if isinstance(expected, Mapping):
            return expected if piles == {name: same_cards(cards) for name, cards in expected.items()} else piles
        return expected if piles == [same_cards(pile) for pile in expected] else piles

    fact_final_captured = fact_side_piles

    # who decides, and what was seen
    def fact_next_turn(self, expected: Any) -> Any:
        seat = self.after.seat_to_act
        if seat == NOBODY:
            return None
        return "dealer" if expected == "dealer" and seat == self.after.dealer else f"p{seat}"

    fact_turn = fact_next_turn

    def fact_events(self, expected: Any) -> Any:
        return [event for step in self.steps for event in step.events]

    def fact_sequence(self, expected: Any) -> Any:
        return [text for step in self.steps for text in step.sequence]

    def fact_flipped(self, expected: Any) -> Any:
        cards = [card for step in self.steps for card in step.flips]
        return cards if isinstance(expected, list) else ", ".join(cards)

    def fact_gaji_used(self, expected: Any) -> Any:
        if self.after.gaji_by == NOBODY:
            return None
        return {"by": f"p{self.after.gaji_by}", "month": self.after.gaji_month}

    def fact_transfer_pending(self, expected: Any) -> Any:
        return self.after.transfer_open

    # the end of the Deal
    def fact_round_over(self, expected: Any) -> Any:
        return self.after.is_over

    def fact_play_continues(self, expected: Any) -> Any:
        return not self.after.is_over and not self.thrown_in

    def fact_result(self, expected: Any) -> Any:
        if self.thrown_in:
            return expected if expected in EMPTY_RESULT else "redeal"
        return self.after.end

    def fact_counts_as_round(self, expected: Any) -> Any:
        return not self.thrown_in and self.after.is_over

    def fact_redeal_by(self, expected: Any) -> Any:
        if not self.thrown_in:
            return None
        return expected if expected in ("same dealer", "dealer") else f"p{self.after.dealer}"

    def fact_claimed(self, expected: Any) -> Any:
        claimed = codes(self.after.claimed)
        if not isinstance(expected, Mapping):
            return expected if claimed == same_cards(expected) else claimed
        named = {name: same_cards(cards) for name, cards in expected.items() if cards}
        actual = {f"p{self.after.gaji_by}": claimed} if claimed else {}
        by_side = {side_of(self.rules, name): cards for name, cards in named.items()}
        return expected if by_side == {side_of(self.rules, name): cards for name, cards in actual.items()} else actual

    fact_gaji_claimed = fact_claimed

    def fact_points(self, expected: Any) -> Any:
        return keyed(self.rules, self._outcome.points, expected)

    def fact_yaku(self, expected: Any) -> Any:
        return keyed(self.rules, [list(made) for made in self._outcome.yaku], expected)

    def fact_yaku_count(self, expected: Any) -> Any:
        return keyed(self.rules, [len(made) for made in self._outcome.yaku], expected)

    def fact_score(self, expected: Any) -> Any:
        return keyed(self.rules, self._outcome.score, expected)

    def fact_round_winner(self, expected: Any) -> Any:
        return None if self._outcome.winner is None else f"p{self._outcome.winner}"

    def fact_winning_side(self, expected: Any) -> Any:
        side = self._outcome.winning_side
        if isinstance(expected, list):
            return [f"p{seat}" for seat, held in enumerate(self.rules.sides) if held == side]
        if side is None or isinstance(expected, int):
            return side
        return "ABCDEFG"[side] if not str(expected).startswith("p") else f"p{self._outcome.winner}"

    def fact_margin(self, expected: Any) -> Any:
        return self._outcome.margin

    def fact_victories_awarded(self, expected: Any) -> Any:
        if isinstance(expected, int):
            return sum(self._outcome.victories)
        return keyed(self.rules, self._outcome.victories, expected)

    def fact_label(self, expected: Any) -> Any:
        return self._outcome.label

    def fact_next_dealer(self, expected: Any) -> Any:
        winner = self._outcome.winner
        return f"p{next_dealer(self.rules.options, self.rules.seats, self.after.dealer, winner)}"

    def fact_after_deal(self, expected: Mapping[str, Any]) -> Any:
        TableFacts(self.before, self.before, []).check(expected, "after_deal.")
        return expected

    def other(self, key: str) -> Any:
        """step_1, step_2 ..: the facts of one entry of `action`."""
        number = key.removeprefix("step_")
        if key == number or not number.isdigit():
            return None
        assert 1 <= int(number) <= len(self.steps), f"{key}: only {len(self.steps)} actions were done"
        step = self.steps[int(number) - 1]

        def check_step(expected: Mapping[str, Any]) -> Any:
            TableFacts(step.before, step.after, [step]).check(expected, f"{key}.")
            return expected

        return check_step
