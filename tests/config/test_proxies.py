"""Trust in what proxies say of a client: by address, by network or by name, and in nobody else's word."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from config.proxies import TrustedProxies
from tests.services.looping import run_async


def clients(trusted: Sequence[str], peers: Sequence[str]) -> list[str]:
    """Return the clients that the site sees for requests from these peers that claim to be forwarded for
    198.51.100.7.
    """
    seen: list[str] = []

    async def site(scope: Any, _receive: Any, _send: Any) -> None:
        seen.append(scope["client"][0])

    async def scene() -> None:
        door = TrustedProxies(site, trusted)
        for peer in peers:
            headers = [(b"x-forwarded-for", b"198.51.100.7"), (b"x-forwarded-proto", b"https")]
            await door({"type": "http", "client": (peer, 1), "headers": headers, "scheme": "http"}, None, None)

    run_async(scene)
    return seen


@pytest.mark.parametrize("trusted", [["127.0.0.1"], ["127.0.0.0/8"], ["localhost"], ["192.0.2.1", "localhost"]])
def test_a_trusted_proxy_tells_who_the_client_is(trusted: list[str]) -> None:
    assert clients(trusted, ["127.0.0.1"]) == ["198.51.100.7"]


@pytest.mark.parametrize("trusted", [[], ["10.0.0.0/8"], ["localhost"], ["no-such-name.invalid"]])
def test_nobody_else_does(trusted: list[str]) -> None:
    assert clients(trusted, ["192.0.2.9"]) == ["192.0.2.9"]


def test_an_unknown_name_keeps_the_others() -> None:
    assert clients(["no-such-name.invalid", "localhost"], ["127.0.0.1", "192.0.2.9"]) == ["198.51.100.7", "192.0.2.9"]


def test_strangers_do_not_ask_the_name_server_each_time() -> None:
    asked: list[str] = []

    async def site(_scope: Any, _receive: Any, _send: Any) -> None:
        return

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        ask = loop.getaddrinfo

        async def counted(name: Any, *rest: Any, **more: Any) -> Any:
            asked.append(name)
            return await ask(name, *rest, **more)

        loop.getaddrinfo = counted  # type: ignore[assignment]  # the real one, counted
        door = TrustedProxies(site, ["localhost"])
        scope = {"type": "http", "client": ("192.0.2.9", 1), "headers": [], "scheme": "http"}
        await asyncio.gather(*(door(scope, None, None) for _ in range(50)))

    run_async(scene)
    assert asked == ["localhost"]
