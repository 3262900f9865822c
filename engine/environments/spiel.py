"""The games for OpenSpiel: explicit chance, factored observations, one deal a game.

`register()` makes `pyspiel.load_game("hanafuda(preset=hawaii,players=4)")` known. Utilities are a side's result less
the mean of the others', so they sum to 0. With `deals=100` chance draws one of a hundred deals instead of 47 cards,
each equally likely: a smaller game, for playouts that need not wait for chance.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyspiel

from engine.cards import CODES
from engine.environments.explicit import CHANCE, ExplicitDeal, Table
from engine.environments.setup import rules_of
from engine.environments.spiel_base import DealState, game_type, in_pieces, require_no_parameters

NAME: Final = "hanafuda"
MAX_UTILITY: Final = 5_000.0
"""No deal of any preset is worth more; Oi-bana with bids of 1,000 tripled stays below it."""
MAX_DECISIONS: Final = 1_000
MAX_CHANCE: Final = 1_000
"""Cards drawn: of the deck, of deals that are thrown in, and of shuffles inside a deal."""
PRIVATE: Final = frozenset({"hand", "unseen", "own hand given back", "chosen"})
"""Planes that only their seat may see."""

GAME_TYPE: Final = game_type(
    NAME,
    "Hanafuda",
    (2, 7),
    provides_information_state_tensor=False,
    parameter_specification={"preset": "koikoi_nintendo", "players": 2, "stepwise": False, "deals": 0},
)


@lru_cache(maxsize=64)
def _table(preset: str, players: int, stepwise: bool, deals: int) -> Table:
    return Table(rules_of(preset), players, stepwise=stepwise, deals=deals)


class HanafudaGame(pyspiel.Game):
    """A preset at a number of players. preset, players, stepwise, deals: parameters of OpenSpiel's own kind.

    deals: how many there are, each with a number; 0: chance draws every card.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Raises BadOption for an unknown preset, BadSeating for a number of players that it has not, and ValueError
        for less than no deals.
        """
        found = {"preset": "koikoi_nintendo", "players": 2, "stepwise": False, "deals": 0, **(params or {})}
        # Nothing else is kept: OpenSpiel pickles what a game holds.
        self._wanted = str(found["preset"]), int(found["players"]), bool(found["stepwise"]), int(found["deals"])
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.space.size,
            max_chance_outcomes=self.table.deals or len(CODES),
            num_players=self.table.seats,
            min_utility=-MAX_UTILITY,
            max_utility=MAX_UTILITY,
            utility_sum=0.0,
            max_game_length=MAX_DECISIONS,
        )
        super().__init__(GAME_TYPE, info, params or {})

    @property
    def table(self) -> Table:
        return _table(*self._wanted)

    def new_initial_state(self) -> HanafudaState:
        """Before the first card is drawn."""
        return HanafudaState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1 if self.table.deals else MAX_CHANCE

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> HanafudaObserver:
        """An observer that fills a tensor and writes strings."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return HanafudaObserver(self.table, wanted, params)


class HanafudaState(DealState):
    """A deal; chance draws one card at a time, or the number of a deal."""

    deal: ExplicitDeal

    def __init__(self, game: HanafudaGame) -> None:
        super().__init__(game)
        self.deal = ExplicitDeal(game.table)

    def is_chance_node(self) -> bool:
        return self.deal.seat == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Numbers of the action space, or cards for chance, ascending; empty for a player who does not decide."""
        # Said here as well as to C++ below: a caller in Python need not go by way of C++ and back.
        return self.deal.listed() if player is None or player == self.deal.seat else []

    def _legal_actions(self, player: int) -> list[int]:
        return self.deal.numbers()

    def _apply_action(self, action: int) -> None:
        # Said here too: one call into machine code is a twentieth of a ply quicker than the choice made in Python.
        self.deal.decide(action)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that are left or the deals that there are, each equally likely."""
        return self.deal.outcomes()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"Deal {action}" if self.deal.table.deals else f"Draw {CODES[action]}"
        return self.deal.table.space.text(action)

    def returns(self) -> list[float]:
        """Rewards of the deal; zeros before its end."""
        return self.deal.rewards()

    def __str__(self) -> str:
        deal = self.deal
        drawn = " ".join(CODES[card] for order in deal.orders.values() for card in order)
        waiting = " ".join(CODES[card] for card in deal.drawn) if deal.request else ""
        chosen = f" ({CODES[deal.chosen]})" if deal.chosen >= 0 else ""
        return f"cards: {drawn} | {waiting} | " + ", ".join(map(str, deal.actions)) + chosen


class HanafudaObserver:
    """Fills `tensor`, whose pieces are in `dict`, and writes what a player knows as a string.

    Pieces: `private` planes of the player alone, then `planes`, `history` and `scalars` that all may know. With perfect
    recall the string is all that the player was told since the deal began; the tensor has the last 16 decisions.
    """

    def __init__(self, table: Table, wanted: Any, params: Any) -> None:
        """Raises ValueError for parameters: there are none."""
        require_no_parameters(params)
        layout = table.tensors.layout
        self.is_public = bool(wanted.public_info)
        self.is_private = wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.recalls = bool(wanted.perfect_recall)
        self._whole = np.zeros(layout.size, np.float32)
        secret = np.array([name in PRIVATE for name in layout.planes])
        planes = self._whole[: layout.history_at].reshape(-1, len(CODES))
        history = self._whole[layout.history_at : layout.scalars_at].reshape(-1, layout.row)
        self._parts: list[tuple[str, Any, Any]] = []
        if self.is_private:
            self._parts.append(("private", planes, np.flatnonzero(secret)))
        if self.is_public:
            self._parts.append(("planes", planes, np.flatnonzero(~secret)))
            self._parts.append(("history", history, slice(None)))
            self._parts.append(("scalars", self._whole[layout.scalars_at :], slice(None)))
        self.tensor, self.dict = in_pieces({name: source[rows].shape for name, source, rows in self._parts})

    def set_from(self, state: HanafudaState, player: int) -> None:
        """Update `tensor` and `dict` to what a player knows in a state."""
        state.deal.write_tensor(player, self._whole)
        for name, source, rows in self._parts:
            self.dict[name][...] = source[rows]

    def string_from(self, state: HanafudaState, player: int) -> str:
        """Return what a player knows in a state, as JSON."""
        deal = state.deal
        if deal.state is None:
            return f"p{player}"
        if self.recalls and (self.is_private or self.is_public):
            events = [event for event in deal.told(player) if self._shows(event)]
            return json.dumps([f"p{player}", *events, deal.chosen if player == deal.seat else -1])
        told = dict(deal.table.game.observation(deal.state, player))
        mine = {name: told.pop(name) for name in ("hand", "returned", "move") if name in told}
        parts = ([mine] if self.is_private else []) + ([told] if self.is_public else [])
        return json.dumps([f"p{player}", *parts]) if parts else ""

    def _shows(self, event: dict[str, object]) -> bool:
        is_own = "hand" in event or "mine" in event
        return self.is_private if is_own else self.is_public


def register() -> None:
    """Make the game known to `pyspiel.load_game`; twice does no harm."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, HanafudaGame)
