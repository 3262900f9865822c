"""The start of a Koi-Koi vector: ruleset, a position (it may be partial), calls that were made, deals of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.cards import ALL, card_index, card_set, members, set_of
from engine.game import Ruleset
from engine.games import ruleset
from engine.games.koikoi.deal import deal_cards, set_up_state
from engine.games.koikoi.options import KoiKoiOptions
from engine.games.koikoi.rules import SEATS, Rules, compile_rules, options_of
from engine.games.koikoi.scoring import field_factor
from engine.games.koikoi.state import KoiKoiState
from engine.games.koikoi.turn import points
from tests.engine.vectors.files import Vector
from tests.engine.vectors.given import seat_number

KNOWN: Final = frozenset(
    [
        "players", "cases", "dealer", "turn", "hands", "hand", "field", "pile", "captured", "deck", "deck_top_first",
        "draws", "redraws", "note", "round_scores", "scores", "totals", "victories", "rounds", "rounds_played",
        "winner", "calls", "last_caller", "called_at", "deal_number", "own_calls", "field_brights", "end", "deals",
    ]
)  # fmt: skip


def per_seat(values: Any, missing: Any) -> list[Any]:
    """Values by seat, or a list in seat order."""
    if isinstance(values, list):
        return values
    return [values.get(f"p{seat}", missing) for seat in range(SEATS)]


@dataclass
class KoiKoiGiven:
    """The `given` of a vector with its preset and options, read on demand."""

    vector: Vector

    def __post_init__(self) -> None:
        self.data: dict[str, Any] = self.vector.get("given") or {}
        unknown = set(self.data) - KNOWN
        assert not unknown, f"the adapter does not know these keys of given: {sorted(unknown)}"

    def ruleset(self) -> Ruleset:
        """Preset and options; the number of deals if it is told. `teams` is no option of Koi-Koi."""
        options = {key: value for key, value in (self.vector.get("options") or {}).items() if key != "teams"}
        rounds = self.data.get("rounds", self.data.get("rounds_played"))
        if rounds is not None:
            options.setdefault("rounds", rounds)
        return ruleset(self.vector["preset"], **options)

    @property
    def options(self) -> KoiKoiOptions:
        return options_of(self.ruleset())

    @property
    def rules(self) -> Rules:
        return compile_rules(self.ruleset())

    @property
    def dealer(self) -> int:
        return seat_number(self.data.get("dealer", "p0"))

    def order(self) -> list[int]:
        """The order of the deck: as listed, or sorted if only words are given."""
        order = self.data.get("deck_top_first", "sorted")
        return list(members(ALL)) if isinstance(order, str) else [card_index(code) for code in order]

    def position(self) -> KoiKoiState:
        """The position as it lies, partial or not; a whole deal is dealt and set up."""
        return self._whole() if "deck_top_first" in self.data else self._partial()

    def _whole(self) -> KoiKoiState:
        cards = deal_cards(self.order(), self.dealer, self.options.deal_pattern)
        state = KoiKoiState(
            self.rules,
            dealer=self.dealer,
            hands=[card_set(hand) for hand in cards.hands],
            field=cards.field,
            pile=cards.pile,
            number=self.data.get("deal_number", 1),
        )
        assert set_up_state(state), "this order is dealt again"
        return state

    def _partial(self) -> KoiKoiState:
        state = KoiKoiState(
            self.rules,
            dealer=self.dealer,
            hands=[set_of(cards) for cards in per_seat(self.data.get("hands", {"p0": self.data.get("hand", ())}), ())],
            field=[card_index(code) for code in self.data.get("field", ())],
            pile=[card_index(code) for code in self.data.get("pile", ())],
            captured=[set_of(cards) for cards in per_seat(self.data.get("captured", {}), ())],
            turn=seat_number(self.data.get("turn", self.data.get("dealer", "p0"))),
            number=self.data.get("deal_number", 1),
        )
        state.calls = per_seat(self.data.get("calls", {}), 0)
        state.mult = field_factor(self.options.field_brights, self.data.get("field_brights", 0))
        if "last_caller" in self.data:
            state.last_caller = seat_number(self.data["last_caller"])
        self._mark(state)
        return state

    def _mark(self, state: KoiKoiState) -> None:
        """Note the points at the calls: as told, else those of the captures of a seat that has called."""
        told = self.data.get("called_at", {})
        if not isinstance(told, dict):
            told = {f"p{state.turn}": told}
        for seat, calls in enumerate(state.calls):
            state.marks[seat] = told.get(f"p{seat}", points(state, seat) if calls else 0)
            state.held[seat] = state.yaku(seat) if calls else {}

    def ended(self) -> KoiKoiState:
        """The position with the end that is told: `p0 stop`, or `exhausted`."""
        state = self.position()
        end = self.data["end"]
        state.phase, state.end = "over", "exhausted"
        if end != "exhausted":
            seat, word = end.split()
            assert word == "stop", f"the adapter does not know the end {end}"
            state.end, state.winner = "shoubu", seat_number(seat)
        return state
