"""The stream of live events: a plain ASGI endpoint beside Django, `/events/?ch=t:slug,m:uuid,b:slug,l:preset,q:`.

It carries only `{"ch", "ver"}`: a page that hears of a newer version fetches itself again, so nothing can leak. The
`id` of a frame lists the version of each channel; after a reconnect (Last-Event-ID) only newer ones are sent, and a
page that knows what it was rendered from says so on its first visit: `&seen=t:slug=12`.
Skipping versions is allowed, going back is not.

Channels of private events, and of a person's notices (`n:uuid`), need `token=`, made by `live_token` for anyone who may
see the page; it holds for an hour.
"""

from __future__ import annotations

import asyncio
import json
import re
import weakref
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from django.core import signing
from django.db import close_old_connections, connection
from django.db.models import Q

from tournaments import streams
from tournaments.live import Hub, Listener
from tournaments.models import Match, Tournament

# Shorter than the idle time-out of usual proxies (nginx: 60 s).
HEARTBEAT_S: Final = 15.0
# Every page needs a few; each costs a look-up at the connection, and a place in every poll.
MAX_CHANNELS: Final = 8
CHANNEL: Final = re.compile(r"[tbl]:[-\w]{1,60}|[mn]:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|q:", re.ASCII)
TOKEN_S: Final = 3600
SALT: Final = "hanami.live"
CODES: Final = {
    400: "request.invalid",
    404: "not_found",
    405: "method.not_allowed",
    429: "rate.limited",
    503: "server.busy",
}
HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
)

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]

_hubs: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = weakref.WeakKeyDictionary()


def live_token(channels: Iterable[str]) -> str:
    """Sign a right to listen to these channels for an hour. Make it only for somebody who may see the page."""
    return signing.dumps(sorted(channels), salt=SALT)


async def events(scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
    """Serve `/events/` as an ASGI application."""
    query = parse_qs(scope.get("query_string", b"").decode("ascii", "replace"))
    # Both ways of writing a list: ch=a,b and ch=a&ch=b.
    channels = tuple(dict.fromkeys(",".join(query.get("ch", [""])).split(",")))
    token = "".join(query.get("token", [""]))
    if scope["method"] not in ("GET", "HEAD"):
        await answer(send, 405, "Use GET.")
    elif not 0 < len(channels) <= MAX_CHANNELS or not all(CHANNEL.fullmatch(channel) for channel in channels):
        await answer(send, 400, f"Name 1 to {MAX_CHANNELS} channels: ?ch=t:slug,m:uuid,b:slug,q:")
    elif not await sync_to_async(may_listen)(channels, token):
        # 404 in both cases: whether a private event exists is nobody's business.
        await answer(send, 404, "There is no such channel, or the page is out of date: reload it.")
    else:
        await _counted_stream(channels, scope, receive, send)


async def _counted_stream(channels: tuple[str, ...], scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
    try:
        with streams.counted(scope):
            await stream(channels, last_seen(scope), receive, send)
    except streams.TooMany:
        text = f"{streams.PER_ADDRESS} live pages are open at this address, and that is the limit. Close some of them."
        wait = (b"retry-after", str(streams.RETRY_AFTER_S).encode())
        await answer(send, 429, text, wait)


async def answer(send: Send, status: int, text: str, *more: tuple[bytes, bytes]) -> None:
    """Send a refusal as a problem document, like those of the API. more: further headers."""
    problem = {"type": "about:blank", "status": status, "code": CODES[status], "title": text}
    headers = [(b"content-type", b"application/problem+json"), (b"cache-control", b"no-store"), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem).encode() + b"\n"})


def last_seen(scope: Mapping[str, Any]) -> dict[str, int]:
    """Return the versions in Last-Event-ID, on a first visit in `seen=`; what cannot be read counts as never seen."""
    header = dict(scope.get("headers", ())).get(b"last-event-id", b"").decode("ascii", "replace")
    query = parse_qs(scope.get("query_string", b"").decode("ascii", "replace"))
    raw = header or "".join(query.get("seen", [""]))
    pairs = (part.rpartition("=") for part in raw.split(",") if "=" in part)
    # Nineteen digits may not fit into the column of 64 bits.
    return {name: int(version) for name, _, version in pairs if version.isdecimal() and len(version) < 19}


def may_listen(channels: Iterable[str], token: str) -> bool:
    """Return whether each channel exists and is public, or the token names it."""
    close_old_connections()
    try:
        allowed = _named_by(token)
        return all(channel in allowed or _is_public(channel) for channel in channels)
    finally:
        connection.close()


def _named_by(token: str) -> frozenset[str]:
    if not token:
        return frozenset()
    try:
        return frozenset(signing.loads(token, salt=SALT, max_age=TOKEN_S))
    except signing.BadSignature:
        return frozenset()


def _is_public(channel: str) -> bool:
    kind, _, name = channel.partition(":")
    if kind == "n":
        return False  # whether somebody has news is theirs alone
    if kind in ("q", "b", "l"):
        return True  # how long the queue is and that a bot or a leaderboard has news is no secret
    seen_by_all = ~Q(visibility=Tournament.Visibility.PRIVATE) & ~Q(state=Tournament.State.DRAFT)
    events_seen = Tournament.objects.filter(seen_by_all)
    if kind == "t":
        return events_seen.filter(slug=name).exists()
    return Match.objects.filter(uuid=name, stage__tournament__in=events_seen).exists()


async def stream(channels: tuple[str, ...], seen: Mapping[str, int], receive: Receive, send: Send) -> None:
    """Send what is newer than `seen`, then everything that comes, until the client goes."""
    await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
    await send({"type": "http.response.body", "body": b"retry: 3000\n\n", "more_body": True})
    listener = Listener(channels, dict(seen))
    gone = asyncio.create_task(until_gone(receive))
    # Without this a listener whose client has gone would wait for the next heartbeat.
    gone.add_done_callback(lambda _gone: listener.wake())
    async with hub_here().listening(listener):
        while not gone.done():
            frames = await listener.next_frames(HEARTBEAT_S)
            if not gone.done():
                await send({"type": "http.response.body", "body": frames or b": still here\n\n", "more_body": True})


def hub_here() -> Hub:
    """Return the hub of this event loop: its locks and tasks belong to the loop they were made in."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


async def until_gone(receive: Receive) -> None:
    """Wait until the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
