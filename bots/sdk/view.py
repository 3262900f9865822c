"""The typed view of an observation: everything a seat may know, as numbers and card sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from bots.sdk.calling import kan_of
from bots.sdk.customs import NOTHING, SPOKEN, custom
from bots.sdk.pressing import YAKU_POINT, gained
from bots.sdk.tables import MONTH_MASKS, MONTH_OF, values_of, yaku_of
from engine.action import LEAVE, NONE, RETURN, UNNAMED, Action
from engine.cards import BITS, CardSet, card_index, members, set_of
from engine.game import Game, Observation, Outcome, Ruleset, State
from engine.games.nuki.values import KAN

Policy = Callable[[State, tuple[Action, ...]], Action]
"""Chooses in a playout: (world, its legal actions, two or more) -> one of them."""

_LAYING: Final = (LEAVE, NONE, RETURN)


class View:
    """The result of `hanami.read(obs)`. Card sets are 48-bit ints (see `hanami.members`, `hanami.codes`).

    obs        the dict it was made from
    seat       this seat, 0 .. seats - 1;  side: its side;  sides: the side of every seat
    deal, move numbers from 1, of this deal and of the move to be made
    phase      "hand", "flip_choice" (a flipped card waits for its target), or another word of the game's
    dealer     the dealer's seat
    hand       own cards;  hand_sizes: number of cards per seat
    field      cards on the field;  pile_size: cards in the draw pile;  removed: cards out of this deal
    trays      captured cards per side;  mine: those of the own side
    pending    the card in mid-air (a flipped card, the blocked Gaji) that waits for the choice, or -1
    unseen     cards in other hands or in the pile
    totals     per side what decides the match so far (points, or victories)
    legal      the legal actions, in the order of obs["legal"];  plays: the indices of those that play or choose a card
    history    all public events of this deal, in order, as in obs["since"]
    values     card points of this game, by card;  yaku: the cards of what it rewards capturing, by id
    top        the card on top of the discard pile (Poka), or -1
    known      the engine's own typed observation, with what only this game has
    ruleset    game and options;  ms_left: CPU milliseconds that this answer may cost
    """

    def __init__(
        self,
        obs: Mapping[str, Any],
        known: Observation,
        history: tuple[Mapping[str, Any], ...],
        game: Game,
        ruleset: Ruleset,
    ) -> None:
        self._game = game
        self.known: Final = known
        self.obs: Final = obs
        self.ruleset: Final = ruleset
        self.history: Final = history
        self.seat: Final = known.seat
        self.sides: Final[tuple[int, ...]] = tuple(obs["sides"])
        self.seats: Final = len(self.sides)
        self.side: Final = self.sides[known.seat]
        self.deal: Final[int] = obs["deal"]
        self.move: Final[int] = obs["move"]
        self.phase: Final[str] = obs["phase"]
        self.dealer: Final = int(obs["dealer"][1:])
        self.hand: Final[CardSet] = set_of(obs["hand"])
        self.hand_sizes: Final[tuple[int, ...]] = tuple(obs["hand_n"])
        self.field: Final[CardSet] = set_of(obs["field"])
        self.pile_size: Final[int] = obs["pile_n"]
        self.trays: Final[tuple[CardSet, ...]] = tuple(map(set_of, obs["tray"]))
        self.mine: Final[CardSet] = self.trays[self.side]
        table = getattr(known, "table", None) or known  # Oi-bana keeps the deal of its two players there
        self.removed: Final[CardSet] = getattr(table, "removed", 0)
        self.pending: Final[int] = getattr(table, "pending", NOTHING)
        self.values: Final = values_of(game.id)
        self.yaku: Final = yaku_of(game.id)
        discard = obs.get("discard", ())
        self.top: Final = card_index(discard[-1]) if discard else NOTHING
        self.unseen: Final[CardSet] = game.deck & ~(self._seen() | set_of(discard))
        self.totals: Final[tuple[int, ...]] = tuple(obs["total"])
        self.legal: Final = known.legal
        self.ms_left: Final[int] = obs["ms_left"]

    def _seen(self) -> CardSet:
        """Every card that lies open or in the own hand, but for a discard pile."""
        seen = self.hand | self.field | self.removed | (BITS[self.pending] if self.pending >= 0 else 0)
        for tray in self.trays:
            seen |= tray
        return seen

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
        card = self._moved_by(action)
        # Checked before the target: LEAVE, NONE and RETURN are negative marks, not cards.
        if card < 0 or action.take in _LAYING:
            return 0
        if action.take >= 0:
            return BITS[action.take] | BITS[card]
        matches = self.field & MONTH_OF[card]
        return matches | BITS[card] if matches else 0

    def lays(self, action: Action) -> CardSet:
        """The card an action leaves on the field or discards, as a set; 0 if it captures, or plays no card."""
        card = self._moved_by(action)
        if card < 0 or action.take == RETURN or self.takes(action):
            return 0
        return BITS[card]

    def _moved_by(self, action: Action) -> int:
        """The card that an action plays: out of the hand, or the one in mid-air; -1 if it plays none."""
        if action.card >= 0:
            return action.card
        return self.pending if action.take != UNNAMED else NOTHING

    def points(self, cards: CardSet) -> int:
        """Card points of a set, as this game counts them."""
        return sum(self.values[card] for card in members(cards))

    def brings(self, cards: CardSet) -> int:
        """Return what captured cards count at once: their points, and the dekiyaku of Nuki (a kan 10 points) or the
        yaku of Koi-Koi (a point `YAKU_POINT`) that they make.

        A yaku of the Sakura family is not in it: it brings nothing, it costs the others.
        """
        game = self.ruleset.game if cards else ""
        if game == "nuki":
            return self.points(cards) + KAN * (kan_of(self.mine | cards) - kan_of(self.mine))
        if game == "koikoi":
            return self.points(cards) + YAKU_POINT * gained(self.known, self.seat, cards)
        return self.points(cards)

    def custom(self, action: Action) -> float:
        """Return what a decision is worth that captures nothing (a bid, a discard, a call): see `hanami.custom`."""
        return custom(action, self.known, self.hand)

    def spoken(self) -> int | None:
        """The index of the decision of highest worth if it is one that captures nothing, else None.

        None: a card is to be played or chosen, and playing it is better than to cancel, if that is legal.
        """
        best = max(range(len(self.legal)), key=lambda index: self.custom(self.legal[index]))
        return best if self.legal[best].kind in SPOKEN else None

    @property
    def plays(self) -> range:
        """Indices into `legal`; cards come first there."""
        return range(sum(1 for action in self.legal if action.kind not in SPOKEN))

    def determinize(self, rng: Random) -> State:
        """A world that fits everything seen so far, uniformly drawn: other hands and the pile are guessed.

        It is a copy to play on: `legal_actions()`, `apply_unchecked(action)`, `is_over`, `outcome()`, `copy()`.
        """
        return self._game.determinize(self.known, rng)

    def playout(self, world: State, action: Action, policy: Policy) -> Outcome:
        """Return how the deal ends if this seat does `action` in a copy of `world` and `policy` plays everybody on."""
        # The caller plays several candidates in the same world; each needs a copy of its own.
        twin = world.copy()
        twin.apply_unchecked(action)
        while not twin.is_over:
            legal = twin.legal_actions()
            # Unchecked: the action comes from legal_actions(), and the check costs more than the move.
            twin.apply_unchecked(legal[0] if len(legal) == 1 else policy(twin, legal))
        return twin.outcome()

    def lead(self, outcome: Outcome) -> int:
        """Points of the own side ahead of the best other side in a deal's outcome; negative when behind."""
        return outcome.score[self.side] - max(score for side, score in enumerate(outcome.score) if side != self.side)
