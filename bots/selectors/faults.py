"""Our own faults in plain words: why an attempt to play a match or a check did not count.

The stored reason is "<code>: <text>"; the text may name files, tables and machines, so it is for operators alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from bots.models import Claimable

WORDS: Final[Mapping[str, str | Promise]] = {
    "worker.lost": _("We lost the worker that played this match."),
    "worker.stopped": _("The worker was asked to stop and released the match."),
    "worker.draining": _("The worker is being drained and released the match."),
    "worker.unwell": _("The worker had just had faults of its own, so it released the match."),
    "worker.busy": _("The worker had taken more matches than it could play in time, so it released this one."),
    "timeout.wall": _(
        "A bot did not answer in time, although it used little CPU. Another worker plays the match again to find"
        " out why."
    ),
    "table.replay_mismatch": _("The record did not agree with the rules when we replayed it."),
    "match.unseeded": _("The match has no deck: its event was not started properly."),
    "sandbox.refused": _("The worker had no secure sandbox."),
    "sandbox.lock": _("The sandbox could not be locked, so no bot was started."),
    "sandbox.launch": _("The machine had no room for another bot’s process."),
    "sandbox.killed": _("The machine ended a bot’s process: it may have been short of memory."),
    "sandbox.kill": _("We could not end a bot’s process."),
    "sandbox.zygote": _("We lost the process that starts bots."),
    "MemoryError": _("The worker ran out of memory."),
    "SoftTimeLimitExceeded": _("The match took longer than any match may."),
}
DATABASE: Final = ("OperationalError", "InterfaceError", "DatabaseError", "InternalError")
FAMILIES: Final[Mapping[str, str | Promise]] = {
    "sandbox": _("The sandbox did not work."),
    "engine": _("The rules contradicted themselves: another attempt may not help."),
    "database": _("The database did not answer."),
    "machine": _("The machine failed: its disk, its files or its network."),
    "": _("Something failed on our side."),
}


def words_for(reason: str) -> str:
    """A stored reason in a sentence that names nothing of our insides; empty for no reason."""
    code = reason.partition(":")[0]
    if not code:
        return ""
    return str(WORDS.get(code) or FAMILIES[_family(code)])


def _family(code: str) -> str:
    stem = code.partition(".")[0]
    if stem in FAMILIES:
        return stem
    if code in DATABASE:
        return "database"
    return "machine" if code.endswith(("OSError", "IOError", "ConnectionError", "TimeoutError")) else ""


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """An attempt that did not count. raw: the stored reason, None for everybody but operators."""

    attempt: int
    at: datetime | None
    worker: str
    words: str
    raw: str | None


def attempts_of(row: Claimable, viewer: User | None) -> list[AttemptLine]:
    """The attempts at a match or check that did not count, oldest first; at most the twenty that are kept."""
    is_operator = viewer is not None and viewer.is_staff
    return [_line(entry, is_operator) for entry in row.history]


def _line(entry: Mapping[str, Any], is_operator: bool) -> AttemptLine:
    reason = str(entry.get("reason", ""))
    at = parse_datetime(str(entry.get("at", "")))
    return AttemptLine(
        attempt=int(entry.get("attempt", 0)),
        at=at,
        worker=str(entry.get("worker", "")),
        words=words_for(reason),
        raw=reason if is_operator else None,
    )
