"""What a remote program is asked before it is entered in an event: whether it plays there at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext as _

from bots.models import Bot
from tables.errors import TableError
from tables.models import Program
from tables.programs.registry import require_ready
from tournaments.lifecycle.signals import program_enters
from tournaments.models import Stage


@receiver(program_enters)
def require_fit(bot: Bot, stages: Sequence[Stage], **_more: Any) -> None:
    """Refuse a program that, as its owner stated, does not play what the event plays.

    Raises TableError "program.retired", "program.suspended", "program.other_rules", "program.other_clock".
    """
    program = Program.objects.select_related("bot", "version").get(bot=bot)
    require_ready(program)
    shown = {"program": bot.name}
    for stage in stages:
        is_in_range = program.seats_min <= stage.seats_min and stage.seats_max <= program.seats_max
        if stage.preset not in program.presets or not is_in_range:
            message = _("%(program)s does not play by these rules with this number of players.")
            extra: dict[str, object] = {"presets": program.presets, "seats": [program.seats_min, program.seats_max]}
            raise TableError(message % shown, code="program.other_rules", extra=extra)
        if stage.site_clock not in program.clocks:
            message = _("%(program)s does not play with this clock.")
            raise TableError(message % shown, code="program.other_clock", extra={"clocks": program.clocks})
