"""Spellings of one club: case, width, spaces and accents make no difference."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Final

from django.utils.text import slugify

from accounts.alphabet import name_key

MAX_KEY: Final = 100


def club_key(name: str) -> str:
    """Return the key of a club, which is the last part of its address, too; "" for a name without letters.

    >>> club_key("Café  ＫＯＩ"), club_key("cafe koi")
    ('cafe-koi', 'cafe-koi')
    """
    plain = name_key(unicodedata.normalize("NFKC", name)).partition("\x01")[0]
    key = slugify(" ".join(plain.split()), allow_unicode=True)
    if not key and plain.strip():
        return hashlib.sha256(plain.strip().encode()).hexdigest()[:16]  # signs alone, as in “☆☆☆”
    return key if len(key) <= MAX_KEY else f"{key[:80]}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
