"""The options of a Deal as the plain flags that it asks for, worked out once per ruleset and number of seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.game import Ruleset
from engine.games.nuki.deal import seat_sides
from engine.games.nuki.options import NukiOptions
from engine.games.nuki.teyaku import DIVING


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Compiled options. diving: ids of the teyaku that can dive."""

    ruleset: Ruleset
    options: NukiOptions
    seats: int
    mizuten: bool
    require_two: bool
    penalties: bool
    compensates: bool
    diving: tuple[str, ...]


def options_of(ruleset: Ruleset) -> NukiOptions:
    """The options of a Nuki ruleset."""
    if not isinstance(ruleset.options, NukiOptions):
        raise TypeError(f"{ruleset.game} is not Nuki")
    return ruleset.options


@lru_cache(maxsize=256)
def compile_rules(ruleset: Ruleset, seats: int) -> Rules:
    """The flags of a ruleset at a number of seats. Raises BadSeating."""
    options = options_of(ruleset)
    seat_sides(seats)
    return Rules(
        ruleset=ruleset,
        options=options,
        seats=seats,
        mizuten=options.mizuten,
        require_two=options.require_two_players,
        penalties=options.dropout_penalty == "hachi",
        compensates=options.forced_out_compensation == "hachi",
        diving=DIVING[options.diving_scope],
    )
