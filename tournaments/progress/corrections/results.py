"""Corrections of confirmed results: what would follow is shown first, then all of it is done or nothing.

A correction is a new version of the report that supersedes the old one; what follows from it is in `cascade`.
The preview does all of it and takes it back, so what it lists is what then changes.

Where a bracket's match was drawn from a result that is corrected now, the question stays on the match's page: keep it
though others belong in it, or play it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.matches import MatchPlayedAgain, ResultCorrected
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import ORGANISERS, RULERS, label, may
from tournaments.lifecycle.values import written_reason
from tournaments.matches.report_bodies import Claim, hash_of
from tournaments.models import Entry, Match, ResultReport, Stage, Standing, Tournament
from tournaments.progress.corrections import affected
from tournaments.progress.corrections.affected import Affected
from tournaments.progress.corrections.cascade import CHOICES, KEEP, REDO, follow, play_again_from, refold, sign_again
from tournaments.scores.actions import body_of, correct_body, still_drawn
from tournaments.scores.reports import report_of
from tournaments.standings import ledger_cache, store
from tournaments.standings.brackets import Place, places_of
from tournaments.undo.recorder import undoable

LATER_SHOWN: Final = 50
T = Tournament.State
CORRECTABLE: Final = (T.RUNNING, T.PAUSED, T.FINISHED)


@dataclass(frozen=True, slots=True)
class Move:
    """One row of the table, before and after; figure: the first one that ranks, as exact text."""

    name: str
    rank_before: int
    rank_after: int
    figure_before: str
    figure_after: str

    @property
    def changes(self) -> bool:
        """True if anything that is shown would be different."""
        return (self.rank_before, self.figure_before) != (self.rank_after, self.figure_after)


@dataclass(frozen=True, slots=True)
class Correction:
    """Preview of a correction. moves: the whole table of the stage. changes: every row of the event that would differ.

    then: what becomes of things that people have begun already ("keep", "redo"). later: tables of later rounds with
    somebody of this table that stay as they are.
    """

    match: Match
    old: ResultReport
    body: dict[str, Any]
    moves: tuple[Move, ...]
    changes: tuple[Affected, ...]
    later: tuple[Match, ...]
    then: str
    hash: str

    @property
    def others(self) -> tuple[Affected, ...]:
        """Changes besides this table and the standings: tables, rounds, stages, who goes on."""
        number = self.match.round.number if self.match.round else 0
        own = (affected.TABLE, self.match.stage.order, number, self.match.table_no or 0)
        return tuple(
            row
            for row in self.changes
            if row.kind != affected.STANDING and (row.kind, row.stage, row.round, row.table) != own
        )


def preview_correction(
    *, match: Match, by: User, claim: Claim | None = None, version: int | None = None, then: str = KEEP
) -> Correction:
    """Show what would follow from other figures (claim), or from an earlier version of the report. Changes nothing.

    then: "keep" what people have begun as it was drawn, or "redo" it. Raises TournamentError
    "tournament.not_organiser", "report.not_confirmed", "report.same_result", "report.no_version",
    "report.not_running", "report.bad_then", and the claim's own.
    """
    events: list[DomainEvent] = []
    # The ledger cache lives in this process and knows no rollback: it is put back to what it was by hand.
    with ledger_cache.as_they_were(_stages(match)), transaction.atomic():
        found, _report = _corrected(match, by, claim, version, "", then, events)
        transaction.set_rollback(True)
    return found


def _stages(match: Match) -> list[UUID]:
    """Return all stages of its event, for their ledgers."""
    return list(Stage.objects.filter(tournament=match.stage.tournament_id).values_list("uuid", flat=True))


@undoable("correct", RULERS)
def correct_result(
    *,
    match: Match,
    by: User,
    reason: str,
    seen: str,
    claim: Claim | None = None,
    version: int | None = None,
    then: str = KEEP,
) -> ResultReport:
    """Do what was previewed. seen: its hash. All or nothing.

    Raises what `preview_correction` raises, "report.reason_needed", "report.moved" (something changed since).
    """
    reason = written_reason(reason, kind="report")
    events: list[DomainEvent] = []
    try:
        with transaction.atomic():
            correction, report = _corrected(match, by, claim, version, reason, then, events)
            # The same work as the preview, so an equal hash means that what was shown is what has been done.
            if correction.hash != seen:
                message = _("Something changed in the meantime. Check the consequences again, then decide.")
                raise TournamentError(message, code="report.moved")
            _write_down(correction, report, by, reason)
            publish(*events)
    except BaseException:
        ledger_cache.discard(_stages(match))  # what was folded is not stored
        raise
    return report


def _write_down(correction: Correction, report: ResultReport, by: User, reason: str) -> None:
    match, event = correction.match, correction.match.stage.tournament
    before = {"version": correction.old.version, "score": correction.old.body["score"]}
    after: dict[str, Any] = {"version": report.version, "score": report.body["score"], "reason": reason}
    if correction.others:
        after |= {"then": correction.then, "rows": len(correction.changes)}
    audit(ResultCorrected, label(match), actor=by, channel=event.channel, before=before, after=after)
    if event.state == T.FINISHED:
        sign_again(event, by, reason)


def _corrected(
    match: Match, by: User, claim: Claim | None, version: int | None, reason: str, then: str, events: list[DomainEvent]
) -> tuple[Correction, ResultReport]:
    """Do all of it. Needs a transaction; a preview rolls it back."""
    match = _locked(match, by, then)
    event = match.stage.tournament
    old = ResultReport.objects.filter(match=match, state=ResultReport.State.CONFIRMED).first()
    if match.state != Match.State.CONFIRMED or old is None:
        message = _("You can only correct a confirmed result. Enter or rule this one.")
        raise TournamentError(message, code="report.not_confirmed")
    body = _body(match, claim, version, old)
    if hash_of(body) == old.hash:
        message = _("These figures already count, so nothing would change.")
        raise TournamentError(message, code="report.same_result")
    before, rows = affected.rows_of(event), _table(match.stage)
    report = correct_body(match, by, body, reason, events)
    _fold(match.stage, events)
    follow(match, by, then, events)
    # Once more only if something has followed: a correction of a Swiss that nothing hangs on costs one fold.
    if events or then == REDO or match.stage.format.ranks_by_bracket:
        _fold(match.stage, events)
    changes = affected.between(before, affected.rows_of(event))
    digest = affected.digest(changes, str(old.pk), hash_of(body), then)
    found = Correction(match, old, body, _moves(rows, _table(match.stage)), changes, _later(match), then, digest)
    return found, report


def _fold(stage: Stage, events: list[DomainEvent]) -> None:
    """Publish, then fold: the ledgers read what has changed from the event's channel."""
    publish(*events)
    events.clear()
    refold(stage)


def _locked(match: Match, by: User, then: str) -> Match:
    """Lock the event and then its matches, and return the match if this person may correct it now."""
    if then not in CHOICES:
        message = _("Choose whether to keep the tables that people have begun or to play them again.")
        raise TournamentError(message, code="report.bad_then", extra={"allowed": list(CHOICES)})
    # The order of all acts on results: the event first, its matches in the order of keys after it.
    locks.lock_standings(match.stage.tournament)
    others = Match.objects.select_for_update(of=("self",)).filter(stage__tournament=match.stage.tournament_id)
    list(others.order_by("pk").values_list("pk"))  # all at once: what follows may change any of them
    found = Match.objects.select_for_update(of=("self",)).select_related("stage__tournament", "stage__ruleset", "round")
    row = still_drawn(found, match)
    event = row.stage.tournament
    may(event, by, ORGANISERS if event.state == T.FINISHED else RULERS, "correct")
    if not event.is_of_people or row.deal_set_id is not None:
        raise TournamentError(_("Bots play this match; its result will appear automatically."), code="report.of_bots")
    if event.state not in CORRECTABLE or row.stage.state not in (Stage.State.ACTIVE, Stage.State.CLOSED):
        message = _("The event is not running, so nobody can correct results. Ask the organiser.")
        raise TournamentError(message, code="report.not_running")
    return row


def _body(match: Match, claim: Claim | None, version: int | None, old: ResultReport) -> dict[str, Any]:
    """Return other figures, or those of a version.

    What followed a level match stays if the new figures are level, too.
    """
    if claim is not None:
        body = body_of(match, claim)
        is_level = len(set(body["rank"])) < len(body["rank"])
        return body | {name: old.body[name] for name in ("extra", "decided") if is_level and name in old.body}
    return {key: value for key, value in report_of(match, version).body.items() if key not in ("side", "key")}


def _table(stage: Stage) -> dict[str, tuple[str, int, str]]:
    """Return the stored table: by entry name, rank and first figure."""
    rows = Standing.objects.filter(stage=stage, after_round=store.NOW).order_by("row")
    listed = rows.values_list("entry__uuid", "entry__player__name", "rank", "key")
    return {str(uuid): (name, rank, str(key[0]) if key else "") for uuid, name, rank, key in listed}


def _moves(before: dict[str, tuple[str, int, str]], after: dict[str, tuple[str, int, str]]) -> tuple[Move, ...]:
    return tuple(
        Move(name, before.get(entry, ("", rank, figure))[1], rank, before.get(entry, ("", rank, figure))[2], figure)
        for entry, (name, rank, figure) in after.items()
    )


def _later(match: Match) -> tuple[Match, ...]:
    if match.round is None:
        return ()
    rows = Match.objects.filter(stage=match.stage, round__number__gt=match.round.number)
    # Joined through the seats, a table with two of them would come twice.
    rows = rows.filter(seats__entry__in=match.seats.values("entry")).exclude(state=Match.State.VOID).distinct()
    return tuple(rows.select_related("round").order_by("round__number", "table_no")[:LATER_SHOWN])


def who_belongs(match: Match) -> tuple[str, ...]:
    """Return the names of those who belong in a match by the results now; none if they sit there already."""
    place = _misplaced(match)
    if place is None:
        return ()
    rows = Entry.objects.filter(uuid__in=place.due.entries).order_by("seed")
    names = tuple(rows.values_list("player__name", flat=True))
    return names or (_("nobody: it is not needed, or an earlier match is open"),)


def _misplaced(match: Match) -> Place | None:
    stage = match.stage
    if not stage.format.is_bracket or stage.state != Stage.State.ACTIVE or match.round is None:
        return None
    # Only from round 2 on: the first round of a bracket is fed by no match.
    if match.round.number < 2 or match.state == Match.State.VOID:
        return None
    spot = (match.round.number, match.table_no)
    return next((each for each in places_of(stage) if (each.round, each.pod.table) == spot and not each.is_right), None)


@undoable("play_again", RULERS)
def play_again(*, match: Match, by: User, reason: str) -> None:
    """Cancel a match that others belong in by now, and all that it fed; the next draw has them again.

    Raises TournamentError "tournament.not_organiser", "report.reason_needed", "match.not_misplaced" (those sit there
    who belong there, or it is done already).
    """
    reason = written_reason(reason, kind="report")
    events: list[DomainEvent] = []
    with transaction.atomic():
        event = match.stage.tournament
        locks.lock_standings(event)
        may(event, by, RULERS, "play_again")
        rows = Match.objects.select_for_update(of=("self",)).filter(stage__tournament=event)
        # Every match of the event, in the order of keys: none of them changes while it is worked out what follows.
        list(rows.order_by("pk").values_list("pk"))
        match = still_drawn(Match.objects.select_related("stage__tournament", "stage__ruleset", "round"), match)
        place = _misplaced(match)
        if place is None:
            message = _("The right players already sit here, so the table stays. Reload the page.")
            raise TournamentError(message, code="match.not_misplaced")
        audit(MatchPlayedAgain, label(match), actor=by, channel=event.channel, after={"reason": reason})
        play_again_from(match, place, by, events)
        publish(*events)
        refold(match.stage)
