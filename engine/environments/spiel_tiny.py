"""Hanafuda Tiny for OpenSpiel: `register()` makes `pyspiel.load_game("hanafuda_tiny")` known."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyspiel

from engine.environments.spiel_base import DealState, game_type, in_pieces, require_no_parameters
from engine.environments.tiny import ACTIONS, HAND, MAX_POINTS, MONTHS, SEATS, TinyDeal, action_text, public_text

NAME: Final = "hanafuda_tiny"
DECISIONS: Final = 2 * SEATS * HAND
"""The most of a game: each card is played, and after each a bright may have been captured."""

GAME_TYPE: Final = game_type(NAME, "Hanafuda Tiny", (SEATS, SEATS), provides_information_state_tensor=True)
GAME_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=len(MONTHS),
    num_players=SEATS,
    min_utility=-float(MAX_POINTS),
    max_utility=float(MAX_POINTS),
    utility_sum=0.0,
    max_game_length=DECISIONS,
)


class TinyGame(pyspiel.Game):
    """The game; it has no parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(GAME_TYPE, GAME_INFO, params or {})

    def new_initial_state(self) -> TinyState:
        """Before the first card is dealt."""
        return TinyState(self)

    def max_chance_nodes_in_history(self) -> int:
        return SEATS * HAND

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> TinyObserver:
        """An observer that fills a tensor and writes strings."""
        return TinyObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class TinyState(DealState):
    """A game in play."""

    deal: TinyDeal

    def __init__(self, game: TinyGame) -> None:
        super().__init__(game)
        self.deal = TinyDeal()

    def _legal_actions(self, player: int) -> list[int]:
        return self.deal.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The months that may be dealt next, with their probabilities."""
        return self.deal.chances()

    def _action_to_string(self, player: int, action: int) -> str:
        return f"Deal {MONTHS[action]:02}" if player == pyspiel.PlayerId.CHANCE else action_text(action)

    def returns(self) -> list[float]:
        """Points won and lost; zeros before the end."""
        return self.deal.returns()

    def __str__(self) -> str:
        dealt = " ".join(f"{MONTHS[place]:02}" for place in self.deal.dealt)
        return f"{dealt} | {public_text(self.deal.decisions)}"


class TinyObserver:
    """Fills `tensor` and writes strings: the player, the cards it was dealt, and what both have seen.

    With perfect recall every decision in time, without it the brights that lie there, the points and who has called.
    """

    def __init__(self, wanted: Any, params: Any) -> None:
        """Raises ValueError for parameters: there are none."""
        require_no_parameters(params)
        self.recalls = bool(wanted.perfect_recall)
        shapes: dict[str, tuple[int, ...]] = {"player": (SEATS,)}
        if wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            shapes |= {"dealt": (len(MONTHS),), "hand": (len(MONTHS),)}
        if wanted.public_info and self.recalls:
            shapes["decisions"] = (DECISIONS, ACTIONS)
        elif wanted.public_info:
            shapes |= {"lying": (len(MONTHS),), "points": (SEATS,), "called": (SEATS,), "asked": (SEATS + 1,)}
        self.tensor, self.dict = in_pieces(shapes)

    def _pieces(self, deal: TinyDeal, player: int) -> dict[str, Any]:
        """Every piece as an array or a list of its shape."""
        dealt, places = deal.dealt[player * HAND : (player + 1) * HAND], range(len(MONTHS))
        decisions = np.zeros((DECISIONS, ACTIONS), np.float32)
        for row, (_seat, number) in enumerate(deal.decisions):
            decisions[row, number] = 1
        return {
            "player": [float(seat == player) for seat in range(SEATS)],
            "dealt": [dealt.count(place) for place in places],
            "hand": [deal.hands[player].count(place) for place in places],
            "decisions": decisions,
            "lying": [deal.lying >> place & 1 for place in places],
            "points": deal.points,
            "called": deal.called,
            "asked": [deal.decides, *[deal.seat == seat for seat in range(SEATS)]],
        }

    def set_from(self, state: TinyState, player: int) -> None:
        """Update `tensor` and `dict` to what a player knows in a state."""
        for name, value in self._pieces(state.deal, player).items():
            if name in self.dict:
                self.dict[name][...] = value

    def string_from(self, state: TinyState, player: int) -> str:
        """Return what a player knows in a state."""
        deal, parts = state.deal, [f"p{player}"]
        if "dealt" in self.dict:
            dealt = sorted(deal.dealt[player * HAND : (player + 1) * HAND])
            parts.append("dealt " + " ".join(f"{MONTHS[place]:02}" for place in dealt))
        if "decisions" in self.dict:
            parts.append(public_text(deal.decisions))
        if "lying" in self.dict:
            parts.append(f"lying {deal.lying:04b} points {deal.points} called {deal.called} asked {deal.decides}")
        return "; ".join(parts)


def register() -> None:
    """Make the game known to `pyspiel.load_game`; twice does no harm."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, TinyGame)
