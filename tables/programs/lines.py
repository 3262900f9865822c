"""Lines of the streams of programs, as objects; and what they say of a table and of a challenge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from engine.match import Match
from tables.actions.folding import rules_of
from tables.models import LiveSeat, LiveTable, TableChallenge
from tables.programs.challenges import ANSWERED_WITHIN, state_of

HEARTBEAT: Final = b'{"type":"heartbeat"}\n'
SSE_HEARTBEAT: Final = b": heartbeat\n\n"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that a stream tells. id: where a reader goes on who has seen it; "": as before."""

    type: str
    content: Mapping[str, Any]
    id: str = ""

    def ndjson(self) -> bytes:
        """Return it as a line of JSON."""
        return _json({"type": self.type, **self.content}).encode() + b"\n"

    def sse(self) -> bytes:
        """Return it as an event of a browser's stream."""
        head = f"id: {self.id}\n" if self.id else ""
        return f"{head}event: {self.type}\ndata: {_json(self.content)}\n\n".encode()


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def epoch_ms(at: datetime) -> int:
    """Return a moment as milliseconds since 1970."""
    return round(at.timestamp() * 1000)


def about_challenge(challenge: TableChallenge) -> dict[str, Any]:
    """Return a challenge, read with its table and programs, as the API and the streams have it."""
    by = challenge.by_program
    return {
        "id": str(challenge.uuid),
        "state": state_of(challenge),
        "reason": challenge.reason,
        "program": challenge.program.bot.slug,
        "from": {"kind": _kind_of(challenge), "name": challenge.by, "program": by.bot.slug if by is not None else None},
        "expires_at": _expires_at(challenge),
        "table": about_table(challenge.table),
    }


def _kind_of(challenge: TableChallenge) -> str:
    """Return who asks: an event, a program, a person, or the ladder of programs."""
    if challenge.table.stage_id is not None:
        return "event"
    if challenge.by_program is not None:
        return "program"
    return "person" if challenge.by else "ladder"


def _expires_at(challenge: TableChallenge) -> int | None:
    """Return until when it may be accepted; None for a match of an event, which waits as long as the organiser."""
    if challenge.table.stage_id is not None:
        return None
    return epoch_ms(challenge.table.deadline_at or challenge.created_at + ANSWERED_WITHIN)


def about_table(table: LiveTable) -> dict[str, Any]:
    """Return what a table is played by."""
    rules = rules_of(table)
    return {
        "id": str(table.uuid),
        "state": table.state,
        "preset": table.preset,
        "game": rules.game,
        "options": rules.resolved(),
        "seats": table.seats_n,
        "clock": {"id": table.clock, "bank_ms": table.bank_ms, "increment_ms": table.increment_ms},
        "rated": table.rated,
        "commitment": table.commitment,
    }


def about_seats(seats: list[LiveSeat]) -> list[dict[str, Any]]:
    """Return who sits at a table."""
    return [{"seat": seat.index, "name": seat.name, "kind": seat.kind} for seat in seats]


def about_end(table: LiveTable, match: Match | None) -> dict[str, Any]:
    """Return how a table ended. match: None if it was called off."""
    found: dict[str, Any] = {"state": table.state, "reason": table.reason, "result": None}
    if match is not None and match.is_over:
        result = match.result()
        found["result"] = {"end": result.end, "rank": list(result.rank), "score": list(result.score)}
    return found
