"""Facts that hold after the actions of a Koi-Koi vector, one method per `expect` key; a key without a method fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from engine.cards import CODES, codes
from engine.games.koikoi.outcome import KoiKoiOutcome
from engine.games.koikoi.position import NOBODY
from engine.games.koikoi.scoring import next_dealer
from engine.games.koikoi.state import KoiKoiState
from engine.notation import format_action
from tests.engine.vectors.facts import Facts, same_cards
from tests.engine.vectors.given import seat_number
from tests.engine.vectors.koikoi_acting import Step


def keyed(values: Sequence[Any], expected: Any) -> Any:
    """A value per seat in the shape that is expected: a list, or by seat or side letter."""
    if isinstance(expected, Mapping):
        return {name: values["AB".index(name) if name in ("A", "B") else seat_number(name)] for name in expected}
    return list(values)


def name_of(seat: int | None) -> str | None:
    return None if seat is None or seat == NOBODY else f"p{seat}"


class TableFacts(Facts):
    """Facts of a position and of how it came about: the world before, the world now, the steps between."""

    def __init__(
        self, before: KoiKoiState, after: KoiKoiState, steps: Sequence[Step] = (), *, stands: bool = True
    ) -> None:
        self.before, self.after, self.steps, self.stands = before, after, steps, stands

    @property
    def _refused(self) -> str | None:
        return self.steps[-1].refused if self.steps else None

    @cached_property
    def _outcome(self) -> KoiKoiOutcome:
        assert self.after.is_over, "the deal is not over"
        return self.after.outcome()

    # refusals
    def fact_rejected(self, expected: Any) -> Any:
        return self._refused is not None

    def fact_accepted(self, expected: Any) -> Any:
        return self._refused is None

    def fact_reason(self, expected: Any) -> Any:
        return self._refused or self.after.end

    def fact_state_unchanged(self, expected: Any) -> Any:
        return self._refused is not None and self.steps[-1].unchanged

    def fact_legal(self, expected: Any) -> Any:
        """The legal actions as text, in order; true or false: whether the last action was."""
        if isinstance(expected, bool):
            return self._refused is None
        return [format_action(action) for action in self.after.legal_actions()]

    # where the cards are
    def fact_captured_added(self, expected: Mapping[str, Any]) -> Any:
        gained = [now & ~then for now, then in zip(self.after.captured, self.before.captured, strict=True)]
        named = [same_cards(expected.get(f"p{seat}", ())) for seat in range(len(gained))]
        return expected if named == list(map(codes, gained)) else list(map(codes, gained))

    def fact_final_captured(self, expected: Any) -> Any:
        piles = keyed(list(map(codes, self.after.captured)), expected)
        if isinstance(expected, Mapping):
            return expected if piles == {name: same_cards(cards) for name, cards in expected.items()} else piles
        return expected if piles == [same_cards(pile) for pile in expected] else piles

    fact_side_piles = fact_final_captured
    fact_captured = fact_final_captured

    def fact_hands_after(self, expected: Mapping[str, Any]) -> Any:
        held = keyed(list(map(codes, self.after.hands)), expected)
        if all(isinstance(cards, int) for cards in expected.values()):
            return {name: len(cards) for name, cards in held.items()}
        return expected if held == {name: same_cards(cards) for name, cards in expected.items()} else held

    fact_hands = fact_hands_after

    def fact_field_after(self, expected: Any) -> Any:
        return [CODES[card] for card in self.after.field_order()]

    fact_field = fact_field_after

    def fact_field_left(self, expected: Any) -> Any:
        return expected if codes(self.after.field) == same_cards(expected) else codes(self.after.field)

    def fact_pile_left(self, expected: Any) -> Any:
        return self.after.pile_left

    def fact_pile_top_first(self, expected: Any) -> Any:
        return [CODES[card] for card in self.after.hidden()]

    def fact_flipped(self, expected: Any) -> Any:
        flips = [card for step in self.steps for card in step.flips]
        return flips if isinstance(expected, list) else ", ".join(flips) or None

    # who decides, what was called and made
    def fact_phase(self, expected: Any) -> Any:
        return self.after.phase

    def fact_next_turn(self, expected: Any) -> Any:
        return name_of(self.after.seat_to_act)

    fact_turn = fact_next_turn

    def fact_dealer(self, expected: Any) -> Any:
        return name_of(self.after.dealer)

    def fact_calls(self, expected: Any) -> Any:
        return keyed(self.after.calls, expected)

    def fact_last_caller(self, expected: Any) -> Any:
        return name_of(self.after.last_caller)

    def fact_yaku_of_seats(self, expected: Any) -> Any:
        return keyed([self.after.yaku(seat) for seat in range(2)], expected)

    def fact_events(self, expected: Any) -> Any:
        return [code for step in self.steps for code in step.events]

    # the end of the deal
    def fact_result(self, expected: Any) -> Any:
        """Of a setup: `redeal`, `play` or `over`."""
        return ("over" if self.after.is_over else "play") if self.stands else "redeal"

    def fact_redeal_by(self, expected: Any) -> Any:
        return None if self.stands else name_of(self.after.dealer)

    def fact_counts_as_round(self, expected: Any) -> Any:
        return self.stands

    def fact_round_over(self, expected: Any) -> Any:
        return self.after.is_over

    def fact_play_continues(self, expected: Any) -> Any:
        return self.stands and not self.after.is_over

    def fact_score(self, expected: Any) -> Any:
        return keyed(self._outcome.score, expected)

    def fact_round_winner(self, expected: Any) -> Any:
        return name_of(self._outcome.winner)

    fact_winner = fact_round_winner

    def fact_victories(self, expected: Any) -> Any:
        return keyed(self._outcome.victories, expected)

    def fact_next_dealer(self, expected: Any) -> Any:
        return name_of(next_dealer(self.after.rules.options, self.after.dealer, self._outcome.winner))

    def fact_yaku(self, expected: Any) -> Any:
        """The yaku that were scored."""
        return {} if self._outcome.winner is None else self._outcome.yaku[self._outcome.winner]

    def fact_base(self, expected: Any) -> Any:
        return self._outcome.base

    def fact_added(self, expected: Any) -> Any:
        return self._outcome.added

    def fact_multiplier(self, expected: Any) -> Any:
        return self._outcome.multiplier

    def fact_after_deal(self, expected: Mapping[str, Any]) -> Any:
        TableFacts(self.before, self.before).check(expected, "after_deal.")
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
