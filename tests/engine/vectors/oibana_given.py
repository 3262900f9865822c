"""The start of a vector of Oi-bana, and its table as a position of Sakura for two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.action import Action
from engine.cards import ALL, card_set, members, set_of
from engine.deck import GuessedShuffles
from engine.game import Ruleset
from engine.games import ruleset
from engine.games.oibana import auction
from engine.games.oibana.options import OibanaOptions
from engine.games.oibana.rules import compile_oibana, own_options
from engine.games.oibana.state import OibanaState
from tests.engine.vectors.files import Vector
from tests.engine.vectors.given import indices, seat_number

KNOWN: Final = frozenset(
    [
        "players", "cases", "dealer", "deck_top_first", "hands", "bids_in_order", "participants", "scores", "totals",
        "round_scores", "rounds", "rounds_played", "yaku", "note",
    ]
)  # fmt: skip
OWN_OPTIONS: Final = ("oibana_payment", "bid_min", "bid_max")


class GivenOibana:
    """The `given` of a vector, read on demand."""

    def __init__(self, vector: Vector) -> None:
        self.vector = vector
        self.data: dict[str, Any] = vector.get("given") or {}
        unknown = set(self.data) - KNOWN
        assert not unknown, f"the adapter does not know these keys of given: {sorted(unknown)}"

    @property
    def rules(self) -> Ruleset:
        options = dict(self.vector.get("options") or {})
        rounds = self.data.get("rounds", self.data.get("rounds_played"))
        if rounds is not None:
            options.setdefault("rounds", rounds)
        return ruleset(self.vector["preset"], **options)

    @property
    def options(self) -> OibanaOptions:
        return own_options(self.rules.options)

    @property
    def dealer(self) -> int:
        return seat_number(self.data.get("dealer", "p0"))

    @property
    def players(self) -> list[int]:
        """Numbers of seats to try: as given, or as many as the position names, three at least."""
        players = self.data.get("players")
        if players is not None:
            return players if isinstance(players, list) else [players]
        named = [seat_number(name) for name, _ in self.data.get("bids_in_order", ())]
        for key in ("participants", "scores", "round_scores", "totals", "hands"):
            value = self.data.get(key) or {}
            names = list(value)
            is_named = all(isinstance(name, str) for name in names)
            named += [seat_number(name) for name in names] if is_named else range(len(names))
        return [max(3, *(seat + 1 for seat in [self.dealer, *named]))]

    def bids_of_players(self) -> dict[int, int]:
        """The two who play, with their bids: as told, or the two highest of the auction, or those with a score."""
        told = self.data.get("participants")
        if isinstance(told, dict):
            return {seat_number(name): bid for name, bid in told.items()}
        bids = {seat_number(name): bid for name, bid in self.data.get("bids_in_order", ())}
        if told is not None:
            return {seat_number(name): bids.get(seat_number(name), 1) for name in told}
        if bids:
            every = [bids[seat] for seat in range(len(bids))]
            return {seat: every[seat] for seat in auction.participants(every, self.dealer)}
        return {seat_number(name): 1 for name in self.data["scores"]}

    def scores_of(self, first: int, second: int) -> tuple[int, int]:
        """The Sakura scores of the two, told by seat, per seat of the table, or as a pair in their order."""
        scores = self.data.get("scores") or self.data["round_scores"]
        if isinstance(scores, list):
            row = scores[0] if isinstance(scores[0], list | dict) else scores
            if isinstance(row, list):
                return (row[0], row[1]) if len(row) == 2 else (row[first], row[second])
            scores = row
        return scores[f"p{first}"], scores[f"p{second}"]

    def state(self, seats: int) -> OibanaState:
        """A deal before the first bid; cards that are not named lie anywhere."""
        order = list(members(ALL))
        if isinstance(self.data.get("deck_top_first"), list):
            order = indices(self.data["deck_top_first"])
        hands = auction.as_sets(auction.deal_hands(order, seats, self.dealer, self.options.deal_pattern))
        named = {seat_number(name): set_of(cards) for name, cards in (self.data.get("hands") or {}).items()}
        if named:
            rest = [card for card in order if not sum(named.values()) >> card & 1]
            hands = [named[seat] if seat in named else card_set(rest.pop() for _ in range(8)) for seat in range(seats)]
        loose = ALL & ~sum(hands)
        rules = compile_oibana(self.rules, seats)
        return OibanaState(rules, dealer=self.dealer, hands=hands, undealt=loose, shuffle=GuessedShuffles(1))


def everything(state: OibanaState) -> tuple[object, ...]:
    """Return what a world holds during the auction, for comparison."""
    return (list(state.hands), state.undealt, list(state.bids), state.bidder, state.players, state.phase)


def bid_of(amount: Any) -> Action:
    """A bid as the vectors write it; anything that is no number is a pass."""
    if isinstance(amount, int) and not isinstance(amount, bool):
        return Action.of("bid", amount=amount)
    return Action.of("pass")


def at_table(vector: Vector) -> Vector:
    """The vector of a deal for two: the participants as p0 and p1, the leader first, by the Hawaii rules."""
    data = dict(vector.get("given") or {})
    players = data.pop("players", None)
    dealer = seat_number(data.pop("dealer", "p0"))
    named = data.pop("participants", None)
    if named is None:
        named = sorted(data.get("hands") or {"p0": 0, "p1": 0})
    seats = players if isinstance(players, int) else max(3, *(seat_number(name) + 1 for name in named))
    order = sorted(map(seat_number, named), key=lambda seat: (seat - dealer) % seats)
    names = {f"p{seat}": f"p{place}" for place, seat in enumerate(order)}
    data.setdefault("turn", f"p{order[0]}")
    table = {"action": vector["action"], "given": data, "expect": vector["expect"]}
    return {**vector, **renamed(table, names)}


def of_hawaii(vector: Vector) -> Vector:
    """The vector as one of the Hawaii rules, by which the table plays."""
    options = {key: value for key, value in (vector.get("options") or {}).items() if key not in OWN_OPTIONS}
    return {**vector, "preset": "hawaii", "options": options}


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with other seat names, in keys and texts alike."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    if isinstance(value, str):
        return " ".join(names.get(word, word) for word in value.split(" "))
    return value
