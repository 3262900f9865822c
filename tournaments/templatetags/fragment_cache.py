"""Fragments of a table's page that are rendered once for as long as nothing changes of what they show.

Two readers of one table see the same trays and yaku, and most moves change one of these or none. Such a fragment is
rendered from the values that it is given and from the reader's language and cards alone. It sees nothing else of the
page, so it can show nothing that its key does not hold: not a hand, not the page of somebody else.
"""

import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from django import template
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from jinja2 import Template

from core.replay.document import Replay
from core.replay.table import Table, Tray

register = template.Library()
TIMEOUT_S: Final = 60.0
"""Seconds without a request after which a fragment is evicted: tables at which nothing happens cost nothing here."""
MAX_CHARACTERS: Final = 12_000_000
"""Characters of all fragments in the cache of a process; one that is not there is rendered."""
WORDS: Final = ("book", "tables", "sprite", "crests")
"""What every fragment may use of the page: it follows from the game and the reader's language and cards, which are in
the key."""


@dataclass(frozen=True, slots=True)
class Touched:
    """Those cards of a tray that the last move has moved, and those of them that came from the pile, as in `Table`."""

    moved: frozenset[str]
    drawn: frozenset[str]


@dataclass(frozen=True, slots=True)
class Seating:
    """Who plays with whom, as in `Replay`."""

    sides: tuple[int, ...]
    side_count: int


@dataclass(slots=True)
class FragmentCache:
    """Rendered fragments, the one that was asked for last at the end."""

    _fragments: OrderedDict[Hashable, tuple[SafeString, float]] = field(default_factory=OrderedDict)
    _characters: int = 0
    # Requests run in a thread pool.
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Hashable) -> SafeString | None:
        """Return the fragment of a key; None where there is none."""
        now = time.monotonic()
        with self._lock:
            self._evict(now, TIMEOUT_S)
            found = self._fragments.pop(key, None)
            if found is None:
                return None
            self._fragments[key] = found[0], now
            return found[0]

    def set(self, key: Hashable, text: SafeString) -> None:
        """Put a fragment into the cache."""
        now = time.monotonic()
        with self._lock:
            # Another thread may have rendered the same meanwhile.
            before, _at = self._fragments.pop(key, ("", now))
            self._fragments[key] = text, now
            self._characters += len(text) - len(before)
            self._evict(now, TIMEOUT_S)

    def expire(self, older_s: float) -> None:
        """Evict fragments that were not asked for during the last `older_s` seconds."""
        with self._lock:
            self._evict(time.monotonic(), older_s)

    def _evict(self, now: float, older_s: float) -> None:
        """Evict fragments that were not asked for during so long, and the oldest while all are too large."""
        while self._fragments:
            text, at = next(iter(self._fragments.values()))
            if self._characters <= MAX_CHARACTERS and now - at < older_s:
                return
            self._fragments.popitem(last=False)
            self._characters -= len(text)


_FRAGMENTS: Final = FragmentCache()


def expire_fragments(older_s: float) -> None:
    """Evict fragments of this process that were not asked for during the last `older_s` seconds."""
    _FRAGMENTS.expire(older_s)


def felt_template(name: str) -> Template:
    """Return a template of the felt."""
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2), "the settings say so"
    found: Template = engine.env.get_template(name)
    return found


@register.simple_tag(takes_context=True)
def cached_fragment(context: template.Context, name: str, **values: Any) -> SafeString:
    """Return the fragment that a template of the felt makes of the values, which are hashable, and of WORDS."""
    look = (name, context["replay"].game, get_language(), context["sprite"], context.get("crests"))
    key = (*look, *values.items())
    found = _FRAGMENTS.get(key)
    if found is None:
        own = {**{word: context.get(word) for word in WORDS}, **values}
        found = SafeString(felt_template(name).render(own))
        _FRAGMENTS.set(key, found)
    return found


def touching(table: Table, tray: Tray) -> Touched:
    """Return what the last move of a table has done to a tray."""
    if not table.moved:
        return Touched(frozenset(), frozenset())
    cards = {card for _kind, own in tray.kinds for card in own}
    return Touched(table.moved & cards, table.drawn & cards)


@register.filter
def seating(replay: Replay) -> Seating:
    """Return who plays with whom."""
    return Seating(replay.sides, replay.side_count)


@register.filter
def fixed(values: list[Hashable]) -> tuple[Hashable, ...]:
    """Return a list as a value that a key may hold."""
    return tuple(values)
