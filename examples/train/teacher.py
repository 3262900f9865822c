"""The teacher: the house bot `sampler`, asked for the worth of every legal action instead of its choice."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final

import numpy as np

import bots.house
import bots.sdk
from bots.sdk import Session, View
from engine.games import ruleset
from engine.match import Match

PRESET: Final = "hawaii"
RULES: Final = ruleset(PRESET, rounds=1)
SEATS: Final = 2


def house_bot(name: str) -> ModuleType:
    """Return the module of a house bot, which imports `hanami` as every bot does."""
    sys.modules.setdefault("hanami", bots.sdk)
    folder = str(Path(bots.house.__file__).parent)
    # Last, and only meanwhile: a spawned process takes the path along, and `random.py` there is not Python's own.
    sys.path.append(folder)
    try:
        return import_module(name)
    finally:
        sys.path.remove(folder)


def sessions(seed: int) -> list[Session]:
    """Return what each seat remembers of a match: one a seat."""
    found = [Session() for _ in range(SEATS)]
    for seat, session in enumerate(found):
        session.begin({"rng": f"{2 * seed + seat:032x}", "ruleset": RULES.to_json(), "seats": SEATS}, {})
    return found


def decisions(seed: int, choose: Any) -> Iterator[View]:
    """Play one deal of this seed; yield the view of each decision, after which `choose(view)` says what is played."""
    match, told, seen = Match(RULES, SEATS, seed.to_bytes(32, "big")), sessions(seed), [0] * SEATS
    while not match.is_over:
        seat, legal = match.seat_to_act, match.legal_actions()
        if len(legal) == 1:
            match.apply(legal[0])
            continue
        obs = match.observation(seat, match_id="train", preset=PRESET, since=seen[seat], ms_left=1000)
        seen[seat] = match.event_count
        told[seat].note(obs)
        view = told[seat].read(obs)
        yield view
        match.apply(legal[choose(view)])


def worths(view: View, worlds: int, dice: Random) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the mean lead, in card points, that each action ends with in `worlds` guesses of the hidden cards.

    As `sampler` does it, but for every action, not for the best-looking four. The same worlds for all: what differs
    between two actions is then mostly the actions.
    """
    sampler = house_bot("sampler")
    policy, total = sampler.greedy_policy(view), np.zeros(len(view.legal))
    for _ in range(worlds):
        world = view.determinize(dice)
        total += [sampler.success(view, view.playout(world, action, policy)) for action in view.legal]
    return (total / worlds).astype(np.float32)
