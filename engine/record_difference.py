"""Comparing a record with the one that the engine makes of it: where they first differ, in words."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from engine.errors import BadRecord

_SERVED: Final = frozenset({"ms"})
_MISSING: Final = object()


def first_difference(expected: object, found: object, *, part: str) -> None:
    """Raise BadRecord at the first place where two JSON values differ. part: `record` or `view`, for the code.

    `ms` is the CPU clock and not compared.
    """
    _compare(expected, found, "deals" if part == "view" else "", part)


def _compare(expected: object, found: object, where: str, part: str) -> None:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *sorted(str(key) for key in found if key not in expected)]:
            if key not in _SERVED:
                _compare(expected.get(key, _MISSING), found.get(key, _MISSING), f"{where}.{key}", part)
    elif isinstance(expected, list) and isinstance(found, list):
        for index in range(max(len(expected), len(found))):
            _compare(_at(expected, index), _at(found, index), f"{where}[{index}]", part)
    # The types as well: 1 == True and 1 == 1.0 in Python, not in a record.
    elif type(expected) is not type(found) or expected != found:
        message = f"The engine gets {_show(expected)}, the {part} has {_show(found)}."
        raise BadRecord(message, code=f"{part}.{_kind(where)}", where=in_words(where))


def _at(values: list[object], index: int) -> object:
    return values[index] if index < len(values) else _MISSING


def _show(value: object) -> str:
    return "nothing" if value is _MISSING else repr(value)[:80]


def _kind(where: str) -> str:
    """The last named field of a path, for the code: deals[2].score[0] is `score`."""
    return re.findall(r"[a-z_0-9]+(?=[.\[]|$)", where)[-1] if where else "document"


_WORDS: Final = MappingProxyType({"deals": "deal", "moves": "move", "forfeits": "forfeit"})
_STEP: Final = ("card", "from", "to")


def in_words(where: str) -> str:
    """A path as people say it, counted from 1.

    >>> in_words(".deals[2].score[0]")
    'deal 3, score 1'
    >>> in_words("deals[2].moves[16].fx[1][0]")
    'deal 3, move 17, fx 2, card'
    """
    words: list[str] = []
    for name, indices in re.findall(r"([A-Za-z_0-9]+)((?:\[\d+\])*)", where):
        numbers = [int(number) for number in re.findall(r"\d+", indices)]
        word = _WORDS.get(name, name)
        words.append(f"{word} {numbers[0] + 1}" if numbers else word)
        words += [_STEP[number] if name.startswith("fx") else f"card {number + 1}" for number in numbers[1:]]
    return ", ".join(words)
