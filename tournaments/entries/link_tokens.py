"""The letters of secret addresses: made from a row's uuid under the server's key, stored only as their SHA-256.

They are 20 of 32 letters, 100 bits (decision 0048). `salt` names the kind of address, so that the letters of one kind
open nothing of another.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

from tournaments.scores.slips import LETTERS
from web.rate_limits import count_from, wait_from

LENGTH: Final = 20
GROUP: Final = 5
MAX_WRONG: Final = 60
WRONG_WITHIN: Final = timedelta(minutes=10)


def letters_of(uuid: UUID, *, salt: str, key: str | bytes = "") -> str:
    """Return the 20 letters of a row. key: of the server, "" for the one of now."""
    mixed = salted_hmac(salt, uuid.hex, secret=key or settings.SECRET_KEY, algorithm="sha256").digest()
    number = int.from_bytes(mixed, "big")
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(LENGTH))


def digest_of(letters: str, *, salt: str) -> str:
    """Return what is stored of the letters: 64 hexadecimal digits."""
    return hashlib.sha256(f"{salt}:{letters}".encode()).hexdigest()


def shown_token(uuid: UUID, digest: str, *, salt: str) -> str:
    """Return the letters in fives, as the address has them; "" where the server's key has changed since."""
    # A key that was replaced still shows the links made under it, as long as it is among the fallbacks.
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        letters = letters_of(uuid, salt=salt, key=key)
        if digest_of(letters, salt=salt) == digest:
            return "-".join(letters[start : start + GROUP] for start in range(0, LENGTH, GROUP))
    return ""


def digest_typed(token: str, *, salt: str) -> str:
    """Return the digest of an address, however it was typed; "" for what has not the shape of one."""
    letters = token.upper().replace("-", "").replace(" ", "")
    return digest_of(letters, salt=salt) if len(letters) == LENGTH and set(letters) <= set(LETTERS) else ""


def count_wrong(network: str) -> int | None:
    """Count one more wrong address from a network; return the seconds to wait once there were too many.

    Only wrong ones are counted, and a right one always opens: 100 bits are not guessed.
    """
    name = "link: "
    wait = wait_from(name, network, most=MAX_WRONG, within=WRONG_WITHIN)
    return wait or count_from(name, network, most=MAX_WRONG, within=WRONG_WITHIN)
