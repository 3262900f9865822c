"""The typed view of an observation: everything a seat may know, as numbers and card sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from bots.sdk.tables import MONTH_MASKS, MONTH_OF
from engine.action import LEAVE, NONE, RETURN, Action
from engine.cards import BITS, CardSet
from engine.game import Game, Outcome, Ruleset, State
from engine.games.sakura.observation import SakuraObservation

Policy = Callable[[State, tuple[Action, ...]], Action]
"""Chooses in a playout: (world, its legal actions, two or more) -> one of them."""

_LAYING: Final = (LEAVE, NONE, RETURN)


class View:
    """What `hanami.read(obs)` gives. Card sets are 48-bit ints (see `hanami.members`, `hanami.codes`).

    obs        the dict it was made from
    seat       this seat, 0 .. seats - 1;  side: its side;  sides: the side of every seat
    deal, move numbers from 1, of this deal and of the move to be made
    phase      "hand", "flip_choice" (a flipped card waits for its target), "gaji_blocked" or "flip_gaji"
    dealer     the dealer's seat
    hand       own cards;  hand_sizes: number of cards per seat
    field      cards on the field;  pile_size: cards in the draw pile;  removed: cards out of this deal
    trays      captured cards per side;  mine: those of the own side
    pending    the card in mid-air (a flipped card, the blocked Gaji) that waits for the choice, or -1
    unseen     cards in other hands or in the pile
    totals     per side what decides the match so far (points, or victories)
    legal      the legal actions, in the order of obs["legal"]
    history    all public events of this deal, in order, as in obs["since"]
    ruleset    game and options;  ms_left: CPU milliseconds that this answer may cost
    """

    def __init__(
        self,
        obs: Mapping[str, Any],
        known: SakuraObservation,
        history: tuple[Mapping[str, Any], ...],
        game: Game,
        ruleset: Ruleset,
    ) -> None:
        self._game = game
        self._known = known
        self.obs: Final = obs
        self.ruleset: Final = ruleset
        self.history: Final = history
        self.seat: Final = known.seat
        self.sides: Final[tuple[int, ...]] = tuple(obs["sides"])
        self.seats: Final = len(self.sides)
        self.side: Final = self.sides[known.seat]
        self.deal: Final[int] = obs["deal"]
        self.move: Final[int] = obs["move"]
        self.phase: Final[str] = known.phase
        self.dealer: Final = known.dealer
        self.hand: Final[CardSet] = known.hand
        self.hand_sizes: Final = known.hand_sizes
        self.field: Final[CardSet] = known.field
        self.pile_size: Final = known.pile_size
        self.removed: Final[CardSet] = known.removed
        self.trays: Final = known.captured
        self.mine: Final[CardSet] = known.captured[self.side]
        self.pending: Final = known.pending
        self.unseen: Final[CardSet] = known.unseen
        self.totals: Final[tuple[int, ...]] = tuple(obs["total"])
        self.legal: Final = known.legal
        self.ms_left: Final[int] = obs["ms_left"]

    @property
    def others(self) -> tuple[CardSet, ...]:
        """The captured cards of every other side."""
        return tuple(tray for side, tray in enumerate(self.trays) if side != self.side)

    def takes(self, action: Action) -> CardSet:
        """The cards an action brings to the own tray at once, the played card among them; 0 if it takes none.

        What the flip brings afterwards is not in it, nor is a block of the Gaji, which nobody can foresee.
        """
        if action.kind == "hiki":
            return MONTH_MASKS[action.month - 1]
        if action.kind == "draw_only" or action.take in _LAYING:
            return 0
        card = self._moved_by(action)
        if action.take >= 0:
            return BITS[action.take] | BITS[card]
        matches = self.field & MONTH_OF[card]
        return matches | BITS[card] if matches else 0

    def lays(self, action: Action) -> CardSet:
        """The card an action leaves on the field, as a set; 0 if it captures, or plays no card."""
        if action.kind in ("draw_only", "hiki") or action.take == RETURN or self.takes(action):
            return 0
        return BITS[self._moved_by(action)]

    def _moved_by(self, action: Action) -> int:
        """The card that an action plays: out of the hand, or the one in mid-air."""
        return action.card if action.kind == "play" else self.pending

    def determinize(self, rng: Random) -> State:
        """A world that fits everything seen so far, uniformly drawn: other hands and the pile are guessed.

        It is a copy to play on: `legal_actions()`, `apply_unchecked(action)`, `is_over`, `outcome()`, `copy()`.
        """
        return self._game.determinize(self._known, rng)

    def playout(self, world: State, action: Action, policy: Policy) -> Outcome:
        """How the deal ends if this seat does `action` in a copy of `world` and `policy` plays everybody on."""
        twin = world.copy()
        twin.apply_unchecked(action)
        while not twin.is_over:
            legal = twin.legal_actions()
            twin.apply_unchecked(legal[0] if len(legal) == 1 else policy(twin, legal))
        return twin.outcome()

    def lead(self, outcome: Outcome) -> int:
        """Points of the own side ahead of the best other side in a deal's outcome; negative when behind."""
        return outcome.score[self.side] - max(score for side, score in enumerate(outcome.score) if side != self.side)
