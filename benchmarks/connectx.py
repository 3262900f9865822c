"""A sandboxed match beside `kaggle-environments`: `python -m benchmarks.connectx`. The bar: not slower per decision.

Ours: whole matches of two trivial bots under the Hawaii rules, each bot started, locked and loaded in a process of its
own, observations as JSON over a socket, and the record at the end. Theirs: `connectx` by `env.run`, two trivial agents
that are plain functions in the same process, without any isolation, until there were as many decisions.
They take turns. CPU is everything: worker, fork server and bots.

The rival is installed by `pip install --no-deps -r requirements-bench.txt`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from benchmarks.sandbox import CLOCK, FIRST, bar
from bots.runner.spec import BotFiles, MatchSpec
from bots.runner.table import play
from bots.runner.zygote import Zygote
from engine.games import ruleset

PRESET: Final = "hawaii"
FAIR: Final[dict[str, object]] = {"stage": "s1", "commit": "sha256:" + "0" * 64, "deal_set": "d1", "leg": 1}
BOT: Final = BotFiles((("bot.py", FIRST.encode()),), "0" * 64)
TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Cost:
    """Of every round: microseconds per decision."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def note(self, decisions: int, wall_s: float, cpu_s: float) -> None:
        self.wall.append(wall_s / decisions * 1e6)
        self.cpu.append(cpu_s / decisions * 1e6)


def sandboxed(zygote: Zygote, number: int) -> int:
    """Play one match; the decisions that the bots were asked for."""
    seed = number.to_bytes(16, "big")
    spec = MatchSpec("m8fk2", ruleset(PRESET), PRESET, 2, seed, 1, FAIR, (BOT, BOT), CLOCK)
    played = play(spec, zygote)
    assert not played.forfeits
    return sum(len(seat.offsets) - 1 for seat in played.seats)  # the first is that of loading


def first_column(observation: Any, configuration: Any) -> int:
    """The trivial agent."""
    return next(column for column in range(configuration.columns) if observation.board[column] == 0)


def rival(env: Any, wanted: int) -> int:
    """Play games until there were that many decisions; how many there were."""
    decisions = 0
    while decisions < wanted:
        env.run([first_column, first_column])
        decisions += len(env.steps) - 1  # the first step is the start
    return decisions


def connectx() -> Any:
    """The environment; what the package prints about games that it could not load is not of interest."""
    with contextlib.redirect_stdout(io.StringIO()):
        return import_module("kaggle_environments").make("connectx")


def of_children(zygote: Zygote) -> float:
    """CPU seconds of the fork server and of the bots that it has reaped."""
    with open(f"/proc/{zygote.pid}/stat", encoding="ascii") as stat:
        # utime, stime, and those of reaped children: fields 14 to 17 of proc(5), counted here from behind the name.
        return sum(int(ticks) for ticks in stat.read().rsplit(")", 1)[1].split()[11:15]) / TICKS


def spent(zygote: Zygote) -> tuple[float, float]:
    """Wall and CPU seconds up to now, the sandbox's included."""
    return time.perf_counter(), time.process_time() + of_children(zygote)


def measured(zygote: Zygote, cost: Cost, action: Callable[[int], int], number: int) -> int:
    """Note what the action costs; the decisions that it says there were."""
    wall, cpu = spent(zygote)
    decisions = action(number)
    after = spent(zygote)
    cost.note(decisions, after[0] - wall, after[1] - cpu)
    return decisions


def measure(zygote: Zygote, env: Any, rounds: int, matches: int) -> tuple[Cost, Cost]:
    """Rounds of that many matches each, and as many decisions of the rival."""
    ours, theirs = Cost(), Cost()

    def play_matches(first: int) -> int:
        return sum(sandboxed(zygote, first + each) for each in range(matches))

    rival(env, play_matches(0))  # warms both up
    for number in range(1, rounds + 1):
        wanted = measured(zygote, ours, play_matches, number * matches)
        measured(zygote, theirs, lambda wanted: rival(env, wanted), wanted)
    return ours, theirs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--matches", type=int, default=4, help="sandboxed matches in a round")
    options = parser.parse_args()
    if find_spec("kaggle_environments") is None:
        print("not measured: kaggle-environments is not installed; pip install --no-deps -r requirements-bench.txt")
        return
    env = connectx()
    # Never recycled in between: a new fork server would begin its CPU time at zero.
    with Zygote.start(recycle_after=10_000) as zygote:
        ours, theirs = measure(zygote, env, options.rounds, options.matches)
    for what, own, other in (("wall", ours.wall, theirs.wall), ("CPU", ours.cpu, theirs.cpu)):
        own_us, other_us = statistics.median(own), statistics.median(other)
        print(f"     {what} per decision: sandboxed {own_us:.0f} us, connectx in process {other_us:.0f} us")
        # The ratio of each round first: a busy minute of the machine hits both sides of a round alike.
        ratio = statistics.median(one / rival for one, rival in zip(own, other, strict=True))
        bar(f"{what} of a sandboxed match : connectx in process", ratio, 1.0)


if __name__ == "__main__":
    main()
