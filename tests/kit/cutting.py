"""A cable between a program and a service that can be cut, and that loses a reply."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from threading import Lock, Thread
from typing import Self
from urllib.parse import urlsplit


class Cable:
    """Passes bytes on between a port of this machine and a service. lost: replies to answers that were lost."""

    def __init__(self, service: str) -> None:
        parts = urlsplit(service)
        self._service = (parts.hostname or "", parts.port or 80)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = Lock()
        self._is_cut = False
        self._loses = False
        self.lost = 0
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_how: object) -> None:
        self.cut()
        self._listening.close()

    def cut(self) -> None:
        """End every connection; new ones are refused until it is mended."""
        with self._lock:
            self._is_cut = True
            ended, self._open = self._open, set()
        for each in ended:
            _end(each)

    def mend(self) -> None:
        """Let new connections through."""
        self._is_cut = False

    def lose_next_reply(self) -> None:
        """Pass the next answer at a table on, and end its connection before the reply comes back."""
        self._loses = True

    def _accept(self) -> None:
        while True:
            try:
                here, _address = self._listening.accept()
            except OSError:
                return
            if self._is_cut:
                _end(here)
                continue
            there = socket.create_connection(self._service)
            with self._lock:
                self._open |= {here, there}
            Thread(target=self._outwards, args=(here, there), daemon=True).start()

    def _outwards(self, here: socket.socket, there: socket.socket) -> None:
        begun = False
        with contextlib.suppress(OSError):
            while data := here.recv(65536):
                if not begun:
                    begun = True
                    Thread(target=self._way_back(data), args=(there, here), daemon=True).start()
                there.sendall(data)
        for each in (here, there):
            _end(each)

    def _way_back(self, first: bytes) -> Callable[[socket.socket, socket.socket], None]:
        """Return what becomes of the reply to a request that begins so."""
        is_answer = first.startswith(b"POST ") and b"/answers" in first.partition(b"\r\n")[0]
        if not (self._loses and is_answer):
            return self._back
        self._loses = False
        return self._lose

    def _lose(self, there: socket.socket, here: socket.socket) -> None:
        with contextlib.suppress(OSError):
            # The service has done what it was asked once its reply begins; that is what is lost.
            there.recv(1)
            self.lost += 1
        for each in (here, there):
            _end(each)

    def _back(self, there: socket.socket, here: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := there.recv(65536):
                here.sendall(data)
        for each in (here, there):
            _end(each)


def _end(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()
