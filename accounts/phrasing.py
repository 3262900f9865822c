"""How a language puts words together: lists, labels, statements, figures. No code joins what people read on its own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def listed(parts: Iterable[object]) -> str:
    """Things in a row: "Aiko, Ben, Chiyo"; "" for none."""
    return _joined(_("%(one)s, %(other)s"), parts)


def in_turn(parts: Iterable[object]) -> str:
    """Statements of one sentence, one after the other: "Aiko wins; Ben is out"."""
    return _joined(_("%(one)s; %(other)s"), parts)


def side_by_side(parts: Iterable[object]) -> str:
    """Return what belongs to one and to another: "Aiko I Ho; Ben Ro"."""
    pattern, known = _("%(part)s; %(next)s"), [str(part) for part in parts]
    return reduce(lambda part, following: pattern % {"part": part, "next": following}, known) if known else ""


def labelled(label: object, text: object) -> str:
    """A label and what it names: "Deal 2: Aiko"."""
    return _("%(label)s: %(text)s") % {"label": label, "text": text}


def colon() -> str:
    """Return what stands between a label and what it names, where a page sets them in different type."""
    return labelled("", "")


def comma() -> str:
    """Return what stands between two things in a row, where a page sets them in different type."""
    return listed(("", ""))


def sentence(text: object) -> str:
    """A text with its stop."""
    return _("%(text)s.") % {"text": text}


def decimal(value: float, most: int) -> str:
    """A number with at most that many decimals and no more than it needs, with a true minus: "−2.5", "2,5"."""
    rounded = round(value, most)
    digits = f"{rounded:.{most}f}".rstrip("0").partition(".")[2]
    return number_format(rounded, len(digits)).replace("-", "\N{MINUS SIGN}")


def _joined(pattern: str, parts: Iterable[object]) -> str:
    known = [str(part) for part in parts]
    return reduce(lambda one, other: pattern % {"one": one, "other": other}, known) if known else ""
