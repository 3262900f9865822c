"""Comparing a record with the one that the engine makes of it: where they first differ, in words."""

from __future__ import annotations

import re
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


def in_words(where: str) -> str:
    """A path as people say it: deals[2].moves[16].fx[1][0] is "deal 3, move 17, fx 2, card".

    >>> in_words(".deals[2].score[0]")
    'deal 3, score 1'
    """
    words = []
    for name, index in re.findall(r"\.?([A-Za-z_0-9]+)(?:\[(\d+)\])?", where.lstrip(".")):
        word = {"deals": "deal", "moves": "move"}.get(name, name)
        words.append(f"{word} {int(index) + 1}" if index else word)
    return ", ".join(words)
