"""The knowledge of one seat, as a typed value and as JSON, and its sampling back into a world.

Public is everything but the other hand and the order of the pile. Source: rules.md 3.6 and 11, site.md 6.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from engine.action import Action
from engine.cards import ALL, BITS, CardSet, card_set, codes, members
from engine.errors import NoWorld
from engine.game import Json
from engine.games.koikoi.hands import is_played
from engine.games.koikoi.position import NOBODY, Phase
from engine.games.koikoi.rules import Rules
from engine.games.koikoi.state import KoiKoiState

MAX_SAMPLES: Final = 100_000
"""Worlds thrown away before an observation is called inconsistent; one fits within a few tries in real play."""


class KoiKoiObservation(NamedTuple):
    """Everything that a seat may know. Card sets are 48-bit ints; tuples have one entry per seat.

    played: what has left each hand in this deal. pending: a flipped card that waits for the choice of `turn`, -1 if
    none. For the rest see `KoiKoiPosition`. legal: empty unless this seat is to act.
    """

    rules: Rules
    seat: int
    dealer: int
    number: int
    turn: int
    phase: Phase
    hand: CardSet
    hand_sizes: tuple[int, ...]
    field: CardSet
    captured: tuple[CardSet, ...]
    pile_size: int
    pending: int
    mult: int
    calls: tuple[int, ...]
    last_caller: int
    marks: tuple[int, ...]
    played: tuple[CardSet, ...]
    legal: tuple[Action, ...]

    @property
    def unseen(self) -> CardSet:
        """Cards in the other hand or in the pile."""
        seen = self.hand | self.field | self.captured[0] | self.captured[1]
        return ALL & ~(seen | (BITS[self.pending] if self.pending >= 0 else 0))


def observe(state: KoiKoiState, seat: int, legal: tuple[Action, ...] | None = None) -> KoiKoiObservation:
    """Return what `seat` may know of a world: a value of its own, which later plies do not change.

    legal: what the seat to act may do, if that was asked already.
    """
    values = (
        state.rules,
        seat,
        state.dealer,
        state.number,
        state.turn,
        state.phase,
        state.hands[seat],
        tuple([hand.bit_count() for hand in state.hands]),
        state.field,
        tuple(state.captured),
        len(state.pile) - state.position,
        state.pending,
        state.mult,
        tuple(state.calls),
        state.last_caller,
        tuple(state.marks),
        state.played,
        (state.legal_actions() if legal is None else legal) if seat == state.turn else (),
    )
    return tuple.__new__(KoiKoiObservation, values)  # twice as quick as the call with names


def to_json(state: KoiKoiState, seat: int) -> Json:
    """The game's part of the observation JSON of site.md 6; sets of cards in code order.

    deal_n: number of the deal, which tells its month. Per seat: calls; yaku, their points by id; base, the sum of
    them; mark, the points right after the seat's own last call. last_caller: who called koi-koi last, or null.
    """
    yaku = [state.yaku(player) for player in range(len(state.hands))]
    return {
        "phase": state.phase,
        "hand": codes(state.hands[seat]),
        "hand_n": [hand.bit_count() for hand in state.hands],
        "field": codes(state.field),
        "tray": [codes(pile) for pile in state.captured],
        "pile_n": state.pile_left,
        "mult": state.mult,
        "deal_n": state.number,
        "calls": list(state.calls),
        "last_caller": None if state.last_caller == NOBODY else f"p{state.last_caller}",
        "yaku": yaku,
        "base": [sum(made.values()) for made in yaku],
        "mark": list(state.marks),
    }


def determinize(observation: KoiKoiObservation, rng: Random) -> KoiKoiState:
    """A world that fits: uniform over the hidden cards, less starting hands that are not played (rules.md 11).

    The world's own observation for this seat equals the given one. Raises NoWorld if nothing fits.
    """
    rest, other = list(members(observation.unseen)), 1 - observation.seat
    size = observation.hand_sizes[other]
    if size + observation.pile_size != len(rest) or (
        observation.hand.bit_count() != observation.hand_sizes[observation.seat]
    ):
        raise NoWorld("The cards of this observation do not add up to the deck.")
    options, gone = observation.rules.options, observation.played[other]
    # Rejection sampling: uniform over all distributions of the hidden cards, and so over those that fit.
    for _ in range(MAX_SAMPLES):
        rng.shuffle(rest)
        hand = card_set(rest[:size])
        if is_played(options, hand | gone):
            return world_of(observation, hand, rest[size:])
    raise NoWorld("No world fits this observation. Pass the observation of a seat as the engine made it.")


def world_of(observation: KoiKoiObservation, hand: CardSet, pile: list[int]) -> KoiKoiState:
    """The world of an observation with these hidden cards. hand: of the other seat."""
    hands = (observation.hand, hand) if observation.seat == 0 else (hand, observation.hand)
    world = KoiKoiState(
        observation.rules,
        dealer=observation.dealer,
        hands=hands,
        field=tuple(members(observation.field)),
        pile=pile,
        captured=observation.captured,
        turn=observation.turn,
        number=observation.number,
    )
    world.dealt = [held | gone for held, gone in zip(hands, observation.played)]
    world.phase, world.pending, world.mult = observation.phase, observation.pending, observation.mult
    world.calls, world.marks = list(observation.calls), list(observation.marks)
    world.last_caller = observation.last_caller
    return world
