"""Results that the organiser's desk enters table by table: a row of the results page, and all that were reported.

A row counts only over what it was typed beside: its fingerprint names the table as the page showed it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import publish
from core.errors import TournamentError
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import RULERS, SCORERS, may
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, ResultReport, Round, Tournament
from tournaments.scores.actions import (
    Actor,
    accept_result,
    body_of,
    fold,
    rule_result,
    sent_before,
    still_drawn,
    submit_result,
    take_acceptance,
    take_result,
)
from tournaments.scores.tables import Table, round_tables, table_of
from tournaments.undo.recorder import undoable

M = Match.State
OPEN: Final = (M.PENDING, M.READY, M.CALLED, M.PLAYING)
ENTERED, CONFIRMED, SAME = "entered", "confirmed", "same"
DIGEST_LENGTH: Final = 16


def fingerprint(table: Table) -> str:
    """Return the name of what a page shows of a table: "2.ab12…", the version that waits for an answer (0: none) first.

    A call does not change it: figures that were typed before the call stay valid.
    """
    waiting = waiting_report(table)
    shown = [
        "open" if table.match.state in OPEN else str(table.match.state),
        *(f"{each.version} {each.state} {each.hash}" for each in table.open_reports),
        *(f"{side.name} {side.points} {side.victories} {side.outcome}" for side in table.sides),
    ]
    digest = hashlib.sha256("\n".join(shown).encode()).hexdigest()[:DIGEST_LENGTH]
    return f"{waiting.version if waiting else 0}.{digest}"


def waiting_report(table: Table) -> ResultReport | None:
    """Return what one side reported and no other has answered."""
    if table.match.state != M.REPORTED:
        return None
    return next((each for each in table.reports if each.state == ResultReport.State.SUBMITTED), None)


def enter_row(*, match: Match, by: User, claim: Claim, seen: str) -> str:
    """Enter a table's result as a scorer, over what the page showed of it. Return ENTERED, CONFIRMED or SAME.

    Figures that a side has reported confirm that report; figures that count already change nothing. seen: the
    fingerprint on the page. Raises TournamentError "row.changed" (something else happened to the table since),
    "row.disputed", and what `submit_result` raises.
    """
    with transaction.atomic():
        # Before the table is read: nothing changes between the comparison and the entry.
        locks.lock_standings(match.stage.tournament)
        may(match.stage.tournament, by, SCORERS, "report")
        now = table_of(still_drawn(Match.objects.select_related("stage__tournament"), match))
        body = body_of(now.match, claim)
        what, waiting = _outcome(now, body, seen)
        if what == CONFIRMED and waiting is not None:
            accept_result(match=now.match, actor=Actor(user=by), version=waiting.version)
        elif what == ENTERED:
            submit_result(match=now.match, actor=Actor(user=by), claim=claim)
    return what


def _outcome(now: Table, body: Mapping[str, Any], seen: str) -> tuple[str, ResultReport | None]:
    """Return what these figures do at a table, and the report that they confirm.

    Raises TournamentError "row.changed", "row.disputed".
    """
    counted = next((each for each in now.reports if each.state == ResultReport.State.CONFIRMED), None)
    if counted is not None and same_figures(body, counted.body):
        return SAME, None
    waiting = waiting_report(now)
    if waiting is not None and same_figures(body, waiting.body):
        return CONFIRMED, waiting
    _require_unchanged(now, counted, seen)
    return ENTERED, None


@dataclass(frozen=True, slots=True)
class FilledRow:
    """A row of the results page as it was sent. seen: the fingerprint that it was typed beside."""

    match: Match
    claim: Claim
    seen: str


@undoable("enter_rows", SCORERS)
def enter_rows(*, tournament: Tournament, by: User, rows: Sequence[FilledRow]) -> list[str | TournamentError]:
    """Enter several tables of an event at once; return of each what `enter_row` returns, or its refusal, which leaves
    the others alone. All of it is one act, and standings follow once: a hall of 150 tables would wait for 150 of them.

    Raises TournamentError "tournament.not_organiser".
    """
    found: list[str | TournamentError] = []
    events: list[DomainEvent] = []
    with transaction.atomic():
        locks.lock_standings(tournament)
        may(tournament, by, SCORERS, "report")
        for row in rows:
            before = len(events)
            try:
                with transaction.atomic():  # a savepoint: what is refused writes nothing
                    found.append(_taken(row, by, events))
            except TournamentError as refusal:
                del events[before:]
                found.append(refusal)
        publish(*events)
    if events:
        fold(rows[0].match)
    return found


def _taken(row: FilledRow, by: User, events: list[DomainEvent]) -> str:
    """Enter one of several rows. Needs the event's lock."""
    now = table_of(still_drawn(Match.objects.select_related("stage__tournament"), row.match))
    what, waiting = _outcome(now, body_of(now.match, row.claim), row.seen)
    if what == CONFIRMED and waiting is not None:
        take_acceptance(now.match, Actor(user=by), waiting.version, events)
    elif what == ENTERED:
        take_result(now.match, Actor(user=by), row.claim, "", events)
    return what


def enter_seen(*, match: Match, by: User, claim: Claim, seen: str, key: str = "") -> ResultReport:
    """Enter a table's result as a scorer, as `submit_result` does, but never over a report that they have not seen.

    seen: the fingerprint of the table that they looked at; "" where they do not say: then a report with other figures
    is in the way. Raises TournamentError "row.changed", and what `submit_result` raises.
    """
    actor = Actor(user=by)
    with transaction.atomic():
        # Before the table is read: no report comes between the comparison and the entry.
        locks.lock_standings(match.stage.tournament)
        may(match.stage.tournament, by, SCORERS, "report")
        now = table_of(still_drawn(Match.objects.select_related("stage__tournament"), match))
        body = body_of(now.match, claim)
        # A form that was sent twice finds its own report, and changes nothing.
        if sent_before(now.match, actor, key, body) is None and fingerprint(now) != seen:
            _require_no_others(now, body)
        return submit_result(match=now.match, actor=actor, claim=claim, key=key)


def _require_no_others(now: Table, body: Mapping[str, Any]) -> None:
    """Refuse to reject reports of sides that say something else."""
    others = [each for each in now.open_reports if not same_figures(body, each.body)]
    if others:
        message = _("Somebody reported %(score)s in the meantime. Check it, then send your figures again.")
        shown = {"score": " – ".join(map(str, others[-1].body["score"]))}
        raise TournamentError(message % shown, code="row.changed")


def rule_seen(
    *, match: Match, by: User, claim: Claim | None, version: int | None, reason: str, seen: str
) -> ResultReport:
    """Decide a dispute as `rule_result` does, but only the one that was looked at. seen: as of `enter_seen`; "": any.

    Raises TournamentError "row.changed", and what `rule_result` raises.
    """
    with transaction.atomic():
        locks.lock_standings(match.stage.tournament)
        now = table_of(still_drawn(Match.objects.select_related("stage__tournament"), match))
        if seen and now.match.state == M.DISPUTED and fingerprint(now) != seen:
            may(match.stage.tournament, by, RULERS, "rule")
            message = _("Another result was reported for this table in the meantime. Check it, then decide.")
            raise TournamentError(message, code="row.changed")
        return rule_result(match=match, by=by, claim=claim, version=version, reason=reason)


def _require_unchanged(now: Table, counted: ResultReport | None, seen: str) -> None:
    if now.match.state == M.DISPUTED:
        message = _("The sides reported different results, so an arbiter decides and says why.")
        raise TournamentError(message, code="row.disputed")
    if fingerprint(now) == seen:
        return
    if counted is not None:
        message = _("Somebody else entered %(score)s in the meantime. If that is wrong, correct it.")
        shown = {"score": " – ".join(map(str, counted.body["score"]))}
        raise TournamentError(message % shown, code="row.changed")
    message = _("This table changed in the meantime. Compare, then save again: your figures are still here.")
    raise TournamentError(message, code="row.changed")


def same_figures(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether two reports say the same of everybody, no matter whether they list the deals."""
    if one["score"] != other["score"] or one["rank"] != other["rank"] or _gone(one) != _gone(other):
        return False
    # A report of totals may not know the deals won; what one of them does not know is no difference.
    won = zip(one["victories"], other["victories"], strict=True)
    return all(None in pair or pair[0] == pair[1] for pair in won)


def _gone(body: Mapping[str, Any]) -> set[int]:
    return {each["seat"] for each in body["forfeits"]}


def reported_tables(tables: Iterable[Table]) -> list[Table]:
    """Return the tables at which one side reported and nobody disagrees, so that a scorer may confirm all of them."""
    return [table for table in tables if waiting_report(table) is not None]


def digest_of(tables: Sequence[Table]) -> str:
    """Return the name of exactly these reports."""
    shown = [f"{table.match.uuid} {fingerprint(table)}" for table in tables]
    return hashlib.sha256("\n".join(shown).encode()).hexdigest()[: 2 * DIGEST_LENGTH]


@undoable("accept_all", SCORERS)
def accept_reported(*, round_row: Round, by: User, seen: str) -> int:
    """Confirm every report of a round that nobody disputes. Return how many. seen: the digest of what was shown.

    Raises TournamentError "tournament.not_organiser", "row.nothing" (none waits any more, or a second click),
    "row.changed", and what `accept_result` raises.
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        may(round_row.stage.tournament, by, SCORERS, "report")
        # Before the tables are read: no report comes between the comparison and the confirmation.
        locks.lock_standings(round_row.stage.tournament)
        tables = reported_tables(round_tables(round_row))
        if not tables:
            message = _("No report waits for confirmation any more. Reload the page.")
            raise TournamentError(message, code="row.nothing")
        if digest_of(tables) != seen:
            message = _("Other results were reported in the meantime. Check the list, then confirm it.")
            raise TournamentError(message, code="row.changed")
        for table in tables:
            waiting = waiting_report(table)
            take_acceptance(table.match, Actor(user=by), waiting.version if waiting else None, events)
        publish(*events)
    fold(tables[0].match)
    return len(tables)
