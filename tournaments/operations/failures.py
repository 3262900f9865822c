"""Forfeits of a bot's versions: for its owner, with the observation at that move and the bot's output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet

from bots.models import Bot, Check
from bots.runner.asking import asked_at
from bots.runner.printed import readable
from tournaments.models import Match, ResultReport, Seat

# Bytes of a log's end that are shown.
MAX_TAIL: Final = 20_000
TRACEBACK: Final = "Traceback (most recent call last)"


@dataclass(frozen=True, slots=True)
class Failure:
    """One forfeit. observation: what the bot was asked, None while it was loaded; log: the end of its output."""

    code: str
    deal: int
    move: int
    observation: dict[str, Any] | None
    log: str

    @property
    def traceback(self) -> str:
        """The log from its last traceback on; empty where there is none."""
        found = self.log.rfind(TRACEBACK)
        return self.log[found:] if found >= 0 else ""


def failures_of(bot: Bot) -> QuerySet[Seat]:
    """Return the seats of finished matches at which a version of this bot forfeited. The caller is its owner."""
    rows = Seat.objects.filter(bot_version__bot=bot, fault__isnull=False, match__state=Match.State.CONFIRMED)
    return rows.select_related("bot_version", "match__stage__tournament", "match__round").defer("log_marks")


def failure_at(seat: Seat) -> Failure:
    """Return the forfeit of a seat. Three queries; the record is played again up to it."""
    fault: Mapping[str, Any] = seat.fault or {}
    deal, move = int(fault.get("deal", 0)), int(fault.get("move", 0))
    confirmed = ResultReport.objects.filter(match=seat.match_id, state=ResultReport.State.CONFIRMED)
    report = confirmed.select_related("record").first()
    document = json.loads(report.record.data()) if report is not None and report.record is not None else None
    observation = asked_at(document, seat.index, deal, move) if document and deal else None
    return Failure(str(fault.get("code", "")), deal, move, observation, end_of(seat.log.data() if seat.log else b""))


def failed_checks(bot: Bot) -> QuerySet[Check]:
    """Return the checks that versions of this bot failed in a smoke match. The caller is its owner."""
    failed = Check.objects.filter(version__bot=bot, state=Check.State.DONE, result__ok=False)
    return failed.exclude(result__matches=[]).select_related("version", "log")


def failure_in(check: Check) -> Failure | None:
    """Return the forfeit of a smoke match; None where none was played, or nobody forfeited."""
    matches = [each for each in check.result.get("matches", []) if each.get("forfeit")]
    if not matches:
        return None
    fault, log = matches[-1]["forfeit"], check.log.data() if check.log is not None else b""
    return Failure(str(fault["code"]), int(fault["deal"]), int(fault["move"]), matches[-1].get("asked"), end_of(log))


def end_of(log: bytes) -> str:
    """Return the end of a bot's output, as text that is harmless to show."""
    return readable(log[-MAX_TAIL:])
