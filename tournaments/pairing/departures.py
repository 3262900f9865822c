"""Leaving a stage and coming back to it, as the rows of planners and of standings have it."""

from __future__ import annotations

from fractions import Fraction

from django.db.models import Count

from tournaments.models import Entry, Match, RequestedBye, Round, Stage, StageEntry, Tournament
from tournaments.pairing import lineups


def let_go(entry: Entry) -> None:
    """Let an entry leave, a team with its members: nothing more is drawn for it. Needs the event's lock."""
    Entry.objects.filter(memberships__team=entry, memberships__until_round=None).update(state=Entry.State.WITHDRAWN)
    entry.state = Entry.State.WITHDRAWN
    entry.save(update_fields=["state"])
    drawn = StageEntry.objects.filter(entry=entry, left_round=None)
    for row in drawn.exclude(stage__state=Stage.State.CLOSED).select_related("stage"):  # what is signed stays
        row.left_round = row.stage.rounds.count() + 1
        row.save(update_fields=["left_round"])
        if entry.tournament.boards:
            lineups.reseat(entry, row.stage, 1)  # its boards at tables that have not begun are empty from now on


def stages_to_rejoin(entry: Entry) -> list[StageEntry]:
    """Return the rows of an entry that left in stages that it may still come back to."""
    return [row for row in rejoinable(entry.tournament) if row.entry_id == entry.pk]


def rejoinable(event: Tournament) -> list[StageEntry]:
    """Return the rows of everybody who left and may still come back, in the stages that go on. Two queries."""
    drawn = Round.objects.filter(stage__tournament=event).order_by().values_list("stage").annotate(n=Count("pk"))
    rows = StageEntry.objects.filter(stage__tournament=event, entry__state=Entry.State.WITHDRAWN)
    rows = rows.exclude(left_round=None).exclude(stage__state__in=(Stage.State.CLOSED, Stage.State.VOID))
    by_stage = dict(drawn)
    return [row for row in rows.select_related("stage__tournament") if _may_rejoin(row, by_stage.get(row.stage_id, 0))]


def _may_rejoin(row: StageEntry, drawn: int) -> bool:
    # `let_go` wrote the number of the next round: if that is still the next one, nothing was drawn in between. Only a
    # stage that is drawn round by round takes somebody back later: a bracket has filled their place.
    is_still = row.left_round == drawn + 1
    return is_still or (row.stage.format.is_round_by_round and drawn < row.stage.rounds_planned)


def take_back(entry: Entry, rows: list[StageEntry]) -> None:
    """Let an entry play on in these stages, a team with its members. Needs the event's lock.

    The rounds that were drawn meanwhile are written down as sat out for nothing, so that they stay what they were.
    """
    away = Entry.objects.filter(memberships__team=entry, memberships__until_round=None, state=Entry.State.WITHDRAWN)
    away.update(state=Entry.State.PARTNERED)
    entry.state = Entry.State.ACTIVE if rows else Entry.State.ENTERED
    entry.save(update_fields=["state"])
    for row in rows:
        first, row.left_round = row.left_round or 1, None
        row.save(update_fields=["left_round"])
        if row.stage.format.is_round_by_round:
            sit_out(row.stage, entry, range(first, row.stage.rounds.count() + 1), Fraction(0))
        if entry.tournament.boards:
            lineups.reseat(entry, row.stage, 1)


def sit_out(stage: Stage, entry: Entry, rounds: range, worth: Fraction) -> None:
    """Note that an entry sits these rounds out, and what each is worth. What was noted of them before is replaced."""
    for number in rounds:
        RequestedBye.objects.update_or_create(
            stage=stage, entry=entry, round_number=number, defaults={"worth": str(worth)}
        )


def open_tables_of(entry: Entry) -> list[Match]:
    """Return the tables at which an entry sits and that have no result yet."""
    over = (Match.State.CONFIRMED, Match.State.VOID)
    rows = Match.objects.filter(seats__entry=entry, stage__tournament=entry.tournament_id).exclude(state__in=over)
    rows = rows.exclude(stage__state=Stage.State.VOID).distinct().select_related("round", "stage")
    return list(rows.order_by("stage__order", "round__number", "table_no"))
