"""The adapter between the vector format and Nuki Hachi-hachi: one vector, start to end (rules.md 9).

`nuki_given` reads the position, `nuki_acting` plays, `nuki_facts` and `nuki_settling` compare, `nuki_tables` counts.
A key that the adapter does not know fails the vector; only documented prose is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.action import Action
from engine.cards import NUKI_DECK, set_of
from engine.deck import deck_order
from engine.errors import IllegalAction
from engine.games.nuki import table
from engine.games.nuki.compensation import compensation
from engine.games.nuki.dekiyaku import dekiyaku_in
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import Claims, claims_of
from engine.games.nuki.values import KAN
from tests.engine.vectors.acting import Refused
from tests.engine.vectors.facts import Facts
from tests.engine.vectors.files import Vector
from tests.engine.vectors.given import seat_number
from tests.engine.vectors.nuki_acting import Actor, Step
from tests.engine.vectors.nuki_facts import JoinFacts, SetupFacts, TableFacts
from tests.engine.vectors.nuki_given import NukiGiven, names
from tests.engine.vectors.nuki_settling import AchievementFacts, SettleFacts, teyaku_json
from tests.engine.vectors.nuki_tables import CountFacts, DealFacts, FirstDealerFacts, MatchFacts, SeatFacts


def run(vector: Vector) -> None:
    """Do the vector's actions and compare everything it expects. Raises AssertionError naming the first difference."""
    given = NukiGiven(vector)
    action = vector["action"]
    procedure = next((name for name in PROCEDURES if isinstance(action, dict) and name in action), None)
    if procedure is None:
        facts: Facts = played(given, action if isinstance(action, list) else [action])
    else:
        known = set(action) - {procedure}
        assert not known, f"the adapter does not know {sorted(known)} beside {procedure}"
        facts = PROCEDURES[procedure](given)
    expect = {key: value for key, value in vector["expect"].items() if key not in ("decision_after", "unit")}
    facts.check(expect)


def setup_facts(given: NukiGiven) -> Facts:
    """`setup`, `multiplier`: the position looked at before the first decision."""
    state = given.position()
    before = state.copy()
    state.active, state.answers = (), []
    stands = table.set_up(state)
    return SetupFacts(given, before, state, stands=stands)


class TeyakuFacts(Facts):
    """`teyaku`: what one hand, or each of several, is worth."""

    def __init__(self, given: NukiGiven) -> None:
        hands = given.data.get("hands") or {"p0": given.data.get("hand", [])}
        claimed = given.data.get("claimed") or {}
        self.found: dict[str, Claims] = {}
        for name, cards in hands.items():
            months = [int(str(month).split(",")[0]) for month in claimed.get(name, {}).values()]
            self.found[name] = claims_of(set_of(cards), *months[:1])
        self.mult = given.data.get("multiplier", 1)

    def _each(self, expected: Any, read: Callable[[Claims], Any]) -> Any:
        """One value for one hand; by seat if it is expected so."""
        if isinstance(expected, Mapping) and set(expected) & set(self.found):
            return {name: read(self.found[name]) for name in expected}
        assert len(self.found) == 1, "several hands, but one value"
        return read(next(iter(self.found.values())))

    def fact_group_a(self, expected: Any) -> Any:
        return self._each(expected, lambda claims: teyaku_json(claims.a.id if claims.a else None))

    def fact_group_b(self, expected: Any) -> Any:
        return self._each(expected, lambda claims: teyaku_json(claims.b.id if claims.b else None))

    def fact_kan(self, expected: Any) -> Any:
        return self._each(expected, lambda claims: claims.kan)

    def fact_points_paid_by_opponent(self, expected: Any) -> Any:
        return self._each(expected, lambda claims: claims.kan * KAN * self.mult)

    def fact_teyaku(self, expected: Any) -> Any:
        pairs = [[[claim.id, claim.kan] if claim else None for claim in (found.a, found.b)]
                 for found in self.found.values()]  # fmt: skip
        return dict(zip(self.found, pairs, strict=True)) if isinstance(expected, Mapping) else pairs


class DekiyakuFacts(Facts):
    """`dekiyaku`: what a captured pile, or each of several, is worth."""

    def __init__(self, given: NukiGiven) -> None:
        state = given.position()
        self.single = not isinstance(given.data.get("captured"), dict)
        self.made = [{made.id: made.kan for made in dekiyaku_in(pile)} for pile in state.captured]

    def _shape(self, values: list[Any], expected: Any, *, by_seat: bool) -> Any:
        if self.single or not by_seat:
            assert sum(map(bool, values)) <= 1, "several piles, but one value"
            return next((value for value in values if value), values[0])
        return {f"p{seat}": value for seat, value in enumerate(values) if value or f"p{seat}" in expected}

    def fact_dekiyaku(self, expected: Any) -> Any:
        return self._shape(self.made, expected, by_seat=any(name in ("p0", "p1") for name in expected))

    fact_formed = fact_dekiyaku

    def fact_kan(self, expected: Any) -> Any:
        return self._shape([sum(made.values()) for made in self.made], expected, by_seat=isinstance(expected, Mapping))


class CompensationFacts(Facts):
    """`compensation`: what a forced-out player is paid; who pays and the sum come from the settlement."""

    def __init__(self, given: NukiGiven) -> None:
        state = given.position()
        assert state.rules.compensates, "no compensation by these rules"
        self.seat = seat_number(names(given.data["forced_out"])[0])
        hands = given.data.get("hands") or {f"p{self.seat}": given.data["hand"]}
        hand = set_of(hands[f"p{self.seat}"])
        self.parts = compensation(hand)
        state.returned[self.seat] = hand
        state.phase, state.end = "over", "exhausted"
        state.hands = [0] * state.rules.seats
        self.lines = [line for line in state.outcome().lines if line.code == "forced_out"]

    def fact_half_teyaku(self, expected: Any) -> Any:
        return self.parts.half_teyaku

    def fact_half_dekiyaku(self, expected: Any) -> Any:
        return self.parts.half_dekiyaku

    def fact_card_bonus(self, expected: Any) -> Any:
        return self.parts.card_bonus

    def fact_total(self, expected: Any) -> Any:
        return sum(line.points for line in self.lines)

    def fact_paid_by(self, expected: Any) -> Any:
        paid = {f"p{line.payer}": line.points for line in self.lines}
        return ", ".join(paid) if isinstance(expected, str) else paid


def join_facts(given: NukiGiven) -> Facts:
    """`join_drop`: a real Deal, the answers given by its seats."""
    state = _joining(given)
    before = state.copy()
    step = Step(-1, before, state)
    expects_refusal = bool(given.vector["expect"].get("rejected"))
    for name, said in given.data.get("answers", ()):
        assert state.phase == "join", f"nobody is asked any more, but {name} says {said}"
        step.before = state.copy()
        try:
            state.apply(Action.of("join", word=said), seat=seat_number(name))
        except IllegalAction as error:
            step.refused = Refused(error.code, unchanged=True)
            break
    assert expects_refusal or step.refused is None, f"refused: {step.refused}"
    step.after = state
    return JoinFacts(given, before, state, [step])


def _joining(given: NukiGiven) -> NukiState:
    """A Deal before the first answer, with what the vector tells of it."""
    orders = [given.order()] if "deck_top_first" in given.data else [_order(number) for number in range(20)]
    state = next(state for state in map(given.dealt, orders) if state is not None)
    if state.phase == "mizuten":
        state.apply(Action.of("mizuten" if given.data.get("mizuten") else "see"))
    state.multiplier = given.data.get("multiplier", state.multiplier if "deck_top_first" in given.data else 1)
    for name, cards in given.data.get("captured", {}).items():
        state.captured[seat_number(name)] = set_of(cards)
    return state


def _order(number: int) -> tuple[int, ...]:
    return deck_order(bytes([number]) * 32, 1, 0, NUKI_DECK)


def played(given: NukiGiven, entries: list[dict[str, Any]]) -> TableFacts:
    """Turns, one after another, until one is refused; a refusal that nobody expects fails."""
    state = _start(given, entries[0])
    before = state.copy()
    actor = Actor(state, _named_triplets(given))
    steps: list[Step] = []
    expect = given.vector["expect"]
    for number, entry in enumerate(entries, start=1):
        last = number == len(entries)
        own = expect.get(f"step_{number}", {})
        refuse = bool(own.get("rejected") or (last and expect.get("rejected")) or expect.get("legal") is False)
        step = actor.run(entry, must_refuse=refuse)
        steps.append(step)
        if step.refused is not None:
            assert refuse, f"action {number} was refused: {step.refused.code}"
            assert last or own.get("rejected"), f"action {number} was refused before the last"
    return TableFacts(given, before, state.copy(), steps)


def _start(given: NukiGiven, first: dict[str, Any]) -> NukiState:
    """The position, or the Deal that is given whole; ready for the call that comes first."""
    if "deck_top_first" in given.data:
        state = given.dealt(given.order())
        assert state is not None, "this order is dealt again"
        for name, said in given.data.get("answers", ()):
            state.apply(Action.of("join", word=said), seat=seat_number(name))
        if "pile" in given.data:
            state.pile = given.position().pile
        return state
    state = given.position()
    if "turn" not in given.data:
        state.turn = seat_number(first["by"])
    if first.get("call") in ("sage", "shoubu") and "play" not in first:
        state.fresh = bool(dekiyaku_in(state.captured[state.turn]))
        state.phase = "decision" if state.fresh else "hand"
    return state


def _named_triplets(given: NukiGiven) -> dict[int, int]:
    """The months that the vector says were claimed of two triplets."""
    claimed = given.data.get("claimed") or {}
    return {
        seat_number(name): int(str(months["triplet"]).split(",")[0])
        for name, months in claimed.items()
        if "triplet" in months
    }


PROCEDURES: Mapping[str, Callable[[NukiGiven], Facts]] = {
    "count": CountFacts,
    "build_deck": CountFacts,
    "formable": CountFacts,
    "deal": DealFacts,
    "seat": SeatFacts,
    "validate": SeatFacts,
    "first_dealer": FirstDealerFacts,
    "setup": setup_facts,
    "multiplier": setup_facts,
    "teyaku": TeyakuFacts,
    "join_drop": join_facts,
    "compensation": CompensationFacts,
    "dekiyaku": DekiyakuFacts,
    "achievements": AchievementFacts,
    "hands_exhausted": SettleFacts,
    "settle": SettleFacts,
    "score_round": SettleFacts,
    "next_dealer": SettleFacts,
    "totals": MatchFacts,
    "finish": MatchFacts,
}
