"""The start of a Nuki vector: ruleset, seats, a position (mostly partial), and figures told instead of cards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from engine.cards import INDEX, NUKI_DECK, card_index, card_set, members, set_of
from engine.deck import GuessedShuffles
from engine.game import DealStart, Ruleset
from engine.games import ruleset
from engine.games.nuki.deal import turn_order
from engine.games.nuki.dekiyaku import DEKIYAKU, dekiyaku_in
from engine.games.nuki.rules import Rules, compile_rules
from engine.games.nuki.start import new_deal
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import BY_ID, NOTHING, Claim, Claims
from tests.engine.vectors.files import Vector
from tests.engine.vectors.given import seat_number

KNOWN: Final = frozenset([
    "players", "cases", "dealer", "turn", "hands", "hand", "field", "pile", "captured", "deck", "deck_top_first",
    "draws", "redraws", "note", "round_scores", "scores", "totals", "victories", "rounds", "rounds_played", "sides",
    "carry", "multiplier", "answers", "active", "forced_out", "pot", "called_sage", "first_sage", "dekiyaku",
    "chaff", "teyaku", "end", "claimed", "claimed_group_b", "mizuten", "points",
])  # fmt: skip
BY_SEAT: Final = (
    "hands", "captured", "draws", "scores", "totals", "victories", "dekiyaku", "chaff", "teyaku", "claimed",
    "claimed_group_b", "points",
)  # fmt: skip
SHUFFLES: Final = GuessedShuffles(88)


def names(seats: Any) -> list[str]:
    """Seats given as one name or as a list."""
    return [seats] if isinstance(seats, str) else list(seats or ())


@dataclass
class NukiGiven:
    """The `given` of a vector with its preset and options, read on demand."""

    vector: Vector

    def __post_init__(self) -> None:
        self.data: dict[str, Any] = self.vector.get("given") or {}
        unknown = set(self.data) - KNOWN
        assert not unknown, f"the adapter does not know these keys of given: {sorted(unknown)}"

    def ruleset(self) -> Ruleset:
        """Preset and the vector's options; the number of Deals if it is told."""
        options = dict(self.vector.get("options") or {})
        rounds = self.data.get("rounds", self.data.get("rounds_played"))
        if rounds is not None:
            options.setdefault("rounds", rounds)
        return ruleset(self.vector["preset"], **options)

    @property
    def rules(self) -> Rules:
        return compile_rules(self.ruleset(), self.players)

    @cached_property
    def players(self) -> int:
        """Number of seats: as given, or as many as are named, at least two."""
        players = self.data.get("players")
        if isinstance(players, int):
            return players
        named = [name for key in BY_SEAT if isinstance(self.data.get(key), dict) for name in self.data[key]]
        named += names(self.data.get("active")) + names(self.data.get("forced_out"))
        named += [name for name, _ in self.data.get("answers", ())] + [self.data.get("dealer", "p0")]
        listed = [len(self.data[key]) for key in ("scores", "totals") if isinstance(self.data.get(key), list)]
        return max(2, *(seat_number(name) + 1 for name in named), *listed)

    @property
    def dealer(self) -> int:
        return seat_number(self.data.get("dealer", "p0"))

    @property
    def active(self) -> tuple[int, ...]:
        """Both players, the dealer for the Deal first: as given, or the dealer and the seat to his right."""
        named = [seat_number(name) for name in names(self.data.get("active"))]
        order = turn_order(self.dealer, self.players)
        return tuple(seat for seat in order if seat in named) if named else order[:2]

    def order(self) -> tuple[int, ...]:
        """The order of the deck: as listed, or sorted if only words are given."""
        order = self.data.get("deck_top_first", "nuki")
        return tuple(members(NUKI_DECK)) if isinstance(order, str) else tuple(card_index(code) for code in order)

    def dealt(self, order: tuple[int, ...]) -> NukiState | None:
        """A Deal of an order, set up with the carry that is given; None if it is thrown in."""
        carry = {"carry": self.data.get("carry", 0)}
        totals = (0,) * self.players
        return new_deal(DealStart(self.ruleset(), self.players, self.dealer, 1, order, 0, SHUFFLES, carry, totals))

    def position(self) -> NukiState:
        """The position as it lies, before a hand card, partial or not."""
        state = NukiState(
            self.rules,
            dealer=self.dealer,
            hands=self._hands(),
            field=[card_index(code) for code in self.data.get("field", ())],
            pile=[card_index(code) for code in self.data.get("pile", ())],
            captured=self._captured(),
            active=self.active,
            turn=seat_number(self.data["turn"]) if "turn" in self.data else None,
            shuffle=SHUFFLES,
        )
        state.multiplier = self.data.get("multiplier", 1)
        state.carry = state.carry_out = self.data.get("carry", 0)
        state.mizuten = bool(self.data.get("mizuten", False))
        callers = [seat_number(name) for name in names(self.data.get("called_sage"))]
        callers += [seat_number(name) for name in names(self.data.get("first_sage"))]
        holders = [seat for seat in state.active if dekiyaku_in(state.captured[seat])]
        if not callers and len(holders) == 1:
            state.first_sage = holders[0]
        state.sage = card_set(callers)
        if callers:
            state.first_sage = callers[-1] if "first_sage" in self.data else callers[0]
        for seat in state.active:
            state.claims[seat] = self._claims(f"p{seat}")
        answered = [(seat_number(name), said) for name, said in self.data.get("answers", ())]
        out = [seat_number(name) for name in names(self.data.get("forced_out"))]
        state.answers = answered or [(seat, "play") for seat in range(self.players) if seat not in out]
        return state

    def _hands(self) -> list[int]:
        hands = [0] * self.players
        for seat, cards in self.data.get("hands", {"p0": self.data.get("hand", [])}).items():
            hands[seat_number(seat)] = set_of(cards)
        return hands

    def _captured(self) -> list[int]:
        """Piles per seat: by seat, as a list per seat, one list (p0's), or the cards of the dekiyaku that stand."""
        piles = [0] * self.players
        captured = self.data.get("captured", {})
        if isinstance(captured, list):
            is_one = bool(captured) and isinstance(captured[0], str)
            captured = {"p0": captured} if is_one else {f"p{seat}": pile for seat, pile in enumerate(captured)}
        for name, cards in captured.items():
            piles[seat_number(name)] |= set_of(cards)
        needed = {made.id: made.cards for made in DEKIYAKU}
        for name, made in self.data.get("dekiyaku", {}).items():
            for dekiyaku in made:
                piles[seat_number(name)] |= needed[dekiyaku]
        return piles

    def _claims(self, name: str) -> Claims:
        """Return what a seat is said to have claimed."""
        found: dict[str, Claim] = {}
        for teyaku, months in (self.data.get("claimed") or {}).get(name, {}).items():
            first = int(str(months).split(",")[0])
            found[BY_ID[teyaku].group] = Claim(teyaku, first if teyaku in ("triplet", "haneken") else 0, 0)
        b = self._group_b(name)
        if b is not None:
            found["B"] = Claim(b, 0, 0)
        return Claims(found.get("A"), found.get("B")) if found else NOTHING

    def _group_b(self, name: str) -> str | None:
        """The Group B teyaku of a seat: an id, {id: kan}, or `true` (p0 claimed some)."""
        told = self.data.get("claimed_group_b")
        if told is True:
            return "red" if name == "p0" else None
        own = told.get(name) if isinstance(told, dict) else None
        if isinstance(own, dict):
            own = next(iter(own), None)
        if own is True:
            return "red"
        assert own is None or BY_ID[own].group == "B", f"{own} is no teyaku of Group B"
        return own

    def figure(self, key: str, seat: int) -> Any:
        """Return what the vector tells of a seat under a key, None if nothing."""
        told = self.data.get(key)
        if isinstance(told, list):
            return told[seat] if seat < len(told) else None
        return told.get(f"p{seat}") if isinstance(told, dict) else None


def is_code(key: str) -> bool:
    return key in INDEX
