"""The adapter of the Poka vectors.

`poka_given.py` reads the position, `poka_acting.py` plays, `poka_facts.py` compares; here is what is no turn, and one
vector from start to end. A key that none of them knows fails the vector.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.cards import ALL, card_set, codes, set_of
from engine.errors import DomainError
from engine.games.poka import deal
from engine.games.poka.rules import SEATS, options_of, seat_sides
from tests.engine.vectors.facts import Facts
from tests.engine.vectors.files import Vector
from tests.engine.vectors.given import Given
from tests.engine.vectors.poka_acting import Actor, Step, described
from tests.engine.vectors.poka_facts import MatchFacts, TableFacts, keyed, teyaku_id
from tests.engine.vectors.poka_given import PokaGiven
from tests.engine.vectors.procedures import FirstDealerFacts


class HandFacts(TableFacts):
    """`teyaku`: one hand, or each of two, looked at on its own; all else is what the setup makes of them."""

    def __init__(self, given: PokaGiven) -> None:
        state = given.position()
        before = state.copy()
        deal.set_up(state)
        super().__init__(given, before, state)

    def fact_teyaku(self, expected: Any) -> Any:
        names = [teyaku_id(shown) for shown in self.after.shown]
        return keyed(names, expected) if isinstance(expected, Mapping | list) else names[0]

    def fact_points(self, expected: Any) -> Any:
        points = [shown.kind.points if shown else 0 for shown in self.after.shown]
        return keyed(points, expected) if isinstance(expected, Mapping | list) else points[0]

    def fact_teyaku_points(self, expected: Any) -> Any:
        """Return what counts of both hands together."""
        score = self.outcome.score if self.outcome else (0, 0)
        return keyed(score, expected) if isinstance(expected, Mapping | list) else sum(score)


class DeckFacts(Facts):
    """`count`, `build_deck`: cards have no values in Poka."""

    def __init__(self, given: PokaGiven) -> None:
        deck = given.data.get("deck", "all 48")
        self.cards = ALL if isinstance(deck, str) else set_of(deck)

    def fact_cards(self, expected: Any) -> Any:
        return self.cards.bit_count()

    fact_size = fact_cards

    def fact_deck(self, expected: Any) -> Any:
        return codes(self.cards)


class SeatFacts(Facts):
    """`seat`, `validate`: two players, each for himself."""

    def __init__(self, given: PokaGiven) -> None:
        cases = given.data.get("cases", given.data.get("players", SEATS))
        self.single = not isinstance(cases, list)
        teams = (given.vector.get("options") or {}).get("teams", "solo")
        self.found = [_try(case, teams) for case in ([cases] if self.single else cases)]

    def fact_valid(self, expected: Any) -> Any:
        valid = [not isinstance(found, str) for found in self.found]
        return valid[0] if self.single else valid

    fact_accepted = fact_valid
    fact_legal = fact_valid

    def fact_rejected(self, expected: Any) -> Any:
        return any(isinstance(found, str) for found in self.found)

    def fact_reason(self, expected: Any) -> Any:
        return next((found for found in self.found if isinstance(found, str)), None)

    def fact_sides(self, expected: Any) -> Any:
        shapes = [expected] if self.single else expected
        found = zip(self.found, shapes, strict=True)
        sides = [None if isinstance(one, str) else _shaped(one, shape) for one, shape in found]
        return sides[0] if self.single else sides


def _shaped(sides: tuple[int, ...], expected: Any) -> Any:
    if expected and isinstance(expected[0], list):
        return [[f"p{seat}"] for seat in sides]
    return ["AB"[side] for side in sides] if expected and isinstance(expected[0], str) else list(sides)


def _try(case: Any, teams: str) -> tuple[int, ...] | str:
    if isinstance(case, Mapping):
        players, teams = case["players"], case.get("teams", teams)
    else:
        players, teams = case if isinstance(case, list) else (case, teams)
    try:
        return seat_sides(players) if teams == "solo" else "BAD_SEATING"
    except DomainError as error:
        return error.code


def _set_up(given: PokaGiven) -> TableFacts:
    state = given.position()
    before = state.copy()
    deal.set_up(state)
    return TableFacts(given, before, state)


def _dealt(given: PokaGiven) -> TableFacts:
    state = given.dealt()
    assert card_set([*state.discard, *state.hidden()]) | state.hands[0] | state.hands[1] == ALL
    return TableFacts(given, state.copy(), state)


def _first_dealer(given: PokaGiven) -> Facts:
    """The same rule as in the Sakura family (rules 3.3)."""
    options = {"first_dealer_tie": options_of(given.ruleset()).first_dealer_tie}
    return FirstDealerFacts(Given({**given.vector, "preset": "hawaii", "options": options}))


def _match(given: PokaGiven) -> MatchFacts:
    return MatchFacts(given, given.event() if "event" in given.data else None)


PROCEDURES: Final[Mapping[str, Callable[[PokaGiven], Facts]]] = {
    "count": DeckFacts,
    "build_deck": DeckFacts,
    "deal": _dealt,
    "seat": SeatFacts,
    "validate": SeatFacts,
    "first_dealer": _first_dealer,
    "setup": _set_up,
    "teyaku": HandFacts,
    "score": _match,
    "score_round": _match,
    "totals": _match,
    "finish": _match,
    "next_dealer": _match,
}


def run(vector: Vector) -> None:
    """Do the vector's actions and compare everything it expects. Raises AssertionError naming the first difference."""
    given = PokaGiven(vector)
    _facts(given).check(vector["expect"])


def _facts(given: PokaGiven) -> Facts:
    action = given.vector["action"]
    procedure = next((name for name in PROCEDURES if isinstance(action, dict) and name in action), None)
    if procedure is None:
        return _played(given, action if isinstance(action, list) else [action])
    known = set(action) - {procedure}
    assert not known, f"the adapter does not know {sorted(known)} beside {procedure}"
    return PROCEDURES[procedure](given)


def _played(given: PokaGiven, entries: list[dict[str, Any]]) -> TableFacts:
    """Turns, one after another, until one is refused; a refusal that nobody expects fails."""
    in_words = not {"hand", "hands", "deck_top_first"} & set(given.data) and any(
        "discard_all" in entry for entry in entries
    )
    state = described(given) if in_words else given.position()
    before, expect = state.copy(), given.vector["expect"]
    actor = Actor(state, both_passed=bool(given.data.get("both_passed")))
    steps: list[Step] = []
    for number, entry in enumerate(entries, start=1):
        last, own = number == len(entries), expect.get(f"step_{number}", {})
        wanted = own or (expect if last else {})
        step = actor.run(entry)
        steps.append(step)
        if step.refused is not None:
            refusable = wanted.get("rejected") or wanted.get("legal") is False or wanted.get("accepted") is False
            assert refusable, f"action {number} was refused: {step.refused}"
    return TableFacts(given, before, actor.state.copy(), steps)
