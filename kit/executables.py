"""A program in any language that speaks Protocol v1 as lines of JSON on its standard input and output.

It is told `{"hello": {..}}` and answers `{"ready": 1}`; it is asked `{"q": n, "obs": {..}}` and answers
`{"q": n, "a": index}`. What it writes to standard error is its own log. The match is over when its input is closed.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any, Final

from bots.protocol.messages import MAX_FROM_BOT
from kit.errors import BotFailed

READY_WITHIN_S: Final = 20.0
ENDS_WITHIN_S: Final = 2.0


class Executable:
    """One running program, for one match. Close it."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it. Raises BotFailed if it cannot be started."""
        self._command = list(command)
        try:
            # What its author typed. Its log goes where the bridge's own does.
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise BotFailed(f"{self._command[0]} cannot be started: {error.strerror or error}.") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._said: Queue[bytes] = Queue()
        # A thread of its own: a pipe has no time limit.
        Thread(target=self._listen, args=(self._process.stdout,), daemon=True).start()

    def greet(self, hello: Mapping[str, Any]) -> None:
        """Tell it what is played. Raises BotFailed unless it is ready in time."""
        self._tell({"hello": {**hello, "files": []}})
        if self._heard(READY_WITHIN_S) != {"ready": 1}:
            raise BotFailed(f'{self._command[0]} did not answer {{"ready": 1}} to the hello.')

    def ask(self, n: int, obs: Mapping[str, Any], within_s: float) -> int:
        """Ask for the answer to a turn. Raises BotFailed for none in time, and for one that is none."""
        self._tell({"q": n, "obs": obs})
        answer = self._heard(within_s)
        index, number = answer.get("a"), answer.get("q")
        if type(index) is not int or number != n or not 0 <= index < len(obs["legal"]):
            raise BotFailed(f"{self._command[0]} answered turn {n} with {json.dumps(answer)[:80]}.")
        return index

    def close(self) -> None:
        """Close its input; a program that does not end then is ended."""
        try:
            self._input.close()
            self._process.wait(ENDS_WITHIN_S)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def _tell(self, message: Mapping[str, Any]) -> None:
        try:
            self._input.write(json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
            self._input.flush()
        except OSError as error:
            raise self._gone() from error

    def _heard(self, within_s: float) -> dict[str, Any]:
        try:
            line = self._said.get(timeout=within_s)
        except Empty as late:
            raise BotFailed(f"{self._command[0]} did not answer within {within_s:.0f} s.") from late
        if not line:
            raise self._gone()
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise BotFailed(f"{self._command[0]} wrote something that is no object of JSON: {line[:80]!r}.")
        return found

    def _gone(self) -> BotFailed:
        try:
            code = self._process.wait(ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            return BotFailed(f"{self._command[0]} has closed its input or output.")
        return BotFailed(f"{self._command[0]} ended with exit code {code}.")

    def _listen(self, output: IO[bytes]) -> None:
        """Pass on each line; an empty one says that there are no more. Longer ones than an answer are cut."""
        with output:
            while line := output.readline(MAX_FROM_BOT):
                self._said.put(line)
        self._said.put(b"")
