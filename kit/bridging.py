"""The bridge: it hears of challenges and tables, and plays each table with a process of its own."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Any, Final

from engine.errors import DomainError
from kit.errors import BotFailed, KitError
from kit.executables import Executable
from kit.remote import Line, Remote, Stopped

MORE_S: Final = 2.0
"""Seconds beyond its clock for which a silent program is waited for: the service has ended its turn by then."""
SETTLED: Final = (
    "table.changed",
    "table.not_your_turn",
    "table.time_over",
    "table.paused",
    "table.wrong_state",
    "not_found",
)
"""Refusals of an answer that came too late, or again: the stream says how the table stands."""
OWN: Final = "stream"
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Orders:
    """What the bridge asks for itself. challenge: addresses of programs; seek: look for a match again and again.

    preset, rated: of these; matches: end after that many, 0 for never.
    """

    challenge: tuple[str, ...] = ()
    seek: bool = False
    preset: str = ""
    rated: bool = False
    matches: int = 0


@dataclass(slots=True)
class Bridge:
    """A program, its command, and the tables at which it plays. failed: what went wrong at a table."""

    remote: Remote
    command: Sequence[str]
    orders: Orders
    say: Say
    done: list[Line] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    _nonces: dict[str, str] = field(default_factory=dict)
    _playing: set[str] = field(default_factory=set)
    _threads: list[Thread] = field(default_factory=list)
    _at: str = ""
    _asked: bool = False
    _challenged: str = ""
    _lock: Lock = field(default_factory=Lock)

    def run(self) -> None:
        """Play until told to stop, or until as many matches are over as were wanted. Raises ServiceError."""
        self.remote.on_open = self._begin_at
        try:
            for line in self.remote.lines(OWN, lambda: self._at):
                self._at = str(line.get("at", self._at))
                self._hear(line)
        except Stopped:
            pass
        finally:
            self.remote.stop.set()
            for thread in self._threads:
                thread.join()

    def _begin_at(self, path: str) -> None:
        """Ask for what was wished, once it will be heard what comes of it. Raises ServiceError."""
        if path != OWN or self._asked:
            return
        self._asked = True
        plan = {"preset": self.orders.preset, "rated": self.orders.rated}
        if self.orders.challenge:
            nonce, announced = _drawn()
            body = {**plan, "programs": list(self.orders.challenge), "nonce_hash": announced}
            self._challenged = str(self.remote.post("challenges", body)["table"]["id"])
            self._keep(self._challenged, nonce)
        elif self.orders.seek:
            self._seek()

    def _seek(self) -> None:
        nonce, announced = _drawn()
        body = {"preset": self.orders.preset, "rated": self.orders.rated, "nonce_hash": announced}
        self._keep(self.remote.post("seeks", body)["id"], nonce)
        self.say(f"Looking for a match of {self.orders.preset}.")

    def _keep(self, table: str, nonce: str) -> None:
        self._nonces[table] = nonce
        # Its stream is open at once: the nonce is wanted within seconds of the last one who sits down.
        self._play(table)

    def _hear(self, line: Line) -> None:
        if line["type"] == "challenge":
            self._accept(line["challenge"])
        elif line["type"] == "challenge_end":
            self._note_over(line["challenge"])
        elif line["type"] == "table_start":
            self._play(line["table"]["id"])

    def _note_over(self, challenge: Mapping[str, Any]) -> None:
        self.say(f"The challenge is over: {challenge['state']}.")
        is_own = challenge["table"]["id"] == self._challenged
        if is_own and challenge["state"] != "accepted" and not self.orders.seek:
            # Nothing more was wished.
            self.remote.stop.set()

    def _accept(self, challenge: Mapping[str, Any]) -> None:
        nonce, announced = _drawn()
        who = challenge["from"]["name"] or "the ladder"
        try:
            self.remote.post(f"challenges/{challenge['id']}:accept", {"nonce_hash": announced})
        except KitError as refused:
            # Taken back, or no room: the service says why, and the bridge goes on.
            self.say(f"The challenge of {who} was not accepted: {refused}")
            return
        self.say(f"Accepted: {challenge['table']['preset']} against {who}.")
        self._keep(challenge["table"]["id"], nonce)

    def _play(self, table: str) -> None:
        with self._lock:
            if table in self._playing:
                return
            self._playing.add(table)
        thread = Thread(target=self._at_table, args=(table,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _at_table(self, table: str) -> None:
        play = TablePlay(self.remote, self.command, table, self._nonces.get(table, ""))
        try:
            end = play.run()
        except Stopped:
            return
        except DomainError as failed:
            self.failed.append(str(failed))
            self.say(f"Table {table}: {failed}")
            play.leave()
            return
        finally:
            play.close()
        if end.get("result"):
            self.done.append({"table": table, **end})
            self.say(f"Table {table}: places {end['result']['rank']}, {end['result']['end']}.")
        if self.orders.matches and len(self.done) >= self.orders.matches:
            self.remote.stop.set()
        elif self.orders.seek and not self.remote.stop.is_set():
            self._seek_again()

    def _seek_again(self) -> None:
        try:
            self._seek()
        except KitError as refused:
            self.say(f"No further match is looked for: {refused}")
        except Stopped:
            return


class TablePlay:
    """One table: its stream, its process, and the answers that were given. nonce: "" if the service drew it."""

    def __init__(self, remote: Remote, command: Sequence[str], table: str, nonce: str) -> None:
        self._remote, self._command, self._nonce = remote, command, nonce
        self._path = f"tables/{table}"
        self._process: Executable | None = None
        self._answers: dict[int, int] = {}

    def run(self) -> Line:
        """Play to the end and return its line. Raises BotFailed, ServiceError, Stopped."""
        for line in self._remote.lines(f"{self._path}/stream", self._after):
            if line["type"] == "nonce_wanted" and self._nonce:
                self._post("nonce", {"nonce": self._nonce})
            elif line["type"] == "hello" and self._process is None:
                self._process = Executable(self._command)
                self._process.greet(line["hello"])
            elif line["type"] == "turn":
                self._answer(line)
            elif line["type"] == "end":
                return line
        raise AssertionError("a stream goes on until something is raised")

    def leave(self) -> None:
        """Leave the table, if the service can be reached."""
        try:
            self._remote.post(f"{self._path}:leave", {})
        except (KitError, Stopped):
            return

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()

    def _after(self) -> str:
        return str(max(self._answers)) if self._answers else ""

    def _answer(self, turn: Line) -> None:
        """Answer a turn. One that comes again after a cut is answered as before, and nobody is asked twice."""
        assert self._process is not None
        n = int(turn["n"])
        if n not in self._answers:
            self._answers[n] = self._process.ask(n, turn["obs"], turn["ms_left"] / 1000 + MORE_S)
        self._post("answers", {"n": n, "a": self._answers[n]})

    def _post(self, what: str, body: Mapping[str, Any]) -> None:
        try:
            self._remote.post(f"{self._path}/{what}", body)
        except KitError as refused:
            if refused.code not in SETTLED:
                raise BotFailed(str(refused), code=refused.code) from refused


def _drawn() -> tuple[str, str]:
    """Draw a nonce. Returns it and its hash."""
    nonce = secrets.token_hex(32)
    return nonce, f"sha256:{hashlib.sha256(nonce.encode()).hexdigest()}"
