"""The options of a deal as the plain flags that the turn asks for, worked out once per ruleset and seating."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.cards import GAJI
from engine.game import Ruleset
from engine.games.sakura.deal import seat_sides
from engine.games.sakura.options import SakuraOptions
from engine.games.sakura.plays import OPTIONAL_PLAYS, PLAYS, Actions

NOTHING: Final = -1


@dataclass(frozen=True, eq=False)
class Rules:
    """Compiled options. sides: side number per seat; after: the seat that comes next, per seat.

    plays: as in `plays.PLAYS`. wild_from_pile: the card that is
    wild when it is turned up, NOTHING if none is. plain_setup: only a full month on the field asks for a setup.
    """

    ruleset: Ruleset
    options: SakuraOptions
    seats: int
    sides: tuple[int, ...]
    side_count: int
    after: tuple[int, ...]
    plays: list[Actions]
    hiki: bool
    owner_captures: bool
    forbid_triple: bool
    may_return: bool
    wild: bool
    wild_until_willow: bool
    pile_wild: bool
    plain_setup: bool
    wild_from_pile: int
    may_decline: bool
    takes_triple: bool
    transfers: bool
    triple_optional: bool
    ends_with_pile: bool
    ends_with_hands: bool


def options_of(ruleset: Ruleset) -> SakuraOptions:
    """The options of a Sakura ruleset."""
    if not isinstance(ruleset.options, SakuraOptions):
        raise TypeError(f"{ruleset.game} is not a game of the Sakura family")
    return ruleset.options


# Compiled rules are compared by identity (eq=False): equal rulesets must give the very same object.
@lru_cache(maxsize=256)
def compile_rules(ruleset: Ruleset, seats: int) -> Rules:
    """The flags of a ruleset at a number of seats. Raises BadSeating."""
    options = options_of(ruleset)
    sides = seat_sides(options.teams, seats)
    pile_wild = options.gaji_from_pile == "wild" and options.gaji_wild != "off"
    return Rules(
        ruleset=ruleset,
        options=options,
        seats=seats,
        sides=sides,
        side_count=len(set(sides)),
        after=(*range(1, seats), 0),
        plays=OPTIONAL_PLAYS if options.triple_capture == "optional" else PLAYS,
        hiki=options.hiki == "any_split",
        owner_captures=options.hiki_block == "owner_captures",
        forbid_triple=options.hiki_block == "forbid_triple",
        may_return=options.blocked_gaji == "retarget_leave_or_return",
        wild=options.gaji_wild != "off",
        wild_until_willow=options.gaji_wild == "until_willow_captured",
        pile_wild=pile_wild,
        plain_setup=options.gaji_at_deal != "discard" and options.deal_hands == "off",
        wild_from_pile=GAJI if pile_wild else NOTHING,
        may_decline=options.gaji_decline == "anytime",
        takes_triple=options.gaji_on_triple == "all",
        transfers=options.gaji_claim == "next_point_card",
        triple_optional=options.triple_capture == "optional",
        ends_with_pile=options.round_end == "pile_or_hands",
        ends_with_hands=options.round_end != "hands_and_pile",
    )
