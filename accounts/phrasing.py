"""Joining of words by the rules of a language: lists, labels, statements, figures. No other code joins text that people
read.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def listed(parts: Iterable[object]) -> str:
    """Return things in a row: "Aiko, Ben, Chiyo"; "" for none."""
    return _joined(_("%(one)s, %(other)s"), parts)


def either(parts: Iterable[object]) -> str:
    """Return things of which one holds: "3 or 5"; "" for none."""
    return _joined(_("%(one)s or %(other)s"), parts)


def in_turn(parts: Iterable[object]) -> str:
    """Return statements as one sentence, one after the other: "Aiko wins; Ben is out"."""
    return _joined(_("%(one)s; %(other)s"), parts)


def side_by_side(parts: Iterable[object]) -> str:
    """Return the parts of one side and of another: "Aiko I Ho; Ben Ro"."""
    pattern, known = _("%(part)s; %(next)s"), [str(part) for part in parts]
    return reduce(lambda part, following: pattern % {"part": part, "next": following}, known) if known else ""


def labelled(label: object, text: object) -> str:
    """Return a label and what it names: "Deal 2: Aiko"."""
    return _("%(label)s: %(text)s") % {"label": label, "text": text}


def colon() -> str:
    """Return the sign between a label and what it names, where a page sets them in different type."""
    return labelled("", "")


def comma() -> str:
    """Return the sign between two things in a row, where a page sets them in different type."""
    return listed(("", ""))


def sentence(text: object) -> str:
    """Return a text with its full stop."""
    return _("%(text)s.") % {"text": text}


def decimal(value: float, most: int) -> str:
    """Return a number with at most `most` decimals and no more than it needs, with a true minus: "−2.5", "2,5"."""
    rounded = round(value, most)
    digits = f"{rounded:.{most}f}".rstrip("0").partition(".")[2]
    return number_format(rounded, len(digits)).replace("-", "\N{MINUS SIGN}")


# Two by two: a language may need another sign than a comma, and translates a pattern of two.
def _joined(pattern: str, parts: Iterable[object]) -> str:
    known = [str(part) for part in parts]
    return reduce(lambda one, other: pattern % {"one": one, "other": other}, known) if known else ""
