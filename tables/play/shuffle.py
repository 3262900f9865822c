"""The nonces with which every seat helps to shuffle, pure. How they enter the seed: `engine.record_fair`."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Final

from engine.record_fair import nonce_hash
from tables.errors import TableError

NONCE: Final = re.compile(r"[0-9a-f]{32,128}")
HASH: Final = re.compile(r"sha256:[0-9a-f]{64}")
MAX_PHRASE: Final = 200
SERVICE: Final = "service"
SHOWN_LATER: Final = ("browser", "program")
"""Who announces a nonce when they sit down and shows it when the table is full."""


@dataclass(frozen=True, slots=True)
class Nonce:
    """A seat's part in the shuffle. text: empty while only its hash is known; drawn_by: `engine.record_fair`."""

    hash: str
    text: str
    drawn_by: str


def of_browser(sent_hash: str, drawn_by: str = "browser") -> Nonce:
    """Return the nonce that a browser or program has drawn and shows later. Raises TableError "table.bad_nonce"."""
    if not HASH.fullmatch(sent_hash):
        message = "A nonce is announced by its hash: “sha256:” and 64 hexadecimal digits in small letters."
        raise TableError(message, code="table.bad_nonce", extra={"field": "nonce_hash"})
    return Nonce(sent_hash, "", drawn_by)


def of_phrase(phrase: str) -> Nonce:
    """Return the nonce that follows from what a person typed; one that the service draws if they typed nothing."""
    words = phrase.strip()[:MAX_PHRASE]
    if not words:
        return of_service()
    text = hashlib.sha256(words.encode()).hexdigest()
    return Nonce(nonce_hash(text), text, "phrase")


def of_service() -> Nonce:
    """Return a nonce that the service draws for a seat; the proof says so."""
    text = secrets.token_hex(32)
    return Nonce(nonce_hash(text), text, SERVICE)


def check_shown(text: str, announced: str) -> None:
    """Check a nonce that is shown now. Raises TableError "table.bad_nonce"."""
    if not NONCE.fullmatch(text) or nonce_hash(text) != announced:
        message = "This is not the nonce whose hash was sent. Send the text whose SHA-256 you have announced."
        raise TableError(message, code="table.bad_nonce", extra={"field": "nonce"})
