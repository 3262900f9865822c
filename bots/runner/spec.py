"""What one match is: rules, seed, seats, bots and clock. Plain values; the table reads nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bots.protocol.files import BotFiles

if TYPE_CHECKING:
    from engine.game import Ruleset

__all__ = ["CLOCKS", "STANDARD", "BotFiles", "Clock", "MatchSpec"]


@dataclass(frozen=True, slots=True)
class Clock:
    """What a bot may use. All times are CPU milliseconds of the bot's process (sandbox.md, Clocks).

    `bank_ms` is new in each deal: a move may cost `move_ms` plus what is left of the bank. `match_ms` holds besides.
    """

    id: str
    load_ms: int = 1_000
    move_ms: int = 100
    bank_ms: int = 1_000
    match_ms: int = 60_000
    memory_mib: int = 256


STANDARD: Final = Clock("standard")
CLOCKS: Final[Mapping[str, Clock]] = {STANDARD.id: STANDARD}


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
