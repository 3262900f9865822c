"""Requests that ended in an error of ours: the last fifty, for operators. They lie in Redis; what matters is in the
log.

Of a request the pattern of its address is kept, never the address itself, and of the error its kind, never its text: no
name, no token, nobody's words.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import structlog

from activity.wake_ups import BROKER_ERRORS, redis_client

MAX_ERRORS: Final = 50
RETENTION_S: Final = 7 * 24 * 3600
LIST: Final = "hanami:mishaps"
ID: Final = 32
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Mishap:
    """One of them. id: of the request, as the log and the page that was shown name it. route: what was asked for."""

    id: str
    at: datetime
    method: str
    route: str
    kind: str


def record(request_id: str, *, method: str, route: str, kind: str) -> None:
    """Store one error. Without Redis it is in the log alone."""
    entry = {"id": request_id[:ID], "at": datetime.now(UTC).timestamp(), "method": method[:10]}
    line = json.dumps({**entry, "route": route[:120], "kind": kind[:80]})
    try:
        # In one go: a crash between push and trim would let the list grow.
        with redis_client().pipeline() as together:
            together.lpush(LIST, line)
            together.ltrim(LIST, 0, MAX_ERRORS - 1)
            # A list that nobody adds to for a week is of no use any more.
            together.expire(LIST, RETENTION_S)
            together.execute()
    except BROKER_ERRORS as lost:
        log.warning("mishap.not_kept", reason=str(lost))


def newest() -> list[Mishap] | None:
    """Return the newest first; None if Redis does not answer."""
    try:
        lines = redis_client().lrange(LIST, 0, MAX_ERRORS - 1)
    except BROKER_ERRORS:
        return None
    found = [json.loads(line) for line in lines]
    return [Mishap(**{**one, "at": datetime.fromtimestamp(one["at"], UTC)}) for one in found]
