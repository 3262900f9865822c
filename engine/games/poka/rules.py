"""The options of a deal as the plain flags that a turn asks for, worked out once per ruleset."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.errors import BadSeating
from engine.game import Ruleset
from engine.games.poka.options import PokaOptions

SEATS: Final = 2
FORCING_RESHUFFLES: Final = 3
"""The number of reshuffles in a deal from which on a ghost forces, too (R93)."""


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Compiled options."""

    ruleset: Ruleset
    options: PokaOptions
    one_two: bool
    same_month_dump: bool


def options_of(ruleset: Ruleset) -> PokaOptions:
    """The options of a Poka ruleset."""
    if not isinstance(ruleset.options, PokaOptions):
        raise TypeError(f"{ruleset.game} is not Poka")
    return ruleset.options


def seat_sides(seats: int) -> tuple[int, ...]:
    """Side number of every seat. Raises BadSeating: Poka is for two players, each for himself."""
    if seats != SEATS:
        message = f"Poka is played by 2, not by {seats}."
        raise BadSeating(message, extra={"teams": "solo", "seats": seats, "allowed": [SEATS]})
    return (0, 1)


@lru_cache(maxsize=256)
def compile_rules(ruleset: Ruleset) -> Rules:
    """The flags of a ruleset."""
    options = options_of(ruleset)
    return Rules(ruleset, options, options.one_two, options.same_month_dump)
