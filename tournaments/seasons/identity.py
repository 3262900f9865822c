"""Recognising a person in several events: by the account or the bot, else by the name, else by an organiser's word."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from typing import Final
from uuid import UUID

from tournaments.models import Season, SeasonIdentity

MAX_KEY: Final = 140


def spelled(name: str) -> str:
    """Return a name as it is compared: spaces, width and case of letters make no difference, accents do."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def key_of(name: str, user: int | None, bot: int | None) -> str:
    """Return the key of a player: "b:" a bot, "u:" an account, "n:" a name."""
    if bot is not None:
        return f"b:{bot}"
    if user is not None:
        return f"u:{user}"
    key = f"n:{spelled(name)}"
    return key if len(key) <= MAX_KEY else f"h:{hashlib.sha256(key.encode()).hexdigest()}"


def key_of_entry(entry: UUID) -> str:
    """Return the key of an entry that an organiser told apart from everybody else of that name."""
    return f"e:{entry}"


class Identities:
    """An organiser's word on who is who, as it is now."""

    def __init__(self, same: Mapping[str, str], apart: frozenset[str]) -> None:
        self._same = dict(same)
        self._apart = apart

    def root(self, key: str) -> str:
        """Return the key of the person that this key stands for in the end."""
        # A circle cannot be written (`people.merge`); the set only keeps a broken table from hanging a worker.
        seen = set()
        while key in self._same and key not in seen:
            seen.add(key)
            key = self._same[key]
        return key

    def person_of(self, entry: UUID, own: str) -> str:
        """Return the key of the person behind an entry. own: of `key_of`."""
        apart = key_of_entry(entry)
        return self.root(apart if apart in self._apart else own)


def identities_of(season: Season) -> Identities:
    """Read what organisers said. One query."""
    rows = SeasonIdentity.objects.filter(season=season, undone_at=None).values_list("kind", "source", "target")
    same = {source: target for kind, source, target in rows if kind == SeasonIdentity.Kind.SAME}
    apart = frozenset(source for kind, source, _target in rows if kind == SeasonIdentity.Kind.APART)
    return Identities(same, apart)
