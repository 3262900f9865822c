"""Number of live streams that one address may hold open in this web process.

A stream is a connection, so the count lives and dies with the process that holds them: a restart closes them all.
Neither the database nor Redis is asked; Redis is told how many there are, for operators. The limit is meant for a
script gone wild, not for a hall of people who share one address: each open page holds one stream.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from activity.wake_ups import BROKER_ERRORS, redis_client
from web.rate_limits import WIDE, network_of, wide_network_of

PER_ADDRESS: Final = 400
RETRY_AFTER_S: Final = 30

PUBLISH_EVERY_S: Final = 5.0
# Beginning of the names under which Redis has each process's number, for three times the time until the next one.
KEY_PREFIX: Final = "hanami:streams:"

_open: Counter[str] = Counter()
# The same by the /48 of IPv6.
_open_wide: Counter[str] = Counter()


class TooMany(Exception):
    """This address holds as many streams as one may."""


@contextlib.contextmanager
def counted(scope: Mapping[str, Any]) -> Iterator[None]:
    """Count the stream of an ASGI scope while the block runs. Raises TooMany."""
    address, wide = address_of(scope), wide_network_of(_client(scope))
    if _open[address] >= PER_ADDRESS or _open_wide[wide] >= PER_ADDRESS * WIDE:
        raise TooMany(address)
    _open[address] += 1
    _open_wide.update([wide] if wide else [])
    try:
        yield
    finally:
        for count, name in ((_open, address), (_open_wide, wide)):
            count[name] -= 1
            # Dropped at zero: a process that runs for months has seen very many addresses.
            if count[name] <= 0:
                del count[name]


def open_now() -> int:
    """Return how many streams this process holds open, of all addresses."""
    return _open.total()


def address_of(scope: Mapping[str, Any]) -> str:
    """Return the address of a connection: an IPv4 address, the /64 of an IPv6 one; empty for a socket that has none.

    Behind a proxy that is trusted the server has put the reader's address here.
    """
    return network_of(_client(scope))


def _client(scope: Mapping[str, Any]) -> str:
    return str((scope.get("client") or ("",))[0])


def publish_count() -> None:
    """Store this process's number in Redis; the hub does so while anybody listens."""
    with contextlib.suppress(*BROKER_ERRORS):
        # With an expiry: a process that died is out of the sum after fifteen seconds.
        redis_client().set(
            f"{KEY_PREFIX}{socket.gethostname()}:{os.getpid()}", open_now(), ex=round(3 * PUBLISH_EVERY_S)
        )


def open_everywhere() -> int | None:
    """Return how many streams all web processes hold open, as stored in the last seconds; None without Redis."""
    try:
        names = list(redis_client().scan_iter(match=f"{KEY_PREFIX}*", count=1000))
        return sum(int(count) for count in redis_client().mget(names) if count) if names else 0
    except BROKER_ERRORS:
        return None
