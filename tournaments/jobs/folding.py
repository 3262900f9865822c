"""Standings from confirmed results: the same rows from the same results, whenever and however often it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from django.db.models import Prefetch, QuerySet

from tournaments.jobs.results import result_of, spec_for
from tournaments.models import Adjustment, Match, ResultReport, Round, Seat, Stage, StageEntry, Standing
from tournaments.standings import model as fold_model
from tournaments.standings.fold import fold
from tournaments.standings.model import AdjustmentKind, MatchResult, Scoring, Unplayed
from tournaments.standings.table import Table, value_to_json

NOW: Final = 0
STAGES_KEPT: Final = 16
_known: dict[int, dict[int, MatchResult]] = {}
"""This process's copies of confirmed results: by stage, by report."""

COMPLETE: Final = (Round.State.COMPLETE, Round.State.LOCKED)


def results_of(stage: Stage, *, fresh: bool = False) -> list[MatchResult]:
    """Every confirmed match of a stage, from its confirmed report.

    Reports never change, so a process reads each of them once. fresh: read all of them again.
    """
    known = {} if fresh else _known.setdefault(stage.pk, {})
    confirmed = ResultReport.objects.filter(match__stage=stage, state=ResultReport.State.CONFIRMED)
    counted = confirmed.filter(match__state=Match.State.CONFIRMED)
    wanted = dict(counted.values_list("pk", "match__deal_set"))
    for report in _in_full(counted.filter(pk__in=wanted.keys() - known.keys())):
        known[report.pk] = result_of(report.match, report.match.seats.all(), report.body, legs=1)
    _forget_old_stages()
    legs = _legs_of(stage)
    return [replace(known[report], legs=legs[deal_set]) for report, deal_set in wanted.items()]


def _in_full(reports: QuerySet[ResultReport]) -> QuerySet[ResultReport]:
    seats = Prefetch("match__seats", queryset=Seat.objects.select_related("entry").order_by("index"))
    return reports.select_related("match__deal_set", "match__round").prefetch_related(seats)


def _legs_of(stage: Stage) -> Counter[int | None]:
    """How many legs of each deal set are not void."""
    matches = Match.objects.filter(stage=stage).exclude(state=Match.State.VOID)
    return Counter(matches.values_list("deal_set", flat=True))


def _forget_old_stages() -> None:
    while len(_known) > STAGES_KEPT:
        del _known[next(iter(_known))]


def fold_stage(stage: Stage, after_round: int = NOW, *, results: Sequence[MatchResult] | None = None) -> Table:
    """The table of a stage now, or as it was after a round: pure in everything that is stored.

    results: of the stage, if they are at hand.
    """
    found = results_of(stage) if results is None else results
    entries = list(StageEntry.objects.filter(stage=stage).select_related("entry"))
    return fold(
        [result for result in found if after_round == NOW or result.round <= after_round],
        [*_adjustments(stage, after_round), *_carried(stage, entries)],
        spec_for(stage),
        entries={str(row.entry.uuid): row.seed for row in entries},
        unplayed=_byes(stage, after_round),
    )


def _byes(stage: Stage, after_round: int) -> Iterable[Unplayed]:
    """The draw's byes of rounds that are complete: a bye still to come is worth nothing yet."""
    complete = Round.objects.filter(stage=stage, state__in=COMPLETE).exclude(plan__byes=[])
    for number, byes in complete.values_list("number", "plan__byes"):
        if after_round == NOW or number <= after_round:
            for entry in byes or ():
                yield Unplayed(entry, number)


def _adjustments(stage: Stage, after_round: int) -> Iterable[fold_model.Adjustment]:
    rows = Adjustment.objects.filter(stage_entry__stage=stage, revoked_by=None).select_related("stage_entry__entry")
    for row in rows:
        if after_round == NOW or (row.round_number or 0) <= after_round:
            kind = AdjustmentKind.PENALTY if Fraction(row.units) < 0 else AdjustmentKind.AWARD
            entry = str(row.stage_entry.entry.uuid)
            yield _adjustment(stage, str(row.pk), entry, row.units, kind, row.round_number, row.reason)


def _carried(stage: Stage, entries: Iterable[StageEntry]) -> Iterable[fold_model.Adjustment]:
    for row in entries:
        if Fraction(row.carry_in):
            yield _adjustment(stage, f"carry {row.pk}", str(row.entry.uuid), row.carry_in, AdjustmentKind.CARRY)


def _adjustment(
    stage: Stage,
    name: str,
    entry: str,
    units: str,
    kind: AdjustmentKind,
    round_number: int | None = None,
    reason: str = "",
) -> fold_model.Adjustment:
    """Units count in what the stage ranks by first."""
    amount = Fraction(units)
    scoring = Scoring(stage.scoring)
    return fold_model.Adjustment(
        adjustment=name,
        entry=entry,
        points=amount if scoring is Scoring.CUMULATIVE else 0,
        victories=amount if scoring is Scoring.ROUND_VICTORY else 0,
        place=amount if scoring is Scoring.PLACE else 0,
        round=round_number,
        reason=reason,
        kind=kind,
    )


def rows_of(stage: Stage, after_round: int, table: Table) -> list[Standing]:
    """The table as rows, not saved."""
    entries = StageEntry.objects.filter(stage=stage).values_list("entry__uuid", "entry")
    ids = {str(uuid): entry for uuid, entry in entries}
    return [
        Standing(
            stage=stage,
            after_round=after_round,
            entry_id=ids[row.entry],
            rank=row.rank,
            row=number,
            key=[value_to_json(value) for value in row.key],
            explanation=row.to_json()["explanation"],
            input_hash=table.input_hash.removeprefix("sha256:"),
        )
        for number, row in enumerate(table.rows, 1)
    ]


def store(stage: Stage, after_round: int, table: Table) -> bool:
    """Replace the stored rows if anything they are folded from has changed. Returns whether it had.

    Needs the stage's lock: two folds at once would write each row twice.
    """
    stored = Standing.objects.filter(stage=stage, after_round=after_round)
    wanted = rows_of(stage, after_round, table)
    hashes = set(stored.values_list("input_hash", flat=True))
    if hashes == {row.input_hash for row in wanted} and stored.count() == len(wanted):
        return False
    stored.delete()
    Standing.objects.bulk_create(wanted)
    return True


def differences(stage: Stage) -> list[str]:
    """What the stored rows say otherwise than a fold of everything now: empty when all is well."""
    found = []
    results = results_of(stage, fresh=True)
    rounds = sorted(set(Standing.objects.filter(stage=stage).values_list("after_round", flat=True)) | {NOW})
    for after_round in rounds:
        wanted = [_figures(row) for row in rows_of(stage, after_round, fold_stage(stage, after_round, results=results))]
        stored = Standing.objects.filter(stage=stage, after_round=after_round).order_by("row")
        if wanted != [_figures(row) for row in stored]:
            found.append(f"{stage.tournament.slug}, {stage}, after round {after_round or 'now'}")
    return found


def _figures(row: Standing) -> tuple[object, ...]:
    return (row.row, row.rank, row.entry_id, row.key, row.explanation, row.input_hash)
