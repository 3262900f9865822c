"""Inputs of a fold besides results: seeds, byes, and units given, taken or carried in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from core.standings.model import Adjustment, AdjustmentKind, Scoring, Unplayed, UnplayedKind
from core.standings.ranking import FIRST
from tournaments import models
from tournaments.matches.byes import requested_byes_in
from tournaments.models import Round, Stage, StageEntry

NOW: Final = 0
COMPLETE: Final = (Round.State.COMPLETE, Round.State.LOCKED)
# The kind of a round sat out by arrangement, by what it is worth.
UNPLAYED_KINDS: Final = {
    Fraction(0): UnplayedKind.ABSENT,
    Fraction(1, 2): UnplayedKind.HALF,
    Fraction(1): UnplayedKind.FULL,
}


def seeds_of(stage: Stage) -> dict[str, int]:
    """Return the initial seed by entry."""
    rows = StageEntry.objects.filter(stage=stage).values_list("entry__uuid", "seed")
    return {str(uuid): seed for uuid, seed in rows}


def adjustments(stage: Stage, after_round: int = NOW) -> Iterator[Adjustment]:
    """Yield what organisers gave and took up to a round, and what was carried in."""
    yield from _given(stage, after_round)
    yield from _carried(stage)


def byes(stage: Stage, after_round: int = NOW) -> Iterator[Unplayed]:
    """Yield the byes of rounds that are complete: a bye still to come is worth nothing yet."""
    for number, unplayed in unplayed_of(stage, complete_rounds(stage)).items():
        if after_round == NOW or number <= after_round:
            yield from unplayed


def complete_rounds(stage: Stage) -> set[int]:
    """Return the numbers of the rounds that are complete."""
    return set(Round.objects.filter(stage=stage, state__in=COMPLETE).values_list("number", flat=True))


def unplayed_of(stage: Stage, rounds: Iterable[int]) -> dict[int, tuple[Unplayed, ...]]:
    """Return, by round, who sits out in these rounds: the draw's byes, and in a Swiss anyone who was not there."""
    requested = requested_byes_in(stage)
    rows = Round.objects.filter(stage=stage, number__in=list(rounds))
    # Three keys of the plan, not all of it: the reasons and figures of a large round are most of the document.
    plans = rows.values_list("number", "plan__byes", "plan__pods", "plan__boards_out")
    everybody = set(seeds_of(stage)) if stage.format.is_round_by_round else set()
    # One turn where teams do not sit apart: range(1, 1) is empty, and range(1) gives board 0, which means none.
    boards = range(1, stage.tournament.boards + 1) or range(1)
    found = {}
    for number, byes, pods, out in plans:
        unplayed = [Unplayed(entry, number, board=board) for entry in byes or () for board in boards]
        unplayed += [Unplayed(entry, number, board=board) for entry, board in out or ()]
        seated = {entry for pod in pods or () for entry in pod["seats"]} | {entry for entry, _board in out or ()}
        gone = sorted(everybody - seated - set(byes or ()))
        worth = {entry: requested.get(entry, {}).get(number, Fraction(0)) for entry in gone}
        found[number] = (*unplayed, *(Unplayed(entry, number, UNPLAYED_KINDS[worth[entry]]) for entry in gone))
    return found


def _given(stage: Stage, after_round: int) -> Iterator[Adjustment]:
    rows = models.Adjustment.objects.filter(stage_entry__stage=stage, revoked_by=None)
    # In no order: the fold sorts adjustments by round and key.
    for row in rows.select_related("stage_entry__entry"):
        if after_round == NOW or (row.round_number or 0) <= after_round:
            entry = str(row.stage_entry.entry.uuid)
            if row.counts_in == row.CountsIn.DECIDER:
                yield _decider(row, entry)
                continue
            kind = AdjustmentKind.PENALTY if Fraction(row.units) < 0 else AdjustmentKind.AWARD
            amounts = {FIRST[Scoring(stage.scoring)]: row.units}
            yield _adjustment(str(row.pk), entry, amounts, kind, row.round_number, row.reason)


def _decider(row: models.Adjustment, entry: str) -> Adjustment:
    return Adjustment(
        adjustment=str(row.pk),
        entry=entry,
        round=row.round_number,
        reason=row.reason,
        kind=AdjustmentKind.DECIDER,
        decider=Fraction(row.units),
    )


def _carried(stage: Stage) -> Iterator[Adjustment]:
    rows = StageEntry.objects.filter(stage=stage).exclude(carry_in="0", carry_also={}).select_related("entry")
    for row in rows:
        amounts = {FIRST[Scoring(stage.scoring)]: row.carry_in, **row.carry_also}
        if any(Fraction(amount) for amount in amounts.values()):
            yield _adjustment(f"carry {row.pk}", str(row.entry.uuid), amounts, AdjustmentKind.CARRY)


def _adjustment(
    name: str,
    entry: str,
    amounts: Mapping[str, str],
    kind: AdjustmentKind,
    round_number: int | None = None,
    reason: str = "",
) -> Adjustment:
    return Adjustment(
        adjustment=name,
        entry=entry,
        points=Fraction(amounts.get("points", 0)),
        victories=Fraction(amounts.get("victories", 0)),
        place=Fraction(amounts.get("place", 0)),
        round=round_number,
        reason=reason,
        kind=kind,
    )
