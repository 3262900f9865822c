"""Commit and reveal: every order of cards from a seed, the same on every machine, for ever.

A stream of bytes is SHAKE-256("hanafuda/<label>/1", a zero byte, seed, first u32be, second u32be). A shuffle is
Fisher-Yates from the last index i down with a byte per draw; bytes >= 256 - 256 mod (i + 1) are skipped.
What a byte means at each index is worked out once (`_MEANING`), so that a step of the shuffle is a look-up.
Source: tournaments.md section 11, with its test vector.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from struct import pack
from typing import Final

from engine.cards import ALL, CardSet, members

COMMIT_PREFIX: Final = "sha256:"
_DECK: Final = tuple(range(48))
_ENOUGH: Final = 136
"""Bytes asked for at first, one block of SHAKE-256: 47 draws skip 4 on average, and hardly ever that many."""
_SKIP: Final = 255


def _meaning(i: int) -> bytes:
    """Return for every byte the index that index i is swapped with; `_SKIP` for a byte that would favour some."""
    # Rejection sampling: the bytes above the largest multiple of i + 1 would make low indices more likely.
    fair = 256 - 256 % (i + 1)
    return bytes(byte % (i + 1) if byte < fair else _SKIP for byte in range(256))


_MEANING: Final[tuple[bytes, ...]] = tuple(_meaning(i) for i in range(48))
"""What a byte means at each index."""


def stream(label: str, seed: bytes, first: int, second: int, size: int) -> bytes:
    """The first `size` bytes for one purpose. first, second: the two counters of the label, 0 .. 2**32 - 1."""
    return hashlib.shake_256(_head(label) + seed + pack(">II", first, second)).digest(size)


@cache
def _head(label: str) -> bytes:
    return b"hanafuda/%b/1\0" % label.encode()


def shuffled(label: str, seed: bytes, first: int, second: int, cards: CardSet) -> tuple[int, ...]:
    """The cards of a set in the random order of a stream, indices, first card dealt first."""
    # Always in code order, so that the result depends on the set alone.
    start = _DECK if cards == ALL else tuple(members(cards))
    size = _ENOUGH
    order = _swapped(start, stream(label, seed, first, second, size))
    while order is None:
        # A longer digest of SHAKE begins with the shorter one, so the draws made before stay the same.
        size *= 2
        order = _swapped(start, stream(label, seed, first, second, size))
    return order


def _swapped(cards: tuple[int, ...], draws: bytes) -> tuple[int, ...] | None:
    """The cards shuffled by these bytes; None if there are too few of them."""
    order, i = list(cards), len(cards) - 1
    if i < 1:
        return cards
    meaning = _MEANING[i]
    for byte in draws:
        # _SKIP (255) is above every index, so one comparison serves both.
        j = meaning[byte]
        if j <= i:
            order[i], order[j] = order[j], order[i]
            i -= 1
            if not i:
                return tuple(order)
            meaning = _MEANING[i]
    return None


def deck_order(seed: bytes, deal: int, redeal: int = 0, cards: CardSet = ALL) -> tuple[int, ...]:
    """The order of the deck for a deal, indices, first card dealt first.

    deal: from 1; redeal: 0, and one more each time the deal is thrown in.

    >>> from engine.cards import code_of
    >>> " ".join(code_of(card) for card in deck_order(bytes(32), 1)[:4])
    '10.4 12.3 02.4 09.4'
    """
    return shuffled("deck", seed, deal, redeal, cards)


def further_order(seed: bytes, label: str, deal: int, number: int, cards: CardSet) -> tuple[int, ...]:
    """The order of a shuffle inside a deal: the cards concerned, first card first.

    label, number: `deck` or `return` and how often the deal was thrown in before, `reshuffle` and 0, 1 ..
    """
    return shuffled(label, seed, deal, number, cards)


@dataclass(frozen=True, slots=True)
class GuessedShuffles:
    """`engine.game.Shuffle` of a sampled world: what is not known yet comes from a number of its own.

    Pure, so that copies of the world shuffle alike; nothing to do with the seed of a match.
    """

    number: int

    def __call__(self, label: str, number: int, cards: CardSet) -> tuple[int, ...]:
        order = list(members(cards))
        # A text as seed: Python hashes it with SHA-512, the same in every process.
        Random(f"{self.number} {label} {number}").shuffle(order)
        return tuple(order)


def dealer_order(seed: bytes, drawing: int, cards: CardSet = ALL) -> tuple[int, ...]:
    """Order of the deck for a drawing of the first dealer; those who draw take the first cards in seat order.

    drawing: 0, then 1, 2 .. for each further drawing among the tied.
    """
    return shuffled("dealer", seed, 0, drawing, cards)


def commitment(seed: bytes) -> str:
    """Return what is published before play: `sha256:` and the hex SHA-256 of the seed."""
    return COMMIT_PREFIX + hashlib.sha256(seed).hexdigest()


def nonce_mix(nonces: Mapping[str, str]) -> bytes:
    """Return 32 bytes made of the nonces of all entrants. nonces: entry UUID -> nonce; without any, zero bytes."""
    if not nonces:
        return bytes(32)
    # Sorted: the seed must not depend on the order in which entrants sent theirs.
    lines = sorted(f"{entry} {nonce}\n" for entry, nonce in nonces.items())
    return hashlib.sha256("".join(lines).encode()).digest()


def match_seed(secret: bytes, mix: bytes, deal_set_uuid: bytes) -> bytes:
    """The seed (32 bytes) of all legs of a deal set. deal_set_uuid: its 16 bytes."""
    # Keyed with the secret: nonces and UUIDs are public, and nobody may work out a deck from them before play.
    return hmac.new(secret, b"match/1\0" + mix + deal_set_uuid, hashlib.sha256).digest()


def bot_rng(seed: bytes, leg: int, seat: int) -> bytes:
    """Return 16 random bytes for the bot at a seat (`hello.rng`); they say nothing about the decks."""
    return stream("bot", seed, leg, seat, 16)
