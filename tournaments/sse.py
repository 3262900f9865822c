"""The stream of live events: a plain ASGI endpoint beside Django."""

from typing import Any


async def events(scope: Any, receive: Any, send: Any) -> None:
    """Refuse until the stream is there."""
    await send({"type": "http.response.start", "status": 503, "headers": []})
    await send({"type": "http.response.body", "body": b""})
