"""The knowledge of one seat, as a typed value and as JSON. Source: rules.md 3.6, site.md 6."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action
from engine.cards import BITS, CODES, NUKI_DECK, CardSet, codes
from engine.game import Json
from engine.games.nuki.join import Answer
from engine.games.nuki.position import NOBODY, Phase
from engine.games.nuki.rules import Rules
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import Claims


@dataclass(frozen=True, slots=True)
class NukiObservation:
    """Everything that a seat may know. Card sets are 48-bit ints; tuples have one entry per seat.

    hand: empty for the dealer who has not looked yet. played: what has left each hand in play; turned: what came up
    from the pile. returned: the own hand if it went back unplayed. claims: what all have seen of the teyaku, None
    while unknown. pending: a flipped card that waits for the choice of `turn`, -1 if none. For the rest see
    `NukiState`. legal: empty unless this seat is to act.
    """

    rules: Rules
    seat: int
    dealer: int
    leader: int
    active: tuple[int, ...]
    answers: tuple[tuple[int, Answer], ...]
    turn: int
    phase: Phase
    hand: CardSet
    hand_sizes: tuple[int, ...]
    field: CardSet
    captured: tuple[CardSet, ...]
    pile_size: int
    pending: int
    multiplier: int
    carry: int
    carry_out: int
    redeal: int
    paid: tuple[int, ...]
    mizuten: bool
    claims: tuple[Claims | None, ...]
    fresh: bool
    sage: int
    first_sage: int
    played: tuple[CardSet, ...]
    turned: CardSet
    returned: CardSet
    legal: tuple[Action, ...]

    @property
    def known(self) -> tuple[CardSet, ...]:
        """Cards that everybody has seen to be in a hand, and that were not played since."""
        return tuple(
            claims.shown & ~played if claims else 0 for claims, played in zip(self.claims, self.played, strict=True)
        )

    @property
    def unseen(self) -> CardSet:
        """Cards in other hands or in the pile (for a dealer who has not looked, in the own hand too)."""
        seen = self.hand | self.field
        for pile in self.captured:
            seen |= pile
        return NUKI_DECK & ~(seen | (BITS[self.pending] if self.pending >= 0 else 0))


def sees_hand(state: NukiState, seat: int) -> bool:
    """Return whether a seat has looked at its hand: the dealer decides on playing blind before."""
    return state.phase != "mizuten" or seat != state.dealer


def observe(state: NukiState, seat: int, legal: tuple[Action, ...] | None = None) -> NukiObservation:
    """Return what `seat` may know of a world.

    legal: what the seat to act may do, if that was asked already.
    """
    return NukiObservation(
        rules=state.rules,
        seat=seat,
        dealer=state.dealer,
        leader=state.leader,
        active=state.active,
        answers=tuple(state.answers),
        turn=state.turn,
        phase=state.phase,
        # A dealer who may still declare mizuten has not looked: that is what the declaration is about.
        hand=state.hands[seat] if sees_hand(state, seat) else 0,
        hand_sizes=tuple(hand.bit_count() for hand in state.hands),
        field=state.field,
        captured=tuple(state.captured),
        pile_size=state.pile_left,
        pending=state.pending,
        multiplier=state.multiplier,
        carry=state.carry,
        carry_out=state.carry_out,
        redeal=state.redeal,
        paid=tuple(state.paid),
        mizuten=state.mizuten,
        claims=tuple(state.claims),
        fresh=state.fresh,
        sage=state.sage,
        first_sage=state.first_sage,
        played=tuple(state.played),
        turned=state.turned,
        returned=state.returned[seat],
        legal=(state.legal_actions() if legal is None else legal) if seat == state.seat_to_act else (),
    )


def to_json(state: NukiState, seat: int) -> Json:
    """The game's part of the observation JSON of site.md 6; sets of cards in code order, seats as names.

    leader: the dealer for the Deal; pot: the points in it, paid by `paid`; teyaku: per seat null or what was claimed
    and shown; sage: who has called it, the first one first; new: 1 if a dekiyaku was made or improved in this turn;
    played, turned: cards that left each hand, that came from the pile; returned: the own hand that went back.
    """
    return {
        "phase": state.phase,
        "hand": codes(state.hands[seat]) if sees_hand(state, seat) else [],
        "hand_n": [hand.bit_count() for hand in state.hands],
        "field": codes(state.field),
        "tray": [codes(pile) for pile in state.captured],
        "pile_n": state.pile_left,
        "mult": state.multiplier,
        "carry": [state.carry, state.carry_out],
        "leader": _name(state.leader),
        "active": [f"p{player}" for player in state.active],
        "answers": [[f"p{player}", answer] for player, answer in state.answers],
        "mizuten": int(state.mizuten),
        "redeal": state.redeal,
        "pot": sum(state.paid),
        "paid": list(state.paid),
        "teyaku": [_claims_json(claims) for claims in state.claims],
        "sage": [f"p{player}" for player in sage_callers(state.sage, state.first_sage)],
        "new": int(state.fresh),
        "flipped": CODES[state.pending] if state.pending != NOBODY else None,
        "played": [codes(cards) for cards in state.played],
        "turned": codes(state.turned),
        "returned": codes(state.returned[seat]),
    }


def sage_callers(sage: int, first: int) -> list[int]:
    """Seats that have called sage, the first caller first."""
    # Four bits: no table of Nuki is larger.
    return sorted((seat for seat in range(4) if sage >> seat & 1), key=lambda seat: seat != first)


def _name(seat: int) -> str | None:
    return None if seat == NOBODY else f"p{seat}"


def _claims_json(claims: Claims | None) -> list[Json] | None:
    if claims is None:
        return None
    return [
        {"name": claim.id, "kan": claim.kan, "month": claim.month, "cards": codes(claim.shown)}
        for claim in claims.both
    ]  # fmt: skip
