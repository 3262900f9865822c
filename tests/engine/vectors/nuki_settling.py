"""Payments of a Nuki Deal: the lines of rules.md 6.5 from a position, or from the figures of a vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.games.nuki import scoring, settlement
from engine.games.nuki.settlement import POT, Both, Line, Standing
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import BY_ID
from engine.games.nuki.values import KAN
from tests.engine.vectors.facts import Facts
from tests.engine.vectors.given import seat_number
from tests.engine.vectors.nuki_given import NukiGiven

ACHIEVEMENTS: Final = ("diving", "escape", "mizuten")
OUTCOMES: Final = ("dekiyaku", "half_dekiyaku", "sixteen_chaff", "card_points")
PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    **{code: (code,) for code in ("teyaku", "sixteen_chaff", "card_points", "pot", "dropout", *ACHIEVEMENTS)},
    "dekiyaku": ("dekiyaku", "half_dekiyaku"),
    "half_dekiyaku": ("half_dekiyaku",),
    "outcome": OUTCOMES,
    "shoubu": ("dekiyaku",),
    "cancel": ("half_dekiyaku",),
    "achievements": ACHIEVEMENTS,
    "achievement": ACHIEVEMENTS,
    "forced_out": ("forced_out",),
    "compensation": ("forced_out",),
    "penalty": ("dropout",),
    "chaff": ("sixteen_chaff",),
    "points": ("card_points",),
    "exhausted": OUTCOMES,
    "hands_exhausted": OUTCOMES,
}
ENDS: Final = {"shoubu": "shoubu", "cancel": "cancel"}


def amounts(told: Any) -> tuple[tuple[str, int], ...]:
    """Kan as a number, {id: kan}, or a list of [id, kan]."""
    if isinstance(told, Mapping):
        return tuple(told.items())
    if isinstance(told, list):
        return tuple((name, kan) for name, kan in (item for item in told if item is not None))
    return (("teyaku", told),) if told else ()


def standings(given: NukiGiven, state: NukiState) -> Both:
    """Both players' figures: of the position, unless the vector tells them."""
    first, second = (_standing(given, state, seat) for seat in state.active)
    return first, second


def _standing(given: NukiGiven, state: NukiState, seat: int) -> Standing:
    found = scoring.standing(state, seat)
    changes: dict[str, Any] = {}
    for key in ("teyaku", "dekiyaku"):
        if isinstance(given.data.get(key), dict):
            told = amounts(given.figure(key, seat))
            changes[key] = told if key in given.data and (told or "captured" not in given.data) else found.dekiyaku
    for key in ("chaff", "points"):
        told = given.figure(key, seat)
        if told is not None:
            changes[key] = told
    return replace(found, **changes)


def end_of(given: NukiGiven, state: NukiState) -> None:
    """End the position as the vector says: `<seat> shoubu`, `<seat> cancel`, or with exhausted hands."""
    words = str(given.data.get("end", "exhausted")).split()
    state.phase = "over"
    state.end = "exhausted"
    if words[-1] in ENDS:
        state.ended_by = seat_number(words[0])
        state.end = "shoubu" if words[-1] == "shoubu" else "cancel"
    else:
        assert "exhausted" in words, f"{words}: the adapter does not know this end"


class Settled:
    """The lines of a Deal that is over and its winner."""

    def __init__(self, given: NukiGiven, state: NukiState) -> None:
        self.state = state
        self.seats = state.rules.seats
        self.lines: Sequence[Line]
        self.both: Both | tuple[()] = ()
        if state.end == "no_game":
            outcome = state.outcome()
            self.winner, self.lines = state.ended_by, outcome.lines
        else:
            both = self.both = standings(given, state)
            self.winner, self.lines = scoring.settle(state, both, state.end or "exhausted")
        if given.data.get("pot"):
            self.lines = [*self.lines, Line("pot", POT, self.winner, given.data["pot"])]


class PaymentFacts(Facts):
    """Facts of payments. `lines` and `both` come from the deal."""

    lines: Sequence[Line]
    both: Both | tuple[()]
    seats: int
    winner: int | None

    def _by_seat(self, lines: Sequence[Line], expected: Any) -> Any:
        """Net points in the shape expected; a seat that is not named got nothing."""
        found = settlement.net(lines, self.seats)
        if isinstance(expected, list):
            return list(found)
        return {f"p{seat}": points for seat, points in enumerate(found) if points or f"p{seat}" in expected}

    def _of(self, codes: Sequence[str]) -> list[Line]:
        return [line for line in self.lines if line.code in codes]

    def fact_payment(self, expected: Any) -> Any:
        return self._by_seat(self.lines, expected)

    fact_net = fact_payment
    fact_score = fact_payment
    fact_ledger_change = fact_payment

    def fact_gross(self, expected: Any) -> Any:
        """Return what each seat is paid before it pays."""
        paid = {f"p{seat}": 0 for seat in range(self.seats)}
        for line in self.lines:
            paid[f"p{line.payee}"] += line.points if line.payee != POT else 0
        return {name: points for name, points in paid.items() if points or name in expected}

    def fact_payment_parts_to_p0(self, expected: Mapping[str, int]) -> Any:
        return {name: self._part(name) for name in expected}

    def _part(self, name: str) -> int:
        name = name.lower().replace(" ", "_")
        key, _, seat = name.rpartition("_p")
        wanted = PARTS.get(key if seat.isdigit() else name)
        if wanted is None:
            assert any(line.name == name for line in self.lines), f"the adapter does not know the part {name}"
            lines = [line for line in self.lines if line.name == name]
        else:
            lines = self._of(wanted)
        if seat.isdigit() and key:
            lines = [line for line in lines if line.payee == int(seat)]
        return settlement.net(lines, self.seats)[0]

    def fact_diving(self, expected: Any) -> Any:
        return self._by_seat(self._of(["diving"]), expected)

    def fact_escape(self, expected: Any) -> Any:
        return self._by_seat(self._of(["escape"]), expected)

    def fact_mizuten(self, expected: Any) -> Any:
        return self._by_seat(self._of(["mizuten"]), expected)

    def fact_achievement_kan(self, expected: Any) -> Any:
        """Kan that each seat earns by achievements, before the multiplier; net if somebody is told to pay."""
        values = expected.values() if isinstance(expected, Mapping) else expected
        unit = KAN * self._multiplier()
        lines = self._of(ACHIEVEMENTS)
        if not any(value < 0 for value in values):
            lines = [replace(line, payer=POT) for line in lines]
        kan = [points // unit for points in settlement.net(lines, self.seats)]
        if isinstance(expected, list):
            return kan
        return {f"p{seat}": value for seat, value in enumerate(kan) if value or f"p{seat}" in expected}

    def _multiplier(self) -> int:
        return 1

    def fact_round_winner(self, expected: Any) -> Any:
        return None if self.winner is None else f"p{self.winner}"

    fact_next_dealer = fact_round_winner
    fact_winning_side = fact_round_winner

    def fact_pot_to(self, expected: Any) -> Any:
        return self.fact_round_winner(expected)

    def _figures(self, name: str, expected: Any) -> Any:
        found = {standing.seat: getattr(standing, name) for standing in self.both}
        if isinstance(expected, list):
            return [found.get(seat, 0) for seat in range(self.seats)]
        return {f"p{seat}": value for seat, value in found.items() if value or f"p{seat}" in expected}

    def fact_points(self, expected: Any) -> Any:
        return self._figures("points", expected)

    fact_card_points = fact_points

    def fact_chaff(self, expected: Any) -> Any:
        return self._figures("chaff", expected)

    fact_chaff_incl_willow = fact_chaff


class SettleFacts(PaymentFacts):
    """`settle`, `hands_exhausted`, `next_dealer`: a Deal that is over."""

    def __init__(self, given: NukiGiven) -> None:
        state = given.position()
        end_of(given, state)
        settled = Settled(given, state)
        self.lines, self.both, self.seats, self.winner = settled.lines, settled.both, settled.seats, settled.winner
        self.state = state

    def _multiplier(self) -> int:
        return self.state.multiplier

    def fact_round_over(self, expected: Any) -> Any:
        return self.state.is_over

    def fact_result(self, expected: Any) -> Any:
        return self.state.end

    def fact_dekiyaku(self, expected: Any) -> Any:
        found = {f"p{standing.seat}": dict(standing.dekiyaku) for standing in self.both}
        return {name: made for name, made in found.items() if made or name in expected}


class AchievementFacts(PaymentFacts):
    """`achievements`: single payments, for one position or for several card points of p0, tried one by one."""

    winner = None

    def __init__(self, given: NukiGiven) -> None:
        self.given = given
        cases = given.data.get("cases")
        if cases is None and isinstance(given.data.get("points"), list) and "escape_points" in given.vector["expect"]:
            cases = given.data["points"]
        self.cases: list[int] = list(cases or ())
        self.state = given.position()
        self.seats = self.state.rules.seats
        self.both = standings(given, self.state)
        self.lines = scoring.achievement_lines(self.state, self.both)

    def _multiplier(self) -> int:
        return self.state.multiplier

    def _case(self, points: int, expected: Any) -> Any:
        """Return what p0 is paid for Escape with that many card points, as a number, as yes or no, or by seat."""
        both: Any = tuple(replace(own, points=points) if own.seat == 0 else own for own in self.both)
        lines = [line for line in scoring.achievement_lines(self.state, both) if line.code == "escape"]
        if isinstance(expected, Mapping):
            return self._by_seat(lines, expected)
        paid = settlement.net(lines, self.seats)[0]
        return bool(paid) if isinstance(expected, bool) else paid

    def fact_escape_points(self, expected: Any) -> Any:
        """Per case, as a list or by card points; one number without cases."""
        if isinstance(expected, Mapping) and all(key.isdigit() for key in expected):
            return {key: self._case(int(key), value) for key, value in expected.items()}
        if isinstance(expected, list):
            assert len(expected) == len(self.cases), "as many payments as cases"
            return [self._case(points, value) for points, value in zip(self.cases, expected, strict=True)]
        return self._by_seat(self._of(["escape"]), expected) if isinstance(expected, Mapping) else self._part("escape")

    def fact_escape(self, expected: Any) -> Any:
        if self.cases and isinstance(expected, list):
            return self.fact_escape_points(expected)
        return super().fact_escape(expected)


def teyaku_json(name: str | None) -> dict[str, Any] | None:
    return None if name is None else {"name": name, "kan": BY_ID[name].kan}
