"""Facts that hold after the actions of a Poka vector, one method per `expect` key; a key without a method fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import CODES, codes, set_of
from engine.games.poka import scoring
from engine.games.poka.position import NOBODY
from engine.games.poka.rules import SEATS, options_of
from engine.games.poka.scoring import PokaOutcome
from engine.games.poka.state import PokaState
from engine.games.poka.teyaku import BY_ID, Shown
from engine.places import settle
from tests.engine.vectors.facts import Facts, same_cards
from tests.engine.vectors.given import seat_number
from tests.engine.vectors.poka_acting import Step
from tests.engine.vectors.poka_given import PokaGiven


def keyed(values: Sequence[Any], expected: Any) -> Any:
    """A value per seat in the shape that is expected: a list, or by seat or side letter."""
    if isinstance(expected, Mapping):
        return {name: values["AB".index(name) if name in ("A", "B") else seat_number(name)] for name in expected}
    return list(values)


class MatchFacts(Facts):
    """`score`, `totals`, `finish`, `next_dealer`: totals before, the Deal that ends (if one does), and after it."""

    def __init__(self, given: PokaGiven, outcome: PokaOutcome | None) -> None:
        self.given = given
        self.outcome = outcome
        self.totals = given.totals()
        if outcome is not None:
            self.totals = [held + won for held, won in zip(self.totals, outcome.score, strict=True)]

    def fact_scores(self, expected: Any) -> Any:
        return keyed(self.totals, expected)

    fact_totals = fact_scores

    def fact_points(self, expected: Any) -> Any:
        if isinstance(expected, int):
            return self.outcome.points if self.outcome else 0
        return keyed(self.outcome.score if self.outcome else [0] * SEATS, expected)

    fact_score = fact_points
    fact_teyaku_points = fact_points

    def _top(self) -> list[int]:
        figures = scoring.figures(self.totals, self.outcome)
        lines = settle(self.totals, [0] * SEATS, (0, 1), (), figures=figures)
        return [line.side for line in lines if line.rank == 1]

    def _is_finished(self) -> bool:
        won = self.outcome is not None and self.outcome.ends_match
        return won or scoring.is_match_over(options_of(self.given.ruleset()), self.totals)

    def fact_game_winner(self, expected: Any) -> Any:
        return f"p{self._top()[0]}" if self._is_finished() else None

    def fact_winners(self, expected: Any) -> Any:
        return [f"p{seat}" for seat in self._top()] if self._is_finished() else []

    def fact_leader(self, expected: Any) -> Any:
        names = [f"p{seat}" for seat in self._top()]
        return names if isinstance(expected, list) else ", ".join(names)

    def fact_shared(self, expected: Any) -> Any:
        return len(self._top()) > 1

    def _winner(self) -> int | None:
        """The seat that won the Deal, or the last one of which only the scores are told."""
        if self.outcome is not None:
            return self.outcome.winner
        last = self.given.deals()[-1:]
        return last[0].index(max(last[0])) if last else None

    def fact_round_winner(self, expected: Any) -> Any:
        return None if self._winner() is None else f"p{self._winner()}"

    def fact_winning_side(self, expected: Any) -> Any:
        side = self._winner()
        if isinstance(expected, list):
            return [] if side is None else [f"p{side}"]
        return side if side is None or isinstance(expected, int) else "AB"[side]

    def fact_next_dealer(self, expected: Any) -> Any:
        winner = self._winner()
        return f"p{scoring.next_dealer(self.given.dealer, winner)}"


class TableFacts(MatchFacts):
    """Facts of a position and of how it came about: the world before, the world now, the steps between."""

    def __init__(self, given: PokaGiven, before: PokaState, after: PokaState, steps: Sequence[Step] = ()) -> None:
        super().__init__(given, after.outcome() if after.is_over else None)
        self.before = before
        self.after = after
        self.steps = steps

    @property
    def _refused(self) -> str | None:
        return self.steps[-1].refused if self.steps else None

    # refusals
    def fact_rejected(self, expected: Any) -> Any:
        return self._refused is not None

    def fact_accepted(self, expected: Any) -> Any:
        return self._refused is None

    fact_legal = fact_accepted

    def fact_reason(self, expected: Any) -> Any:
        return self._refused or self.after.reason or None

    def fact_state_unchanged(self, expected: Any) -> Any:
        return self._refused is not None and self.steps[-1].unchanged

    # where the cards are
    def fact_hands_after(self, expected: Mapping[str, Any]) -> Any:
        if isinstance(expected, int):
            sizes = {hand.bit_count() for hand in self.after.hands}
            return sizes.pop() if len(sizes) == 1 else [hand.bit_count() for hand in self.after.hands]
        held = {name: self.after.hands[seat_number(name)] for name in expected}
        if all(isinstance(cards, int) for cards in expected.values()):
            return {name: cards.bit_count() for name, cards in held.items()}
        return expected if held == {name: set_of(cards) for name, cards in expected.items()} else held

    fact_hands = fact_hands_after

    def fact_hand_after(self, expected: Any) -> Any:
        """The hand of anyone who acted; of p0 if nobody did."""
        hand = self.after.hands[self.steps[-1].before.turn if self.steps else 0]
        if isinstance(expected, int):
            return hand.bit_count()
        return expected if codes(hand) == same_cards(expected) else codes(hand)

    fact_hand = fact_hand_after

    def fact_hand_cards_total(self, expected: Any) -> Any:
        return sum(hand.bit_count() for hand in self.after.hands)

    def fact_discard_top(self, expected: Any) -> Any:
        return CODES[self.after.discard[-1]]

    def fact_discard_bottom_to_top(self, expected: Any) -> Any:
        return [CODES[card] for card in self.after.discard]

    def fact_discard(self, expected: Any) -> Any:
        if isinstance(expected, int):
            return len(self.after.discard)
        return self.fact_discard_top(expected) if isinstance(expected, str) else self.fact_discard_bottom_to_top(None)

    def fact_pile_left(self, expected: Any) -> Any:
        return self.after.pile_left

    def fact_dealt(self, expected: Any) -> Any:
        return 48 - self.after.pile_left

    def fact_pile_top_first(self, expected: Any) -> Any:
        return [CODES[card] for card in self.after.hidden()]

    def fact_pile(self, expected: Any) -> Any:
        return self.after.pile_left if isinstance(expected, int) else self.fact_pile_top_first(expected)

    fact_pile_after_deal = fact_pile
    fact_pile_at_start_of_play = fact_pile

    # flips
    def fact_flipped(self, expected: Any) -> Any:
        flips = [card for step in self.steps for card in step.flips]
        return flips if isinstance(expected, list) else ", ".join(flips) or None

    def fact_kept_top(self, expected: Any) -> Any:
        return next((step.kept_top for step in reversed(self.steps) if step.kept_top), None)

    def _reshuffled(self) -> list[str] | None:
        return next((step.reshuffled for step in reversed(self.steps) if step.reshuffled is not None), None)

    def fact_reshuffled(self, expected: Any) -> Any:
        """The cards as a set; `false` or `null` where the pile was not formed again."""
        found = self._reshuffled()
        if isinstance(expected, list):
            return expected if (found or []) == same_cards(expected) else found
        return found is not None if isinstance(expected, bool) else found

    def fact_then(self, expected: Any) -> Any:
        """Prose; where it speaks of a flip, one of the cards shuffled was turned up."""
        flips, reshuffled = [card for step in self.steps for card in step.flips], self._reshuffled()
        if "flip" in expected and reshuffled is not None:
            assert flips, "nothing was turned up"
            assert flips[-1] in reshuffled, f"{flips[-1]} was turned up"
        return expected

    # who decides, and how it ended
    def fact_next_turn(self, expected: Any) -> Any:
        seat = self.after.seat_to_act
        if seat == NOBODY:
            return None
        return "dealer" if expected == "dealer" and seat == self.after.dealer else f"p{seat}"

    fact_turn = fact_next_turn

    def fact_dealer(self, expected: Any) -> Any:
        return f"p{self.after.dealer}"

    def fact_round_over(self, expected: Any) -> Any:
        return self.after.is_over

    fact_counts_as_round = fact_round_over

    def fact_play_continues(self, expected: Any) -> Any:
        return not self.after.is_over

    def fact_result(self, expected: Any) -> Any:
        return self.after.reason or ("void" if any(self.after.shown) else None)

    def fact_events(self, expected: Any) -> Any:
        return []

    def fact_after_deal(self, expected: Mapping[str, Any]) -> Any:
        TableFacts(self.given, self.before, self.before).check(expected, "after_deal.")
        return expected

    def fact_teyaku(self, expected: Any) -> Any:
        """The id of the hand asked for, or of the one that counts; by seat, what each hand has."""
        if isinstance(expected, Mapping | list):
            return keyed([teyaku_id(shown) for shown in self.after.shown], expected)
        return self.after.reason if self.after.reason in BY_ID else None

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


def teyaku_id(shown: Shown | None) -> str | None:
    return shown.kind.id if shown else None
