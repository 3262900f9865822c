"""A stage in file formats of other programs."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from itertools import takewhile
from typing import Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.interchange import trf, trf_read
from core.interchange.model import Event
from core.interchange.progress import ends_of
from core.interchange.swiss import About, event_of
from tournaments.matches.records.results import spec_for
from tournaments.models import Entry, Match, Stage, Standing
from tournaments.pairing import constraints, plans
from tournaments.standings import ledger_cache

OVER: Final = (Match.State.CONFIRMED, Match.State.VOID)
MAX_RATING: Final = 9999
# The record of a report that names the tie-breaks.
TIE_BREAKS: Final = "212"


def trf_of(stage: Stage, *, up_to: int = 0) -> str:
    """Write the rounds of a two-seat stage as a FIDE tournament report, up to a round (0: all that were drawn).

    Pairing numbers are the seeds' order. Raises TournamentError "trf.kind" for stages that such a report cannot tell.
    """
    shape = plans.shape_of(stage)
    if not stage.format.fits_fide_report or shape.seats.max != 2:
        message = _(
            "A FIDE report covers two players per table, paired round by round, not “%(kind)s”. Export CSV or JSON."
        )
        raise TournamentError(message % {"kind": stage.get_kind_display()}, code="trf.kind")
    history = plans.history_of(stage, up_to)
    finished = ends_of(history, ledger_cache.results_of(stage), spec_for(stage))
    entrants = plans.entrants_of(stage, {})
    still = Match.objects.filter(stage=stage, round__number__lte=len(history)).exclude(state__in=OVER)
    event = event_of(
        about(stage, up_to),
        entrants,
        history,
        finished,
        rounds=stage.rounds_planned,
        bye=shape.bye,
        unfinished={(number, table or 0) for number, table in still.values_list("round__number", "table_no")},
    )
    return trf.write(_ranked(event, stage, up_to))


def _ranked(event: Event, stage: Stage, after_round: int) -> Event:
    """Add ranks that follow from the points of the report: of equal points as the standings have it.

    A stage that ranks by deals won, or in which points were given by hand, has another order than wins and draws give.
    Ranks of the report that it was read from stay as they are.
    """
    if _are_read(stage, after_round):
        return event
    points = event.points()
    by_rank = sorted(event.players, key=lambda player: (player.rank or trf_read.MAX_PLAYERS + 1, player.number))
    found = [points[player.number] for player in by_rank]
    if found == sorted(found, reverse=True):
        return event
    ordered = sorted(by_rank, key=lambda player: -points[player.number])
    places = {player.number: place for place, player in enumerate(ordered, start=1)}
    return replace(event, players=tuple(replace(player, rank=places[player.number]) for player in event.players))


def about(stage: Stage, after_round: int) -> About:
    """Return the contents of a report besides rounds: the event's name and days, players' names, their ranks then."""
    event = stage.tournament
    entries = Entry.objects.filter(stage_entries__stage=stage).values_list("uuid", "player__name")
    return About(
        name=event.name,
        names={str(uuid): name for uuid, name in entries},
        ranks=_ranks(stage, after_round),
        starts=_day(event.started_at),
        ends=_day(event.finished_at),
        ratings=_ratings(stage),
        tie_breaks=_tie_breaks(stage),
        is_round_robin=stage.format.meets_everybody,
    )


def _tie_breaks(stage: Stage) -> tuple[str, ...]:
    """Return tie-breaks that a report can name, up to the first that it cannot; none unless wins and draws go first."""
    if stage.scoring != Stage.Scoring.PLACE or TIE_BREAKS in stage.tournament.fide_report.get("silent", ()):
        return ()
    return tuple(takewhile(trf_read.TIE_BREAKS.__contains__, stage.tie_breaks))


def _ranks(stage: Stage, after_round: int) -> dict[str, int]:
    """Return the ranks of the standings; those of the report it was read from as long as no result has changed."""
    if _are_read(stage, after_round):
        return {str(uuid): int(rank) for uuid, rank in stage.tournament.fide_report["ranks"].items()}
    rows = Standing.objects.filter(stage=stage, after_round=after_round)
    return {str(uuid): rank for uuid, rank in rows.values_list("entry__uuid", "rank")}


def _are_read(stage: Stage, after_round: int) -> bool:
    """Return whether the table is still that of the report it was read from."""
    hashes = stage.tournament.fide_report.get("hashes", ())
    return Standing.objects.filter(stage=stage, after_round=after_round, input_hash__in=hashes).exists()


def _ratings(stage: Stage) -> dict[str, int]:
    """Return the ratings the stage was seeded by, as far as a report has room for them."""
    known = constraints.seeding_of(stage).ratings
    return {
        entry: int(value) for entry, value in known.items() if float(value).is_integer() and 0 < value <= MAX_RATING
    }


def _day(moment: datetime | None) -> date | None:
    return moment.date() if moment else None
