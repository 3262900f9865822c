"""What rows of the outbox mean for hooks: happenings, each of a kind, about rows that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bots.models import BotVersion, Outbox
from tournaments.models import Match, ResultReport, Round, Seat

PING: Final = "ping"
KINDS: Final[dict[str, str | Promise]] = {
    "match.finished": _("a match or a table is finished"),
    "report.confirmed": _("a result of a table counts from now on"),
    "report.undone": _("a result of a table that counted was taken back or corrected"),
    "round.published": _("a round is drawn, or its tables are called"),
    "bot.failed": _("my bot forfeited a match, did not pass its check, or was benched"),
    "challenge.decided": _("a comparison of two versions is decided"),
}
"""What a hook may hear of; a test sending is of the kind "ping"."""
REPORTS: Final = frozenset({"enter", "enter_sheet", "accept", "rule", "correct"})
"""Acts (`undo.recorder`) that made a result count; undoing one of them takes it back."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened. source: names it, the same whenever its row is read. about: names of rows, for JSON."""

    kind: str
    source: str
    at: datetime
    about: dict[str, Any] = field(default_factory=dict)


Found = Iterator[tuple[str, str, dict[str, Any]]]
"""kind, what tells it from others of the same row and kind, about."""


def happenings(row: Outbox) -> list[Happening]:
    """What a row means; mostly nothing."""
    read = READERS.get(row.topic)
    if read is None:
        return []
    source, payload = f"{row.channel}@{row.version}", {**row.payload, "channel": row.channel}
    return [
        Happening(kind, f"{source}/{kind}/{mark}".rstrip("/"), row.created_at, about)
        for kind, mark, about in read(payload)
    ]


def _uuid_of(payload: dict[str, Any], kind: str) -> str:
    """The uuid that a payload names: as "match", or as the subject "match:<uuid>"; "" if it names none."""
    named = str(payload.get(kind, "")) or str(payload.get("subject", "")).removeprefix(f"{kind}:")
    try:
        return str(UUID(named))
    except ValueError:
        return ""


def _finished(payload: dict[str, Any]) -> Found:
    """Bots' matches say their forfeits in the same row."""
    match = _uuid_of(payload, "match")
    if not match:
        return
    yield "match.finished", "", {"match": match}
    if payload.get("forfeits"):
        seats = Seat.objects.filter(match__uuid=match, outcome=Seat.Outcome.FORFEIT, bot_version__isnull=False)
        for uuid, fault in seats.values_list("bot_version__uuid", "fault"):
            code = str((fault or {}).get("code", ""))
            yield "bot.failed", str(uuid), {"version": str(uuid), "match": match, "why": "forfeit", "code": code}


def _confirmed(payload: dict[str, Any]) -> Found:
    match = _uuid_of(payload, "match")
    if match:
        yield "report.confirmed", "", {"match": match, "report": payload.get("version")}


def _corrected(payload: dict[str, Any]) -> Found:
    match, version = _uuid_of(payload, "match"), payload.get("version")
    if match:
        earlier = ResultReport.objects.filter(match__uuid=match, version__lt=version or 0)
        superseded = earlier.filter(state=ResultReport.State.SUPERSEDED).order_by("-version")
        undone = superseded.values_list("version", flat=True).first()
        yield "report.undone", "", {"match": match, "report": undone, "why": "corrected"}
        yield "report.confirmed", "", {"match": match, "report": version}


def _undone(payload: dict[str, Any]) -> Found:
    """Undoing may concern many tables; only those with a result that was said are news of a result."""
    if payload.get("act") not in REPORTS:
        return
    for channel in payload.get("matches", ()):
        match = _uuid_of({"subject": f"match:{str(channel).removeprefix('m:')}"}, "match")
        if match:
            yield "report.undone", match, {"match": match, "report": None, "why": "undone"}


def _round(payload: dict[str, Any]) -> Found:
    """One more round of a stage: "round:<uuid of the stage>/<number>"."""
    stage, _slash, number = str(payload.get("subject", "")).removeprefix("round:").partition("/")
    if number.isdecimal():
        yield "round.published", "", {"stage": stage, "rounds": [int(number)], "called": False}


def _stage(payload: dict[str, Any]) -> Found:
    """A stage begins with those of its rounds that are drawn ahead."""
    stage = _uuid_of(payload, "stage")
    if stage and payload.get("rounds"):
        rounds = Round.objects.filter(stage__uuid=stage).order_by("number").values_list("number", flat=True)
        if rounds:
            yield "round.published", "", {"stage": stage, "rounds": list(rounds), "called": False}


def _bench(payload: dict[str, Any]) -> Found:
    match = _uuid_of(payload, "match")
    version = _version_of(payload)
    if version:
        yield "bot.failed", version, {"version": version, "match": match, "why": "benched", "code": ""}


def _check(payload: dict[str, Any]) -> Found:
    version = _version_of(payload) if payload.get("state") == "done" else ""
    if version and BotVersion.objects.filter(uuid=version, state=BotVersion.State.FAILED).exists():
        yield "bot.failed", version, {"version": version, "match": "", "why": "check", "code": ""}


def _version_of(payload: dict[str, Any]) -> str:
    """The version of a row of a bot's channel; "" if it is gone."""
    slug = str(payload["channel"]).removeprefix("b:")
    rows = BotVersion.objects.filter(bot__slug=slug, n=payload.get("n") or 0)
    found = rows.values_list("uuid", flat=True).first()
    return str(found or "")


def _decided(payload: dict[str, Any]) -> Found:
    challenge = _uuid_of(payload, "challenge")
    if challenge:
        yield "challenge.decided", "", {"challenge": challenge}


READERS: Final[dict[str, Callable[[dict[str, Any]], Found]]] = {
    "match.confirm": _finished,
    "match.accept": _confirmed,
    "match.rule": _confirmed,
    "match.correct": _corrected,
    "match.decide": _confirmed,
    "tournament.undo": _undone,
    "round.publish": _round,
    "stage.activate": _stage,
    "version.bench": _bench,
    "check.change": _check,
    "challenge.decide": _decided,
}
"""By topic."""


def called(rows: Sequence[Outbox]) -> list[Happening]:
    """Rounds of people whose tables were called: each is told of once, however many tables it has."""
    wanted = {_uuid_of(row.payload, "match"): row for row in reversed(rows) if row.topic == "match.call"}
    if not wanted:
        return []
    found = Match.objects.filter(uuid__in=list(wanted), round__isnull=False).order_by("pk")
    listed = found.values_list("uuid", "round", "stage__uuid", "round__number")
    rounds: dict[int, Happening] = {}
    for match, row, stage, number in listed:
        about = {"stage": str(stage), "rounds": [number], "called": True}
        at = wanted[str(match)].created_at
        rounds.setdefault(row, Happening("round.published", f"round:{row}/called", at, about))
    return list(rounds.values())
