"""Seeks: a program that wants to play sits down where another one waits for the same, or waits itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tables.actions.opening import TablePlan, open_table, rules_of_plan, sit_down
from tables.errors import TableError
from tables.models import LiveTable, Program
from tables.play.shuffle import Nonce
from tables.programs.presence import here
from tables.programs.registry import require_ready, sitter_for

WAITS: Final = timedelta(minutes=10)
PASSED_OVER: Final = ("table.wrong_state", "table.same_owner", "table.unknown")
"""Refusals of a table that somebody else took at the same moment, or that is not for this program."""


def seek(program: Program, plan: TablePlan, nonce: Nonce) -> LiveTable:
    """Sit down at the table of a program that waits for the same, the oldest first; else open one and wait.

    Raises TableError as `open_table` does, and "program.retired", "program.suspended", "program.other_rules".
    """
    require_ready(program)
    if plan.preset not in program.presets or not program.seats_min <= plan.seats <= program.seats_max:
        message = _("%(program)s does not play by these rules with this number of players.")
        shown = {"program": program.bot.name}
        raise TableError(message % shown, code="program.other_rules", extra={"field": "preset"})
    sitter = sitter_for(program)
    for table in _waiting(program, plan)[:10]:
        try:
            return sit_down(table, sitter, nonce)
        except TableError as refused:
            if refused.code not in PASSED_OVER:
                raise
    return open_table(sitter, replace(plan, listed=True, waits_for=WAITS), nonce)


def _waiting(program: Program, plan: TablePlan) -> QuerySet[LiveTable]:
    """Return open tables for the same match at which everybody is connected, none of them this program."""
    rows = LiveTable.objects.filter(
        state=LiveTable.State.OPEN,
        clock=LiveTable.Clock.REMOTE,
        listed=True,
        rated=plan.rated,
        seats_n=plan.seats,
        ruleset=rules_of_plan(plan).canonical(),
        bank_ms=plan.clock.bank_ms,
        increment_ms=plan.clock.increment_ms,
    )
    gone = Program.objects.exclude(here()).values("version")
    rows = rows.exclude(seats__bot_version__in=gone).exclude(seats__bot_version=program.version)
    return rows.order_by("pk")
