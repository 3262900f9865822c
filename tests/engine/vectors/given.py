"""The start of a vector: ruleset, seats, a position (it may be partial), numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import ALL, INDEX, card_index, card_set, members, set_of
from engine.game import Ruleset
from engine.games import ruleset
from engine.games.sakura.deal import SEATINGS, deal_cards
from engine.games.sakura.options import SakuraOptions
from engine.games.sakura.rules import Rules, compile_rules, options_of
from engine.games.sakura.start import set_up_state
from engine.games.sakura.state import SakuraState
from tests.engine.vectors.files import Vector

KNOWN: Final = frozenset(
    [
        "players",
        "cases",
        "dealer",
        "turn",
        "hands",
        "hand",
        "field",
        "pile",
        "captured",
        "sides",
        "gaji_used",
        "deck",
        "deck_top_first",
        "draws",
        "redraws",
        "note",
        "round_scores",
        "scores",
        "totals",
        "victories",
        "rounds",
        "rounds_played",
        "yaku",
    ]
)


def seat_number(name: str) -> int:
    assert name[0] == "p", f"{name} is no seat"
    return int(name[1:])


def side_of(rules: Rules, name: str) -> int:
    """Side of a seat name (p0), a side letter (A) or a side number as text."""
    if name[0] == "p":
        return rules.sides[seat_number(name)]
    return int(name) if name.isdigit() else "ABCDEFG".index(name)


def per_side(rules: Rules, values: Any) -> list[Any]:
    """Values given per side as a list, or by seat or letter, as a list per side."""
    if isinstance(values, list):
        return values
    found: list[Any] = [None] * rules.side_count
    for name, value in values.items():
        found[side_of(rules, name)] = value
    return found


def indices(codes: Iterable[str]) -> list[int]:
    return [card_index(code) for code in codes]


@dataclass
class Given:
    """The `given` of a vector with its preset and options, read on demand."""

    vector: Vector

    def __post_init__(self) -> None:
        self.data: dict[str, Any] = self.vector.get("given") or {}
        unknown = set(self.data) - KNOWN
        assert not unknown, f"the adapter does not know these keys of given: {sorted(unknown)}"

    def ruleset(self, **more: Any) -> Ruleset:
        """Preset, the vector's options, the teams that `sides` describe, and the number of Deals."""
        options = {**(self.vector.get("options") or {}), **more}
        rounds = self.data.get("rounds", self.data.get("rounds_played"))
        if rounds is not None:
            options.setdefault("rounds", rounds)
        teams = self._teams()
        if teams is not None:
            options.setdefault("teams", teams)
        return ruleset(self.vector["preset"], **options)

    def options(self) -> SakuraOptions:
        return options_of(self.ruleset())

    def rules(self) -> Rules:
        return compile_rules(self.ruleset(), self.players)

    @property
    def players(self) -> int:
        """Number of seats: as given, or as many as the position names."""
        players = self.data.get("players")
        if isinstance(players, int):
            return players
        sides = self.data.get("sides")
        if sides:
            return sum(map(len, sides)) if isinstance(sides[0], list) else len(sides)
        if (vector_teams := (self.vector.get("options") or {}).get("teams", "solo")) != "solo":
            return next(seats for teams, seats in SEATINGS if teams == vector_teams)
        return max(2, *self._named_seats())

    def _named_seats(self) -> list[int]:
        """Return how many seats each part of the position speaks of."""
        counts = [2]
        for key in ("hands", "captured", "draws", "scores", "totals", "victories"):
            value = self.data.get(key)
            if isinstance(value, dict):
                counts += [seat_number(name) + 1 for name in value if name[0] == "p"]
            elif isinstance(value, list):
                counts.append(len(value))
        scores = self.data.get("round_scores") or []
        counts.append(len(scores[0]) if scores and isinstance(scores[0], list | dict) else len(scores))
        return counts

    def _teams(self) -> str | None:
        """The seating that `sides` describes, per side its seats or per seat its side number."""
        sides = self.data.get("sides")
        if not sides:
            return None
        by_seat = list(sides)
        if isinstance(sides[0], list):
            held = {seat_number(seat): side for side, seats in enumerate(sides) for seat in seats}
            by_seat = [held[seat] for seat in range(len(held))]
        fitting = [teams for (teams, _), seating in SEATINGS.items() if list(seating) == by_seat]
        assert fitting, f"no seating has the sides {sides}"
        return fitting[0]

    @property
    def dealer(self) -> int:
        return seat_number(self.data.get("dealer", "p0"))

    def order(self) -> list[int]:
        """The order of the deck: as listed, or sorted if only words are given."""
        order = self.data.get("deck_top_first", "sorted")
        return list(members(ALL)) if isinstance(order, str) else indices(order)

    def position(self) -> SakuraState:
        """The position as it lies, partial or not; a whole Deal is dealt and set up."""
        rules = self.rules()
        if "deck_top_first" in self.data:
            cards = deal_cards(self.order(), rules.seats, self.dealer, rules.options.deal_pattern)
            hands = [card_set(hand) for hand in cards.hands]
            state = SakuraState(rules, dealer=self.dealer, hands=hands, field=cards.field, pile=cards.pile)
            assert set_up_state(state), "this order is dealt again"
            state.notes.clear()
            return state
        state = SakuraState(
            rules,
            dealer=self.dealer,
            hands=self._hands(),
            field=indices(self.data.get("field", ())),
            pile=indices(self.data.get("pile", ())),
            captured=self._captured(rules),
            turn=seat_number(self.data.get("turn", "p0")),
        )
        used = self.data.get("gaji_used")
        if used:
            state.gaji_by, state.gaji_month = seat_number(used["by"]), used["month"]
            state.transfer_open = rules.transfers
        return state

    def _hands(self) -> list[int]:
        hands = [0] * self.players
        named = self.data.get("hands", {"p0": self.data.get("hand", [])})
        for seat, cards in named.items():
            hands[seat_number(seat)] = set_of(cards)
        return hands

    def _captured(self, rules: Rules) -> list[int]:
        """Piles per side: by seat, as a list per side, or one list (side 0)."""
        piles = [0] * rules.side_count
        captured = self.data.get("captured", {})
        if isinstance(captured, list):
            one = bool(captured) and captured[0] in INDEX if captured and isinstance(captured[0], str) else False
            captured = {"A": captured} if one else {"ABCDEFG"[side]: pile for side, pile in enumerate(captured)}
        for name, cards in captured.items():
            piles[side_of(rules, name)] |= set_of(cards)
        return piles
