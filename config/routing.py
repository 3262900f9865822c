"""Which ASGI application serves a connection. Imported once Django is set up: what it sends to needs the models."""

from __future__ import annotations

from typing import Any

from config.bodies import Bodies, announced
from config.turns import InTurn
from tables.api.open_pages import still_here
from tables.api.streaming import is_stream, stream
from tables.view.open_pages import PATH
from tournaments.pages.site.oversize import most_bytes_of
from tournaments.sse import events


class Router:
    """Sends each connection to its application: live events, open tables, streams of remote programs, or Django."""

    def __init__(self, django: InTurn) -> None:
        self._django, self._bodies = django, Bodies()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http" and scope["path"] == "/events/":
            await events(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == PATH:
            await still_here(scope, receive, send)
        elif is_stream(scope):
            await stream(scope, receive, send, self._django)
        elif scope["type"] == "http":
            most = await most_bytes_of(scope, announced(dict(scope["headers"])))
            await self._bodies.within(most, self._django, scope, receive, send)
        else:
            await self._django(scope, receive, send)


async def _lifespan(receive: Any, send: Any) -> None:
    """Answer the server's start and stop; nothing has to be opened before the first request."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        else:
            await send({"type": "lifespan.shutdown.complete"})
            return
