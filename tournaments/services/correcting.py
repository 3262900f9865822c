"""Corrections of confirmed results: what would follow is shown first, then all of it is done or nothing.

A correction is a new version of the report that supersedes the old one. Rounds that were drawn from the old result
stay as they were drawn (they were right when drawn), and the preview names their tables.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from bots.journal import Note, audit, tell
from engine.record import canonical
from tournaments.errors import TournamentError
from tournaments.jobs import books, folding, planning
from tournaments.jobs.reports import Claim, body_from, hash_of
from tournaments.jobs.results import result_of
from tournaments.jobs.transitions import RULERS, label, may
from tournaments.models import Match, ResultReport, Seat
from tournaments.services.reasons import written_reason
from tournaments.services.reporting import Hand, correct_body, fold, locked, report_of, sides_of
from tournaments.services.undoing_notes import undoable
from tournaments.standings.table import Table, value_to_json

LATER_SHOWN: Final = 50


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
        """Whether anything that is shown would be different."""
        return (self.rank_before, self.figure_before) != (self.rank_after, self.figure_after)


@dataclass(frozen=True, slots=True)
class Correction:
    """What would follow. later: tables of later rounds with somebody of this table, kept as drawn."""

    match: Match
    old: ResultReport
    body: dict[str, Any]
    moves: tuple[Move, ...]
    later: tuple[Match, ...]
    hash: str


def preview_correction(*, match: Match, by: User, claim: Claim | None = None, version: int | None = None) -> Correction:
    """What would follow from other figures (claim), or from an earlier version of the report. Changes nothing.

    Raises TournamentError "tournament.not_organiser", "report.not_confirmed", "report.same_result",
    "report.no_version", "report.not_running", and the claim's own.
    """
    with transaction.atomic():
        return _preview(locked(match, Hand(user=by)), by, claim, version)


@undoable("correct", RULERS)
def correct_result(
    *, match: Match, by: User, reason: str, seen: str, claim: Claim | None = None, version: int | None = None
) -> ResultReport:
    """Do what was previewed. seen: its hash. All or nothing.

    Raises what `preview_correction` raises, "report.reason_needed", "report.moved" (something changed since).
    """
    said = written_reason(reason, kind="report")
    told: list[Note] = []
    with transaction.atomic():
        match = locked(match, Hand(user=by))
        correction = _preview(match, by, claim, version)
        if correction.hash != seen:
            message = _("Something changed since you looked. Look at what would follow now, then decide.")
            raise TournamentError(message, code="report.moved")
        report = correct_body(match, by, correction.body, said, told)
        before = {"version": correction.old.version, "score": correction.old.body["score"]}
        after = {"version": report.version, "score": report.body["score"], "reason": said}
        channel = match.stage.tournament.channel
        audit("match.correct", label(match), actor=by, channel=channel, before=before, after=after)
        tell(*told)
    fold(match)
    return report


def _preview(match: Match, by: User, claim: Claim | None, version: int | None) -> Correction:
    may(match.stage.tournament, by, RULERS, "correct")
    old = ResultReport.objects.filter(match=match, state=ResultReport.State.CONFIRMED).first()
    if match.state != Match.State.CONFIRMED or old is None:
        message = _("Only a confirmed result can be corrected. Enter or rule this one.")
        raise TournamentError(message, code="report.not_confirmed")
    body = _body(match, claim, version)
    if hash_of(body) == old.hash:
        message = _("These are the figures that count already, so nothing would change.")
        raise TournamentError(message, code="report.same_result")
    before, after = _tables(match, body)
    later = _later(match)
    return Correction(match, old, body, _moves(match, before, after), later, _digest(old, body, before, later))


def _body(match: Match, claim: Claim | None, version: int | None) -> dict[str, Any]:
    if claim is not None:
        return body_from(claim, planning.rules_of(match.stage), sides_of(match))
    return {key: value for key, value in report_of(match, version).body.items() if key not in ("side", "key")}


def _tables(match: Match, body: dict[str, Any]) -> tuple[Table, Table]:
    """The table as it is, and as it would be: both folded from everything."""
    results = books.results_of(match.stage)
    seats = Seat.objects.filter(match=match).select_related("entry").order_by("index")
    own = result_of(match, seats, body, legs=1)
    changed = [replace(own, legs=each.legs) if each.match == own.match else each for each in results]
    return folding.fold_stage(match.stage, results=results), folding.fold_stage(match.stage, results=changed)


def _moves(match: Match, before: Table, after: Table) -> tuple[Move, ...]:
    named = match.stage.stage_entries.values_list("entry__uuid", "entry__player__name")
    names = {str(uuid): name for uuid, name in named}
    old = {row.entry: row for row in before.rows}
    return tuple(
        Move(names[row.entry], old[row.entry].rank, row.rank, _figure(old[row.entry]), _figure(row))
        for row in after.rows
    )


def _figure(row: Any) -> str:
    return str(value_to_json(row.key[0])) if row.key else ""


def _later(match: Match) -> tuple[Match, ...]:
    if match.round is None:
        return ()
    rows = Match.objects.filter(stage=match.stage, round__number__gt=match.round.number)
    rows = rows.filter(seats__entry__in=match.seats.values("entry")).exclude(state=Match.State.VOID).distinct()
    return tuple(rows.select_related("round").order_by("round__number", "table_no")[:LATER_SHOWN])


def _digest(old: ResultReport, body: dict[str, Any], before: Table, later: tuple[Match, ...]) -> str:
    seen = {
        "report": old.pk,
        "body": hash_of(body),
        "standings": before.input_hash,
        "later": [[str(row.uuid), row.state] for row in later],
    }
    return hashlib.sha256(canonical(seen)).hexdigest()[:32]
