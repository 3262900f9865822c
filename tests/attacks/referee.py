"""The worker under attack, a process of its own: plays one attacker against a victim, both in the sandbox.

Reads one JSON order a line, writes one JSON report a line. It keeps a canary in its environment and in its memory.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from bots.errors import BotError, BotFault, InfraFault
from bots.runner.probe import run_probe
from bots.runner.sandboxed import SandboxedPlayer
from bots.runner.spec import Clock
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import EASY, a_hello, an_observation

LAST = 7
OUTCOMES = {
    "crash": "forfeit:crash",
    "memory": "forfeit:memory",
    "timeout.cpu": "forfeit:timeout",
    "timeout.wall": "forfeit:timeout",
    "protocol": "forfeit:protocol",
    "illegal": "forfeit:protocol",
}
PLAYED = "plays_normally_but_gets_nothing"
REFUSED = "refused_upload"
DEAD = -1  # the answer of a victim that gives none
RAW = "latin-1"  # how bytes of any kind pass through JSON
CLOCK = Clock("attack", load_ms=1_000, move_ms=300, bank_ms=0, match_ms=3_000, memory_mib=256)
# So that the cap on memory stops these and not the clock.
MEMORY_CLOCK = Clock("memory", load_ms=1_000, move_ms=4_000, bank_ms=0, match_ms=120_000, memory_mib=256)


class Game:
    """One attacker, one victim."""

    def __init__(self, zygote: Zygote, order: dict[str, Any]) -> None:
        self.clock = MEMORY_CLOCK if order["family"] == "memory" else CLOCK
        self.moves: int = order["moves"]
        self.victim = self._seated(zygote, EASY, order["victim"])
        self.attacker = zygote.launch(self.clock)
        probe = order["probe"] | {
            "worker_pid": os.getpid(),
            "peer_pid": self.victim.process.pid,
            "uid": os.getuid(),
            "cpu_per_move": self.clock.move_ms / 1000,
        }
        told = json.dumps(probe)
        self.files = [(path, text.replace("@@PROBE@@", told).encode(RAW)) for path, text in order["files"]]
        self.answers: list[int] = []
        self.victim_answers: list[int] = []
        self.fault = ""

    def _seated(self, zygote: Zygote, clock: Clock, source: str) -> SandboxedPlayer:
        player = zygote.launch(clock)
        player.load(a_hello(), [("bot.py", source.encode())])
        return player

    def play(self) -> dict[str, Any]:
        outcome = self._outcome()
        self._ask_the_victim()
        self.attacker.close()
        self.victim.close()
        return {
            "outcome": outcome,
            "fault": self.fault,
            "answers": self.answers,
            "victim": self.victim_answers,
            "log": self.attacker.log().decode(errors="replace"),
            "log_size": len(self.attacker.log()),
        }

    def _outcome(self) -> str:
        """Of the attacker alone. What it could make us take for our own fault is no outcome: the test fails."""
        try:
            self.attacker.load(a_hello(), self.files)
            for q in range(1, self.moves + 1):
                self.answers.append(self.attacker.ask(q, an_observation(LAST + 1), self.clock.move_ms))
                self._ask_the_victim()
        except BotFault as fault:
            self.fault = str(fault)
            return OUTCOMES[fault.code]
        except InfraFault as fault:
            self.fault = str(fault)
            return f"infra:{fault.code}"
        return PLAYED

    def _ask_the_victim(self) -> None:
        """It must be alive and answer 0."""
        try:
            answer = self.victim.ask(len(self.victim_answers) + 1, an_observation(), 2_000)
        except BotError as fault:
            answer, self.fault = DEAD, f"{self.fault} The victim: {fault}"
        self.victim_answers.append(answer)


def _health(zygote: Zygote) -> dict[str, int]:
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return {"descriptors": len(os.listdir("/proc/self/fd")), "resident": resident, "zygote": zygote.pid}


def main() -> None:
    hidden = os.environ.pop("HANAMI_HIDDEN")  # stands for the hidden cards
    with Zygote.start(recycle_after=10_000) as zygote:
        report = run_probe(zygote)
        print(json.dumps({"probe": report.ok, "reason": report.reason, "uid": os.getuid()}), flush=True)
        for line in sys.stdin:
            order = json.loads(line)
            started = time.monotonic()
            games = [Game(zygote, order).play() for _ in range(order["runs"])]
            seconds = time.monotonic() - started
            print(json.dumps({"games": games, "seconds": seconds, **_health(zygote)}), flush=True)
    assert hidden.startswith("CANARY-HIDDEN-")


if __name__ == "__main__":
    main()
