"""Choices of the form of an event that follow from the games and the formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.phrasing import listed, sentence
from core.formats import FORMATS, offered
from engine.errors import EngineError
from engine.games import GAMES, ruleset
from tournaments.pages.events.audiences import BOTH, may_choose

NBSP: Final = "\u00a0"
JOINER: Final = "\u2060"
"""A word joiner: beside a dash, where a line would break after it."""


def kind_choices(audience: str = BOTH) -> list[tuple[str, Any]]:
    """Return the formats that can be chosen; those that follow from the number of sides are one choice."""
    chosen = [FORMATS[kind] for kind in offered() if not FORMATS[kind].usual_sides and may_choose(kind, audience)]
    usual = ("", _("round robin, as far as possible"))
    return [usual, *((each.id, _(each.choice or each.label)) for each in chosen)]


class KindSelect(forms.Select):
    """Formats to choose from. Each option says what it asks for, so that the page shows no fields of other formats."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return an option with the names of the groups of fields that it uses, which create.css knows."""
        option = super().create_option(*args, **kwargs)
        used = " ".join(groups_of(str(option["value"])))
        option["attrs"] |= {"data-uses": used} if used else {}
        return option


def groups_of(kind: str) -> Iterator[str]:
    """Yield the groups of fields that a format uses besides its rounds, which a bracket has none of."""
    found = FORMATS.get(kind)
    if found is not None and found.ranks_by_bracket:
        yield "advance"
    if found is not None and found.is_bracket:
        yield "bracket"
    if found is not None and found.is_open_ended:
        yield "end"


def seats_text() -> str:
    """Return in a sentence how many may sit at a table of each game."""
    ranges = [(game.name, *game.seat_range) for game in GAMES.values()]
    return sentence(listed(f"{name}{NBSP}{_range(low, high)}" for name, low, high in ranges))


def _range(low: int, high: int) -> str:
    """Return a range of numbers that no line break divides."""
    return f"{low}" if low == high else f"{low}{JOINER}–{JOINER}{high}"


def usual_kind(sides: int) -> str:
    """Return the format of an event for which none was chosen."""
    return next(kind for kind in offered() if sides in FORMATS[kind].usual_sides)


def sides_at_table(preset: str, options: Mapping[str, Any], seats: int) -> int:
    """Return how many sides sit at a table; the number of seats where the rules refuse (the service says why)."""
    try:
        return len(set(ruleset(preset, **options).sides(seats)))
    except EngineError:
        return seats
