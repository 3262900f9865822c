"""The usual way to run a stranger's program, for `benchmarks.sandbox`: an interpreter of its own in bubblewrap."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

ROOT: Final = str(Path(__file__).resolve().parent.parent)
SERVE: Final = """
import json, sys
sys.path.insert(0, sys.argv[1])
from bots.runner.preload import load_everything
load_everything()
bot = {}
exec(json.loads(sys.stdin.readline()), bot)
for line in sys.stdin:
    obs = json.loads(line)
    print(obs["legal"].index(bot["choose"](obs)), flush=True)
"""


class BubblewrapBot:
    """One bot with the same imports in a namespace of its own, spoken to by lines of JSON."""

    def __init__(self, source: str) -> None:
        command = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc"]
        command += ["--dev", "/dev", sys.executable, "-c", SERVE, ROOT]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self._send(source)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def _send(self, value: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()

    def ask(self, q: int, obs: Mapping[str, object], allowance_ms: int) -> int:
        """The index that the bot chose."""
        assert self._process.stdout is not None
        self._send(obs)
        return int(self._process.stdout.readline())
