"""A stage in the formats that others read."""

from __future__ import annotations

from datetime import date, datetime

from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.interchange import trf
from tournaments.interchange.progress import ends_of
from tournaments.interchange.swiss import About, event_of
from tournaments.jobs import books, planning
from tournaments.jobs.results import spec_for
from tournaments.models import Entry, Stage, Standing

TOLD_BY_ROUNDS = ("swiss", "dutch", "round_robin")


def trf_of(stage: Stage, *, up_to: int = 0) -> str:
    """The rounds of a two-seat stage as a FIDE tournament report, up to a round (0: all that were drawn).

    Pairing numbers are the seeds' order. Raises TournamentError "trf.kind" for stages that such a report cannot tell.
    """
    shape = planning.shape_of(stage)
    if stage.kind not in TOLD_BY_ROUNDS or shape.seats.max != 2:
        message = _(
            "A FIDE report tells of two at a table, paired round by round, not of “%(kind)s”. Export CSV or JSON."
        )
        raise TournamentError(message % {"kind": stage.get_kind_display()}, code="trf.kind")
    history = planning.history_of(stage, up_to)
    finished = ends_of(history, books.results_of(stage), spec_for(stage))
    entrants = planning.entrants_of(stage, {})
    event = event_of(about(stage, up_to), entrants, history, finished, rounds=stage.rounds_planned, bye=shape.bye)
    return trf.write(event)


def about(stage: Stage, after_round: int) -> About:
    """What a report says besides rounds: the event's name and days, players' names, ranks after that round."""
    event = stage.tournament
    entries = Entry.objects.filter(stage_entries__stage=stage).values_list("uuid", "player__name")
    ranks = Standing.objects.filter(stage=stage, after_round=after_round).values_list("entry__uuid", "rank")
    return About(
        name=event.name,
        names={str(uuid): name for uuid, name in entries},
        ranks={str(uuid): rank for uuid, rank in ranks},
        starts=_day(event.started_at),
        ends=_day(event.finished_at),
    )


def _day(moment: datetime | None) -> date | None:
    return moment.date() if moment else None
