"""The nonces of a table in a record: every bit of them counts, and what does not fit is named by its seat."""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import UUID

import pytest

from engine.deck import commitment
from engine.errors import BadRecord
from engine.record_fair import check_nonces, mix_of, nonce_hash, revealed_seed, seed_from

DEAL_SET = UUID("9320baca-ab36-42dc-884a-54c4a95b2444")
SECRET = bytes(range(32))
NONCES = ("0" * 64, "f" * 64)


def fair(**changes: Any) -> dict[str, Any]:
    return {
        "stage": commitment(SECRET),
        "commit": commitment(seed_from(SECRET, NONCES, DEAL_SET)),
        "deal_set": str(DEAL_SET),
        "leg": 1,
        "secret": SECRET.hex(),
        "nonces": [row(0), row(1)],
        **changes,
    }


def row(seat: int, **changes: Any) -> dict[str, Any]:
    nonce = NONCES[seat]
    return {"seat": f"p{seat}", "hash": nonce_hash(nonce), "nonce": nonce, "by": "browser", **changes}


def test_a_hash_is_that_of_the_text() -> None:
    assert nonce_hash("moon") == "sha256:" + hashlib.sha256(b"moon").hexdigest()


def test_the_order_of_the_seats_counts() -> None:
    assert mix_of(NONCES) != mix_of(NONCES[::-1])
    assert seed_from(SECRET, NONCES, DEAL_SET) != seed_from(SECRET, NONCES[::-1], DEAL_SET)


def test_what_fits_is_accepted_and_a_record_without_nonces_has_nothing_to_check() -> None:
    check_nonces(fair(), 2)
    check_nonces({"stage": "", "commit": ""}, 2)


def test_a_seed_is_revealed_by_secret_and_nonces_alone() -> None:
    assert revealed_seed(fair()) == seed_from(SECRET, NONCES, DEAL_SET)
    assert revealed_seed({"stage": "", "commit": ""}) is None
    assert revealed_seed(fair(nonces="moon")) is None
    assert revealed_seed(fair(secret="moon")) is None


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("place", [0, 17, 63])
@pytest.mark.parametrize("bit", [1, 2])
def test_one_bit_of_any_nonce_is_named_by_its_seat(seat: int, place: int, bit: int) -> None:
    nonce = NONCES[seat]
    changed = nonce[:place] + chr(ord(nonce[place]) ^ bit) + nonce[place + 1 :]
    rows = [row(0), row(1)]
    rows[seat]["nonce"] = changed
    with pytest.raises(BadRecord) as wrong:
        check_nonces(fair(nonces=rows), 2)
    assert (wrong.value.code, wrong.value.where) == ("record.nonce", f"fair.nonces[{seat}]")
    # With a hash that fits it the seed is another one.
    rows[seat]["hash"] = nonce_hash(changed)
    with pytest.raises(BadRecord) as wrong:
        check_nonces(fair(nonces=rows), 2)
    assert (wrong.value.code, wrong.value.where) == ("record.commit", "fair.commit")


@pytest.mark.parametrize(
    ("changes", "code", "where"),
    [
        ({"nonces": [row(0)]}, "record.nonce", "fair.nonces"),
        ({"nonces": {}}, "record.malformed", "fair.nonces"),
        ({"nonces": [row(0), 3]}, "record.malformed", "fair.nonces[1]"),
        ({"nonces": [row(1), row(0)]}, "record.nonce", "fair.nonces[0]"),
        ({"nonces": [row(0), row(1, by="the dealer")]}, "record.nonce", "fair.nonces[1]"),
        ({"secret": "no hexadecimal"}, "record.secret", "fair.secret"),
        ({"secret": SECRET.hex().upper()}, "record.secret", "fair.secret"),
        ({"secret": bytes(32).hex()}, "record.secret", "fair.secret"),
        ({"secret": 5}, "record.malformed", "fair.secret"),
        ({"deal_set": "{" + str(DEAL_SET) + "}"}, "record.malformed", "fair.deal_set"),
        ({"deal_set": str(UUID(int=1))}, "record.commit", "fair.commit"),
    ],
)
def test_what_does_not_fit_is_named(changes: dict[str, Any], code: str, where: str) -> None:
    with pytest.raises(BadRecord) as wrong:
        check_nonces(fair(**changes), 2)
    assert wrong.value.code == code
    assert wrong.value.where.startswith(where)
