"""The clock of a stage: chosen with the event, changed until the rounds are drawn, frozen from then on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from bots.runner.spec import BOUNDS, CLOCKS, CUSTOM, STANDARD, Clock, out_of_bounds
from core.errors import TournamentError
from tournaments.domain_events.stages import StageClockChosen
from tournaments.lifecycle.time_limits import clock_of, figures_of
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.models import Stage, Tournament
from tournaments.undo.recorder import undoable

OPEN: Final = (Stage.State.PLANNED, Stage.State.SEEDED)


def read_clock(name: str, figures: Mapping[str, object] | None = None) -> Clock:
    """Read the clock that was asked for: a named one, or "custom" with figures (others are the standard's).

    Raises TournamentError "tournament.bad_clock" (no such name, or figures for a named one) and
    "tournament.bad_<figure>" for one outside its bounds (extra: field, allowed).
    """
    if name != CUSTOM:
        if name not in CLOCKS or figures:
            raise bad_value("clock", name, (*CLOCKS, CUSTOM))
        return CLOCKS[name]
    given = {**figures_of(STANDARD), **(figures or {})}
    for figure in given:
        if figure not in BOUNDS:
            raise bad_value("clock", figure, tuple(BOUNDS))
        # Not isinstance: True is an int, and JSON may send it.
        if type(given[figure]) is not int:
            raise bad_number(figure, given[figure], *BOUNDS[figure])
    clock = Clock(CUSTOM, *(int(str(given[figure])) for figure in BOUNDS))
    wrong = out_of_bounds(clock)
    if wrong is not None:
        raise bad_number(wrong.figure, getattr(clock, wrong.figure), wrong.low, wrong.high)
    return clock


def require_open(tournament: Tournament, stage: Stage, by: User) -> None:
    """Raise "tournament.not_organiser", or "stage.clock_frozen" once the stage is active."""
    may(tournament, by, ORGANISERS, "clock")
    if stage.state not in OPEN:
        message = _("The rounds are drawn, so the clock is fixed: every match of a stage has the same clock.")
        raise TournamentError(message, code="stage.clock_frozen", extra={"state": stage.state})


@undoable("clock")
def choose_clock(*, tournament: Tournament, by: User, clock: str, figures: Mapping[str, object] | None = None) -> Stage:
    """Give the event, all stages of it, another clock; the same one again changes nothing.

    Anyone who entered sees it in the event's log. Raises what `read_clock` raises, "tournament.not_organiser", and
    "stage.clock_frozen" once the stage is active.
    """
    wanted = read_clock(clock, figures)
    with transaction.atomic():
        # The stages are locked, not the event: the start changes their state, which is what decides.
        chain = list(tournament.stages.select_for_update().order_by("order"))
        stage = chain[0]
        require_open(tournament, stage, by)
        before = clock_of(stage)
        if wanted == before:
            return stage
        for each in chain:
            each.clock, each.clock_figures = wanted.id, figures_of(wanted)
            each.save(update_fields=["clock", "clock_figures"])
        after = {"clock": wanted.id, **figures_of(wanted)}
        previous = {"clock": before.id, **figures_of(before)}
        audit(StageClockChosen, label(stage), actor=by, channel=tournament.channel, before=previous, after=after)
        publish(StageClockChosen.of(tournament.channel, after))
    return stage
