"""Matches of people on this site: they begin with the deal, and the record confirms the result. Nobody reports it.

The tables themselves belong to an app above (`tables`), which calls this; what happens to a match is told to it by the
signal `match_moved`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from activity.domain_events import DomainEvent
from activity.journal import publish
from bots.models import Blob
from engine.record import canonical
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import act
from tournaments.matches.records.results import body_of
from tournaments.models import Match, ResultReport, Round
from tournaments.scores.reports import put_on_seats, take_back_no_shows

M = Match.State
AT_TABLE: Final = (M.CALLED, M.PLAYING)
"""States in which a match has a table on this site."""


def begin_on_site(match: Match) -> bool:
    """Note that the cards of a called match are dealt. Returns False if it began before, or is not called any more."""
    events: list[DomainEvent] = []
    with transaction.atomic():
        row = _locked(match)
        if row is None or row.state != M.CALLED:
            return False
        act(row, "begin", None, later=events)
        if row.round is not None and row.round.state == Round.State.PUBLISHED:
            act(row.round, "play", None, later=events)
        publish(*events)
    return True


def confirm_on_site(match: Match, document: Mapping[str, Any]) -> bool:
    """Make the result of a record count. document: verified, of this match. The caller folds once it is committed.

    Returns False if somebody decided the match meanwhile, or it is not drawn any more: the record counts for nothing.
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        row = _locked(match)
        if row is None or row.state not in AT_TABLE:
            return False
        report = _write(row, document)
        # As a worker's result: `MatchConfirmed` names the match, its score and who forfeited.
        payload = {"match": str(row.uuid), "score": report.body["score"], "forfeits": report.body["forfeits"]}
        act(row, "confirm", None, changes={"finished_at": timezone.now()}, payload=payload, later=events)
        put_on_seats(row, report)
        take_back_no_shows(row, None, events)
        publish(*events)
    return True


def _locked(match: Match) -> Match | None:
    """Lock the event and then the match's row, as every act on results does; None if the draw was taken back."""
    locks.lock_standings(match.stage.tournament)
    rows = Match.objects.select_for_update(of=("self",)).select_related("stage__tournament", "stage__ruleset", "round")
    return rows.filter(pk=match.pk).first()


def _write(match: Match, document: Mapping[str, Any]) -> ResultReport:
    newest = ResultReport.objects.filter(match=match).aggregate(newest=Max("version"))["newest"] or 0
    return ResultReport.objects.create(
        match=match,
        version=newest + 1,
        source=ResultReport.Source.RECORD,
        state=ResultReport.State.CONFIRMED,
        body=body_of(document["record"]),
        hash=document["hash"],
        record=Blob.objects.put(canonical(dict(document))),
    )
