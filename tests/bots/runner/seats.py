"""Builders of this folder: a hello, an observation, a bot from a few lines of source, and clocks."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from bots.errors import BotFault
from bots.runner.sandboxed import SandboxedPlayer
from bots.runner.spec import Clock
from bots.runner.zygote import Zygote
from engine.games import ruleset

# Generous where a test is about something else: 2 busy cores must not decide.
EASY = Clock("easy", load_ms=5_000, move_ms=2_000, bank_ms=2_000, match_ms=30_000, memory_mib=256)
RNG = "00112233445566778899aabbccddeeff"
PLAYS = ["01.1", "02.1", "03.1", "04.1", "05.1", "06.1", "07.1", "08.1"]


def a_hello(rng: str = RNG) -> dict[str, object]:
    return {
        "match": "m8fk2",
        "ruleset": ruleset("hawaii").to_json(),
        "seats": 2,
        "sides": [0, 1],
        "me": "p0",
        "clock": {"move_ms": 2_000},
        "rng": rng,
    }


def an_observation(choices: int = 8, **changed: object) -> dict[str, Any]:
    """Of a seat with `choices` legal actions, as in site.md section 6."""
    obs: dict[str, Any] = {
        "v": 1, "match": "m8fk2", "deal": 1, "move": 0, "phase": "hand", "me": "p0", "preset": "hawaii",
        "sides": [0, 1], "dealer": "p0", "hand": PLAYS, "hand_n": [8, 8], "field": ["09.1", "10.1", "11.1"],
        "tray": [[], []], "pile_n": 24, "mult": 1, "gaji": None, "total": [0, 0], "ms_left": 1_100, "since": [],
        "legal": [{"play": code} for code in PLAYS[:choices]],
    }  # fmt: skip
    return obs | changed


def files_of(source: str, **others: bytes) -> list[tuple[str, bytes]]:
    return [("bot.py", textwrap.dedent(source).encode()), *others.items()]


@dataclass
class Seated:
    """A loaded bot."""

    player: SandboxedPlayer
    q: int = 0

    def ask(self, obs: dict[str, Any] | None = None, allowance_ms: int = 2_000) -> int:
        self.q += 1
        return self.player.ask(self.q, obs or an_observation(), allowance_ms)

    def log(self) -> str:
        return self.player.log().decode()


@contextlib.contextmanager
def seated(
    zygote: Zygote,
    source: str,
    *,
    clock: Clock = EASY,
    hello: dict[str, object] | None = None,
    more: Sequence[tuple[str, bytes]] = (),
) -> Iterator[Seated]:
    """A bot that is loaded and ready; closed at the end."""
    player = zygote.launch(clock)
    try:
        player.load(hello or a_hello(), [*files_of(source), *more])
        yield Seated(player)
    finally:
        player.close()


def fault_of(zygote: Zygote, source: str, *, clock: Clock = EASY, allowance_ms: int = 2_000, asks: int = 1) -> BotFault:
    """The fault that loading this bot or asking it `asks` times must end with; its log is in `extra["log"]`."""
    player = zygote.launch(clock)
    try:
        with pytest.raises(BotFault) as caught:
            player.load(a_hello(), files_of(source))
            for q in range(1, asks + 1):
                player.ask(q, an_observation(), allowance_ms)
        caught.value.extra["log"] = player.log().decode()
        assert player.process.is_dead(), "a bot with a fault must not go on running"
        return caught.value
    finally:
        player.close()
