"""Positions for tests of one's own: what a bot is shown in matches in which everybody does anything."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from engine.game import OptionValue, game_of
from engine.games import preset as preset_of
from engine.games import ruleset
from engine.match import Match

FREE_MS: Final = 1_100
"""CPU milliseconds that an answer may cost under the standard clock while the bank is full."""


def positions(
    preset: str = "hawaii", *, count: int = 100, seats: int | None = None, seed: int = 0, **options: OptionValue
) -> Iterator[dict[str, Any]]:
    """`count` observations, each with two or more legal actions, of anyone who is to act; `since` goes back to the
    start.

    seats: None for every number of seats that the rules allow, in turn. The same seed gives the same positions.
    Raises BadOption for an unknown preset, BadSeating for seats that do not fit.
    """
    low, high = game_of(preset_of(preset).game).seat_range
    # A seed as text: Python hashes it with SHA-512, alike in every process and version.
    dice, rules = Random(f"hanami positions {seed}"), ruleset(preset, **options)
    given = number = 0
    while given < count:
        number += 1
        match = Match(rules, seats or low + number % (high - low + 1), dice.randbytes(16))
        while not match.is_over and given < count:
            legal = match.legal_actions()
            # Half of them: neighbours differ by one move only, and a sample of every second one shows more matches.
            if len(legal) > 1 and dice.random() < 0.5:
                given += 1
                yield match.observation(
                    match.seat_to_act, match_id=f"position-{number}", preset=preset, since=0, ms_left=FREE_MS
                )
            match.apply(dice.choice(legal))
            # Short matches: the next one has another number of seats, also in games of many deals.
            if match.deal > 2:
                break
