"""Recording of results: verified first, then written once, in one short guarded transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import structlog
from django.db import IntegrityError
from django.db.models import F, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import audit, audit_event, publish
from activity.round_trips import insert, one_round_trip
from bots.domain_events import VersionSuspended
from bots.jobs import claims
from bots.models import Blob, BotVersion, Claimable
from bots.runner.spec import MatchSpec
from bots.runner.table import Played, ReplayMismatch, SeatReading
from engine.record import canonical, verify
from tournaments.domain_events.matches import MatchConfirmed, ResultRefused
from tournaments.lifecycle.transitions import label, transition
from tournaments.matches.records.results import body_of, fill_seats, spec_for
from tournaments.models import Match, ResultReport, Seat

# Forfeited matches in a row that suspend a version.
SUSPEND_AFTER: Final = 3
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
    """Outcome of handing in a result."""

    CONFIRMED = "confirmed"  # written; from now on it counts
    REPEATED = "repeated"  # it was written before, nothing changed
    REFUSED = "refused"  # another result of the same attempt was written before: an alarm
    STALE = "stale"  # the claim was taken back meanwhile, dropped


def check_record(spec: MatchSpec, played: Played) -> None:
    """Replay the record and compare it with what was asked for. Raises ReplayMismatch.

    Only the record, which is hashed and counts: the table has just made the view from the very same match.
    """
    record = played.document["record"]
    asked = {"match": spec.match_id, "fair": dict(spec.fair)}
    found = {"match": record["match"], "fair": record["fair"]}
    if found != asked or record["ruleset"]["hash"] != spec.ruleset.hash or len(record["seats"]) != spec.seats:
        raise ReplayMismatch("the record is not the one of this match")
    verdict = verify(played.document, seed=spec.seed, view=False)
    if not verdict.ok:
        raise ReplayMismatch(f"{verdict.code} at {verdict.where}: {verdict.message}")


def record_result(match: Match, spec: MatchSpec, played: Played, *, then: Claimable | None = None) -> Recorded:
    """Verify and write the result of a claimed match (with the attempt and lease it was claimed with).

    then: the row that its worker plays next, which is begun in the same round trip.
    Raises ReplayMismatch if the record does not verify, and what the database raises.
    """
    # Before the transaction: no row is locked while the match is replayed.
    check_record(spec, played)
    body = body_of(played.document["record"])
    seats = fill_seats(match, match.seats.all(), body, spec_for(match.stage))
    try:
        # One round trip to the database for all of it (decision 0090).
        with one_round_trip():
            note_begun = _confirm(match, played, body, seats, then)
    except IntegrityError:
        if claims.owned(match).exists():  # still ours, so the database refused something else: a defect, not a race
            raise
        return _too_late(match, str(played.document["hash"]))
    note_begun()
    return Recorded.CONFIRMED


def _confirm(
    match: Match, played: Played, body: dict[str, Any], seats: Sequence[Seat], then: Claimable | None
) -> Callable[[], None]:
    """Write everything that belongs to a result.

    The channels' versions come last: all who play in the event wait for them.

    Returns what is to be called after the commit. Raises IntegrityError, now or at the end of the transaction, if the
    claim is gone.
    """
    now = timezone.now()
    # Guarded by attempt and lease. Where the claim is gone this changes no row, and the report below, which looks for
    # the state written here, makes the database refuse the whole transaction.
    claims.owned(match).update(state=CONFIRM.target, lease=None, finished_at=now)
    note_begun = claims.begin_along(then) if then is not None else lambda: None
    _write_report(match, played, body, now)
    _write_seats(seats, played.seats)
    suspended = _count_forfeits(match, seats)
    channel = match.stage.tournament.channel
    audited = audit_event(MatchConfirmed, label(match), actor=None, channel=channel, after=_short(body))
    # Last: this locks the event's channel until the commit.
    publish(*_events(match, body), *suspended, audited=audited)
    # A wake-up that is lost costs nothing: the unsent row of the outbox stays, and the sweep sends another.
    wake_ups.notify_soon("derive")
    return note_begun


def _write_report(match: Match, played: Played, body: dict[str, Any], now: datetime) -> None:
    """Write the report, which names the match only if it was confirmed just now, by this very claim; else no match.

    The database refuses that and with it the whole transaction, without a round trip to ask.
    """
    # With `finished_at`: a result that is handed in twice finds the match confirmed by its own attempt, earlier.
    confirmed = Match.objects.filter(pk=match.pk, state=CONFIRM.target, attempt=match.attempt, finished_at=now)
    earlier = ResultReport.objects.filter(match=match.pk).order_by("-version")
    report = ResultReport(
        match_id=Subquery(confirmed.values("pk")),
        # Worked out by the database: reading the newest version first would be a round trip.
        version=Coalesce(Subquery(earlier.values("version")[:1]), 0) + 1,
        attempt=match.attempt,
        source=ResultReport.Source.RECORD,
        state=ResultReport.State.CONFIRMED,
        body=body,
        hash=played.document["hash"],
        record_id=Blob.objects.put_by_hash(canonical(played.document)),
    )
    insert([report])


def _write_seats(seats: Sequence[Seat], readings: Sequence[SeatReading]) -> None:
    logs = store_logs(readings)
    for seat in seats:
        reading = readings[seat.index]
        seat.cpu_ms = round(reading.cpu_ms)
        seat.log_id = logs.get(reading.log)
        seat.log_marks = [list(mark) for mark in reading.offsets] if reading.log else []
    Seat.objects.bulk_update(seats, SEAT_FIELDS)


def store_logs(readings: Sequence[SeatReading]) -> dict[bytes, Any]:
    """Store every log that is not empty, and return for each the value that names its row in a later statement.

    The order is the same everywhere: another result may store the same logs at this moment.
    """
    return {log: Blob.objects.put_by_hash(log) for log in sorted({reading.log for reading in readings if reading.log})}


def _too_late(match: Match, record_hash: str) -> Recorded:
    """Name what a late result is: the same one twice is harmless, another one of the same attempt is an alarm."""
    known = ResultReport.objects.filter(match=match, attempt=match.attempt).values_list("hash", flat=True).first()
    if known is None:
        log.info("result.stale", match=str(match.uuid), attempt=match.attempt)
        return Recorded.STALE
    if known == record_hash:
        log.info("result.repeated", match=str(match.uuid), attempt=match.attempt)
        return Recorded.REPEATED
    log.error("result.refused", match=str(match.uuid), attempt=match.attempt, known=known, got=record_hash)
    audit(
        ResultRefused,
        label(match),
        actor=None,
        before={"hash": known},
        after={"hash": record_hash, "attempt": match.attempt},
    )
    return Recorded.REFUSED


def _count_forfeits(match: Match, seats: Sequence[Seat]) -> list[DomainEvent]:
    """Count forfeited matches in a row per version; the third suspends it.

    Rows are locked in the order of their ids.
    """
    failed: dict[int, bool] = {}
    for seat in seats:
        if seat.bot_version_id is not None:
            lost = seat.outcome == Seat.Outcome.FORFEIT
            failed[seat.bot_version_id] = failed.get(seat.bot_version_id, False) or lost
    if not any(failed.values()):
        streaks = BotVersion.objects.filter(pk__in=failed, forfeits_in_a_row__gt=0)
        in_order = streaks.select_for_update(no_key=True).order_by("pk").values("pk")
        streaks.filter(pk__in=in_order).update(forfeits_in_a_row=0)
        return []
    notes: list[DomainEvent] = []
    # In the order of ids: two results of the same bots lock their rows in one order and cannot block each other.
    for version_id in sorted(failed):
        rows = BotVersion.objects.filter(pk=version_id)
        if failed[version_id]:
            rows.update(forfeits_in_a_row=F("forfeits_in_a_row") + 1)
            notes += _suspend(rows.select_related("bot").get(), match)
        else:
            rows.filter(forfeits_in_a_row__gt=0).update(forfeits_in_a_row=0)
    return notes


def _suspend(version: BotVersion, match: Match) -> list[DomainEvent]:
    if version.forfeits_in_a_row < SUSPEND_AFTER or version.benched_at is not None:
        return []
    version.benched_at = timezone.now()
    version.bench_reason = _("%(n)s forfeited matches in a row") % {"n": version.forfeits_in_a_row}
    suspension = {"benched_at": version.benched_at, "bench_reason": version.bench_reason}
    BotVersion.objects.filter(pk=version.pk).update(**suspension)
    after = {"n": version.n, "match": str(match.uuid), "reason": version.bench_reason, "version": str(version)}
    channel = match.stage.tournament.channel
    audit(VersionSuspended, f"version:{version.uuid}", actor=None, channel=channel, after=after)
    return [
        VersionSuspended(
            f"b:{version.bot.slug}",
            n=version.n,
            match=str(match.uuid),
            reason=version.bench_reason,
            version=str(version),
        )
    ]


def _short(body: dict[str, Any]) -> dict[str, object]:
    return {"state": Match.State.CONFIRMED.value, "score": body["score"], "forfeits": body["forfeits"]}


def _events(match: Match, body: dict[str, Any]) -> list[DomainEvent]:
    state, score, forfeits = Match.State.CONFIRMED.value, body["score"], body["forfeits"]
    return [
        MatchConfirmed(channel, match=str(match.uuid), state=state, score=score, forfeits=forfeits)
        for channel in (match.channel, match.stage.tournament.channel)
    ]
