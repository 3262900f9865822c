"""The knowledge of one seat, as a typed value and as JSON, and its sampling back into a world.

Source: rules.md 3.6 and 11, site.md 6.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from engine.action import Action
from engine.cards import ALL, BITS, CardSet, card_set, codes, members
from engine.errors import NoWorld
from engine.game import Json
from engine.games.sakura.deal import deal_hand, in_order
from engine.games.sakura.position import NOBODY, Phase
from engine.games.sakura.rules import Rules
from engine.games.sakura.state import SakuraState

MAX_SAMPLES: Final = 100_000
"""Worlds thrown away before an observation is called inconsistent; one fits within a few dozen in real play."""


class SakuraObservation(NamedTuple):
    """Everything that a seat may know. Card sets are 48-bit ints; per seat, or per side for `captured`.

    played: what has left each hand in this deal; known: cards that all know to be in a hand now. clear: cards of
    which no other hand than the Gaji user's held all (0: nothing shown). pending: a flipped card or the blocked
    Gaji that waits for the choice of `turn`, -1 if none. legal: empty unless this seat is to act.
    """

    rules: Rules
    seat: int
    dealer: int
    turn: int
    phase: Phase
    hand: CardSet
    hand_sizes: tuple[int, ...]
    field: CardSet
    captured: tuple[CardSet, ...]
    removed: CardSet
    pile_size: int
    pending: int
    pending_flip: bool
    gaji_by: int
    gaji_month: int
    transfer_open: bool
    clear: CardSet
    barred: CardSet
    returned: bool
    played: tuple[CardSet, ...]
    known: tuple[CardSet, ...]
    legal: tuple[Action, ...]

    @property
    def unseen(self) -> CardSet:
        """Cards in other hands or in the pile."""
        return unseen_of(self.hand | self.field | self.removed, self.captured, self.pending)


def unseen_of(seen: CardSet, captured: tuple[CardSet, ...], pending: int) -> CardSet:
    """Return the cards that a seat sees neither among these, nor in a tray, nor in mid-air."""
    for pile in captured:
        seen |= pile
    return ALL & ~(seen | (BITS[pending] if pending >= 0 else 0))


def observe(state: SakuraState, seat: int, legal: tuple[Action, ...] | None = None) -> SakuraObservation:
    """Return what `seat` may know of a world: a value of its own, which later plies do not change.

    legal: what the seat to act may do, if that was asked already.
    """
    phase, known = state.phase, tuple(state.known)
    if any(known):
        # What was seen in a hand may have been played since.
        known = tuple([cards & hand for cards, hand in zip(known, state.hands)])
    values = (
        state.rules,
        seat,
        state.dealer,
        state.turn,
        phase,
        state.hands[seat],
        tuple([hand.bit_count() for hand in state.hands]),
        state.field,
        tuple(state.captured),
        state.removed,
        len(state.pile) - state.position,
        state.pending,
        state.pending_flip,
        state.gaji_by,
        state.gaji_month,
        state.transfer_open,
        state.clear,
        state.barred if phase == "gaji_blocked" else 0,
        state.returned and phase == "hand",
        state.played,
        known,
        (state.legal_actions() if legal is None else legal) if seat == state.turn else (),
    )
    return tuple.__new__(SakuraObservation, values)  # twice as quick as the call with names


def to_json(state: SakuraState, seat: int) -> Json:
    """The game's part of the observation JSON of site.md 6; sets of cards in code order.

    gaji: null, or {"by", "month", "open"}; open: whether its use still claims something.
    """
    gaji: Json | None = None
    if state.gaji_by != NOBODY:
        # A claim at the end of the deal stays open until then; one on the next point card is used up.
        is_open = state.transfer_open or not state.rules.transfers
        gaji = {"by": f"p{state.gaji_by}", "month": state.gaji_month, "open": is_open}
    return {
        "phase": state.phase,
        "hand": codes(state.hands[seat]),
        "hand_n": [hand.bit_count() for hand in state.hands],
        "field": codes(state.field),
        "tray": [codes(pile) for pile in state.captured],
        "pile_n": state.pile_left,
        "mult": 1,
        "gaji": gaji,
    }


def determinize(observation: SakuraObservation, rng: Random) -> SakuraState:
    """A world that fits: uniform over the hidden cards, less what automatic rules have ruled out (rules.md 11).

    The world's own observation for this seat equals the given one. Raises NoWorld if nothing fits.
    """
    unseen = observation.unseen
    for cards in observation.known:
        unseen &= ~cards
    rest = list(members(unseen))
    _check_sizes(observation, len(rest))
    # Rejection sampling: uniform over all distributions of the hidden cards, and so over those that fit.
    for _ in range(MAX_SAMPLES):
        rng.shuffle(rest)
        hands, pile = hand_out(observation, rest)
        if is_consistent(observation, hands):
            return world_of(observation, hands, pile)
    raise NoWorld("No world fits this observation. Pass the observation of a seat as the engine made it.")


def _check_sizes(observation: SakuraObservation, free: int) -> None:
    known = sum(cards.bit_count() for seat, cards in enumerate(observation.known) if seat != observation.seat)
    hidden = sum(size for seat, size in enumerate(observation.hand_sizes) if seat != observation.seat)
    if (
        hidden + observation.pile_size != free + known
        or observation.hand.bit_count() != (observation.hand_sizes[observation.seat])
    ):
        raise NoWorld("The cards of this observation do not add up to the deck.")


def hand_out(observation: SakuraObservation, rest: list[int]) -> tuple[list[CardSet], list[int]]:
    """Fill the other hands to their sizes, known cards first; what remains is the pile."""
    hands: list[CardSet] = []
    start = 0
    for seat, size in enumerate(observation.hand_sizes):
        if seat == observation.seat:
            hands.append(observation.hand)
            continue
        known = observation.known[seat]
        end = start + size - known.bit_count()
        hands.append(known | card_set(rest[start:end]))
        start = end
    return hands, rest[start:]


def is_consistent(observation: SakuraObservation, hands: list[CardSet]) -> bool:
    """Return whether the automatic rules would have shown what was seen with these hands."""
    # Rules that show something looked at the hands as they were dealt.
    dealt = [hand | gone for hand, gone in zip(hands, observation.played)]
    clear = observation.clear
    if clear and any(cards & clear == clear for seat, cards in enumerate(dealt) if seat != observation.gaji_by):
        return False
    return observation.rules.options.deal_hands == "off" or not any(map(deal_hand, dealt))


def world_of(observation: SakuraObservation, hands: list[CardSet], pile: list[int]) -> SakuraState:
    """The world of an observation with these hidden cards."""
    world = SakuraState(
        observation.rules,
        dealer=observation.dealer,
        hands=hands,
        field=in_order(observation.field),
        pile=pile,
        captured=observation.captured,
        turn=observation.turn,
    )
    world.phase = observation.phase
    world.removed = observation.removed
    world.pending, world.pending_flip = observation.pending, observation.pending_flip
    world.gaji_by, world.gaji_month = observation.gaji_by, observation.gaji_month
    world.transfer_open = observation.transfer_open
    world.clear, world.barred, world.returned = observation.clear, observation.barred, observation.returned
    world.dealt = [hand | gone for hand, gone in zip(hands, observation.played)]
    world.known = list(observation.known)
    return world
