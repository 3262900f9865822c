"""The nonces of a table in a record: every seat's part in the shuffle, and the seed that follows from all of them.

`fair` of a match played at a table of the site has, beside `stage`, `commit`, `deal_set` and `leg`:
"secret": the service's 32 bytes, hex, committed to in `stage` before anybody sat down; "nonces": [{"seat": "p0",
"hash": "sha256:..", "nonce": text, "by": who drew it}, ..] in seat order. Records of other matches have neither.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from engine.deck import COMMIT_PREFIX, commitment, match_seed, nonce_mix
from engine.errors import BadRecord
from engine.record_read import entry, want

DRAWN_BY: Final = ("browser", "phrase", "program", "service")
"""Who drew the nonce of a seat: the player's browser or program, a phrase that they typed, or the service for them."""

_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def nonce_hash(nonce: str) -> str:
    """Return what a seat sends before anybody shows a nonce: `sha256:` and the hex SHA-256 of its text in UTF-8."""
    return COMMIT_PREFIX + hashlib.sha256(nonce.encode()).hexdigest()


def seed_from(secret: bytes, nonces: Sequence[str], deal_set: UUID) -> bytes:
    """Return the seed of a table's decks. nonces: of the seats, in their order."""
    return match_seed(secret, mix_of(nonces), deal_set.bytes)


def revealed_seed(fair: Mapping[str, Any]) -> bytes | None:
    """Return the seed that secret and nonces of a record give; None for a record without nonces, or a broken one."""
    if "nonces" not in fair:
        return None
    try:
        rows = entry(dict(fair), "nonces", list, "fair")
        nonces = [_nonce(row, number) for number, row in enumerate(rows)]
        return seed_from(_secret(fair), nonces, _deal_set(fair))
    except BadRecord:
        return None


def mix_of(nonces: Sequence[str]) -> bytes:
    """Return the nonces of the seats as one value."""
    return nonce_mix({f"p{seat}": nonce for seat, nonce in enumerate(nonces)})


def check_nonces(fair: Mapping[str, Any], seats: int) -> None:
    """Check every nonce against its hash, the secret against its commitment, and the seed that follows.

    Raises BadRecord `record.nonce` (where: "fair.nonces[2]"), `record.secret` or `record.commit`. Nothing to check in
    a record without nonces.
    """
    if "nonces" not in fair:
        return
    rows = entry(dict(fair), "nonces", list, "fair")
    if len(rows) != seats:
        raise BadRecord("Every seat has one nonce.", code="record.nonce", where="fair.nonces")
    nonces = [_nonce(row, number) for number, row in enumerate(rows)]
    secret = _secret(fair)
    commit = commitment(seed_from(secret, nonces, _deal_set(fair)))
    if commit != fair.get("commit"):
        message = "Secret and nonces give another seed than the one committed to."
        raise BadRecord(message, code="record.commit", where="fair.commit")


def _nonce(row: object, number: int) -> str:
    where = f"fair.nonces[{number}]"
    item = want(row, dict, where)
    nonce = entry(item, "nonce", str, where)
    if entry(item, "seat", str, where) != f"p{number}" or entry(item, "by", str, where) not in DRAWN_BY:
        raise BadRecord("It is not the nonce of this seat.", code="record.nonce", where=where)
    if nonce_hash(nonce) != entry(item, "hash", str, where):
        message = "The nonce is not the one whose hash was sent before the deal."
        raise BadRecord(message, code="record.nonce", where=where)
    return nonce


def _secret(fair: Mapping[str, Any]) -> bytes:
    text = entry(dict(fair), "secret", str, "fair")
    try:
        secret = bytes.fromhex(text)
    except ValueError as error:
        raise BadRecord("The secret is no hexadecimal number.", code="record.secret", where="fair.secret") from error
    if secret.hex() != text or commitment(secret) != fair.get("stage"):
        raise BadRecord("The secret is not the one committed to.", code="record.secret", where="fair.secret")
    return secret


def _deal_set(fair: Mapping[str, Any]) -> UUID:
    text = entry(dict(fair), "deal_set", str, "fair")
    # One spelling: UUID() takes braces, capitals and more.
    if not _UUID.fullmatch(text):
        raise BadRecord("The deal set has no id.", code="record.malformed", where="fair.deal_set")
    return UUID(text)
