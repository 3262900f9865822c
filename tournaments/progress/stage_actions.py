"""The next stage of a chain: its entries, and drawing it where it waits for the organiser."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import publish
from core.errors import TournamentError
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import ORGANISERS, act, may
from tournaments.models import Group, Match, ResultReport, Round, Stage, StageEntry, Standing, Tournament
from tournaments.progress import derive, stages
from tournaments.progress.derive import fold_event
from tournaments.undo.recorder import undoable


def preview_stage(stage: Stage) -> stages.GoingOn:
    """Return who would go on to a stage now, and why. Reads only."""
    return stages.going_on(stage)


@undoable("draw_stage", never_of_bots=True)
def draw_stage(*, tournament: Tournament, by: User, order: int, seen: str = "") -> Stage:
    """Draw the stage with this number, whose sources are all closed, and queue its matches; people's are called.

    seen: hash of what was previewed (`progress.stages.digest`). Raises TournamentError "tournament.not_organiser",
    "stage.unknown", "stage.already_drawn" (a double click: nothing is doubled), "stage.not_waiting" (a stage before it
    is still played, or the event is paused), "stage.draw_changed" (something changed since), and what the planners
    raise.
    """
    may(tournament, by, ORGANISERS, "draw_stage")
    stage = tournament.stages.select_related("tournament", "ruleset").filter(order=order).first()
    if stage is None:
        message = _("This event has no stage %(n)s. Reload the page to see its stages.")
        raise TournamentError(message % {"n": order}, code="stage.unknown", extra={"stage": order})
    # `begin` asks again under its lock: of two clicks the second draws nothing and is told so.
    if not stages.waiting().filter(pk=stage.pk).exists() or not stages.begin(stage, by, seen):
        raise _not_waiting(stage)
    if tournament.is_of_people:
        fold_event(tournament)
    stage.refresh_from_db()
    return stage


@undoable("take_back_stage", never_of_bots=True)
def take_back_stage(*, stage: Stage, by: User) -> None:
    """Undo the draw of a stage of people while none of its tables is called: it waits to be drawn again.

    Raises TournamentError "tournament.not_organiser", "stage.not_drawn", "stage.started".
    """
    event = stage.tournament
    may(event, by, ORGANISERS, "take_back")
    with transaction.atomic():
        locks.lock_standings(event)
        stage.refresh_from_db()
        if stage.state != Stage.State.ACTIVE or not stage.ways_in.exists() or not event.is_of_people:
            message = _(
                "You can only undo the draw of a stage that was drawn from another stage and whose standings are not"
                " confirmed."
            )
            raise TournamentError(message, code="stage.not_drawn")
        started = list(Match.objects.select_for_update().filter(stage=stage).exclude(state=Match.State.READY))
        if started or ResultReport.objects.filter(match__stage=stage).exists():  # what was said of a table is kept
            message = _(
                "Tables of this stage are already called, so you cannot undo the draw. Correct the results instead."
            )
            raise TournamentError(message, code="stage.started")
        _take_back(stage, by)


def _take_back(stage: Stage, by: User | None) -> None:
    events: list[DomainEvent] = []
    # Matches before rounds: a round is protected by them.
    Match.objects.filter(stage=stage).delete()
    # Standings and rounds before entries, entries before the groups they are in.
    for model in (Standing, Round, StageEntry, Group):
        model._default_manager.filter(stage=stage).delete()
    act(stage, "take_back", by, later=events)
    publish(*events)


def redraw_stage(stage: Stage) -> None:
    """Draw a stage again from the tables before it as they are now. Needs the event's lock; nothing is called in it."""
    _take_back(stage, None)
    stages.begin(stage)
    derive.refresh(stage.tournament)


def _not_waiting(stage: Stage) -> TournamentError:
    stage.refresh_from_db()
    extra: dict[str, object] = {"state": stage.state, "stage": stage.order}
    if stage.state != Stage.State.PLANNED:
        message = _("It is already drawn: somebody else (or a second click) was faster. Nothing was done twice.")
        return TournamentError(message, code="stage.already_drawn", extra=extra)
    message = _("You cannot draw it yet: the event must be running and every stage that leads to it must be closed.")
    return TournamentError(message, code="stage.not_waiting", extra=extra)
