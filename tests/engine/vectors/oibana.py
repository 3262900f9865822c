"""Vectors of Oi-bana (rules.md 9): the deal, the auction, the settlement, the match; the table's turns are Sakura's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from engine.cards import codes, set_of
from engine.errors import DomainError, IllegalAction
from engine.games import ruleset
from engine.games.oibana import OIBANA, scoring
from engine.games.oibana.scoring import OibanaOutcome
from engine.games.sakura.outcome import SakuraOutcome
from engine.games.sakura.scoring import margin_of, victories_for, victory_label, winner_seat
from engine.places import settle as places
from tests.engine.vectors.facts import Facts
from tests.engine.vectors.files import Vector
from tests.engine.vectors.given import seat_number
from tests.engine.vectors.oibana_given import GivenOibana, at_table, bid_of, everything, of_hawaii
from tests.engine.vectors.running import run_sakura

OF_SAKURA: Final = frozenset({"count", "build_deck", "yaku_of", "first_dealer"})


class OibanaFacts(Facts):
    """Facts that every part of Oi-bana may be asked for."""

    def __init__(self, given: GivenOibana) -> None:
        self.given = given
        self.single = not isinstance(given.data.get("players"), list)

    def _each(self, values: list[Any]) -> Any:
        """One value per number of players; a plain one if there is one number, or if all agree."""
        return values[0] if self.single else values

    def _like(self, values: list[Any], expected: Any) -> Any:
        """The same, or one value where one is expected for all."""
        if isinstance(expected, list) or len(set(values)) > 1:
            return self._each(values)
        return values[0]


class DealFacts(OibanaFacts):
    """`deal`: the way of the cards, for every number of players, played by a real auction."""

    def __init__(self, given: GivenOibana) -> None:
        super().__init__(given)
        self.dealt = [given.state(seats) for seats in given.players]
        self.opened = [state.copy() for state in self.dealt]
        for state in self.opened:
            while state.table is None:
                state.apply(Random(1).choice(state.legal_actions()))

    def fact_dealt(self, expected: Any) -> Any:
        return self._like([sum(hand.bit_count() for hand in state.hands) for state in self.dealt], expected)

    def fact_undealt_before_auction(self, expected: Any) -> Any:
        return self._like([state.undealt.bit_count() for state in self.dealt], expected)

    def fact_returned(self, expected: Any) -> Any:
        return self._like([sum(hand.bit_count() for hand in state.returned) for state in self.opened], expected)

    fact_cards_returned_by_inactive = fact_returned

    def fact_field(self, expected: Any) -> Any:
        """Cards laid: what the leader took of a full month lay there as well."""
        fields = [state.table for state in self.opened if state.table is not None]
        laid = [table.field.bit_count() + sum(pile.bit_count() for pile in table.captured) for table in fields]
        return self._like(laid, expected)

    def fact_pile(self, expected: Any) -> Any:
        return self._like([state.pile_left for state in self.opened], expected)

    fact_pile_at_start_of_play = fact_pile
    fact_pile_left = fact_pile

    def fact_pile_after_deal(self, expected: Any) -> Any:
        return self.fact_undealt_before_auction(expected)

    def fact_hand_cards_total(self, expected: Any) -> Any:
        return self.fact_dealt(expected)

    def fact_hand(self, expected: Any) -> Any:
        return self._like([state.hands[0].bit_count() for state in self.dealt], expected)

    def fact_extra_draw_only_turns_each(self, expected: Any) -> Any:
        return self._like([state.pile_left // 2 - 8 for state in self.opened], expected)

    def fact_turns_each(self, expected: Any) -> Any:
        return self._like([state.pile_left // 2 for state in self.opened], expected)

    def fact_hands(self, expected: Any) -> Any:
        if not isinstance(expected, Mapping):
            return self.fact_hand(expected)
        held = {name: codes(self.dealt[0].hands[seat_number(name)]) for name in expected}
        return expected if held == {name: codes(set_of(cards)) for name, cards in expected.items()} else held


class SeatFacts(OibanaFacts):
    """`seat`, `validate`: whether a number of players, and teams, can sit down."""

    def __init__(self, given: GivenOibana) -> None:
        super().__init__(given)
        cases = given.data.get("cases")
        self.single = self.single and cases is None
        self.found = [self._try(case) for case in (given.players if cases is None else cases)]

    def _try(self, case: Any) -> tuple[int, ...] | DomainError:
        options = dict(self.given.vector.get("options") or {})
        players = case
        if isinstance(case, Mapping):
            players = case["players"]
            options["teams"] = case.get("teams", "solo")
        elif isinstance(case, list):
            players, options["teams"] = case
        try:
            return ruleset(self.given.vector["preset"], **options).sides(players)
        except DomainError as error:
            return error

    def fact_valid(self, expected: Any) -> Any:
        return self._each([not isinstance(found, DomainError) for found in self.found])

    fact_accepted = fact_valid
    fact_legal = fact_valid

    def fact_rejected(self, expected: Any) -> Any:
        return any(isinstance(found, DomainError) for found in self.found)

    def fact_reason(self, expected: Any) -> Any:
        return next((found.code for found in self.found if isinstance(found, DomainError)), None)

    def fact_sides(self, expected: Any) -> Any:
        return self._each([None if isinstance(found, DomainError) else list(found) for found in self.found])


class AuctionFacts(OibanaFacts):
    """`auction`: the bids one after another, until one is refused."""

    def __init__(self, given: GivenOibana) -> None:
        super().__init__(given)
        self.state = given.state(given.players[0])
        self.refused: str | None = None
        self.unchanged = False
        for name, amount in given.data["bids_in_order"]:
            assert self.refused is None, f"a bid before {name} was refused: {self.refused}"
            before = everything(self.state)
            try:
                self.state.apply(bid_of(amount), seat=seat_number(name))
            except IllegalAction as error:
                self.refused, self.unchanged = error.code, everything(self.state) == before
        expects_refusal = bool(given.vector["expect"].get("rejected"))
        assert expects_refusal or self.refused is None, f"refused: {self.refused}"

    def fact_rejected(self, expected: Any) -> Any:
        return self.refused is not None

    def fact_accepted(self, expected: Any) -> Any:
        return self.refused is None

    fact_legal = fact_accepted

    def fact_reason(self, expected: Any) -> Any:
        return self.refused

    def fact_state_unchanged(self, expected: Any) -> Any:
        return self.unchanged

    def fact_participants(self, expected: Any) -> Any:
        return [f"p{seat}" for seat in self.state.players]

    def fact_first_to_play(self, expected: Any) -> Any:
        return f"p{self.state.players[0]}" if self.state.players else None

    def fact_next_turn(self, expected: Any) -> Any:
        seat = self.state.seat_to_act
        return "dealer" if expected == "dealer" and seat == self.state.dealer else f"p{seat}"

    fact_turn = fact_next_turn

    def fact_dealer(self, expected: Any) -> Any:
        return f"p{self.state.dealer}"

    def fact_returned(self, expected: Any) -> Any:
        if isinstance(expected, int):
            return sum(hand.bit_count() for hand in self.state.returned)
        gone = {name: codes(self.state.returned[seat_number(name)]) for name in expected}
        return expected if gone == {name: codes(set_of(cards)) for name, cards in expected.items()} else gone

    fact_cards_returned_by_inactive = fact_returned

    def fact_pile(self, expected: Any) -> Any:
        return self.state.pile_left

    fact_pile_left = fact_pile
    fact_pile_at_start_of_play = fact_pile

    def fact_field(self, expected: Any) -> Any:
        """Cards laid after the auction, full months that the leader took among them; none before it ends."""
        table = self.state.table
        return 0 if table is None else table.field.bit_count() + sum(pile.bit_count() for pile in table.captured)

    def fact_play_continues(self, expected: Any) -> Any:
        return self.state.seat_to_act >= 0

    def fact_hands_after(self, expected: Any) -> Any:
        held = {name: codes(self.state.hand(seat_number(name))) for name in expected}
        return expected if held == {name: codes(set_of(cards)) for name, cards in expected.items()} else held

    fact_hands = fact_hands_after


def settled(given: GivenOibana) -> OibanaOutcome:
    """The settlement of a deal of which the bids and the scores of the two are told."""
    options, seats = given.options, given.players[0]
    bids = given.bids_of_players()
    order = [(given.dealer + step) % seats for step in range(seats)]
    first, second = sorted(bids, key=order.index)
    score = given.scores_of(first, second)
    side = winner_seat(score, (0, 1), 0)
    margin = margin_of(score, side)
    victories = (victories_for(options, margin) * (side == 0), victories_for(options, margin) * (side == 1))
    made = given.data.get("yaku")
    yaku_made = sum(map(len, made.values() if isinstance(made, dict) else made)) if made is not None else 1
    table = SakuraOutcome(
        reason="played", score=score, winner=side, winning_side=side, victories=victories, points=score,
        yaku=((), ()), margin=margin, label=victory_label(options, margin, yaku_made), claimed=0, claimed_side=None,
        dead=0,
    )  # fmt: skip
    return scoring.settle(options, seats, (first, second), (bids[first], bids[second]), table)


class SettleFacts(OibanaFacts):
    """`settle`, and with it `award`, `score_round`, `next_dealer`: who pays, who deals next."""

    def __init__(self, given: GivenOibana) -> None:
        super().__init__(given)
        self.outcome = settled(given)

    def fact_ledger_change(self, expected: Any) -> Any:
        change = self.outcome.score
        if isinstance(expected, list):
            return list(change)
        found: dict[str, Any] = {name: change[seat_number(name)] for name in expected if name != "others"}
        if "others" in expected:
            others = {value for seat, value in enumerate(change) if f"p{seat}" not in expected}
            found["others"] = others.pop() if len(others) == 1 else sorted(others)
        return found

    fact_payment = fact_ledger_change
    fact_scores = fact_ledger_change

    def fact_totals(self, expected: Any) -> Any:
        """The ledger after this deal."""
        before = self.given.data.get("totals") or [0] * len(self.outcome.score)
        told = before if isinstance(before, list) else [before.get(f"p{n}", 0) for n in range(len(self.outcome.score))]
        after = [old + change for old, change in zip(told, self.outcome.score, strict=True)]
        return after if isinstance(expected, list) else {name: after[seat_number(name)] for name in expected}

    def fact_round_winner(self, expected: Any) -> Any:
        return f"p{self.outcome.winner}"

    fact_winning_side = fact_round_winner

    def fact_next_dealer(self, expected: Any) -> Any:
        seat = OIBANA.next_dealer(self.given.options, self.given.players[0], self.given.dealer, self.outcome.winner)
        return f"p{seat}"

    def fact_margin(self, expected: Any) -> Any:
        return self.outcome.table.margin

    def fact_multiplier(self, expected: Any) -> Any:
        return self.outcome.multiplier

    fact_victories_awarded = fact_multiplier

    def fact_label(self, expected: Any) -> Any:
        return self.outcome.table.label


class MatchFacts(OibanaFacts):
    """`totals`, `finish`: the ledger after several deals, who won."""

    def __init__(self, given: GivenOibana) -> None:
        super().__init__(given)
        data = given.data
        told = data.get("totals", data.get("scores"))
        deals = data.get("round_scores") or ([told] if told is not None else [])
        self.ledger = [sum(column) for column in zip(*(self._row(deal) for deal in deals), strict=True)]

    def _row(self, deal: Any) -> list[int]:
        if isinstance(deal, list):
            return deal
        return [deal.get(f"p{seat}", 0) for seat in range(self.given.players[0])]

    def _top(self) -> list[str]:
        lines = places(self.ledger, [0] * len(self.ledger), range(len(self.ledger)), (), figures=self.ledger)
        return [f"p{line.side}" for line in lines if line.rank == 1]

    def fact_totals(self, expected: Any) -> Any:
        if isinstance(expected, list):
            return list(self.ledger)
        return {name: self.ledger[seat_number(name)] for name in expected}

    fact_scores = fact_totals
    fact_ledger_change = fact_totals

    def fact_winners(self, expected: Any) -> Any:
        return self._top()

    def fact_leader(self, expected: Any) -> Any:
        return self._top() if isinstance(expected, list) else ", ".join(self._top())

    fact_game_winner = fact_leader

    def fact_shared(self, expected: Any) -> Any:
        return len(self._top()) > 1


PROCEDURES: Final[Mapping[str, Callable[[GivenOibana], Facts]]] = {
    "deal": DealFacts,
    "seat": SeatFacts,
    "validate": SeatFacts,
    "auction": AuctionFacts,
    "settle": SettleFacts,
    "award": SettleFacts,
    "score_round": SettleFacts,
    "next_dealer": SettleFacts,
    "totals": MatchFacts,
    "finish": MatchFacts,
}


def run(vector: Vector) -> None:
    """Do what the vector says and compare everything it expects; turns at the table are Sakura's for two."""
    action = vector["action"]
    procedure = next((name for name in PROCEDURES if isinstance(action, dict) and name in action), None)
    if procedure is None or "captured" in (vector.get("given") or {}):
        is_about_nobody = isinstance(action, dict) and not OF_SAKURA.isdisjoint(action)
        run_sakura(of_hawaii(vector) if is_about_nobody else of_hawaii(at_table(vector)))
        return
    known = set(action) - {procedure}
    assert not known, f"the adapter does not know {sorted(known)} beside {procedure}"
    PROCEDURES[procedure](GivenOibana(vector)).check(vector["expect"])
