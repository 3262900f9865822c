"""Reports as rows: written, rejected, made to count. Append-only; at most one of a match is confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit
from core.errors import TournamentError
from tournaments.domain_events.entries import NoShowWithdrawn
from tournaments.domain_events.matches import MatchConfirmed
from tournaments.lifecycle.transitions import act
from tournaments.matches.records.record import SEAT_FIELDS
from tournaments.matches.records.results import fill_seats, spec_for
from tournaments.matches.report_bodies import hash_of
from tournaments.models import Match, ResultReport, Round, Seat
from tournaments.pairing.no_shows import withdraw_no_shows

M, S = Match.State, ResultReport.State
OPEN_REPORTS: Final = (S.SUBMITTED, S.DISPUTED)


def make_reported(match: Match, events: list[DomainEvent], *, side: int | None = None) -> None:
    """Make the table reported; the first result of a round makes the round one that is being played.

    side: whose phone sent the result; None for an organiser.
    """
    if match.state == M.CALLED:
        act(match, "begin", None, later=events)
        if match.round is not None and match.round.state == Round.State.PUBLISHED:
            act(match.round, "play", None, later=events)
    act(match, "report", None, payload={} if side is None else {"side": side}, later=events)


def report_of(match: Match, version: int | None) -> ResultReport:
    """Return one version of the reports. Raises TournamentError "report.no_version"."""
    found = ResultReport.objects.filter(match=match, version=version or 0).first()
    if found is None:
        message = _("There is no such version of this result. Choose one from the list.")
        raise TournamentError(message, code="report.no_version")
    return found


def reject_open(matches: Sequence[int], by: User) -> None:
    """Reject the open reports of these matches (ids), which wait for nobody any more."""
    ResultReport.objects.filter(match__in=matches, state__in=OPEN_REPORTS).update(state=S.REJECTED, by=by)


def write_report(
    match: Match, body: dict[str, Any], state: ResultReport.State, by: User | None = None, reason: str = ""
) -> ResultReport:
    """Write one more version of a report. Needs the match's lock: the next number is read here."""
    # The unique constraint on (match, version) stands behind the lock.
    newest = ResultReport.objects.filter(match=match).aggregate(newest=Max("version"))["newest"] or 0
    return ResultReport.objects.create(
        match=match,
        version=newest + 1,
        source=ResultReport.Source.PEOPLE,
        state=state,
        body=body,
        hash=hash_of(body),
        by=by,
        reason=reason,
    )


def confirm_report(
    match: Match, report: ResultReport, verb: str, by: User | None, events: list[DomainEvent]
) -> ResultReport:
    """Make the report count from now on."""
    report.state = S.CONFIRMED
    report.save(update_fields=["state"])
    payload = {"version": report.version, "score": report.body["score"]}
    changes = {"finished_at": timezone.now()}
    act(match, verb, by, reason=report.reason, changes=changes, payload=payload, later=events)
    put_on_seats(match, report)
    take_back_no_shows(match, by, events)
    events.append(MatchConfirmed(match.stage.tournament.channel, match=str(match.uuid)))
    return report


def take_back_no_shows(match: Match, by: User | None, events: list[DomainEvent]) -> None:
    """Take back the no-shows of those who came to this match. events: takes what is to be published."""
    for entry, n in withdraw_no_shows(match):
        after = {"entry": str(entry.uuid), "name": entry.player.name, "n": n}
        audit(NoShowWithdrawn, f"entry:{entry.uuid}", actor=by, channel=entry.tournament.channel, after=after)
        events.append(NoShowWithdrawn.of(entry.tournament.channel, after))


def put_on_seats(match: Match, report: ResultReport) -> None:
    """Write a confirmed report into the seats."""
    rows = match.seats.select_related("entry").order_by("index")
    Seat.objects.bulk_update(fill_seats(match, rows, report.body, spec_for(match.stage)), list(SEAT_FIELDS))
