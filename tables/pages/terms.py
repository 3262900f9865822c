"""What is played at a table that waits for people: its clock, its deals, and the rules that differ from the preset."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.games import PRESETS, option_table, ruleset
from tables.actions.folding import own_clock, rules_of
from tables.models import LiveTable
from tables.pages.program_forms import CLOCK_NAMES
from tables.play.clocks import CLOCKS, DAY, MINUTE, SECOND, Clock
from tournaments.lifecycle.house_rules import meaning_of


@dataclass(frozen=True, slots=True)
class Terms:
    """What somebody agrees to who sits down. deals: None where the match goes to a target.

    house_rules: (rule, what holds here) of those that differ from the preset.
    """

    clock: str
    deals: int | None
    house_rules: tuple[tuple[str, str], ...]


def terms_of(table: LiveTable) -> Terms:
    """Return the terms of a table, in the reader's language. No query."""
    deals = rules_of(table).resolved().get("rounds")
    return Terms(clock_words(own_clock(table)), int(deals) if deals else None, _house_rules(table))


def clock_words(clock: Clock) -> str:
    """Return a clock in words; one with figures of its own in these."""
    if not clock.is_counting:
        return _("none")
    if clock == CLOCKS.get(clock.id):
        return str(CLOCK_NAMES[clock.id])
    if clock.fresh:
        days = max(1, round(clock.increment_ms / DAY))
        return ngettext("%(n)s day a move", "%(n)s days a move", days) % {"n": days}
    bank = f"{clock.bank_ms // MINUTE}:{clock.bank_ms // SECOND % 60:02}"
    # Translators: a clock: minutes and seconds at the beginning, and seconds that each move adds.
    return _("%(time)s, plus %(seconds)s s a move") % {"time": bank, "seconds": clock.increment_ms // SECOND}


def _house_rules(table: LiveTable) -> tuple[tuple[str, str], ...]:
    if table.preset not in PRESETS:
        return ()
    here, usual = rules_of(table), ruleset(table.preset).options
    return tuple(
        (_(info.meaning), meaning_of(info, getattr(here.options, info.id)))
        for info in option_table(here.game)
        if getattr(here.options, info.id) != getattr(usual, info.id)
    )
