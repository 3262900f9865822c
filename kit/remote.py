"""The Bot API of a service: streams that are opened again after every cut, and posts that are sent until answered."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Final
from urllib.parse import urlencode

import requests

from kit.account import Account
from kit.errors import ServiceError
from kit.service import headers_for, refusal_of

TIMEOUT_S: Final = (10.0, 20.0)
"""To connect, and between two lines: the service says something every six seconds."""
PAUSE_S: Final = (0.5, 30.0)
"""Before the first new attempt, and at most; each pause is twice the one before, and a little random."""
PASSING: Final = (429, 500, 502, 503, 504)
"""Statuses after which the same request may succeed."""
Line = dict[str, Any]


class Stopped(Exception):
    """The bridge is told to stop."""


@dataclass(slots=True)
class Pauses:
    """Pauses between attempts: longer and longer, from the beginning after a success."""

    stop: Event
    next_s: float = PAUSE_S[0]

    def wait(self, told: str = "") -> None:
        """Wait before another attempt. told: Retry-After of the service. Raises Stopped."""
        # Random, so that all programs do not come back at the same moment after an outage.
        seconds = float(told) if told.isdecimal() else self.next_s * (0.5 + random.random())
        self.next_s = min(2 * self.next_s, PAUSE_S[1])
        if self.stop.wait(seconds):
            raise Stopped

    def reset(self) -> None:
        """Begin from the beginning after a success."""
        self.next_s = PAUSE_S[0]


@dataclass(slots=True)
class Remote:
    """A service, and the program that plays there. program: its address, "" for the one of the token.

    on_open: told which stream is open; on_cut: told why a connection ended, before it is opened
    again.
    """

    account: Account
    program: str = ""
    stop: Event = field(default_factory=Event)
    on_open: Callable[[str], None] = lambda _path: None
    on_cut: Callable[[str], None] = lambda _why: None

    def lines(self, path: str, after: Callable[[], str]) -> Iterator[Line]:
        """Yield the lines of a stream; after a cut it is opened again from `after()` ("" for the beginning) on.

        Heartbeats are not yielded. Raises ServiceError if the service refuses it, Stopped.
        """
        pauses = Pauses(self.stop)
        while True:
            try:
                with self._opened(path, after()) as reply:
                    self.on_open(path)
                    for line in _lines_of(reply):
                        pauses.reset()
                        if line.get("type") != "heartbeat":
                            yield line
                        if self.stop.is_set():
                            raise Stopped
                self.on_cut("the stream ended")
            except requests.RequestException as error:
                self.on_cut(type(error).__name__)
            except _Passing as busy:
                self.on_cut(f"HTTP {busy.status}")
                pauses.wait(busy.told)
                continue
            pauses.wait()

    def post(self, path: str, body: Mapping[str, Any]) -> Line:
        """Send something until it is answered. The service does the same thing sent twice once.

        Raises ServiceError if it refuses it, Stopped.
        """
        pauses = Pauses(self.stop)
        while True:
            try:
                reply = requests.post(self._address(path), json=body, headers=self._headers(), timeout=TIMEOUT_S)
            except requests.RequestException as error:
                self.on_cut(type(error).__name__)
                pauses.wait()
                continue
            if reply.status_code in PASSING:
                pauses.wait(reply.headers.get("Retry-After", ""))
                continue
            if not reply.ok:
                raise refusal_of(reply)
            return dict(reply.json())

    def _opened(self, path: str, after: str) -> requests.Response:
        # Identity: a proxy that compresses would hold lines back until its block is full.
        headers = {**self._headers(), "Accept": "application/x-ndjson", "Accept-Encoding": "identity"}
        address = self._address(path, **({"after": after} if after else {}))
        reply = requests.get(address, headers=headers, timeout=TIMEOUT_S, stream=True)
        if reply.status_code in PASSING:
            reply.close()
            raise _Passing(reply.status_code, reply.headers.get("Retry-After", ""))
        if not reply.ok:
            raise refusal_of(reply)
        return reply

    def _address(self, path: str, **query: str) -> str:
        named = {**query, **({"program": self.program} if self.program else {})}
        return f"{self.account.server}/api/v1/bot/{path}{f'?{urlencode(named)}' if named else ''}"

    def _headers(self) -> dict[str, str]:
        return headers_for(self.account)


class _Passing(Exception):
    """The service is busy, or not there for a moment."""

    def __init__(self, status: int, told: str) -> None:
        super().__init__(status)
        self.status, self.told = status, told


def _lines_of(reply: requests.Response) -> Iterator[Line]:
    # None: as pieces arrive. A number would wait for that number of bytes.
    for text in reply.iter_lines(chunk_size=None):  # type: ignore[call-overload]  # its stubs know numbers alone
        if not text:
            continue
        try:
            line = json.loads(text)
        except ValueError as error:
            message = "The stream holds something that is no JSON. Is this the address of a Hanami service?"
            raise ServiceError(message) from error
        if isinstance(line, dict):
            yield line
