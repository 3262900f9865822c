"""The knowledge of one seat in a deal of Oi-bana, typed and as JSON, and its sampling back into a world.

A player at the table knows what Sakura shows; who watches has seen the bids and the hand that it gave back itself.
Source: rules.md 3.6 and 11, site.md 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine.action import Action
from engine.cards import ALL, CardSet, card_set, codes, members
from engine.deck import GuessedShuffles
from engine.errors import NoWorld
from engine.game import Json
from engine.games.oibana.auction import NO_BID
from engine.games.oibana.position import NOBODY
from engine.games.oibana.rules import HAND, OibanaRules
from engine.games.oibana.state import OibanaState
from engine.games.sakura import observation as sakura
from engine.games.sakura.observation import SakuraObservation
from engine.games.sakura.state import SakuraState


@dataclass(frozen=True, slots=True)
class OibanaObservation:
    """Everything that a seat may know. Per seat of the auction, card sets are 48-bit ints.

    bids: NO_BID where none was made yet. players: the two at the table, the leader first; empty in the auction.
    returned: the hand that this seat gave back. table: the Sakura deal as this seat sees it, its own seats 0 and 1;
    for who watches, seat -1 without a hand; None in the auction. legal: empty unless this seat is to act.
    """

    rules: OibanaRules
    seat: int
    dealer: int
    turn: int
    hand: CardSet
    bids: tuple[int, ...]
    players: tuple[int, ...]
    returned: CardSet
    table: SakuraObservation | None
    legal: tuple[Action, ...]

    @property
    def phase(self) -> str:
        """`auction`, or the phase of the Sakura deal."""
        return "auction" if self.table is None else self.table.phase


def observe(state: OibanaState, seat: int, legal: tuple[Action, ...] | None = None) -> OibanaObservation:
    """Return what `seat` may know of a world.

    legal: what the seat to act may do, if that was asked already.
    """
    return OibanaObservation(
        rules=state.rules,
        seat=seat,
        dealer=state.dealer,
        turn=state.seat_to_act,
        hand=state.hand(seat),
        bids=tuple(state.bids),
        players=state.players,
        returned=state.returned[seat],
        table=None if state.table is None else _seen(state.table, state.players, seat),
        legal=(state.legal_actions() if legal is None else legal) if seat == state.seat_to_act else (),
    )


def _seen(table: SakuraState, players: tuple[int, ...], seat: int) -> SakuraObservation:
    """The table as a player or somebody who watches sees it."""
    if seat in players:
        return sakura.observe(table, players.index(seat))
    # The view of the first player without what only that player knows.
    return sakura.observe(table, 0)._replace(seat=NOBODY, hand=0, legal=())


def to_json(state: OibanaState, seat: int) -> Json:
    """The game's part of the observation JSON of site.md 6; sets of cards in code order.

    bids: per seat, null until made. players: the two at the table, the leader first. turn: the seat that decides.
    returned: the hand that this seat gave back. gaji: as in Sakura.
    """
    seats, table = range(state.rules.seats), state.table
    # The use of the Gaji is public, so any seat's view of it will do; only its seat number is one of the table.
    gaji = None if table is None else sakura.to_json(table, 0)["gaji"]
    if isinstance(gaji, dict):
        gaji = {**gaji, "by": f"p{state.players[int(gaji['by'][1:])]}"}
    return {
        "phase": state.phase,
        "hand": codes(state.hand(seat)),
        "hand_n": [state.hand(other).bit_count() for other in seats],
        "field": [] if table is None else codes(table.field),
        "tray": [codes(state.captured(other)) for other in seats],
        "pile_n": state.pile_left,
        "mult": 1,
        "gaji": gaji,
        "turn": None if state.is_over else f"p{state.seat_to_act}",
        "bids": [None if bid == NO_BID else bid for bid in state.bids],
        "players": [f"p{player}" for player in state.players],
        "returned": codes(state.returned[seat]),
    }


def determinize(observation: OibanaObservation, rng: Random) -> OibanaState:
    """A world that fits: uniform over the hidden cards, less what automatic rules have ruled out (rules.md 11).

    The world's own observation for this seat equals the given one. Raises NoWorld if nothing fits.
    """
    if observation.table is None:
        return _before_the_field(observation, rng)
    # Hands of the auction are of no more use once the table is laid: they lie in its world.
    world = _empty(observation, [0] * observation.rules.seats, 0, rng)
    world.players = observation.players
    world.returned[observation.seat] = observation.returned
    watches = observation.seat not in observation.players
    world.table = _watched(observation, rng) if watches else sakura.determinize(observation.table, rng)
    return world


def _before_the_field(observation: OibanaObservation, rng: Random) -> OibanaState:
    """During the auction: eight cards for everybody else, the rest is undealt."""
    rest = list(members(ALL & ~observation.hand))
    rng.shuffle(rest)
    hands: list[CardSet] = []
    for seat in range(observation.rules.seats):
        hands.append(observation.hand if seat == observation.seat else card_set(rest[:HAND]))
        if seat != observation.seat:
            del rest[:HAND]
    return _empty(observation, hands, card_set(rest), rng)


def _empty(observation: OibanaObservation, hands: list[CardSet], undealt: CardSet, rng: Random) -> OibanaState:
    # Shuffles to come are guessed as well: with the match's own a bot would look ahead.
    shuffle = GuessedShuffles(rng.getrandbits(64))
    world = OibanaState(observation.rules, dealer=observation.dealer, hands=hands, undealt=undealt, shuffle=shuffle)
    world.bids = list(observation.bids)
    if observation.table is None:
        world.bidder = observation.turn
    return world


def _watched(observation: OibanaObservation, rng: Random) -> SakuraState:
    """A table for who watches: what it gave back lies in the pile, or has been seen, never in a hand."""
    seen = observation.table
    assert seen is not None
    # The sets are disjoint, so their sum is their union.
    known = sum(seen.known)
    hidden = seen.unseen & ~known
    free, below = list(members(hidden & ~observation.returned)), list(members(hidden & observation.returned))
    for _ in range(sakura.MAX_SAMPLES):
        rng.shuffle(free)
        hands, rest = sakura.hand_out(seen, free)
        # Rejection: drawn uniformly and thrown away if it contradicts what is known, the rest stays uniform.
        if sakura.is_consistent(seen, hands):
            pile = rest + below
            rng.shuffle(pile)
            return sakura.world_of(seen, hands, pile)
    raise NoWorld("No world fits this observation. Pass the observation of a seat as the engine made it.")
