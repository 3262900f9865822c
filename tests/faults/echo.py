"""A broker's echo: every message that anybody sends is delivered two more times, byte by byte the same."""

from __future__ import annotations

import re
import threading
from collections import Counter
from types import TracebackType
from typing import Any, Final, Self

import redis

QUEUES: Final = ("play", "derive")
COPIES: Final = 2
WORD: Final = re.compile(rb'"((?:[^"\\]|\\.)*)"')


class Echo:
    """While it is entered, it watches a Redis and sends each message that is put into a queue again, and again.

    doubled: how many messages of each queue it has repeated.
    """

    def __init__(self, url: str) -> None:
        self.doubled: Counter[str] = Counter()
        self._own: Counter[tuple[str, bytes]] = Counter()
        self._broker = redis.Redis.from_url(url)
        self._number = int(self._broker.connection_pool.connection_kwargs.get("db", 0))
        self._over = threading.Event()
        self._listens = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._listens.wait(10), "the echo does not hear the broker"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join(10)
        self._broker.close()

    def _run(self) -> None:
        connection: Any = self._broker.connection_pool.make_connection()
        connection.connect()
        connection.send_command("MONITOR")
        connection.read_response()
        self._listens.set()
        while not self._over.is_set():
            if connection.can_read(0.1):
                self._hear(connection.read_response())
        connection.disconnect()

    def _hear(self, line: bytes) -> None:
        """One command as MONITOR shows it: `1339518083.1 [0 unix:/path] "LPUSH" "play" "{...}"`."""
        words = [_unescaped(word) for word in WORD.findall(line)]
        if len(words) != 3 or words[0].upper() != b"LPUSH" or words[1].decode() not in QUEUES:
            return
        if int(line.partition(b"[")[2].partition(b" ")[0]) != self._number:
            return
        queue, message = words[1].decode(), words[2]
        if self._own[queue, message]:
            self._own[queue, message] -= 1
            return
        self._own[queue, message] += COPIES
        for _ in range(COPIES):
            self._broker.lpush(queue, message)
        self.doubled[queue] += 1


def _unescaped(word: bytes) -> bytes:
    return word.decode("unicode_escape").encode("latin-1")
