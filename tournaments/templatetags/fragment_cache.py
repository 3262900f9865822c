"""Parts of a table that are drawn once for as long as nothing changes of what they show.

Two readers of one table see the same trays and yaku, and most moves change one of these or none. Such a part is drawn
from the values that it is given and from the reader's language and cards alone. It sees nothing else of the page, so it
can show nothing that its key does not hold: not a hand, not the page of somebody else.
"""

import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from core.replay.document import Replay
from core.replay.table import Table, Tray

register = template.Library()
KEPT_S: Final = 60.0
"""Seconds that a part is kept which nobody asks for: tables at which nothing happens cost nothing here."""
KEPT_CHARACTERS: Final = 12_000_000
"""Characters of all parts that a process keeps; one that is not kept is drawn."""
WORDS: Final = ("book", "tables", "sprite", "crests")
"""What every part may use of the page: it follows from the game and the reader's language and cards, which are in the
key."""


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
class Parts:
    """Parts as they were drawn, the one that was asked for last at the end."""

    _parts: OrderedDict[Hashable, tuple[SafeString, float]] = field(default_factory=OrderedDict)
    _characters: int = 0
    # Requests run in a thread pool.
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Hashable) -> SafeString | None:
        """Return what is kept under a key."""
        now = time.monotonic()
        with self._lock:
            self._forget(now, KEPT_S)
            found = self._parts.pop(key, None)
            if found is None:
                return None
            self._parts[key] = found[0], now
            return found[0]

    def put(self, key: Hashable, text: SafeString) -> None:
        """Keep a part."""
        now = time.monotonic()
        with self._lock:
            # Another thread may have drawn the same meanwhile.
            before, _at = self._parts.pop(key, ("", now))
            self._parts[key] = text, now
            self._characters += len(text) - len(before)
            self._forget(now, KEPT_S)

    def forget(self, older_s: float) -> None:
        """Let go of what nobody has asked for during so many seconds."""
        with self._lock:
            self._forget(time.monotonic(), older_s)

    def _forget(self, now: float, older_s: float) -> None:
        """Let go of what was not asked for lately, and of what is too much."""
        while self._parts:
            text, at = next(iter(self._parts.values()))
            if self._characters <= KEPT_CHARACTERS and now - at < older_s:
                return
            self._parts.popitem(last=False)
            self._characters -= len(text)


_PARTS: Final = Parts()


def forget_parts(older_s: float) -> None:
    """Let a process go of parts that nobody has asked it for during so many seconds."""
    _PARTS.forget(older_s)


@register.simple_tag(takes_context=True)
def kept(context: template.Context, name: str, **values: Any) -> SafeString:
    """Return the part that a template makes of the values, which are hashable, and of WORDS."""
    look = (name, context["replay"].game, get_language(), context["sprite"], context.get("crests"))
    key = (*look, *values.items())
    found = _PARTS.get(key)
    if found is None:
        own = context.new({**{word: context.get(word) for word in WORDS}, **values})
        assert context.template is not None, "a tag is drawn in a template"
        found = context.template.engine.get_template(name).render(own)
        _PARTS.put(key, found)
    return found


@register.filter
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
