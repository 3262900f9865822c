"""HTTP statuses of refusals, on pages and in the API."""

from __future__ import annotations

from typing import Final

from django.db import OperationalError, connection

from engine.errors import DomainError

# Codes end in a word of meaning; these lists give it a status, so that a new refusal needs no entry here.
FORBIDDEN: Final = ("not_organiser", "not_owner", "not_operator", "not_seated", "suspended")
# fmt: off
CONFLICT: Final = ("wrong_state", "clock_frozen", "changed", "draw_changed", "moved", "not_held", "kept", "never",
                   "nothing", "has_versions", "not_begun", "level", "leads_on", "event_over", "event_gone", "draw_gone",
            "not_your_turn", "time_over", "paused", "retired", "offline", "other_kind", "same_owner")
# fmt: on


def status_of(refusal: DomainError) -> int:
    """Return the HTTP status of a refusal; it says whose turn it is.

    403: somebody else's to do. 409: not in this state (any more). 429: too often. 503: the service has its hands full.
    422: what was sent cannot be.
    """
    last = refusal.code.rpartition(".")[2]
    # First: such a refusal carries `retry_after`, too, which alone would be a 429.
    if last == "busy":
        return 503
    if last in FORBIDDEN:
        return 403
    if last in CONFLICT or last.startswith("already_"):
        return 409
    return 429 if "retry_after" in refusal.extra else 422


def is_busy(error: BaseException | None) -> bool:
    """Return whether the database had no time or went away, so that the same request may succeed soon: 503.

    SQLite gives the same class to a lock and to a query that is wrong; only the lock is one of these.
    """
    if not isinstance(error, OperationalError):
        return False
    return connection.vendor != "sqlite" or "locked" in str(error)
