"""One sending over HTTP: to a checked address, within a deadline, reading only the beginning of the answer.

h11 reads what comes back: the standard library's client and others bound the time between two bytes, not all of it,
and follow names, redirects and proxies on their own.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import h11

from tournaments.webhooks.addresses import Target, Unreachable, resolve

# For all of it: the name, the connection, the answer.
DEADLINE_S: Final = 10.0
HEAD_BYTES: Final = 16 * 1024
READ_BYTES: Final = 64 * 1024
MAX_STORED_BYTES: Final = 600


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of a receiver: the HTTP status, its first characters, and the header Retry-After as it came."""

    status: int
    text: str
    retry_after: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a sending: an answer, or the code of why there is none. ms: its duration."""

    answer: Answer | None
    error: str
    ms: int

    @property
    def is_taken(self) -> bool:
        """True if the receiver has it."""
        return self.answer is not None and 200 <= self.answer.status < 300


async def send(target: Target, headers: Mapping[str, str], body: bytes) -> Outcome:
    """POST the body. Never raises what goes wrong on the way; the outcome has its code."""
    began, answer, error = time.monotonic(), None, ""
    try:
        async with asyncio.timeout(DEADLINE_S):
            answer = await _post(target, headers, body)
    except TimeoutError:
        error = "time.over"
    except Unreachable as why:
        error = why.code
    except ssl.SSLError:
        error = "tls.failed"
    except OSError:
        error = "connection.failed"
    except h11.RemoteProtocolError:
        error = "answer.broken"
    if answer is not None and not 200 <= answer.status < 300:
        error = "answer.redirect" if 300 <= answer.status < 400 else "answer.refused"
    return Outcome(answer, error, round((time.monotonic() - began) * 1000))


async def _post(target: Target, headers: Mapping[str, str], body: bytes) -> Answer:
    address = await resolve(target)
    secure, name = (_tls(), target.host) if target.scheme == "https" else (None, None)
    # The connection goes to the address that was checked; the certificate is checked against the name.
    reader, writer = await asyncio.open_connection(address, target.port, ssl=secure, server_hostname=name)
    try:
        connection = h11.Connection(our_role=h11.CLIENT, max_incomplete_event_size=HEAD_BYTES)
        writer.write(_request(connection, target, headers, body))
        await writer.drain()
        return await _answer(connection, reader)
    finally:
        writer.transport.abort()  # at once: what else it has to say is not wanted


@cache
# Once a process: it reads the system's certificates.
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _request(connection: h11.Connection, target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    # "close": no connection is kept, so none can be used again for another name.
    fixed = {"Host": target.host_header, "Content-Length": str(len(body)), "Connection": "close"}
    parts = (
        h11.Request(method="POST", target=target.path, headers=list({**fixed, **headers}.items())),
        h11.Data(data=body),
        h11.EndOfMessage(),
    )
    return b"".join(connection.send(part) or b"" for part in parts)


async def _answer(connection: h11.Connection, reader: asyncio.StreamReader) -> Answer:
    status, text, wait, room = 0, b"", b"", READ_BYTES
    while len(text) < MAX_STORED_BYTES:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            received = await reader.read(4096)
            # All that was received is counted, head and body: a receiver that never ends is cut off.
            room -= len(received)
            connection.receive_data(received)
            if room < 0:
                break
        elif isinstance(event, h11.Response):
            status = event.status_code
            wait = next((bytes(value) for name, value in event.headers if name == b"retry-after"), b"")
        elif isinstance(event, h11.Data):
            text += bytes(event.data)
        elif not isinstance(event, h11.InformationalResponse):
            break
    if not status:
        raise Unreachable("answer.broken")
    return Answer(status, text[:MAX_STORED_BYTES].decode(errors="replace"), wait.decode(errors="replace"))
