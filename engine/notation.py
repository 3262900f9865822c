"""Every action as short text, both ways.

    p0 03.3         play 03.3 (a single match and a triple need no target)
    p0 03.3*03.2    play 03.3 and take 03.2
    p1 hiki 9       the four cards of September
    p1 draw         a draw-only turn
    p1 >06.1        the flipped card takes 06.1 (`>all`, `>leave`)
    p1 !01.4        after a block the Gaji names 01.4 (`!leave`, `!return`)

Every other kind of action is its name and what it names: `bid 7`, `join play`, `triplet 5`, `discard 01.1`, `pass`.
A flip is not in it: the order of the deck gives it (site.md 3).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from engine.action import FORMS, UNNAMED, WORDS, Action, read_named, target_text
from engine.cards import CODES, INDEX
from engine.errors import BadAction

_CARD: Final = r"(?:0[1-9]|1[0-2])\.[1-4]"
_TAKE: Final = rf"{_CARD}|none|leave|return|all"
_PLAY: Final = re.compile(rf"({_CARD})(?:\*({_TAKE}))?")
_CHOICE: Final = re.compile(rf"([>!])({_TAKE})")
_NAMED: Final = re.compile(r"([a-z_]+)(?: (\S+))?")
# At most five digits before int() sees them; without re.ASCII \d takes digits of every script.
_NUMBER: Final = re.compile(r"0|[1-9]\d{0,4}", re.ASCII)
_SEAT: Final = re.compile(r"p([0-6]) (.+)")
_SIGNS: Final = {"draw_take": ">", "blocked_choice": "!"}
_KIND_OF: Final = {sign: kind for kind, sign in _SIGNS.items()}


def format_action(action: Action) -> str:
    """Text of an action, without the seat.

    >>> format_action(Action.of("play", 10, 9))
    '03.3*03.2'
    """
    kind = action.kind
    if kind == "play":
        card = CODES[action.card]
        return card if action.take == UNNAMED else f"{card}*{target_text(action.take)}"
    if kind in _SIGNS:
        return _SIGNS[kind] + ("" if action.take == UNNAMED else target_text(action.take))
    if kind == "draw_only":
        return "draw"
    named = action.to_json()[kind]
    return kind if named is True else f"{kind} {named}"


def format_move(seat: int, action: Action) -> str:
    """Text of a move, like "p0 03.3*03.2"."""
    return f"p{seat} {format_action(action)}"


def _take(text: str) -> int:
    return WORDS[text] if text in WORDS else INDEX[text]


@lru_cache(maxsize=8192)
def parse_action(text: str) -> Action:
    """The action of a text. Raises BadAction."""
    if text == "draw":
        return Action.of("draw_only")
    if found := _PLAY.fullmatch(text):
        return Action.of("play", INDEX[found[1]], _take(found[2]) if found[2] else UNNAMED)
    if found := _CHOICE.fullmatch(text):
        return Action.of(_KIND_OF[found[1]], take=_take(found[2]))
    action = _parse_named(text)
    # The way back must give the same text: one action has one notation.
    if action is None or format_action(action) != text:
        raise BadAction(f"{text!r:.60} is no action. Write it like 03.3, 03.3*03.2, hiki 9, draw, >06.1 or !leave.")
    return action


def _parse_named(text: str) -> Action | None:
    """An action written as its kind and what it names; None if there is none like it."""
    found = _NAMED.fullmatch(text)
    form = FORMS.get(found[1]) if found else None
    if found is None or form is None or form.shape == "capture":
        return None
    value = found[2]
    if form.shape in ("month", "amount"):
        return read_named(form, int(value)) if value and _NUMBER.fullmatch(value) else None
    return read_named(form, True if value is None else value)


def parse_move(text: object) -> tuple[int, Action]:
    """Seat and action of a move. Raises BadAction."""
    if not isinstance(text, str):
        raise BadAction(f"{text!r:.60} is no move. Write the seat first, like p0 03.3*03.2.")
    return _parse_move(text)


@lru_cache(maxsize=8192)
def _parse_move(text: str) -> tuple[int, Action]:
    found = _SEAT.fullmatch(text)
    if found is None:
        raise BadAction(f"{text!r:.60} is no move. Write the seat first, like p0 03.3*03.2.")
    return int(found[1]), parse_action(found[2])
