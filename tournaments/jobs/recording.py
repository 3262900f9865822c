"""Recording a result: verified first, then written once, in one short guarded transaction."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from bots import bells
from bots.jobs import claims
from bots.journal import Note, audit, tell
from bots.models import Blob, BotVersion
from bots.runner.spec import MatchSpec
from bots.runner.table import Played, ReplayMismatch, SeatReading
from engine.record import canonical, verify
from tournaments.jobs.results import body_of, fill_seats, spec_for
from tournaments.jobs.transitions import label, transition
from tournaments.models import Match, ResultReport, Seat

BENCH_AFTER: Final = 3
CONFIRM: Final = transition(Match, "confirm")
SEAT_FIELDS: Final = (
    "points",
    "victories",
    "raw_points",
    "raw_victories",
    "place",
    "outcome",
    "fault",
    "cpu_ms",
    "log",
    "log_marks",
)
log = structlog.get_logger(__name__)


class Recorded(StrEnum):
    """What became of a result that was handed in."""

    CONFIRMED = "confirmed"  # written; from now on it counts
    REPEATED = "repeated"  # it was written before, nothing changed
    REFUSED = "refused"  # another result of the same attempt was written before: an alarm
    STALE = "stale"  # the claim was taken back meanwhile, dropped


def check_record(spec: MatchSpec, played: Played) -> None:
    """Re-play the record and compare it with what was asked for. Raises ReplayMismatch.

    The record alone, which is what is hashed and counts: the table has just made the view from the very same match.
    """
    record = played.document["record"]
    asked = {"match": spec.match_id, "fair": dict(spec.fair)}
    found = {"match": record["match"], "fair": record["fair"]}
    if found != asked or record["ruleset"]["hash"] != spec.ruleset.hash or len(record["seats"]) != spec.seats:
        raise ReplayMismatch("the record is not the one of this match")
    verdict = verify(played.document, seed=spec.seed, view=False)
    if not verdict.ok:
        raise ReplayMismatch(f"{verdict.code} at {verdict.where}: {verdict.message}")


def record_result(match: Match, spec: MatchSpec, played: Played) -> Recorded:
    """Verify and write the result of a claimed match (with the attempt and lease it was claimed with).

    Raises ReplayMismatch if the record does not verify, and what the database raises.
    """
    check_record(spec, played)
    body = body_of(played.document["record"])
    with transaction.atomic():
        if not claims.held(match).update(state=CONFIRM.target, lease=None, finished_at=timezone.now()):
            return _too_late(match, str(played.document["hash"]))
        _write_report(match, played, body)
        seats = fill_seats(match, match.seats.all(), body, spec_for(match.stage))
        _write_seats(seats, played.seats)
        benched = _count_forfeits(match, seats)
        audit("match.confirm", label(match), actor=None, channel=match.stage.tournament.channel, after=_short(body))
        tell(*_notes(match, body), *benched)
        bells.ring_soon("derive")
    return Recorded.CONFIRMED


def _write_report(match: Match, played: Played, body: dict[str, Any]) -> None:
    newest = ResultReport.objects.filter(match=match).aggregate(newest=Max("version"))["newest"] or 0
    ResultReport.objects.create(
        match=match,
        version=newest + 1,
        attempt=match.attempt,
        source=ResultReport.Source.RECORD,
        state=ResultReport.State.CONFIRMED,
        body=body,
        hash=played.document["hash"],
        record=Blob.objects.put(canonical(played.document)),
    )


def _write_seats(seats: Sequence[Seat], readings: Sequence[SeatReading]) -> None:
    logs = keep_logs(readings)
    for seat in seats:
        reading = readings[seat.index]
        seat.cpu_ms = round(reading.cpu_ms)
        seat.log = logs.get(reading.log)
        seat.log_marks = [list(mark) for mark in reading.offsets] if reading.log else []
        seat.save(update_fields=SEAT_FIELDS)


def keep_logs(readings: Sequence[SeatReading]) -> dict[bytes, Blob]:
    """Keep every log that is not empty. In one order everywhere: the same logs may be kept by another result now."""
    return {log: Blob.objects.put(log) for log in sorted({reading.log for reading in readings if reading.log})}


def _too_late(match: Match, record_hash: str) -> Recorded:
    """The claim is gone: the same result twice is harmless, another one of the same attempt is an alarm."""
    known = ResultReport.objects.filter(match=match, attempt=match.attempt).values_list("hash", flat=True).first()
    if known is None:
        log.info("result.stale", match=str(match.uuid), attempt=match.attempt)
        return Recorded.STALE
    if known == record_hash:
        log.info("result.repeated", match=str(match.uuid), attempt=match.attempt)
        return Recorded.REPEATED
    log.error("result.refused", match=str(match.uuid), attempt=match.attempt, known=known, got=record_hash)
    audit(
        "result.refused",
        label(match),
        actor=None,
        before={"hash": known},
        after={"hash": record_hash, "attempt": match.attempt},
    )
    return Recorded.REFUSED


def _count_forfeits(match: Match, seats: Sequence[Seat]) -> list[Note]:
    """Count forfeited matches in a row per version; the third benches it. Rows are locked in the order of their ids."""
    failed: dict[int, bool] = {}
    for seat in seats:
        if seat.bot_version_id is not None:
            lost = seat.outcome == Seat.Outcome.FORFEIT
            failed[seat.bot_version_id] = failed.get(seat.bot_version_id, False) or lost
    streaks = BotVersion.objects.filter(pk__in=failed, forfeits_in_a_row__gt=0)
    has_streak = set(streaks.values_list("pk", flat=True))
    notes: list[Note] = []
    for version_id in sorted(failed):
        rows = BotVersion.objects.filter(pk=version_id)
        if failed[version_id]:
            rows.update(forfeits_in_a_row=F("forfeits_in_a_row") + 1)
            notes += _bench(rows.select_related("bot").get(), match)
        elif version_id in has_streak:
            rows.update(forfeits_in_a_row=0)
    return notes


def _bench(version: BotVersion, match: Match) -> list[Note]:
    if version.forfeits_in_a_row < BENCH_AFTER or version.benched_at is not None:
        return []
    version.benched_at = timezone.now()
    version.bench_reason = _("%(n)s forfeited matches in a row") % {"n": version.forfeits_in_a_row}
    version.save(update_fields=["benched_at", "bench_reason"])
    after = {"n": version.n, "match": str(match.uuid), "reason": version.bench_reason, "version": str(version)}
    channel = match.stage.tournament.channel
    audit("version.bench", f"version:{version.uuid}", actor=None, channel=channel, after=after)
    return [Note(f"b:{version.bot.slug}", "version.bench", after)]


def _short(body: dict[str, Any]) -> dict[str, object]:
    return {"state": Match.State.CONFIRMED.value, "score": body["score"], "forfeits": body["forfeits"]}


def _notes(match: Match, body: dict[str, Any]) -> list[Note]:
    told = {"match": str(match.uuid), **_short(body)}
    return [
        Note(match.channel, "match.confirm", told),
        Note(match.stage.tournament.channel, "match.confirm", told),
    ]
