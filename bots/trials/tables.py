"""The matches of a trial: seats, rules and seeds. The same version gets the same deals."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final
from uuid import UUID

from bots.house import house_files
from bots.protocol.files import BotFiles
from bots.runner.spec import STANDARD, Clock, MatchSpec
from engine.deck import commitment
from engine.game import Ruleset, game_of
from engine.games import PRESETS, option_table, ruleset

DEALS: Final = 2
"""Of a smoke match, where the game has a number of deals; other games are played as the preset says."""
OPPONENTS: Final = ("random", "greedy", "yaku")
"""The candidate's opponents in a smoke match, in seat order; a game with fewer seats takes the first ones."""
STATES_DEALS: Final = 3
"""Of a match against random players: few enough for many tables, enough that starting does not cost most."""
ANYBODY: Final = "random"
"""The opponent that brings about positions which no sensible one would."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot version on trial: its files, named by the version's hash, the presets that it plays, the clock it needs."""

    files: BotFiles
    plays: tuple[str, ...]
    clock: Clock = STANDARD


@dataclass(frozen=True, slots=True)
class Sitting:
    """One match of a trial, and the seat of the candidate in it."""

    spec: MatchSpec
    seat: int


def smoke(candidate: Candidate, preset: str) -> Sitting:
    """A short match of the candidate, first in turn, against house bots."""
    seats = seats_of(preset)
    opponents = tuple(house_files(name) for name in OPPONENTS[: seats - 1])
    seed = hashlib.sha256(f"hanami/check/1 {candidate.files.version_hash} {preset}".encode()).digest()
    return Sitting(_spec(candidate, preset, short_rules(preset, DEALS), seed, (candidate.files, *opponents)), 0)


def states(candidate: Candidate) -> Iterator[Sitting]:
    """Matches without end against random players: all its presets, all numbers of seats, all seats."""
    stranger = house_files(ANYBODY)
    for number in count():
        preset = candidate.plays[number % len(candidate.plays)]
        low, high = game_of(PRESETS[preset].game).seat_range
        turn = number // len(candidate.plays)
        # Sizes of tables change once all presets had their turn, so a few matches already mix both.
        seats, seed = low + turn % (high - low + 1), _states_seed(candidate, number)
        seat = seed[0] % seats
        bots = tuple(candidate.files if place == seat else stranger for place in range(seats))
        yield Sitting(_spec(candidate, preset, short_rules(preset, STATES_DEALS), seed, bots), seat)


def _states_seed(candidate: Candidate, number: int) -> bytes:
    return hashlib.sha256(f"hanami/states/1 {candidate.files.version_hash} {number}".encode()).digest()


def _spec(candidate: Candidate, preset: str, rules: Ruleset, seed: bytes, bots: tuple[BotFiles, ...]) -> MatchSpec:
    # As matches and deal sets are named anywhere: a bot is not to know that it is on trial.
    name, deal_set = (str(UUID(bytes=_digest(word, seed)[:16], version=4)) for word in ("match", "deal_set"))
    return MatchSpec(
        match_id=name,
        ruleset=rules,
        preset=preset,
        seats=len(bots),
        seed=seed,
        leg=1,
        fair={"stage": commitment(b"check"), "commit": commitment(seed), "deal_set": deal_set, "leg": 1},
        bots=bots,
        clock=candidate.clock,
    )


def _digest(word: str, seed: bytes) -> bytes:
    return hashlib.sha256(f"hanami/trial/1 {word} ".encode() + seed).digest()


def seats_of(preset: str) -> int:
    """Seats of a smoke match: the candidate and all opponents, or as near to that as the game allows."""
    low, high = game_of(PRESETS[preset].game).seat_range
    return min(max(low, len(OPPONENTS) + 1), high)


def short_rules(preset: str, deals: int) -> Ruleset:
    """The preset with that many deals; as it is if its matches have no number of deals."""
    has_rounds = any(info.id == "rounds" for info in option_table(PRESETS[preset].game))
    return ruleset(preset, rounds=deals) if has_rounds else ruleset(preset)
