"""Specification of one match: rules, seed, seats, bots and clock. Plain values; the table reads nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bots.protocol.files import BotFiles

if TYPE_CHECKING:
    from engine.game import Ruleset

__all__ = [
    "BOUNDS",
    "CLOCKS",
    "CUSTOM",
    "STANDARD",
    "BotFiles",
    "Clock",
    "MatchSpec",
    "OutOfBounds",
    "out_of_bounds",
    "suits",
]


@dataclass(frozen=True, slots=True)
class Clock:
    """Budget of a bot. All times are CPU milliseconds of the bot's process (sandbox.md, Clocks).

    `bank_ms` is new in each deal: a move may cost `move_ms` plus what is left of the bank. `match_ms` holds besides.
    """

    id: str
    load_ms: int = 1_000
    move_ms: int = 100
    bank_ms: int = 1_000
    match_ms: int = 60_000
    memory_mib: int = 256


STANDARD: Final = Clock("standard")
CLOCKS: Final[Mapping[str, Clock]] = MappingProxyType(
    {
        clock.id: clock
        for clock in (
            # Rule bots. A match of twelve deals at two seats stays under ten seconds, so big leagues end in minutes.
            Clock("quick", move_ms=20, bank_ms=200, match_ms=10_000),
            STANDARD,  # sandbox.md. Light search, numpy tables; uploads are checked with it unless they name another.
            # Sampling and small networks: five times the thinking of `standard`, and room for their weights.
            Clock("slow", load_ms=3_000, move_ms=500, bank_ms=3_000, match_ms=120_000, memory_mib=512),
            # Deep search for small finals: the longest there is (BOUNDS). Seven seats may take twenty minutes.
            Clock("deep", load_ms=5_000, move_ms=2_000, bank_ms=5_000, match_ms=180_000, memory_mib=512),
        )
    }
)
CUSTOM: Final = "custom"
"""The id of a clock whose figures an organiser chose."""
BOUNDS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "load_ms": (200, 5_000),
        "move_ms": (5, 2_000),
        "bank_ms": (0, 5_000),
        "match_ms": (1_000, 180_000),
        "memory_mib": (64, 512),
    }
)
"""Lowest and highest figure of a clock. Below: the preloaded libraries need them. Above: waiting is bounded by five
times the CPU, so a move (or loading) ends within 36 s, less than a lease of 60 s lasts without a heartbeat, and seven
seats at their limits end within the time limit of a task (tests/bots/table/test_clocks.py).
"""


@dataclass(frozen=True, slots=True)
class OutOfBounds:
    """A figure of a clock that cannot be: its name and what it may be."""

    figure: str
    low: int
    high: int


def out_of_bounds(clock: Clock) -> OutOfBounds | None:
    """Return the first figure outside its bounds, None if the clock can be used.

    A match holds one longest move at least.
    """
    for name, (low, high) in BOUNDS.items():
        least = max(low, clock.move_ms + clock.bank_ms) if name == "match_ms" else low
        if not least <= getattr(clock, name) <= high:
            return OutOfBounds(name, least, high)
    return None


def suits(needed: Clock, given: Clock) -> bool:
    """Return whether a bot that was made for the clock `needed` can play with the clock `given`.

    What `STANDARD` allows is asked of every bot: only what `needed` has beyond it has to be there.
    """
    return all(getattr(needed, name) <= max(getattr(STANDARD, name), getattr(given, name)) for name in BOUNDS)


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match to play.

    seed: the 16-byte match seed of the deal set. leg: 1-based; with the seat it makes `hello.rng`.
    fair: the record's `fair` object (stage, commit, deal_set, leg). bots: one per seat, in seat order.
    """

    match_id: str
    ruleset: Ruleset
    preset: str
    seats: int
    seed: bytes
    leg: int
    fair: Mapping[str, object]
    bots: tuple[BotFiles, ...]
    clock: Clock = STANDARD
