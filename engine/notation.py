"""Every action as short text, both ways.

    p0 03.3         play 03.3 (a single match and a triple need no target)
    p0 03.3*03.2    play 03.3 and take 03.2
    p1 hiki 9       the four cards of September
    p1 draw         a draw-only turn
    p1 >06.1        the flipped card takes 06.1 (`>all`, `>leave`)
    p1 !01.4        after a block the Gaji names 01.4 (`!leave`, `!return`)

A flip is not in it: the order of the deck gives it (site.md 3).
"""

from __future__ import annotations

import re
from typing import Final

from engine.action import UNNAMED, WORD_OF, WORDS, Action
from engine.cards import CODES, INDEX
from engine.errors import BadAction

_CARD: Final = r"(?:0[1-9]|1[0-2])\.[1-4]"
_TAKE: Final = rf"{_CARD}|none|leave|return|all"
_PLAY: Final = re.compile(rf"({_CARD})(?:\*({_TAKE}))?")
_CHOICE: Final = re.compile(rf"([>!])({_TAKE})")
_HIKI: Final = re.compile(r"hiki ([1-9]|1[0-2])")
_SEAT: Final = re.compile(r"p([0-6]) (.+)")


def format_action(action: Action) -> str:
    """Text of an action, without the seat.

    >>> format_action(Action.of("play", 10, 9))
    '03.3*03.2'
    """
    if action.kind == "hiki":
        return f"hiki {action.month}"
    if action.kind == "draw_only":
        return "draw"
    take = "" if action.take == UNNAMED else WORD_OF.get(action.take) or CODES[action.take]
    if action.kind == "play":
        return f"{CODES[action.card]}*{take}" if take else CODES[action.card]
    return (">" if action.kind == "draw_take" else "!") + take


def format_move(seat: int, action: Action) -> str:
    """Text of a move, like "p0 03.3*03.2"."""
    return f"p{seat} {format_action(action)}"


def _take(text: str) -> int:
    return WORDS[text] if text in WORDS else INDEX[text]


def parse_action(text: str) -> Action:
    """The action of a text. Raises BadAction."""
    if text == "draw":
        return Action.of("draw_only")
    if found := _PLAY.fullmatch(text):
        return Action.of("play", INDEX[found[1]], _take(found[2]) if found[2] else UNNAMED)
    if found := _CHOICE.fullmatch(text):
        return Action.of("draw_take" if found[1] == ">" else "blocked_choice", take=_take(found[2]))
    if found := _HIKI.fullmatch(text):
        return Action.of("hiki", month=int(found[1]))
    raise BadAction(f"{text!r:.60} is no action. Write it like 03.3, 03.3*03.2, hiki 9, draw, >06.1 or !leave.")


def parse_move(text: object) -> tuple[int, Action]:
    """Seat and action of a move. Raises BadAction."""
    found = _SEAT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise BadAction(f"{text!r:.60} is no move. Write the seat first, like p0 03.3*03.2.")
    return int(found[1]), parse_action(found[2])
