"""Procedures before a Deal of Nuki: counting the deck, dealing, seating, the first dealer, the end of a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from engine.cards import ALL, CODES, INDEX, NUKI_DECK, CardSet, codes, members, set_of
from engine.errors import DomainError
from engine.games import ruleset
from engine.games.nuki.deal import FIELD, HAND, PILE_AT_PLAY, deal_cards
from engine.games.nuki.dekiyaku import DEKIYAKU, UNFORMABLE
from engine.games.nuki.values import ESCAPE_POINTS, RIBBONS, card_points, chaff_count
from engine.games.sakura.deal import best_drawn
from engine.places import settle
from tests.engine.vectors.facts import Facts
from tests.engine.vectors.given import seat_number
from tests.engine.vectors.nuki_given import NukiGiven


def pile_after_deal(seats: int) -> int:
    """Cards in the pile before inactive hands come back: 14, 7 or 0."""
    return NUKI_DECK.bit_count() - seats * HAND - FIELD


class CountFacts(Facts):
    """`count`, `build_deck`, `formable`: a deck by value, and what can be made of it."""

    def __init__(self, given: NukiGiven) -> None:
        deck = given.data.get("deck", "nuki")
        self.cards: CardSet = {"all 48": ALL, "nuki": NUKI_DECK}[deck] if isinstance(deck, str) else set_of(deck)
        self.asked = given.vector["action"].get("formable")

    def fact_cards(self, expected: Any) -> Any:
        return self.cards.bit_count()

    fact_size = fact_cards

    def fact_deck(self, expected: Any) -> Any:
        return codes(self.cards)

    def fact_total(self, expected: Any) -> Any:
        return card_points(self.cards)

    def fact_by_value(self, expected: Any) -> Any:
        values = [card_points(1 << card) for card in members(self.cards)]
        return {str(value): values.count(value) for value in sorted(set(values), reverse=True)}

    def fact_ribbons(self, expected: Any) -> Any:
        return codes(self.cards & RIBBONS)

    def fact_chaff_incl_willow(self, expected: Any) -> Any:
        return chaff_count(self.cards)

    def fact_escape_threshold(self, expected: Any) -> Any:
        assert card_points(NUKI_DECK) // 2 + 1 == ESCAPE_POINTS
        return ESCAPE_POINTS

    def fact_formable(self, expected: Any) -> Any:
        needed = {made.id: made.cards for made in DEKIYAKU} | dict(UNFORMABLE)
        return not needed[self.asked] & ~self.cards

    def other(self, key: str) -> Any:
        if key in INDEX:
            return lambda expected: card_points(1 << INDEX[key])
        if value := re.fullmatch(r"value_(\d+)", key):
            cards = [CODES[card] for card in members(self.cards) if card_points(1 << card) == int(value[1])]
            return lambda expected: cards if isinstance(expected, list) else len(cards)
        return None


class DealFacts(Facts):
    """`deal`: cards where they were dealt, or their number, for one number of players or a list of them."""

    def __init__(self, given: NukiGiven) -> None:
        self.given = given
        players = given.data.get("players", given.players)
        self.players: list[int] = players if isinstance(players, list) else [players]
        self.single = not isinstance(players, list)
        self.cards = deal_cards(given.order(), self.players[0], given.dealer)

    def _each(self, count: Callable[[int], int]) -> Any:
        for players in self.players:
            dealt = deal_cards(tuple(members(NUKI_DECK)), players, 0)
            assert len(dealt.pile) == pile_after_deal(players)
        values = [count(players) for players in self.players]
        return values[0] if self.single else values

    def fact_hands(self, expected: Any) -> Any:
        if not isinstance(expected, Mapping):
            return self._each(lambda players: HAND)
        actual = {name: codes(set_of(CODES[card] for card in self.cards.hands[seat_number(name)])) for name in expected}
        return expected if actual == {name: codes(set_of(cards)) for name, cards in expected.items()} else actual

    fact_hand = fact_hands

    def fact_field(self, expected: Any) -> Any:
        if isinstance(expected, list) and expected and isinstance(expected[0], str):
            return [CODES[card] for card in self.cards.field]
        return self._each(lambda players: FIELD)

    def fact_pile(self, expected: Any) -> Any:
        if isinstance(expected, list) and expected and isinstance(expected[0], str):
            return self.fact_pile_top_first(expected)
        return self._each(pile_after_deal)

    fact_pile_left = fact_pile
    fact_pile_after_deal = fact_pile

    def fact_pile_top_first(self, expected: Any) -> Any:
        return [CODES[card] for card in self.cards.pile]

    def fact_dealt(self, expected: Any) -> Any:
        return self._each(lambda players: players * HAND)

    fact_hand_cards_total = fact_dealt

    def fact_cards_returned_by_inactive(self, expected: Any) -> Any:
        return self._each(lambda players: (players - 2) * HAND)

    fact_returned = fact_cards_returned_by_inactive

    def fact_pile_at_start_of_play(self, expected: Any) -> Any:
        return self._each(lambda players: pile_after_deal(players) + (players - 2) * HAND)

    def fact_turns_each(self, expected: Any) -> Any:
        """That many for each of the two active players, no matter what the number at the table."""
        assert PILE_AT_PLAY == 2 * HAND
        turns = PILE_AT_PLAY // 2
        return [turns] * len(self.players) if isinstance(expected, list) else turns

    def fact_extra_draw_only_turns_each(self, expected: Any) -> Any:
        return self._each(lambda players: PILE_AT_PLAY // 2 - HAND)


class SeatFacts(Facts):
    """`seat`, `validate`: the sides of every case, and whether it is allowed at all."""

    def __init__(self, given: NukiGiven) -> None:
        cases = given.data.get("cases")
        self.single = cases is None and not isinstance(given.data.get("players"), list)
        if cases is None:
            players = given.data["players"]
            cases = players if isinstance(players, list) else [players]
        self.found = [self._try(given, case) for case in cases]

    @staticmethod
    def _try(given: NukiGiven, case: Any) -> tuple[int, ...] | DomainError:
        if isinstance(case, Mapping):
            case = [case["players"], case.get("teams", "solo")]
        players, teams = case if isinstance(case, list) else (case, "solo")
        options = dict(given.vector.get("options") or {})
        if teams != "solo":
            options["teams"] = teams
        try:
            return ruleset(given.vector["preset"], **options).sides(players)
        except DomainError as error:
            return error

    def fact_valid(self, expected: Any) -> Any:
        valid = [not isinstance(found, DomainError) for found in self.found]
        return valid[0] if self.single else valid

    fact_accepted = fact_valid

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
        if isinstance(found, DomainError):
            return None
        if expected and isinstance(expected[0], list):
            return [[f"p{seat}"] for seat in found]
        return ["ABCD"[side] for side in found] if expected and isinstance(expected[0], str) else list(found)


class FirstDealerFacts(Facts):
    """`first_dealer`: the drawings, one after another."""

    def __init__(self, given: NukiGiven) -> None:
        rule = given.rules.options.first_dealer_tie
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


class MatchFacts(Facts):
    """`totals`, `finish`: the Deals of a match added up, and who won it."""

    def __init__(self, given: NukiGiven) -> None:
        data, self.seats = given.data, given.players
        deals = data.get("round_scores") or []
        deals = deals if deals and isinstance(deals[0] if isinstance(deals, list) else 0, list | dict) else [deals]
        rows = [self._row(deal) for deal in deals if deal]
        self.seats = max(self.seats, *(len(row) for row in rows), 0) if rows else self.seats
        self.points = [sum(column) for column in zip(*rows, strict=True)] or [0] * self.seats
        told = data.get("totals", data.get("scores"))
        if told is not None:
            self.points = self._row(told)

    @staticmethod
    def _row(values: Any) -> list[int]:
        if isinstance(values, Mapping):
            return [values[name] for name in sorted(values)]
        return list(values)

    def _top(self) -> list[int]:
        seats = range(len(self.points))
        lines = settle(self.points, [0] * len(self.points), list(seats), (), figures=self.points)
        return [line.side for line in lines if line.rank == 1]

    def fact_totals(self, expected: Any) -> Any:
        named = {f"p{seat}": points for seat, points in enumerate(self.points)}
        return named if isinstance(expected, Mapping) else self.points

    fact_scores = fact_totals

    def fact_winners(self, expected: Any) -> Any:
        return [f"p{seat}" for seat in self._top()]

    def fact_leader(self, expected: Any) -> Any:
        top = self.fact_winners(expected)
        return top if isinstance(expected, list) else ", ".join(top)

    fact_game_winner = fact_leader

    def fact_shared(self, expected: Any) -> Any:
        return len(self._top()) > 1
