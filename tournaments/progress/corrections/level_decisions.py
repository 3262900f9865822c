"""A knock-out match of people that ended level: an extra deal, the word of an arbiter, or lots that are shown.

The match stays confirmed as it was played; each decision is a new version of its report that says what followed
(`extra`, `decided` in its body). The points of an extra deal decide who goes on and are in no total. Sides report an
extra deal as they report a match: one reports, another accepts. No tie is broken in silence: the round waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.matches import ExtraDealDisputed, ExtraDealReported, LevelMatchDecided
from tournaments.lifecycle.transitions import RULERS, SCORERS, label, may
from tournaments.lifecycle.values import written_reason
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.report_bodies import Claim, body_from, hash_of
from tournaments.models import Match, ResultReport, Stage, Tournament
from tournaments.progress.corrections.cascade import KEEP, follow, refold, sign_again
from tournaments.scores.actions import (
    KEY_LENGTH,
    Actor,
    fold,
    locked,
    sides_of,
)
from tournaments.scores.reports import OPEN_REPORTS, put_on_seats, reject_open, write_report
from tournaments.standings import level_matches
from tournaments.standings.level_matches import LOTS, RULING, Level
from tournaments.undo.recorder import undoable

S = ResultReport.State
# Extra deals that a report holds; after them somebody has to say who won.
MAX_EXTRA: Final = 20


@undoable("enter_extra", SCORERS)
def submit_extra(*, match: Match, actor: Actor, claim: Claim, key: str = "") -> ResultReport:
    """Take what a side (or a scorer) reports of an extra deal; the same sent twice is one report.

    claim: of one deal; absent: the sides that did not play it. From a scorer it counts at once, from a side once
    another one accepts; a different one is a dispute. Raises TournamentError "report.not_level", "report.extra_sides",
    "report.extra_most", "report.already_reported", "report.in_dispute", "report.key_reused", and what
    `scores.actions.submit_result` raises of the figures and of who may act.
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        match = locked(match, actor, may_be_over=True)
        # By its key alone: two extra deals may end with the same figures, so equal figures are no sign of a second
        # sending.
        before = _sent_before(match, actor, key)
        if before is not None:
            return before
        waits = _level(match)
        body = _with_extra(match, waits, claim) | {"side": actor.side, "key": key[:KEY_LENGTH]}
        if actor.user is not None:
            report = _counts(match, write_report(match, body, S.SUBMITTED, actor.user), actor.user, events)
            _follow(match, actor.user, "", events)
        else:
            report = _reported_by_side(match, body, events)
        publish(*events)
    fold(match)
    return report


@undoable("accept_extra", SCORERS)
def accept_extra(*, match: Match, actor: Actor, version: int | None = None) -> ResultReport:
    """Accept, as another side (or a scorer), a reported extra deal. Accepting twice changes nothing.

    version: of the report that they have seen. Raises TournamentError "report.nothing_reported", "report.own",
    "report.moved", and as `submit_extra`.
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        match = locked(match, actor)
        counting = _counting(match)
        # The report that counts already is the one they saw: a click that came twice.
        if version is not None and counting.version == version:
            return counting
        first = _open_report(match, S.SUBMITTED)
        if first is None:
            message = _("No report is waiting for an answer. Reload the page.")
            raise TournamentError(message, code="report.nothing_reported")
        if actor.side is not None and first.body.get("side") == actor.side:
            message = _("This is your own report: the other side or the organiser confirms it.")
            raise TournamentError(message, code="report.own")
        # An extra deal is a version of the result before it; if that was corrected since, the deal hangs in the air.
        if version not in (None, first.version) or not _follows(first, counting):
            message = _("Somebody reported another result in the meantime. Check it, then say whether it is right.")
            raise TournamentError(message, code="report.moved")
        report = _counts(match, first, actor.user, events)
        publish(*events)
    fold(match)
    return report


@undoable("rule_level", RULERS)
def rule_level(*, match: Match, by: User, sides: Sequence[int], reason: str) -> ResultReport:
    """Rule as an arbiter who of the level ones goes on. sides: from 0, as many as go on. Everybody reads the reason.

    Raises TournamentError "report.reason_needed", "report.not_level", "report.winner_needed",
    "tournament.not_organiser" and as `submit_extra`.
    """
    reason = written_reason(reason, kind="report")
    return _decided(match, by, reason, lambda row, waits: _ruling(row, waits, sides))


@undoable("draw_level_lots", RULERS)
def draw_level_lots(*, match: Match, by: User, reason: str = "") -> ResultReport:
    """Draw lots because somebody asked for them; what they come from is shown, so that everybody can draw them again.

    Raises TournamentError as `rule_level`.
    """
    reason = written_reason(reason, kind="report") if reason.strip() else ""
    return _decided(match, by, reason, _lots)


def _decided(match: Match, by: User, reason: str, decide: Any) -> ResultReport:
    events: list[DomainEvent] = []
    with transaction.atomic():
        match = locked(match, Actor(user=by), may_be_over=True)
        may(match.stage.tournament, by, RULERS, "rule_level")
        waits = _level(match)
        decided = decide(match, waits)
        body = _result_of(_counting(match)) | {"decided": decided, "side": None, "key": ""}
        report = _counts(match, write_report(match, body, S.SUBMITTED, by, reason), by, events)
        _follow(match, by, reason, events)
        publish(*events)
    fold(match)
    return report


def _follow(match: Match, by: User, reason: str, events: list[DomainEvent]) -> None:
    """Do what follows in a stage that is signed already: its table, those who go on from it, the signature."""
    if match.stage.state != Stage.State.CLOSED:
        return
    # Published before the fold, which reads from the event's channel what has changed.
    publish(*events)
    events.clear()
    refold(match.stage)
    follow(match, by, KEEP, events)
    if match.stage.tournament.state == Tournament.State.FINISHED:
        sign_again(match.stage.tournament, by, reason)


def _level(match: Match) -> Level:
    """Return what the match waits for. Raises "report.not_level"."""
    waits = level_matches.level_of(match)
    if waits is None:
        message = _(
            "Nothing is waiting for a decision here: the match is not over, not tied, or already decided. "
            "Reload the page."
        )
        raise TournamentError(message, code="report.not_level")
    return waits


def _counting(match: Match) -> ResultReport:
    """Return the report that counts. Raises "report.not_level"."""
    found = ResultReport.objects.filter(match=match, state=S.CONFIRMED).first()
    if found is None:
        _level(match)
        raise AssertionError("a level match has a report that counts")
    return found


def _result_of(report: ResultReport) -> dict[str, Any]:
    """Return a body without its sender."""
    return {name: value for name, value in report.body.items() if name not in ("side", "key")}


def _with_extra(match: Match, waits: Level, claim: Claim) -> dict[str, Any]:
    """The body that counts with one more extra deal."""
    body = _result_of(_counting(match))
    extra = body.get("extra", [])
    if len(extra) >= MAX_EXTRA:
        message = _("That is enough extra deals: say who won.")
        raise TournamentError(message, code="report.extra_most")
    entries = level_matches.entries_by_side(match)
    if any(side < len(entries) and entries[side] in waits.entries for side in claim.absent):
        message = _("Everybody who is tied plays the extra deal: enter their figures.")
        raise TournamentError(message, code="report.extra_sides")
    # `complete=False`: of a match of many deals this is one, so the number of deals is not checked.
    deal = body_from(replace(claim, complete=False), rules_of(match.stage).one_deal(), sides_of(match))
    # Equal places are told apart by points; equal points as well leave it level, and the next extra deal decides.
    keys = [(rank, -points) for rank, points in zip(deal["rank"], deal["score"], strict=True)]
    rank = [1 + sum(other < own for other in keys) for own in keys]
    return body | {"extra": [*extra, {"score": deal["score"], "victories": deal["victories"], "rank": rank}]}


def _ruling(match: Match, waits: Level, sides: Sequence[int]) -> dict[str, Any]:
    entries = level_matches.entries_by_side(match)
    chosen = {entries[side] for side in sides if 0 <= side < len(entries)}
    if len(chosen) != waits.room or not chosen <= set(waits.entries):
        message = _("Choose who advances: %(n)s of the tied players.") % {"n": waits.room}
        raise TournamentError(message, code="report.winner_needed")
    # Those who did not tie keep the last place here: the decision is only about the others.
    rank = [1 if entry in chosen else 2 if entry in waits.entries else len(entries) for entry in entries]
    return {"by": RULING, "rank": rank}


def _lots(match: Match, waits: Level) -> dict[str, Any]:
    seed = level_matches.lots_seed(match)
    # The lots of an entry depend on the seed and its UUID alone, not on the order in which entries are read.
    order = sorted(waits.entries, key=lambda entry: level_matches.lot_of(seed, entry))
    entries = level_matches.entries_by_side(match)
    rank = [order.index(entry) + 1 if entry in order else len(entries) for entry in entries]
    return {"by": LOTS, "rank": rank, "seed": seed}


def _sent_before(match: Match, actor: Actor, key: str) -> ResultReport | None:
    """Return the report that this very sending has made already."""
    if not key:
        return None
    rows = ResultReport.objects.filter(match=match, body__key=key[:KEY_LENGTH]).order_by("-version")
    return next((row for row in rows if row.body.get("side") == actor.side), None)


def _open_report(match: Match, *states: ResultReport.State) -> ResultReport | None:
    """Return what was reported of an extra deal and waits."""
    return ResultReport.objects.filter(match=match, state__in=states).order_by("-version").first()


def _follows(report: ResultReport, counting: ResultReport) -> bool:
    """Return whether an extra deal was reported of the very result that counts."""
    before = _result_of(report)
    before["extra"] = before.get("extra", [])[:-1]
    return before == {"extra": [], **_result_of(counting)}


def _reported_by_side(match: Match, body: dict[str, Any], events: list[DomainEvent]) -> ResultReport:
    if _open_report(match, S.DISPUTED) is not None:
        message = _("The sides disagree, so the organiser decides. Tell them what happened.")
        raise TournamentError(message, code="report.in_dispute")
    first = _open_report(match, S.SUBMITTED)
    if first is None:
        events += _news(match, ExtraDealReported, {"extra": len(body["extra"])})
        return write_report(match, body, S.SUBMITTED)
    if first.body.get("side") == body["side"]:
        message = _(
            "Your side has already reported. If the result is wrong, let the other side disagree or tell the organiser."
        )
        raise TournamentError(message, code="report.already_reported")
    if first.hash == hash_of(body):
        return _counts(match, first, None, events)
    ResultReport.objects.filter(match=match, state__in=OPEN_REPORTS).update(state=S.DISPUTED)
    events += _news(match, ExtraDealDisputed, {"extra": len(body["extra"])})
    return write_report(match, body, S.DISPUTED)


def _counts(match: Match, report: ResultReport, by: User | None, events: list[DomainEvent]) -> ResultReport:
    """Make this version count from now on, so that the round may go on."""
    # First, because the database allows one confirmed report of a match.
    ResultReport.objects.filter(match=match, state=S.CONFIRMED).update(state=S.SUPERSEDED)
    report.state = S.CONFIRMED
    report.save(update_fields=["state"])
    others = ResultReport.objects.filter(match=match, state__in=OPEN_REPORTS)
    if by is not None:
        reject_open([match.pk], by)
    else:
        others.update(state=S.REJECTED)
    put_on_seats(match, report)
    decided = report.body.get("decided")
    after: dict[str, Any] = {"version": report.version}
    after |= {"decided": decided} if decided else {"extra": report.body["extra"][-1]["score"]}
    after |= {"reason": report.reason} if report.reason else {}
    audit(LevelMatchDecided, label(match), actor=by, channel=match.stage.tournament.channel, after=after)
    events += _news(match, LevelMatchDecided, after)
    return report


def _news(match: Match, topic: type[DomainEvent], details: dict[str, Any]) -> list[DomainEvent]:
    named = {"match": str(match.uuid), **details}
    return [topic.of(match.stage.tournament.channel, named), topic.of(match.channel, named)]
