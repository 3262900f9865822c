"""The adapter of the Koi-Koi vectors.

`koikoi_given.py` reads the position, `koikoi_acting.py` plays, `koikoi_facts.py` compares; here is what is no turn, and
one vector from start to end. A key that none of them knows fails the vector.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.cards import card_set, set_of
from engine.errors import DomainError
from engine.games.koikoi import scoring
from engine.games.koikoi.deal import deal_cards, set_up_state
from engine.games.koikoi.rules import SEATS, seat_sides
from engine.games.koikoi.state import KoiKoiState
from engine.games.koikoi.yaku import month_of, yaku_in
from engine.places import settle
from tests.engine.vectors.facts import Facts
from tests.engine.vectors.files import Vector
from tests.engine.vectors.given import Given, seat_number
from tests.engine.vectors.koikoi_acting import Actor, Step
from tests.engine.vectors.koikoi_facts import TableFacts, keyed
from tests.engine.vectors.koikoi_given import KoiKoiGiven
from tests.engine.vectors.procedures import FirstDealerFacts


class YakuFacts(Facts):
    """`yaku_of`: the yaku in some cards."""

    def __init__(self, given: KoiKoiGiven) -> None:
        data = given.data
        self.made = yaku_in(
            given.options,
            set_of(given.vector["action"]["yaku_of"]),
            called=bool(data.get("own_calls", 0)),
            field=set_of(data.get("field", ())),
            month=month_of(data["deal_number"]) if "deal_number" in data else 0,
        )

    def fact_yaku(self, expected: Any) -> Any:
        return self.made

    def fact_base(self, expected: Any) -> Any:
        return sum(self.made.values())


class OptionFacts(Facts):
    """`resolve`: the ruleset itself, with every option of it."""

    def __init__(self, given: KoiKoiGiven) -> None:
        self.ruleset = given.ruleset()

    def fact_options(self, expected: Mapping[str, Any]) -> Any:
        return {name: getattr(self.ruleset.options, name) for name in self.ruleset.resolved()}


class RefusedOptions(Facts):
    """`resolve` with a value that no option has."""

    def __init__(self, code: str) -> None:
        self.code = code

    def fact_rejected(self, expected: Any) -> Any:
        return True

    def fact_reason(self, expected: Any) -> Any:
        return self.code


class SeatFacts(Facts):
    """`seat`, `validate`: two players, each for himself."""

    def __init__(self, given: KoiKoiGiven) -> None:
        cases = given.data.get("cases", given.data.get("players", SEATS))
        self.single = not isinstance(cases, list)
        teams = (given.vector.get("options") or {}).get("teams", "solo")
        self.found = [_seated(case, teams) for case in ([cases] if self.single else cases)]

    def fact_valid(self, expected: Any) -> Any:
        valid = [not isinstance(found, str) for found in self.found]
        return valid[0] if self.single else valid

    fact_accepted = fact_valid

    def fact_rejected(self, expected: Any) -> Any:
        return any(isinstance(found, str) for found in self.found)

    def fact_reason(self, expected: Any) -> Any:
        return next((found for found in self.found if isinstance(found, str)), None)

    def fact_sides(self, expected: Any) -> Any:
        sides = [None if isinstance(found, str) else list(found) for found in self.found]
        return sides[0] if self.single else sides


def _seated(case: Any, teams: str) -> tuple[int, ...] | str:
    if isinstance(case, Mapping):
        players, teams = case["players"], case.get("teams", teams)
    else:
        players, teams = case if isinstance(case, list) else (case, teams)
    try:
        return seat_sides(players) if teams == "solo" else "BAD_SEATING"
    except DomainError as error:
        return error.code


class MatchFacts(Facts):
    """`finish`: the deals of a match added up, when it was over, and who won it."""

    def __init__(self, given: KoiKoiGiven) -> None:
        self.given = given
        self.totals, self.victories, self.ends = [0] * SEATS, [0] * SEATS, list[int]()
        for number, deal in enumerate(given.data.get("deals", ()), start=1):
            self.totals = [held + won for held, won in zip(self.totals, deal["score"], strict=True)]
            if deal["winner"] is not None:
                self.victories[seat_number(deal["winner"])] += 1
            if scoring.is_match_over(given.options, number, self.totals):
                self.ends.append(number)

    def fact_totals(self, expected: Any) -> Any:
        return keyed(self.totals, expected)

    fact_scores = fact_totals

    def fact_victories(self, expected: Any) -> Any:
        return keyed(self.victories, expected)

    def fact_match_over(self, expected: Any) -> Any:
        return bool(self.ends)

    def fact_over_after(self, expected: Any) -> Any:
        return self.ends[0] if self.ends else None

    def _top(self) -> list[int]:
        figures: Sequence[int] = self.victories if self.given.options.scoring == "victories" else self.totals
        lines = settle(self.totals, self.victories, (0, 1), (), figures=figures)
        return [line.side for line in lines if line.rank == 1]

    def fact_winners(self, expected: Any) -> Any:
        return [f"p{seat}" for seat in self._top()]

    def fact_shared(self, expected: Any) -> Any:
        return len(self._top()) > 1


def _set_up(given: KoiKoiGiven) -> TableFacts:
    state = given.position()
    before = state.copy()
    stands = set_up_state(state)
    return TableFacts(before, state, stands=stands)


def _dealt(given: KoiKoiGiven) -> TableFacts:
    """Return where an order of the deck is dealt, no matter whether it is played."""
    cards = deal_cards(given.order(), given.dealer, given.options.deal_pattern)
    hands = [card_set(hand) for hand in cards.hands]
    state = KoiKoiState(given.rules, dealer=given.dealer, hands=hands, field=cards.field, pile=cards.pile)
    return TableFacts(state, state)


def _scored(given: KoiKoiGiven) -> TableFacts:
    state = given.ended()
    return TableFacts(state, state)


def _first_dealer(given: KoiKoiGiven) -> Facts:
    """The same rule as in the Sakura family (rules 3.3)."""
    options = {"first_dealer_tie": given.options.first_dealer_tie}
    return FirstDealerFacts(Given({**given.vector, "preset": "hawaii", "options": options}))


def _resolved(given: KoiKoiGiven) -> Facts:
    try:
        return OptionFacts(given)
    except DomainError as error:
        return RefusedOptions(error.code)


PROCEDURES: Final[Mapping[str, Callable[[KoiKoiGiven], Facts]]] = {
    "yaku_of": YakuFacts,
    "resolve": _resolved,
    "deal": _dealt,
    "seat": SeatFacts,
    "validate": SeatFacts,
    "first_dealer": _first_dealer,
    "setup": _set_up,
    "score_round": _scored,
    "finish": MatchFacts,
}


def run(vector: Vector) -> None:
    """Do the vector's actions and compare everything it expects. Raises AssertionError naming the first difference."""
    given = KoiKoiGiven(vector)
    _facts(given).check(vector["expect"])


def _facts(given: KoiKoiGiven) -> Facts:
    action = given.vector["action"]
    procedure = next((name for name in PROCEDURES if isinstance(action, dict) and name in action), None)
    if procedure is None:
        return _played(given, action if isinstance(action, list) else [action])
    known = set(action) - {procedure}
    assert not known, f"the adapter does not know {sorted(known)} beside {procedure}"
    return PROCEDURES[procedure](given)


def _played(given: KoiKoiGiven, entries: list[dict[str, Any]]) -> TableFacts:
    """Turns, one after another, until one is refused; a refusal that nobody expects fails."""
    state = given.position()
    before, expect = state.copy(), given.vector["expect"]
    actor, steps = Actor(state), list[Step]()
    for number, entry in enumerate(entries, start=1):
        step = actor.run(entry)
        steps.append(step)
        if step.refused is not None:
            own = expect.get(f"step_{number}", {})
            is_last = number == len(entries) and (expect.get("rejected") or expect.get("legal") is False)
            assert own.get("rejected") or is_last, f"action {number} was refused: {step.refused}"
    return TableFacts(before, actor.state, steps)
