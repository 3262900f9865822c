"""The cost of the sandbox, as ratios of one run: `python -m benchmarks.sandbox`. The bars are those of the design.

Every pair takes turns, and medians are shown. Measured on the clock of the wall, so run it on a machine that is idle.
`bubblewrap` (Debian's package) is compared with where it is installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from random import Random
from typing import Any, Final

from benchmarks.bubblewrap import BubblewrapBot
from bots.errors import BotFault
from bots.runner.control import PROGRAM
from bots.runner.sandboxed import SandboxedPlayer
from bots.runner.spec import Clock
from bots.runner.zygote import Zygote
from engine.games import ruleset
from engine.match import Match

CLOCK: Final = Clock("benchmark", load_ms=5_000, move_ms=2_000, bank_ms=2_000, match_ms=60_000, memory_mib=512)
SHORT_MS: Final = 100
FIRST: Final = "def choose(obs):\n    return obs['legal'][0]\n"
NUMPY: Final = f"import numpy\nfield = numpy.ones(1000)\n{FIRST}"
SPIN: Final = "def choose(obs):\n    while True:\n        pass\n"
HEAVY: Final = f"held = bytearray(200 << 20)\n{FIRST}"
THINK: Final = """
def choose(obs):
    total = 0
    for number in range(%d):
        total += number & 7
    return obs['legal'][0]
"""
THINKS: Final = (210_000, 125_000, 60_000)
"""About 5, 3 and 1.5 ms of thinking. What a neighbour leaves cold in the caches costs about 0.05 ms, however long the
move is: the bar is for bots that think 5 ms, as elsewhere in the design, and the shorter moves are shown beside it."""
READS: Final = """
import numpy
table = numpy.arange(1 << 20)
places = numpy.random.permutation(1 << 20)[:200_000]
def choose(obs):
    for _ in range(20):
        table[places].sum()
    return obs['legal'][0]
"""
"""About 5 ms all over 8 MiB: as much as a bot can depend on caches that it shares."""
NEIGHBOURS: Final = {
    "sleeps": "import time\ndef choose(obs):\n    time.sleep(0.02)\n    return obs['legal'][0]\n",
    "floods": "def choose(obs):\n    print('x' * 4000)\n    return obs['legal'][0]\n",
    "allocates": "def choose(obs):\n    held = bytearray(40 << 20)\n    return obs['legal'][0]\n",
}
RESTLESS: Final = """
import json, os, select
channel = select.poll()
channel.register(3, select.POLLIN)
def choose(obs):
    q = 1
    while True:
        os.write(3, b'{"q":%%d,"a":0}' %% q)
        while not channel.poll(%s):
            %s
        q = json.loads(os.read(3, 70_000))["q"]
"""
"""Answers by hand and, where the first blank is 0, goes on with the second while the other thinks."""
RESTLESS_ONES: Final = {
    "waits": RESTLESS % ("5", "pass"),
    "goes on computing": RESTLESS % ("0", "sum(range(1000))"),
    "goes on flooding": RESTLESS % ("0", "os.lseek(1, 0, 0); os.write(1, b'x' * 4000)"),
    "goes on allocating": RESTLESS % ("0", "bytearray(40 << 20)"),
}
PATIENT: Final = Clock("patient", load_ms=5_000, move_ms=60_000, bank_ms=60_000, match_ms=600_000, memory_mib=512)
WITHOUT_LOCK: Final = "from bots.runner import child; child.lock = lambda limits: None; "


class UnlockedZygote(Zygote):
    """The same without the lock, to see what the lock costs. Never for a stranger's code."""

    program = PROGRAM.replace("forkserver.main(", f"{WITHOUT_LOCK}forkserver.main(")


def an_observation() -> dict[str, Any]:
    """Of the middle of a match, about as large as they get."""
    match = Match(ruleset("hawaii"), 4, bytes(32))
    for _ in range(30):
        match.apply(match.legal_actions()[0])
    return match.observation(match.seat_to_act, match_id="m8fk2", preset="hawaii", since=8, ms_left=1000)


OBSERVATION: Final = an_observation()
HELLO: Final[dict[str, object]] = {
    "match": "m8fk2", "ruleset": ruleset("hawaii").to_json(), "seats": 4, "sides": [0, 1, 2, 3],
    "me": OBSERVATION["me"], "clock": {"move_ms": 100}, "rng": "00" * 16,
}  # fmt: skip


@contextmanager
def seated(zygote: Zygote, source: str, clock: Clock = CLOCK) -> Iterator[SandboxedPlayer]:
    """A bot that is loaded and ready; closed at the end."""
    player = zygote.launch(clock)
    try:
        player.load(HELLO, [("bot.py", source.encode())])
        yield player
    finally:
        player.close()


def timed(action: Callable[[], object]) -> float:
    """Seconds of the wall that an action takes."""
    before = time.perf_counter()
    action()
    return time.perf_counter() - before


def side_by_side(rounds: int, *actions: Callable[[], object]) -> list[float]:
    """Median seconds of each, one after another in every round."""
    # In turns within each round: a busy moment of the machine hits all of them.
    taken = [[timed(action) for action in actions] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*taken, strict=True)]


def bar(name: str, value: float, limit: float, unit: str = "") -> None:
    print(f"{'ok  ' if value <= limit else 'OVER'} {name:58} {value:8.3f}{unit} (at most {limit:.3f}{unit})")


def first_answer(zygote: Zygote) -> None:
    with seated(zygote, FIRST) as player:
        player.ask(1, OBSERVATION, 2_000)


def cold_answer() -> None:
    """A new interpreter with the same imports, and its first answer."""
    with Zygote.start() as zygote:
        first_answer(zygote)


def starts(zygote: Zygote, rounds: int) -> None:
    warm, cold = side_by_side(max(3, rounds // 3), lambda: first_answer(zygote), cold_answer)
    print(f"     start to first answer {warm * 1000:.1f} ms, cold {cold * 1000:.0f} ms")
    bar("start to first answer : cold exec, same imports", warm / cold, 1 / 8)


@contextmanager
def on_cores(own: int, theirs: int, players: Sequence[SandboxedPlayer]) -> Iterator[None]:
    """This process on one core, the bots on one.

    Two processes that take turns otherwise settle on one core or on two, each pair for itself and for seconds, and an
    answer from another core takes twice as long, lock or no lock.
    """
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {own})
    for player in players:
        os.sched_setaffinity(player.process.pid, {theirs})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def moves(zygote: Zygote, unlocked: Zygote, rounds: int) -> None:
    cores = sorted(os.sched_getaffinity(0))
    places = {"on one core": (cores[0], cores[0]), "across cores": (cores[0], cores[-1])}
    with seated(zygote, FIRST) as locked, seated(unlocked, FIRST) as free:
        turns = count(1)

        def hundred(player: SandboxedPlayer) -> None:
            for _ in range(100):
                player.ask(next(turns), OBSERVATION, 2_000)

        for name, (own, theirs) in places.items():
            with on_cores(own, theirs, (locked, free)):
                hundred(locked)
                hundred(free)
                with_lock, without = side_by_side(rounds * 3, lambda: hundred(locked), lambda: hundred(free))
            print(f"     a move {name} {with_lock * 10_000:.0f} us, without the lock {without * 10_000:.0f} us")
            bar(f"move {name} : the same without the lock", with_lock / without, 1.1)


def private_kib(pid: int) -> int:
    """Memory that a process shares with nobody."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as lines:
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def memory(zygote: Zygote) -> None:
    with seated(zygote, NUMPY) as player, Zygote.start() as alone:
        player.ask(1, OBSERVATION, 2_000)
        # Private memory alone: what bots share with the fork server is paid once.
        bot, cold = private_kib(player.process.pid), private_kib(alone.pid)
    print(f"     private memory {bot / 1024:.1f} MiB, of an interpreter of its own {cold / 1024:.1f} MiB")
    bar("private memory of a numpy bot : of an exec'd one", bot / cold, 1 / 6)


def a_match(players: Sequence[SandboxedPlayer | BubblewrapBot]) -> None:
    """400 decisions by two bots."""
    for number in range(1, 201):
        for player in players:
            player.ask(number, OBSERVATION, 2_000)


def sandboxed_match(zygote: Zygote) -> None:
    with seated(zygote, FIRST) as one, seated(zygote, FIRST) as other:
        a_match([one, other])


def bubblewrap_match() -> None:
    with ExitStack() as stack:
        a_match([stack.enter_context(BubblewrapBot(FIRST)) for _ in range(2)])


def matches(zygote: Zygote, rounds: int) -> None:
    if shutil.which("bwrap") is None:
        print("     not measured: bubblewrap is not installed (apt-get install bubblewrap)")
        return
    own, other = side_by_side(max(3, rounds // 3), lambda: sandboxed_match(zygote), bubblewrap_match)
    print(f"     a match of 400 decisions {own * 1000:.0f} ms, exec per bot in bubblewrap {other * 1000:.0f} ms")
    bar("match of trivial bots : exec per bot in bubblewrap", own / other, 1 / 5)


def cpu_used_by_a_spinner(zygote: Zygote) -> float:
    """Milliseconds of CPU that an endless loop got out of a budget of SHORT_MS, up to its death, as the kernel says."""
    with seated(zygote, SPIN) as player:
        before = player.process.cpu_ms()
        with suppress(BotFault):
            player.ask(1, OBSERVATION, SHORT_MS)
        return zygote.exit_of(player.process.number).cpu_ms - before


def kill_to_dead_ms(zygote: Zygote) -> float:
    """Milliseconds until a bot that holds 200 MiB is gone."""
    with seated(zygote, HEAVY) as player:
        player.ask(1, OBSERVATION, 2_000)
        return timed(player.process.kill) * 1000


def ends(zygote: Zygote, rounds: int) -> None:
    spent = [cpu_used_by_a_spinner(zygote) for _ in range(rounds)]
    killed = [kill_to_dead_ms(zygote) for _ in range(rounds)]
    bar(f"a budget of {SHORT_MS} ms CPU is enforced within (median)", statistics.median(spent), 110, " ms")
    bar("kill to dead, a bot of 200 MiB (median)", statistics.median(killed), 50, " ms")


def neighbours(zygote: Zygote, rounds: int, steps: int) -> None:
    """CPU that a thinking bot is charged beside others, to what it is charged beside one that answers at once."""
    with ExitStack() as stack:
        thinker = stack.enter_context(seated(zygote, THINK % steps))
        others = {
            name: stack.enter_context(seated(zygote, source))
            for name, source in {"answers": FIRST, **NEIGHBOURS}.items()
        }
        charged: dict[str, list[float]] = {name: [] for name in others}
        # A fixed seed: every run asks in the same order.
        turns, order = count(1), Random(1)
        for number in range(1, rounds * 8 + 1):
            # In a new order each time: a neighbour that always came after the same one would be charged for its traces.
            for name in order.sample(sorted(others), len(others)):
                others[name].ask(number, OBSERVATION, 2_000)
                thinker.ask(next(turns), OBSERVATION, 2_000)
                charged[name].append(thinker.spent_ms)
    calm = statistics.median(charged.pop("answers"))
    print(f"     a thinking bot is charged {calm:.2f} ms a move beside a calm one")
    for name, spent in charged.items():
        beside = statistics.median(spent)
        bar(f"CPU beside a bot that {name} ({(beside - calm) * 1000:+.0f} us) : beside a calm one", beside / calm, 1.05)


def charged_beside(zygote: Zygote, thinks: str, source: str, turns: int) -> list[float]:
    """CPU milliseconds that a thinking bot is charged in each move of a match of two, first ones dropped."""
    with seated(zygote, thinks, PATIENT) as thinker, seated(zygote, source, PATIENT) as other:
        spent = []
        for number in range(1, turns + 4):
            other.ask(number, OBSERVATION, 60_000)
            thinker.ask(number, OBSERVATION, 60_000)
            spent.append(thinker.spent_ms)
        # The first moves fill caches and grow the heap.
        return spent[3:]


def beside_restless_ones(zygote: Zygote, thinks: str, rounds: int) -> dict[str, float]:
    """Return, for each of them, what a bot is charged beside it relative to beside one that waits (medians)."""
    charged: dict[str, list[float]] = {name: [] for name in RESTLESS_ONES}
    for _ in range(max(3, rounds // 2)):
        for name, source in RESTLESS_ONES.items():
            charged[name] += charged_beside(zygote, thinks, source, 20)
    calm = statistics.median(charged.pop("waits"))
    return {name: statistics.median(spent) / calm for name, spent in charged.items()}


def restless(zygote: Zygote, rounds: int) -> None:
    """The same where the neighbour would not stop while the other thinks: each has a core, caches are shared."""
    for name, ratio in beside_restless_ones(zygote, THINK % THINKS[0], rounds).items():
        bar(f"CPU beside a bot that {name} : beside one that waits", ratio, 1.05)
    for name, ratio in beside_restless_ones(zygote, READS, rounds).items():
        print(f"     the same for a bot that reads all over 8 MiB, beside one that {name}: {ratio:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="how often each is measured")
    rounds = parser.parse_args().rounds
    with Zygote.start() as zygote, UnlockedZygote.start() as unlocked:
        first_answer(zygote)
        starts(zygote, rounds)
        moves(zygote, unlocked, rounds)
        memory(zygote)
        matches(zygote, rounds)
        ends(zygote, rounds)
        for steps in THINKS:
            neighbours(zygote, rounds, steps)
        restless(zygote, rounds)


if __name__ == "__main__":
    main()
