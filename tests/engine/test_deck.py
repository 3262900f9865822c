"""Commit and reveal: orders from seeds. Source: tournaments.md 11."""

from __future__ import annotations

import hashlib
import hmac
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import deck
from engine.cards import ALL, NUKI_DECK, code_of, members
from engine.deck import bot_rng, commitment, dealer_order, deck_order, match_seed, nonce_mix

seeds = st.binary(min_size=32, max_size=32)


def test_the_vector() -> None:
    first = [code_of(card) for card in deck_order(bytes(32), 1, 0)[:8]]
    assert first == ["10.4", "12.3", "02.4", "09.4", "11.1", "06.2", "10.3", "02.2"]


def test_the_whole_order_by_another_hand() -> None:
    """Fisher-Yates written out once more, from a long digest taken at once."""
    stream = iter(hashlib.shake_256(b"hanafuda/deck/1\0" + bytes(range(32)) + pack(">II", 3, 2)).digest(500))
    order = list(range(48))
    for last in range(47, 0, -1):
        byte = next(b for b in stream if b < 256 - 256 % (last + 1))
        pick = byte % (last + 1)
        order[last], order[pick] = order[pick], order[last]
    assert deck_order(bytes(range(32)), 3, 2) == tuple(order)


@given(seeds, st.integers(1, 2**32 - 1), st.integers(0, 5))
def test_an_order_is_a_permutation(seed: bytes, deal: int, redeal: int) -> None:
    assert sorted(deck_order(seed, deal, redeal)) == list(range(48))
    assert sorted(deck_order(seed, deal, redeal, NUKI_DECK)) == list(members(NUKI_DECK))


@given(seeds)
def test_labels_and_counters_give_other_orders(seed: bytes) -> None:
    orders = {
        deck_order(seed, 1),
        deck_order(seed, 2),
        deck_order(seed, 1, 1),
        dealer_order(seed, 0),
        dealer_order(seed, 1),
    }
    assert len(orders) == 5


def test_commitment() -> None:
    assert commitment(b"seed") == "sha256:" + hashlib.sha256(b"seed").hexdigest()


def test_mix_sorts_the_entries() -> None:
    expected = hashlib.sha256(b"a 2\nb 1\n").digest()
    assert nonce_mix({"b": "1", "a": "2"}) == expected
    assert nonce_mix({}) == bytes(32)


def test_match_seed() -> None:
    uuid = bytes(range(16))
    expected = hmac.new(b"secret", b"match/1\0" + bytes(32) + uuid, hashlib.sha256).digest()
    assert match_seed(b"secret", nonce_mix({}), uuid) == expected


def test_bots_have_their_own_randomness() -> None:
    given_to = {bot_rng(bytes(32), leg, seat) for leg in range(3) for seat in range(7)}
    assert len(given_to) == 21
    assert {len(rng) for rng in given_to} == {16}


def test_all_is_the_default_deck() -> None:
    assert deck_order(bytes(32), 1) == deck_order(bytes(32), 1, 0, ALL)


@pytest.mark.parametrize("enough", [1, 20, 47])
def test_an_order_does_not_depend_on_how_many_bytes_are_drawn_at_first(
    enough: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If many draws are thrown away, more of the stream is taken, and the order is the one of the whole stream."""
    expected = [deck_order(bytes(31) + bytes([number]), 1) for number in range(5)]
    monkeypatch.setattr(deck, "_ENOUGH", enough)
    assert [deck_order(bytes(31) + bytes([number]), 1) for number in range(5)] == expected
