"""Results of tables: one side reports, another confirms or objects, anyone who runs the event enters or decides.

Anyone who sits at a table has no account: their slip says which side they are (`scores.slips`), and the views pass that
on. Everything that a side does is safe to send twice. Reports are append-only; at most one of a match is confirmed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import publish
from core.errors import TournamentError
from tournaments.domain_events.matches import ResultCorrected
from tournaments.lifecycle import locks
from tournaments.lifecycle.signals import results_changed
from tournaments.lifecycle.transitions import ORGANISERS, RULERS, SCORERS, act, may
from tournaments.lifecycle.values import written_reason
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.report_bodies import Claim, body_from, hash_of
from tournaments.models import Match, ResultReport, Stage, Tournament
from tournaments.pairing.lineups_query import empty_sides
from tournaments.scores.reports import (
    OPEN_REPORTS,
    confirm_report,
    make_reported,
    put_on_seats,
    reject_open,
    report_of,
    write_report,
)
from tournaments.scores.sides import reported_by_side, require_open
from tournaments.undo.recorder import undoable

M, S = Match.State, ResultReport.State
KEY_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Actor:
    """The one who acts: an account (organiser or scorer), or a side at the table by its slip."""

    user: User | None = None
    side: int | None = None


@undoable("enter", SCORERS)
def submit_result(*, match: Match, actor: Actor, claim: Claim, key: str = "") -> ResultReport:
    """Take the result that a side (or a scorer) sends; the same one sent twice is one report.

    From a side it waits for another side: the other side's same result confirms it, a different one is a dispute, the
    same side's next one replaces it. From a scorer it counts at once. key: names this very sending.

    Raises TournamentError "report.*" (see `matches.report_bodies`), "report.not_called", "report.round_locked",
    "report.already_confirmed", "report.too_many", "report.void", "report.not_running", "report.draw_gone",
    "report.key_reused", "tournament.not_organiser".
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        report, is_new = take_result(match, actor, claim, key, events)
        # Last in the transaction: publishing locks the channel of the event, for which every other table waits.
        publish(*events)
    # A form that was sent twice has nothing to fold.
    if is_new:
        fold(match)
    return report


def take_result(
    match: Match, actor: Actor, claim: Claim, key: str, events: list[DomainEvent]
) -> tuple[ResultReport, bool]:
    """Do what `submit_result` does to the match alone; also return whether it was news. For callers that enter several.

    Needs a transaction; the caller publishes `events` and folds once. Raises what `submit_result` raises.
    """
    match = locked(match, actor)
    body = body_of(match, claim)
    sender = {"side": actor.side, "key": key[:KEY_LENGTH]}
    # Before any check of states: a phone that never saw our answer sends again, and the table may have moved on by
    # then.
    before = sent_before(match, actor, key, body)
    if before is not None:
        return before, False
    if actor.user is not None:
        return _entered(match, actor.user, body | sender, events), True
    return reported_by_side(match, actor.side, body | sender, events), True


def locked(match: Match, actor: Actor, *, may_be_over: bool = False) -> Match:
    """Lock the event and then the match's row, and return the match if this actor may act on it at all.

    may_be_over: so may an organiser once its stage is signed, as they may correct it then.
    Raises TournamentError "report.draw_gone", "tournament.not_organiser", "report.of_bots", "report.not_running".
    """
    # The event before the match, as every act on results takes them: two acts on one table wait, and never crosswise.
    locks.lock_standings(match.stage.tournament)
    found = Match.objects.select_for_update(of=("self",)).select_related("stage__tournament", "stage__ruleset", "round")
    row = still_drawn(found, match)
    event = row.stage.tournament
    if actor.user is not None:
        may(event, actor.user, SCORERS, "report")
    if not event.is_of_people or row.deal_set_id is not None:
        raise TournamentError(_("Bots play this match; its result will appear automatically."), code="report.of_bots")
    if may_be_over and actor.user is not None and row.stage.state == Stage.State.CLOSED:
        may(event, actor.user, ORGANISERS if event.state == Tournament.State.FINISHED else RULERS, "report")
        is_on = event.state in (Tournament.State.RUNNING, Tournament.State.PAUSED, Tournament.State.FINISHED)
    else:
        is_on = event.state in (Tournament.State.RUNNING, Tournament.State.PAUSED)
        is_on = is_on and row.stage.state == Stage.State.ACTIVE
    if not is_on:
        message = _("The event is not running, so nobody can enter results. Ask the organiser.")
        raise TournamentError(message, code="report.not_running")
    return row


def still_drawn(rows: QuerySet[Match], match: Match) -> Match:
    """Return the match as it is once its event is locked.

    Raises TournamentError "report.draw_gone": it was undone meanwhile.
    """
    # `match` was read before the lock, so its draw may have been taken back between the two.
    row = rows.filter(pk=match.pk).first()
    if row is None:
        message = _("The draw of this table was undone, so there is nothing to report. Look for your new table.")
        raise TournamentError(message, code="report.draw_gone")
    return row


def body_of(match: Match, claim: Claim) -> dict[str, Any]:
    """Build the body of a report of a match; a side whose board is empty did not come. Raises "report.*"."""
    absent = tuple(sorted({*claim.absent, *empty_sides(match)}))
    return body_from(replace(claim, absent=absent), rules_of(match.stage), sides_of(match))


def sides_of(match: Match) -> list[int]:
    """Return the side of every seat, in seat order."""
    return list(match.seats.order_by("index").values_list("side", flat=True))


def sent_before(match: Match, actor: Actor, key: str, body: Mapping[str, Any]) -> ResultReport | None:
    """Return the report that this very sending, or the same side with the same result, has made already.

    Raises TournamentError "report.key_reused". Needs the event's lock.
    """
    same = hash_of(body)
    for report in ResultReport.objects.filter(match=match).order_by("-version"):
        if report.body.get("side") != actor.side or (actor.user is not None and report.by_id != actor.user.pk):
            continue
        # Rejected and superseded reports are over: the same figures sent again after them are a new claim.
        if report.hash == same and report.state in (*OPEN_REPORTS, S.CONFIRMED):
            return report
        if key and report.body.get("key") == key:
            message = _("This form was already sent with other figures. Reload the page and check the result.")
            raise TournamentError(message, code="report.key_reused")
    return None


def _entered(match: Match, by: User, body: dict[str, Any], events: list[DomainEvent]) -> ResultReport:
    """Take a scorer's result, which counts at once and rejects what sides said before. Disputes are for arbiters."""
    if match.state == M.CONFIRMED:
        message = _("The result is already confirmed. Correct it instead: you see the consequences first.")
        raise TournamentError(message, code="report.already_confirmed")
    if match.state in (M.VOID, M.PENDING):
        raise TournamentError(
            _("This match is not being played. Reload the page to see its state."), code="report.void"
        )
    if match.state == M.DISPUTED:
        return _ruled(match, by, body, "", events)
    # A scorer may enter a table that nobody called; the states in between are passed through, each with its log line.
    if match.state == M.READY:
        act(match, "call", None, later=events)
    if match.state in (M.CALLED, M.PLAYING):
        make_reported(match, events)
    # Before the new report is written, or it would be rejected with them.
    reject_open([match.pk], by)
    return confirm_report(match, write_report(match, body, S.SUBMITTED, by), "accept", by, events)


@undoable("accept", SCORERS)
def accept_result(*, match: Match, actor: Actor, version: int | None = None) -> ResultReport:
    """Accept, as another side (or a scorer), the reported result. Accepting twice changes nothing.

    version: of the report that they have seen, so that nobody agrees with another one that came since; None: whichever
    waits. Raises TournamentError "report.own" (their own report), "report.nothing_reported", "report.moved", and as
    `submit_result`.
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        report = take_acceptance(match, actor, version, events)
        publish(*events)
    if events:
        fold(match)
    return report


def take_acceptance(match: Match, actor: Actor, version: int | None, events: list[DomainEvent]) -> ResultReport:
    """Do what `accept_result` does to the match alone, for callers that accept several; as `take_result`."""
    match = locked(match, actor)
    # Agreed twice, or both sides in one second: the row lock let the first one in, the second finds its work done.
    if match.state == M.CONFIRMED:
        return ResultReport.objects.get(match=match, state=S.CONFIRMED)
    first = _reported(match, actor)
    if version not in (None, first.version):
        message = _("Somebody reported another result in the meantime. Check it, then say whether it is right.")
        raise TournamentError(message, code="report.moved")
    return confirm_report(match, first, "accept", actor.user, events)


def _reported(match: Match, actor: Actor) -> ResultReport:
    if actor.user is None:
        require_open(match)
    if match.state != M.REPORTED:
        message = _("No report is waiting for an answer. Reload the page.")
        raise TournamentError(message, code="report.nothing_reported")
    first = ResultReport.objects.filter(match=match, state=S.SUBMITTED).order_by("-version")[0]
    if actor.side is not None and first.body.get("side") == actor.side:
        message = _("This is your own report: the other side or the organiser confirms it.")
        raise TournamentError(message, code="report.own")
    return first


@undoable("dispute", SCORERS)
def dispute_result(*, match: Match, actor: Actor) -> ResultReport:
    """Object, as another side (or a scorer), to the reported result, without figures of one's own.

    Raises as `accept_result`.
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        match = locked(match, actor)
        # A second objection is the first one sent again.
        if match.state == M.DISPUTED:
            return ResultReport.objects.filter(match=match, state=S.DISPUTED).order_by("-version")[0]
        first = _reported(match, actor)
        first.state = S.DISPUTED
        first.save(update_fields=["state"])
        act(match, "dispute", actor.user, payload={"side": actor.side}, later=events)
        publish(*events)
    return first


@undoable("rule", RULERS)
def rule_result(
    *, match: Match, by: User, claim: Claim | None = None, version: int | None = None, reason: str
) -> ResultReport:
    """Decide a dispute as an arbiter: one of the versions, or figures of one's own. Everybody reads the reason.

    Raises TournamentError "tournament.not_organiser", "report.reason_needed", "report.not_disputed",
    "report.no_version", and the claim's own.
    """
    reason = written_reason(reason, kind="report")
    events: list[DomainEvent] = []
    with transaction.atomic():
        match = locked(match, Actor(user=by))
        # `locked` asks for a scorer; a dispute takes a higher role.
        may(match.stage.tournament, by, RULERS, "rule")
        if match.state != M.DISPUTED:
            message = _("Nobody disputes this result any more. Reload the page to see its state.")
            raise TournamentError(message, code="report.not_disputed")
        if claim is not None:
            body = body_of(match, claim)
        else:
            body = dict(report_of(match, version).body)
        report = _ruled(match, by, body | {"side": None, "key": ""}, reason, events)
        publish(*events)
    fold(match)
    return report


def _ruled(match: Match, by: User, body: dict[str, Any], reason: str, events: list[DomainEvent]) -> ResultReport:
    # Asked here, too: a scorer who enters a disputed table arrives without `rule_result`.
    may(match.stage.tournament, by, RULERS, "rule")
    reject_open([match.pk], by)
    return confirm_report(match, write_report(match, body, S.SUBMITTED, by, reason), "rule", by, events)


def correct_body(match: Match, by: User, body: dict[str, Any], reason: str, events: list[DomainEvent]) -> ResultReport:
    """Replace the confirmed version with a new one. Needs the match's lock; see `progress.corrections`."""
    # First: the database allows one confirmed report of a match at any moment.
    ResultReport.objects.filter(match=match, state=S.CONFIRMED).update(state=S.SUPERSEDED)
    report = write_report(match, body | {"side": None, "key": ""}, S.CONFIRMED, by, reason)
    put_on_seats(match, report)
    events += [
        ResultCorrected(
            channel, match=str(match.uuid), version=report.version, reason=reason, score=report.body["score"]
        )
        for channel in (match.stage.tournament.channel, match.channel)
    ]
    return report


def fold(match: Match) -> None:
    """Send the signal on which standings and rounds follow at once: nobody waits for a worker at a club night."""
    results_changed.send(sender=Match, channel=match.stage.tournament.channel)
