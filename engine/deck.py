"""Commit and reveal: every order of cards from a seed, the same on every machine, for ever.

A stream of bytes is SHAKE-256("hanafuda/<label>/1", a zero byte, seed, first u32be, second u32be). A shuffle is
Fisher-Yates from the last index i down with a byte per draw; bytes >= 256 - 256 mod (i + 1) are skipped.
Source: tournaments.md section 11, with its test vector.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from struct import pack
from typing import Final

from engine.cards import ALL, CardSet, members

COMMIT_PREFIX: Final = "sha256:"
_BLOCK: Final = 256


def stream(label: str, seed: bytes, first: int, second: int) -> Iterator[int]:
    """Endless bytes for one purpose. first, second: the two counters of the label, 0 .. 2**32 - 1."""
    head = b"hanafuda/" + label.encode() + b"/1\0" + seed + pack(">II", first, second)
    position, size, digest = 0, 0, b""
    while True:
        if position == size:
            size += _BLOCK
            digest = hashlib.shake_256(head).digest(size)
        yield digest[position]
        position += 1


def shuffled(cards: CardSet, draws: Iterator[int]) -> tuple[int, ...]:
    """The cards of a set in random order, indices, first card dealt first. draws: bytes."""
    order = list(members(cards))
    for i in range(len(order) - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        byte = next(draws)
        while byte >= limit:
            byte = next(draws)
        j = byte % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def deck_order(seed: bytes, deal: int, redeal: int = 0, cards: CardSet = ALL) -> tuple[int, ...]:
    """The order of the deck for a deal, indices, first card dealt first.

    deal: from 1; redeal: 0, and one more each time the deal is thrown in.

    >>> from engine.cards import code_of
    >>> " ".join(code_of(card) for card in deck_order(bytes(32), 1)[:4])
    '10.4 12.3 02.4 09.4'
    """
    return shuffled(cards, stream("deck", seed, deal, redeal))


def further_order(seed: bytes, label: str, deal: int, number: int, cards: CardSet) -> tuple[int, ...]:
    """The order of a shuffle inside a deal: the cards concerned, first card first.

    label, number: `deck` or `return` and how often the deal was thrown in before, `reshuffle` and 0, 1 ..
    """
    return shuffled(cards, stream(label, seed, deal, number))


@dataclass(frozen=True, slots=True)
class GuessedShuffles:
    """`engine.game.Shuffle` of a sampled world: what is not known yet comes from a number of its own.

    Pure, so that copies of the world shuffle alike; nothing to do with the seed of a match.
    """

    number: int

    def __call__(self, label: str, number: int, cards: CardSet) -> tuple[int, ...]:
        order = list(members(cards))
        Random(f"{self.number} {label} {number}").shuffle(order)
        return tuple(order)


def dealer_order(seed: bytes, drawing: int, cards: CardSet = ALL) -> tuple[int, ...]:
    """Order of the deck for a drawing of the first dealer; those who draw take the first cards in seat order.

    drawing: 0, then 1, 2 .. for each further drawing among the tied.
    """
    return shuffled(cards, stream("dealer", seed, 0, drawing))


def commitment(seed: bytes) -> str:
    """What is published before play: `sha256:` and the hex SHA-256 of the seed."""
    return COMMIT_PREFIX + hashlib.sha256(seed).hexdigest()


def nonce_mix(nonces: Mapping[str, str]) -> bytes:
    """32 bytes of what the entrants threw in. nonces: entry UUID -> nonce; without any, zero bytes."""
    if not nonces:
        return bytes(32)
    lines = sorted(f"{entry} {nonce}\n" for entry, nonce in nonces.items())
    return hashlib.sha256("".join(lines).encode()).digest()


def match_seed(secret: bytes, mix: bytes, deal_set_uuid: bytes) -> bytes:
    """The seed (32 bytes) of all legs of a deal set. deal_set_uuid: its 16 bytes."""
    return hmac.new(secret, b"match/1\0" + mix + deal_set_uuid, hashlib.sha256).digest()


def bot_rng(seed: bytes, leg: int, seat: int) -> bytes:
    """16 bytes of randomness of its own for the bot at a seat (`hello.rng`); they say nothing about the decks."""
    draws = stream("bot", seed, leg, seat)
    return bytes(next(draws) for _ in range(16))
