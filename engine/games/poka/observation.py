"""The knowledge of one seat, as a typed value and as JSON, and its sampling back into a world.

Source: rules.md 3.6 and 11, site.md 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from engine.action import Action
from engine.cards import ALL, CODES, CardSet, card_set, codes, members
from engine.deck import GuessedShuffles
from engine.errors import NoWorld
from engine.game import Json
from engine.games.poka.position import Phase
from engine.games.poka.rules import Rules
from engine.games.poka.state import PokaState
from engine.games.poka.teyaku import Shown, teyaku_of
from engine.games.poka.turn import continuing, resume

MAX_SAMPLES: Final = 100_000
"""Worlds thrown away before an observation is called inconsistent; one fits within a few dozen in real play."""


@dataclass(frozen=True, slots=True)
class PokaObservation:
    """All that a seat may know. Card sets are 48-bit ints; the names are those of `PokaState`.

    discard: bottom to top; pile: the cards that all know to be in the pile, None before a reshuffle; shown: per
    seat its void teyaku; lacks: per seat what it cannot hold since it passed; legal: empty unless this seat is to act.
    """

    rules: Rules
    seat: int
    dealer: int
    turn: int
    phase: Phase
    hand: CardSet
    hand_sizes: tuple[int, ...]
    played: tuple[CardSet, ...]
    discard: tuple[int, ...]
    pile_size: int
    pile: CardSet | None
    reshuffles: int
    passes: int
    first_turn: tuple[bool, ...]
    laid: int
    shown: tuple[Shown | None, ...]
    lacks: tuple[CardSet, ...]
    moves_seen: int
    legal: tuple[Action, ...]

    @property
    def unseen(self) -> CardSet:
        """Cards in the other hand or in the pile."""
        return ALL & ~(self.hand | card_set(self.discard))


def observe(state: PokaState, seat: int, legal: tuple[Action, ...] | None = None) -> PokaObservation:
    """Return what `seat` may know of a world.

    legal: what the seat to act may do, if that was asked already.
    """
    return PokaObservation(
        rules=state.rules,
        seat=seat,
        dealer=state.dealer,
        turn=state.turn,
        phase=state.phase,
        hand=state.hands[seat],
        hand_sizes=tuple(hand.bit_count() for hand in state.hands),
        played=tuple(state.played),
        discard=tuple(state.discard),
        pile_size=state.pile_left,
        pile=card_set(state.hidden()) if state.pile_known else None,
        reshuffles=state.reshuffles,
        passes=state.passes,
        first_turn=tuple(state.first_turn),
        laid=state.laid,
        shown=state.shown,
        lacks=tuple(state.lacks),
        moves_seen=state.moves_seen[seat],
        legal=(state.legal_actions() if legal is None else legal) if seat == state.seat_to_act else (),
    )


def to_json(state: PokaState, seat: int) -> Json:
    """The game's part of the observation JSON of site.md 6; sets of cards in code order.

    move: the number of the move to be made, among those that this seat knows of. discard: bottom to top. pile: what
    a reshuffle put there and is there still, null before one. laid: cards discarded in this turn.
    """
    return {
        "phase": state.phase,
        "move": state.moves_seen[seat] + 1,
        "hand": codes(state.hands[seat]),
        "hand_n": [hand.bit_count() for hand in state.hands],
        "field": [],
        "tray": [[], []],
        "discard": [CODES[card] for card in state.discard],
        "pile_n": state.pile_left,
        "pile": codes(card_set(state.hidden())) if state.pile_known else None,
        "reshuffles": state.reshuffles,
        "passes": state.passes,
        "first_turn": list(state.first_turn),
        "laid": state.laid,
        "mult": state.mult,
    }


def determinize(observation: PokaObservation, rng: Random) -> PokaState:
    """A world that fits: uniform over the hidden cards, less what automatic rules have ruled out (rules.md 11).

    What a pass or a reshuffle has shown is dealt around; hands with a teyaku that nobody saw are rejected, and, while
    the other seat is in its turn, hands with which that turn would have ended on its own. The world's own observation
    for this seat equals the given one. Raises NoWorld if nothing fits.
    """
    other = 1 - observation.seat
    known, free = _hands(observation)
    missing = observation.hand_sizes[other] - known.bit_count()
    if not _adds_up(observation, missing, free):
        raise NoWorld("The cards of this observation do not add up to the deck.")
    # Outside of the loop: only the sample changes from try to try.
    pool = list(members(free))
    for _ in range(MAX_SAMPLES):
        hand = known | card_set(rng.sample(pool, missing))
        # A dealt hand with a teyaku would have been shown, so the hand as it was dealt is what counts.
        if teyaku_of(hand | observation.played[other]) != observation.shown[other]:
            continue
        world = _world(observation, hand, rng)
        # An opponent in the middle of a turn can go on: had nothing followed, the turn would have ended (rules.md 11).
        if not world.laid or world.turn == observation.seat or continuing(world):
            return world
    raise NoWorld("No world fits this observation. Pass the observation of a seat as the engine made it.")


def _hands(observation: PokaObservation) -> tuple[CardSet, CardSet]:
    """The cards known to be in the other hand, and those that may be."""
    other, unseen = 1 - observation.seat, observation.unseen
    if observation.pile is not None:
        # After a reshuffle all know the cards of the pile, and so those of the other hand.
        return unseen & ~observation.pile, 0
    shown = observation.shown[other]
    known = unseen & shown.cards if shown else 0
    return known, unseen & ~(known | observation.lacks[other])


def _adds_up(observation: PokaObservation, missing: int, free: CardSet) -> bool:
    sizes = observation.hand_sizes
    hidden = sizes[1 - observation.seat] + observation.pile_size
    return (
        0 <= missing <= free.bit_count()
        and hidden == observation.unseen.bit_count()
        and observation.hand.bit_count() == sizes[observation.seat]
    )


def _world(observation: PokaObservation, hand: CardSet, rng: Random) -> PokaState:
    seat = observation.seat
    pile = list(members(observation.unseen & ~hand))
    rng.shuffle(pile)
    world = PokaState(
        observation.rules,
        dealer=observation.dealer,
        hands=(observation.hand, hand) if seat == 0 else (hand, observation.hand),
        discard=observation.discard,
        pile=pile,
        shuffle=GuessedShuffles(rng.getrandbits(64)),
        turn=observation.turn,
    )
    world.phase = observation.phase
    world.played, world.lacks = list(observation.played), list(observation.lacks)
    world.reshuffles, world.pile_known = observation.reshuffles, observation.pile is not None
    world.passes, world.first_turn = observation.passes, list(observation.first_turn)
    resume(world, observation.laid)
    world.shown = observation.shown
    # How many moves the other seat knows of is hidden; the same number keeps this seat's own observation right.
    world.moves_seen = [observation.moves_seen] * 2
    return world
