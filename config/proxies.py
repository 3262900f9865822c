"""Trusted proxies, whose X-Forwarded-For and X-Forwarded-Proto are believed: by address, by network, or by name.

A name is looked up again and again, for a container that is started again may have another address. A client that is no
proxy is taken for what it is.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from collections.abc import Sequence
from typing import Any, Final

import structlog
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

LOOK_AGAIN_S: Final = 30.0
STRANGER_LOOK_S: Final = 1.0
"""A proxy with a new address is a stranger until its name is looked up: such a request asks at most once a second."""
LOOK_UP_S: Final = 1.0
"""Seconds that a request waits at most for a name server."""

log = structlog.get_logger(__name__)


def is_address(proxy: str) -> bool:
    """Return whether this is an address or a network, not a name."""
    try:
        ipaddress.ip_network(proxy, strict=False)
    except ValueError:
        return False
    return True


class TrustedProxies:
    """ASGI middleware: the client and scheme of a request are those that a trusted proxy tells."""

    def __init__(self, app: Any, trusted: Sequence[str]) -> None:
        self._app = app
        self._fixed = [proxy for proxy in trusted if is_address(proxy)]
        self._names = [proxy for proxy in trusted if not is_address(proxy)]
        self._found: dict[str, list[str]] = {}
        self._asked_at = float("-inf")
        self._asking: asyncio.Task[None] | None = None
        self._believe = ProxyHeadersMiddleware(app, trusted_hosts=self._fixed)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass the request on, with the client that it really has."""
        if self._names and scope["type"] != "lifespan":
            await self._refresh((scope.get("client") or ("",))[0])
        await self._believe(scope, receive, send)

    async def _refresh(self, peer: str) -> None:
        """Look the names up if it is time; only a peer that is not known yet waits for the answer."""
        is_known = peer in self._believe.trusted_hosts
        age = time.monotonic() - self._asked_at
        # One look-up at a time, however many requests ask for it.
        if self._asking is None and age >= (LOOK_AGAIN_S if is_known else STRANGER_LOOK_S):
            # Before the look-up: one that fails is not repeated by every request.
            self._asked_at = time.monotonic()
            self._asking = asyncio.create_task(self._look_up())
        if self._asking is not None and not is_known:
            # wait, not wait_for: a request that gives up leaves the look-up to the others.
            await asyncio.wait({self._asking}, timeout=LOOK_UP_S)

    async def _look_up(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            for name in self._names:
                try:
                    answers = await loop.getaddrinfo(name, None, type=socket.SOCK_STREAM)
                except OSError as unknown:  # what it was before still holds: name servers fail, too
                    log.warning("proxy.unknown_name", name=name, reason=str(unknown))
                    continue
                self._found[name] = sorted({str(answer[4][0]) for answer in answers})
            known = [address for addresses in self._found.values() for address in addresses]
            # Replaced as a whole: a request in between sees the old list or the new one, never half.
            self._believe = ProxyHeadersMiddleware(self._app, trusted_hosts=[*self._fixed, *known])
        finally:
            self._asking = None
