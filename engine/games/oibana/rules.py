"""A ruleset of Oi-bana worked out once: who may sit, the bids there are, and the rules of the deal for two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.action import Action
from engine.errors import BadSeating
from engine.game import Options, Ruleset
from engine.games.oibana.options import OibanaOptions
from engine.games.sakura.rules import Rules, compile_rules

MIN_SEATS: Final = 3
MAX_SEATS: Final = 6
HAND: Final = 8
FIELD: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class OibanaRules:
    """seats: at the auction; bids: every legal bid, lowest first; table: the rules of the Sakura deal for two."""

    ruleset: Ruleset
    options: OibanaOptions
    seats: int
    bids: tuple[Action, ...]
    table: Rules


def own_options(options: Options) -> OibanaOptions:
    """The options of Oi-bana."""
    if not isinstance(options, OibanaOptions):
        raise TypeError(f"not options of Oi-bana: {type(options).__name__}")
    return options


def seat_sides(options: Options, seats: int) -> tuple[int, ...]:
    """Every seat is its own side (R91). Raises BadSeating for teams, and for fewer than 3 or more than 6 players."""
    teams = own_options(options).teams
    if teams != "solo" or not MIN_SEATS <= seats <= MAX_SEATS:
        message = f"Oi-bana is for {MIN_SEATS} to {MAX_SEATS} players without teams, not for {seats} with {teams}."
        allowed = list(range(MIN_SEATS, MAX_SEATS + 1))
        raise BadSeating(message, extra={"teams": teams, "seats": seats, "allowed": allowed})
    return tuple(range(seats))


@lru_cache(maxsize=64)
def compile_oibana(ruleset: Ruleset, seats: int) -> OibanaRules:
    """The rules of a ruleset at a number of seats. Raises BadSeating."""
    options = own_options(ruleset.options)
    seat_sides(options, seats)
    bids = tuple(Action.of("bid", amount=amount) for amount in range(options.bid_min, options.bid_max + 1))
    return OibanaRules(ruleset, options, seats, bids, compile_rules(ruleset, 2))
