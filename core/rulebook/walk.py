"""Games that the engine plays on its own: game number n is the same on every machine, for ever.

Seed and choices come from SHA-256 of the number, so an example needs to name no card. A choice is any legal action,
each equally often: what shows is what the rules allow, not what somebody thought up.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from engine.action import Action
from engine.game import Ruleset
from engine.games import ruleset
from engine.match import Match

PURPOSE: Final = "hanami example"
CHOICE_BYTES: Final = 6


def seed_of(number: int) -> bytes:
    """Return the seed of game `number`, 32 bytes."""
    return sha256(f"{PURPOSE} {number}".encode()).digest()


def rules_of(preset: str, teams: str) -> Ruleset:
    """Return the preset as it stands, with its seating."""
    return ruleset(preset) if teams == "solo" else ruleset(preset, teams=teams)


def opened(preset: str, seats: int, number: int, teams: str = "solo") -> Match:
    """Deal game `number` of a preset."""
    return Match(rules_of(preset, teams), seats, seed_of(number))


def choice(match: Match) -> Action:
    """Return the action of the seat to act in this game."""
    legal = match.legal_actions()
    draw = sha256(match.seed + b"%d %d" % (match.deal, match.move)).digest()[:CHOICE_BYTES]
    # Six bytes: the rest of 2**48 by a hundred actions favours none of them noticeably.
    return legal[int.from_bytes(draw, "big") % len(legal)]


def played_to(match: Match, deal: int, move: int) -> Match:
    """Play a game until `move` moves of deal `deal` are done; a deal that ended before stays as it is."""
    while not match.is_over and (match.deal < deal or (match.deal == deal and match.move < move)):
        match.apply(choice(match))
    return match
