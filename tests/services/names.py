"""A name that means what a test says, for the code of this process that looks it up."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """`names("a.example", ["127.0.0.2"], ["127.0.0.1"])`: what the name means the first time, the second time, .."""
    real = socket.getaddrinfo

    def mean(name: str, *answers: list[str]) -> list[str]:
        asked: list[str] = []

        def look_up(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
            if host != name:
                return real(host, port, *rest, **more)
            asked.append(name)
            found = answers[min(len(asked), len(answers)) - 1]
            family = {True: socket.AF_INET6, False: socket.AF_INET}
            return [(family[":" in ip], socket.SOCK_STREAM, 6, "", (ip, port)) for ip in found]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return asked

    return mean
