"""Procedures that are no turn: counting, dealing, seating, first dealer, setup, scoring, the end of a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from engine.cards import ALL, CARDS, CODES, INDEX, NUKI_DECK, WILLOW, CardSet, codes, members, points, set_of
from engine.errors import DomainError
from engine.games import ruleset
from engine.games.sakura import scoring
from engine.games.sakura.deal import DEAL_CHART, best_drawn, deal_cards, seat_sides
from engine.games.sakura.start import set_up_state
from engine.places import settle
from tests.engine.vectors.facts import Facts, TableFacts, keyed
from tests.engine.vectors.given import Given, per_side, seat_number


class CountFacts(Facts):
    """`count`, `build_deck`: a deck by value."""

    def __init__(self, given: Given) -> None:
        deck = given.data.get("deck", "all 48")
        words = {"all 48": ALL, "nuki": NUKI_DECK}
        self.cards: CardSet = words[deck] if isinstance(deck, str) else set_of(deck)

    def fact_cards(self, expected: Any) -> Any:
        return self.cards.bit_count()

    fact_size = fact_cards

    def fact_deck(self, expected: Any) -> Any:
        return codes(self.cards)

    def fact_total(self, expected: Any) -> Any:
        return points(self.cards)

    def fact_by_value(self, expected: Any) -> Any:
        values = [CARDS[card].sakura for card in members(self.cards)]
        return {str(value): values.count(value) for value in sorted(set(values), reverse=True)}

    def fact_ribbons(self, expected: Any) -> Any:
        return [CODES[card] for card in members(self.cards) if CARDS[card].category == "ribbon"]

    def fact_chaff_incl_willow(self, expected: Any) -> Any:
        cards = [CARDS[card] for card in members(self.cards)]
        return sum(card.category == "chaff" or card.month == WILLOW for card in cards)

    def other(self, key: str) -> Any:
        if key in INDEX:
            return lambda expected: CARDS[INDEX[key]].sakura
        if value := re.fullmatch(r"value_(\d+)", key):
            cards = [CODES[card] for card in members(self.cards) if CARDS[card].sakura == int(value[1])]
            return lambda expected: cards if isinstance(expected, list) else len(cards)
        return None


class YakuFacts(Facts):
    """`yaku_of`: the yaku of single cards."""

    def __init__(self, given: Given) -> None:
        self.asked = given.vector["action"]["yaku_of"]

    def other(self, key: str) -> Any:
        return (lambda expected: list(CARDS[INDEX[key]].yaku)) if key in self.asked else None


class DealFacts(Facts):
    """`deal`: cards where they were dealt, or their number, for one number of players or a list of them."""

    def __init__(self, given: Given) -> None:
        self.given = given
        players = given.data.get("players", given.players)
        self.players: list[int] = players if isinstance(players, list) else [players]
        self.single = not isinstance(players, list)

    def _dealt(self) -> Any:
        pattern = self.given.options().deal_pattern
        return deal_cards(self.given.order(), self.players[0], self.given.dealer, pattern)

    def _each(self, count: Callable[[int], int]) -> Any:
        values = [count(players) for players in self.players]
        return values[0] if self.single else values

    def fact_hands(self, expected: Any) -> Any:
        if not isinstance(expected, Mapping):
            return self._each(lambda players: DEAL_CHART[players].hand)
        hands = self._dealt().hands
        actual = {name: codes(sum(1 << card for card in hands[seat_number(name)])) for name in expected}
        return expected if actual == {name: codes(set_of(cards)) for name, cards in expected.items()} else actual

    fact_hand = fact_hands

    def fact_field(self, expected: Any) -> Any:
        if isinstance(expected, list) and expected and isinstance(expected[0], str):
            return [CODES[card] for card in self._dealt().field]
        return self._each(lambda players: DEAL_CHART[players].field)

    def fact_pile(self, expected: Any) -> Any:
        if isinstance(expected, list) and expected and isinstance(expected[0], str):
            return self.fact_pile_top_first(expected)
        return self._each(lambda players: DEAL_CHART[players].pile(players))

    fact_pile_left = fact_pile
    fact_pile_after_deal = fact_pile

    def fact_pile_top_first(self, expected: Any) -> Any:
        return [CODES[card] for card in self._dealt().pile]

    def fact_hand_cards_total(self, expected: Any) -> Any:
        return self._each(lambda players: players * DEAL_CHART[players].hand)

    def fact_extra_draw_only_turns_each(self, expected: Any) -> Any:
        return self._each(lambda players: DEAL_CHART[players].pile(players) // players - DEAL_CHART[players].hand)

    def fact_turns_each(self, expected: Any) -> Any:
        return self._each(lambda players: DEAL_CHART[players].pile(players) // players)


class SeatFacts(Facts):
    """`seat`, `validate`: the sides of every case, and whether it is allowed at all."""

    def __init__(self, given: Given) -> None:
        cases = given.data.get("cases")
        self.single = cases is None and not isinstance(given.data.get("players"), list)
        if cases is None:
            players = given.data["players"]
            cases = players if isinstance(players, list) else [players]
        teams = (given.vector.get("options") or {}).get("teams", "solo")
        self.found = [self._try(given, case, teams) for case in cases]

    @staticmethod
    def _try(given: Given, case: Any, teams: str) -> tuple[int, ...] | DomainError:
        if isinstance(case, Mapping):
            players, teams = case["players"], case.get("teams", teams)
        elif isinstance(case, list):
            players, teams = case
        else:
            players = case
        try:
            options = {**(given.vector.get("options") or {}), "teams": teams}
            sides = ruleset(given.vector["preset"], **options).sides(players)
        except DomainError as error:
            return error
        assert sides == seat_sides(teams, players)
        return sides

    def fact_valid(self, expected: Any) -> Any:
        valid = [not isinstance(found, DomainError) for found in self.found]
        return valid[0] if self.single else valid

    fact_accepted = fact_valid
    fact_legal = fact_valid

    def fact_rejected(self, expected: Any) -> Any:
        return any(isinstance(found, DomainError) for found in self.found)

    def fact_reason(self, expected: Any) -> Any:
        return next((found.code for found in self.found if isinstance(found, DomainError)), None)

    def fact_sides(self, expected: Any) -> Any:
        shapes = [expected] if self.single else expected
        sides = [self._shape(found, shape) for found, shape in zip(self.found, shapes, strict=True)]
        return sides[0] if self.single else sides

    @staticmethod
    def _shape(found: tuple[int, ...] | DomainError, expected: Any) -> Any:
        """Sides per seat as letters or numbers, or per side its seats."""
        if isinstance(found, DomainError):
            return None
        if expected and isinstance(expected[0], list):
            return [[f"p{seat}" for seat, held in enumerate(found) if held == side] for side in sorted(set(found))]
        return ["ABCDEFG"[side] for side in found] if expected and isinstance(expected[0], str) else list(found)


class FirstDealerFacts(Facts):
    """`first_dealer`: the drawings, one after another."""

    def __init__(self, given: Given) -> None:
        rule = given.options().first_dealer_tie
        left = best_drawn(rule, self._cards(given.data["draws"]))
        self.again: list[list[str]] = []
        for drawing in given.data.get("redraws", ()):
            assert len(left) > 1, "nobody has to draw again"
            cards = self._cards(drawing)
            assert sorted(cards) == left, f"{left} draw again, not {sorted(cards)}"
            self.again.append([f"p{seat}" for seat in left])
            left = best_drawn(rule, cards)
        self.left = left

    @staticmethod
    def _cards(drawing: Mapping[str, str]) -> dict[int, int]:
        return {seat_number(name): INDEX[code] for name, code in sorted(drawing.items())}

    def fact_dealer(self, expected: Any) -> Any:
        return f"p{self.left[0]}" if len(self.left) == 1 else None

    def fact_drawn_again(self, expected: Any) -> Any:
        """Return who drew again; if nobody has yet, who must."""
        if not self.again and len(self.left) > 1:
            return [f"p{seat}" for seat in self.left]
        if expected and isinstance(expected[0], list):
            return self.again
        return sorted({name for names in self.again for name in names})


def setup_facts(given: Given) -> TableFacts:
    """`setup`: the position looked at before the first turn."""
    state = given.position()
    before = state.copy()
    stands = set_up_state(state)
    facts = TableFacts(before, state, [])
    facts.thrown_in = not stands
    return facts


def closing_facts(given: Given) -> TableFacts:
    """`end_of_round`: claim, dead cards, score."""
    state = given.position()
    before = state.copy()
    scoring.close(state)
    return TableFacts(before, state, [])


def score_facts(given: Given) -> TableFacts:
    """`score_round`: the piles as they are, the claim already made."""
    state = given.position()
    before = state.copy()
    state.phase, state.end = "over", "played"
    return TableFacts(before, state, [])


class AwardFacts(Facts):
    """`award`, `next_dealer`: a Deal of which only the scores are told."""

    def __init__(self, given: Given) -> None:
        self.given, self.rules = given, given.rules()
        data = given.data
        scores = data.get("round_scores", data.get("scores", data.get("totals")))
        self.score = per_side(self.rules, scores) if scores is not None else None
        self.yaku = sum(map(len, per_side(self.rules, data["yaku"]))) if "yaku" in data else 1

    @property
    def _seat(self) -> int | None:
        if self.score is None:
            return None
        return scoring.winner_seat(self.score, self.rules.sides, self.given.dealer)

    def fact_round_winner(self, expected: Any) -> Any:
        return None if self._seat is None else f"p{self._seat}"

    def fact_margin(self, expected: Any) -> Any:
        assert self.score is not None
        assert self._seat is not None
        return scoring.margin_of(self.score, self.rules.sides[self._seat])

    def fact_victories_awarded(self, expected: Any) -> Any:
        victories = scoring.victories_for(self.rules.options, self.fact_margin(None))
        if isinstance(expected, int):
            return victories
        assert self._seat is not None
        per = [victories if side == self.rules.sides[self._seat] else 0 for side in range(self.rules.side_count)]
        return keyed(self.rules, per, expected)

    def fact_label(self, expected: Any) -> Any:
        return scoring.victory_label(self.rules.options, self.fact_margin(None), self.yaku)

    def fact_next_dealer(self, expected: Any) -> Any:
        return f"p{scoring.next_dealer(self.rules.options, self.rules.seats, self.given.dealer, self._seat)}"

    def fact_winning_side(self, expected: Any) -> Any:
        assert self._seat is not None
        side = self.rules.sides[self._seat]
        if isinstance(expected, list):
            return [f"p{seat}" for seat, held in enumerate(self.rules.sides) if held == side]
        return side if isinstance(expected, int) else "ABCDEFG"[side]

    def fact_score(self, expected: Any) -> Any:
        assert self.score is not None
        return keyed(self.rules, self.score, expected)


class MatchFacts(Facts):
    """`totals`, `finish`: the Deals of a match added up, and who won it."""

    def __init__(self, given: Given) -> None:
        self.given, self.rules = given, given.rules()
        data = given.data
        deals = [per_side(self.rules, deal) for deal in self._deals(data.get("round_scores") or [])]
        none = [0] * self.rules.side_count
        self.points = [sum(column) for column in zip(*deals, strict=True)] or none
        self.won = self._victories(deals) if deals else none
        if "totals" in data or "scores" in data:
            self.points = per_side(self.rules, data.get("totals", data.get("scores")))
        if "victories" in data:
            self.won = per_side(self.rules, data["victories"])

    @staticmethod
    def _deals(scores: Any) -> list[Any]:
        return scores if isinstance(scores, list) and scores and isinstance(scores[0], list | dict) else [scores]

    def _victories(self, deals: list[list[int]]) -> list[int]:
        won, dealer, options = [0] * self.rules.side_count, self.given.dealer, self.rules.options
        for score in deals:
            if not score:
                continue
            seat = scoring.winner_seat(score, self.rules.sides, dealer)
            side = self.rules.sides[seat]
            won[side] += scoring.victories_for(options, scoring.margin_of(score, side))
            dealer = scoring.next_dealer(options, self.rules.seats, dealer, seat)
        return won

    def _top(self) -> list[int]:
        by_victories = self.rules.options.scoring == "victories"
        figures = self.won if by_victories else self.points
        lines = settle(self.points, self.won, self.rules.sides, (), figures=figures)
        return [line.side for line in lines if line.rank == 1]

    def fact_totals(self, expected: Any) -> Any:
        return keyed(self.rules, self.points, expected)

    fact_scores = fact_totals

    def fact_victories(self, expected: Any) -> Any:
        return keyed(self.rules, self.won, expected)

    def fact_winners(self, expected: Any) -> Any:
        """By seat, or by letter where the sides are named so."""
        top = self._top()
        if expected and str(expected[0])[0] != "p":
            return ["ABCDEFG"[side] for side in top]
        return [f"p{seat}" for seat, side in enumerate(self.rules.sides) if side in top]

    def fact_leader(self, expected: Any) -> Any:
        names = self.fact_winners([expected] if isinstance(expected, str) else expected)
        return names if isinstance(expected, list) else ", ".join(names[: 1 if len(self._top()) == 1 else None])

    def fact_game_winner(self, expected: Any) -> Any:
        return self.fact_leader(expected)

    def fact_shared(self, expected: Any) -> Any:
        return len(self._top()) > 1


PROCEDURES: Mapping[str, Callable[[Given], Facts]] = {
    "count": CountFacts,
    "build_deck": CountFacts,
    "yaku_of": YakuFacts,
    "deal": DealFacts,
    "seat": SeatFacts,
    "validate": SeatFacts,
    "first_dealer": FirstDealerFacts,
    "setup": setup_facts,
    "end_of_round": closing_facts,
    "score_round": score_facts,
    "award": AwardFacts,
    "next_dealer": AwardFacts,
    "totals": MatchFacts,
    "finish": MatchFacts,
}
