"""Results as the sides at a table report them: first, same again, other figures, and a slip of one's own put right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from activity.domain_events import DomainEvent
from core.errors import TournamentError
from tournaments.domain_events.matches import ReportReplaced
from tournaments.lifecycle.transitions import act
from tournaments.matches.report_bodies import hash_of
from tournaments.models import Match, ResultReport, Round
from tournaments.scores.reports import OPEN_REPORTS, confirm_report, make_reported, write_report

M, S = Match.State, ResultReport.State
MAX_REPORTS: Final = 40
"""Versions of one table's result that sides may send; reports are never deleted, so somebody could fill the disk."""


def reported_by_side(match: Match, side: int | None, body: dict[str, Any], events: list[DomainEvent]) -> ResultReport:
    """Do what a side's result leads to in each state. Needs the match's lock.

    A side that reported already replaces its own report until somebody confirms the result; an objector may give
    figures. Where two sides then agree after all, their result counts. Raises "report.*".
    """
    _require_hall(match)
    require_open(match)
    if match.state in (M.CALLED, M.PLAYING):
        make_reported(match, events, side=side)
        return write_report(match, body, S.SUBMITTED)
    reports = list(ResultReport.objects.filter(match=match, state__in=OPEN_REPORTS).order_by("version"))
    own = next((each for each in reports if each.body.get("side") == side), None)
    others = [each for each in reports if each is not own]
    _require_few(match)
    if own is not None:
        own.state = S.SUPERSEDED
        own.save(update_fields=["state"])
    if agreed := _agreed(match, others, body):
        return confirm_report(match, agreed, "accept", None, events)
    return _objected(match, own, others, body, events)


def _require_hall(match: Match) -> None:
    if match.stage.is_on_site:
        message = _("This match is played on this site: its record confirms the result, and nobody reports it.")
        raise TournamentError(message, code="report.on_site")


def _agreed(match: Match, others: Sequence[ResultReport], body: dict[str, Any]) -> ResultReport | None:
    """Return the report of another side with the same result, if that settles it."""
    # In a dispute of more than two sides a third one may still disagree, with figures or without.
    if match.state == M.DISPUTED and match.seats.values("side").distinct().count() > 2:
        return None
    return next((each for each in others if each.hash == hash_of(body)), None)


def _objected(
    match: Match,
    own: ResultReport | None,
    others: Sequence[ResultReport],
    body: dict[str, Any],
    events: list[DomainEvent],
) -> ResultReport:
    """Write a result that no other side has reported."""
    if match.state == M.REPORTED and own is None:
        ResultReport.objects.filter(pk__in=[each.pk for each in others]).update(state=S.DISPUTED)
        act(match, "dispute", None, payload={"side": body.get("side")}, later=events)
        return write_report(match, body, S.DISPUTED)
    events += [
        ReportReplaced(channel, match=str(match.uuid)) for channel in (match.stage.tournament.channel, match.channel)
    ]
    return write_report(match, body, S.SUBMITTED if match.state == M.REPORTED else S.DISPUTED)


def _require_few(match: Match) -> None:
    if ResultReport.objects.filter(match=match).count() >= MAX_REPORTS:
        message = _("This result was changed too often. The organiser decides: tell them what happened.")
        raise TournamentError(message, code="report.too_many")


def require_open(match: Match) -> None:
    """Raise the refusal of a side's result in this state, if there is one."""
    if match.round is not None and match.round.state == Round.State.LOCKED:
        message = _("The next round is drawn, so this one is closed. Ask the organiser for a correction.")
        raise TournamentError(message, code="report.round_locked")
    messages = {
        M.READY: ("not_called", _("This table is not called yet. Wait for the organiser to call the round.")),
        M.PENDING: ("not_called", _("This table is not called yet. Wait for the organiser to call the round.")),
        M.CONFIRMED: ("already_confirmed", _("The result is confirmed. If it is wrong, ask for a correction.")),
        M.VOID: ("void", _("This match was cancelled and counts for nobody. Ask the organiser what to play.")),
    }
    wrong = messages.get(M(match.state))
    if wrong is not None:
        raise TournamentError(wrong[1], code=f"report.{wrong[0]}")
