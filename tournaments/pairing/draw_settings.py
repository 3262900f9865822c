"""Settings of the draws of a stage: what its planner is given, and the act that changes them.

They are columns of the stage (`models/draw_settings.py`) and count from its next draw; only kinds of Swiss have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from core.formats.model import DrawRules, Priority
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.models import Stage
from tournaments.models.draw_settings import MAX_ACCELERATED
from tournaments.models.settings import MAX_LEADER_ROUNDS
from tournaments.pairing.constraints import leaders_meet
from tournaments.pairing.constraints_actions import locked_for_draws, record_change
from tournaments.undo.recorder import undoable

COLUMNS: Final = ("priorities", "leader_rounds", "leader_tables", "leader_first", "accelerated_rounds")
MAX_TABLES: Final = 99
"""More tables than are ever filled by rank; 0 fills all."""


def draw_rules_of(stage: Stage) -> DrawRules:
    """Return the rules that the planner of a stage is given; the defaults where its format takes none."""
    if not stage.format.takes_draw_rules:
        return DrawRules()
    priorities = tuple(Priority(each) for each in stage.priorities.split(",")) if stage.priorities else ()
    return DrawRules(priorities, stage.leader_tables, stage.leader_first, stage.accelerated_rounds)


def leader_rounds_of(stage: Stage) -> int:
    """Return in how many of its last rounds the leaders meet: the stage's own number, else the event's at tables."""
    if stage.format.takes_draw_rules and stage.leader_rounds is not None:
        return stage.leader_rounds
    # The event's number was made for tables: at two seats nobody meets again unless the stage itself says so.
    return leaders_meet(stage.tournament) if stage.format.seats_leaders_together else 0


def settings_of(stage: Stage) -> dict[str, Any]:
    """Return the columns of a stage that differ from their defaults."""
    usual = Stage()
    return {name: getattr(stage, name) for name in COLUMNS if getattr(stage, name) != getattr(usual, name)}


@undoable("draw_settings")
def choose_draw_settings(*, stage: Stage, by: User, changes: Mapping[str, Any]) -> None:
    """Change settings of the draws of a stage, from the next draw on. changes: columns by name.

    Doing it twice changes nothing. Raises TournamentError "tournament.not_organiser", "wishes.over", "draw.fixed" (the
    format takes no such settings), "tournament.bad_<column>".
    """
    wanted = {name: changes[name] for name in COLUMNS if name in changes}
    for name, value in wanted.items():
        _validate(name, value)
    with transaction.atomic():
        event = locked_for_draws(stage.tournament, by)
        # Read again under the event's row: another organiser may have changed another column.
        stage.refresh_from_db()
        if not stage.format.takes_draw_rules:
            message = _("The draws of this format cannot be changed. Swiss formats can.")
            raise TournamentError(message, code="draw.fixed", extra={"kind": stage.kind})
        changed = {name: value for name, value in wanted.items() if getattr(stage, name) != value}
        if changed:
            for name, value in changed.items():
                setattr(stage, name, value)
            stage.save(update_fields=list(changed))
            record_change(event, by, "draw", {"stage": stage.order, **changed})


def _validate(name: str, value: Any) -> None:
    """Refuse what no column can hold. True and False are numbers to Python, and not to an organiser."""
    bounds = {
        "leader_rounds": MAX_LEADER_ROUNDS,
        "leader_tables": MAX_TABLES,
        "accelerated_rounds": MAX_ACCELERATED,
    }
    if name == "priorities":
        if value not in Stage.Priorities.values:
            raise bad_value(name, value, tuple(Stage.Priorities.values))
    elif name == "leader_first":
        if not isinstance(value, bool):
            raise bad_value(name, value, ("true", "false"))
    elif value is None and name == "leader_rounds":
        return
    elif isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= bounds[name]:
        raise bad_number(name, value, 0, bounds[name])
