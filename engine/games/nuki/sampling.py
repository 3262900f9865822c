"""A world that fits what a seat knows, for bots that search. Source: rules.md 11."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.cards import CardSet, card_set, members
from engine.deck import GuessedShuffles
from engine.errors import NoWorld
from engine.games.nuki.deal import HAND
from engine.games.nuki.observation import NukiObservation
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import ODD_ONES, claims_of, triplet_choice

MAX_SAMPLES: Final = 100_000
"""Worlds thrown away before an observation is called inconsistent; one fits within a few dozen in real play."""
_ANY: Final[CardSet] = (1 << 48) - 1


def determinize(observation: NukiObservation, rng: Random) -> NukiState:
    """A world that fits: uniform over the hidden cards, less what the claims have ruled out (rules.md 11).

    The world's own observation for this seat equals the given one. Raises NoWorld if nothing fits.
    """
    free = _free_cards(observation)
    # Rejection sampling: worlds drawn uniformly and thrown away unless they fit are uniform over those that fit.
    for _ in range(MAX_SAMPLES):
        hands, pile = _hand_out(observation, free, rng)
        if _is_consistent(observation, hands):
            return _world(observation, hands, pile, rng)
    raise NoWorld("No world fits this observation. Pass the observation of a seat as the engine made it.")


def _in_pile(observation: NukiObservation) -> CardSet:
    """The cards of the own hand that went back to the pile and still lie there."""
    return observation.returned & ~observation.turned


def _free_cards(observation: NukiObservation) -> list[int]:
    """Return the cards whose holder is unknown. Raises NoWorld if the numbers do not add up."""
    free = observation.unseen & ~_in_pile(observation)
    for seat, known in enumerate(observation.known):
        if seat != observation.seat:
            free &= ~known
    hidden = sum(_missing(observation, seat) for seat in range(observation.rules.seats))
    if hidden + observation.pile_size != free.bit_count() + _in_pile(observation).bit_count():
        raise NoWorld("The cards of this observation do not add up to the deck.")
    return list(members(free))


def _missing(observation: NukiObservation, seat: int) -> int:
    """Return how many cards of a hand are not known."""
    known = observation.hand if seat == observation.seat else observation.known[seat]
    return observation.hand_sizes[seat] - known.bit_count()


def _hand_out(observation: NukiObservation, free: list[int], rng: Random) -> tuple[list[CardSet], list[int]]:
    """Fill the hands to their sizes, those first of whose cards the kind is known; what remains is the pile.

    A Group B teyaku shows all chaff of a hand, so the rest is of one kind. Drawing it first from that kind leaves
    every way to fill the other hands as likely as before.
    """
    rest = rng.sample(free, len(free))
    hands = [known if seat != observation.seat else observation.hand for seat, known in enumerate(observation.known)]
    kinds = [_kind(observation, seat) for seat in range(observation.rules.seats)]
    # Hands whose kind is known come first: the others would use up their cards.
    for seat in sorted(range(observation.rules.seats), key=lambda seat: kinds[seat] == _ANY):
        drawn = [card for card in rest if kinds[seat] >> card & 1][: _missing(observation, seat)]
        hands[seat] |= card_set(drawn)
        rest = [card for card in rest if card not in drawn]
    pile = rest + list(members(_in_pile(observation)))
    rng.shuffle(pile)
    return hands, pile


def _kind(observation: NukiObservation, seat: int) -> CardSet:
    """Return what the unknown cards of a hand can be."""
    claims = observation.claims[seat]
    if seat == observation.seat or claims is None or claims.b is None:
        return _ANY
    return ODD_ONES[claims.b.id]


def _is_consistent(observation: NukiObservation, hands: list[CardSet]) -> bool:
    """Return whether every other active hand has, as it was dealt, exactly the teyaku that it claimed."""
    for seat in observation.active:
        claims = observation.claims[seat]
        if seat == observation.seat:
            continue
        if hands[seat].bit_count() != observation.hand_sizes[seat]:
            return False
        if claims is not None:
            month = claims.a.month if claims.a else 0
            # Judged as it was dealt: teyaku are of the hand of seven, before any card was played.
            if claims_of(hands[seat] | observation.played[seat], month) != claims:
                return False
        elif observation.phase == "showdown" and seat == observation.turn and not triplet_choice(hands[seat]):
            return False
    return True


def _world(observation: NukiObservation, hands: list[CardSet], pile: list[int], rng: Random) -> NukiState:
    world = NukiState(
        observation.rules,
        dealer=observation.dealer,
        hands=hands,
        field=tuple(members(observation.field)),
        pile=pile,
        captured=observation.captured,
        turn=observation.turn,
        shuffle=GuessedShuffles(rng.getrandbits(64)),
    )
    world.leader, world.active, world.answers = observation.leader, observation.active, list(observation.answers)
    world.phase, world.pending = observation.phase, observation.pending
    world.multiplier, world.carry, world.carry_out = (
        observation.multiplier, observation.carry, observation.carry_out,
    )  # fmt: skip
    world.redeal, world.paid, world.mizuten = observation.redeal, list(observation.paid), observation.mizuten
    world.claims, world.fresh = list(observation.claims), observation.fresh
    world.sage, world.first_sage = observation.sage, observation.first_sage
    world.played, world.turned = list(observation.played), observation.turned
    world.returned = _returned(observation, pile, rng)
    return world


def _returned(observation: NukiObservation, pile: list[int], rng: Random) -> list[CardSet]:
    """The hands that went back: any seven of the cards that have been in the pile since, but for the own ones."""
    returned = [0] * observation.rules.seats
    if not observation.active:
        return returned
    returned[observation.seat] = observation.returned
    # The hands went back before the first flip, so their cards lie in the pile or were turned up since.
    pool = [card for card in (*pile, *members(observation.turned)) if not observation.returned >> card & 1]
    rng.shuffle(pool)
    for seat in range(observation.rules.seats):
        if seat not in observation.active and seat != observation.seat:
            returned[seat] = card_set(pool[:HAND])
            del pool[:HAND]
    return returned
