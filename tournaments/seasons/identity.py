"""Recognising a person in several events: by the account or the bot, else by the name, else by an organiser's word."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
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

    def __init__(self, merged: Sequence[tuple[str, str, int | None]], apart: frozenset[str]) -> None:
        """Merged: (source, target, the division of the source or None), the earliest first."""
        self._same = {source: target for source, target, _division in merged}
        self._divisions = {source: division for source, _target, division in merged}
        self._sources: dict[str, list[str]] = {}
        for source, target, _division in merged:
            self._sources.setdefault(target, []).append(source)
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

    def division(self, key: str, chosen: Mapping[str, int]) -> int | None:
        """Return the division that somebody chose for a person: their own, else that of the first who became part of
        them. chosen: by key.

        Nothing is written to the target of a merge, so that taking it back, in any order, leaves nothing behind.
        """
        waiting, seen = [key], set()
        while waiting:
            each = waiting.pop()
            found = chosen.get(each) if each == key else self._divisions.get(each)
            if found is not None:
                return found
            seen.add(each)
            # The first one is looked at first, with all who became part of it.
            waiting += [source for source in reversed(self._sources.get(each, [])) if source not in seen]
        return None


def identities_of(season: Season) -> Identities:
    """Read what organisers said. One query."""
    said = SeasonIdentity.objects.filter(season=season, undone_at=None).order_by("pk")
    rows = said.values_list("kind", "source", "target", "division")
    merged = [(source, target, division) for kind, source, target, division in rows if kind == SeasonIdentity.Kind.SAME]
    apart = frozenset(source for kind, source, _target, _division in rows if kind == SeasonIdentity.Kind.APART)
    return Identities(merged, apart)
