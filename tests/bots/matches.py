"""Builders of match specs and tiny bots for the tests of bots."""

from __future__ import annotations

import hashlib

from bots.protocol.files import BotFiles
from bots.runner.spec import STANDARD, Clock, MatchSpec
from bots.uploads import version_hash
from engine.deck import commitment
from engine.game import OptionValue
from engine.games import ruleset

FIRST = "def choose(obs):\n    return 0\n"
LAST = "def choose(obs):\n    return obs['legal'][-1]\n"


def a_bot(source: str = FIRST, **files: bytes) -> BotFiles:
    """A bot of one source; more files by keyword, `__` standing for the dot."""
    listed = [("bot.py", source.encode()), *((name.replace("__", "."), data) for name, data in files.items())]
    return BotFiles(tuple(listed), version_hash(listed, 1, ["hawaii"]))


def a_spec(
    *bots: BotFiles | str,
    preset: str = "hawaii",
    number: int = 1,
    leg: int = 1,
    clock: Clock = STANDARD,
    **options: OptionValue,
) -> MatchSpec:
    """A match of these bots (files or sources), one per seat; `number` picks the seed."""
    seed = hashlib.sha256(f"match {number}".encode()).digest()[:16]
    commit = commitment(seed)
    return MatchSpec(
        match_id=f"m{number}-{leg}",
        ruleset=ruleset(preset, **options),
        preset=preset,
        seats=len(bots),
        seed=seed,
        leg=leg,
        fair={"stage": commit, "commit": commit, "deal_set": f"d{number}", "leg": leg},
        bots=tuple(a_bot(bot) if isinstance(bot, str) else bot for bot in bots),
        clock=clock,
    )
