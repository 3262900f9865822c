"""The clock of a stage, and clocks in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.phrasing import decimal, labelled
from bots.runner.spec import BOUNDS, CLOCKS, CUSTOM, Clock
from tournaments.models import Stage

NAMES: Final[Mapping[str, str | Promise]] = {
    "quick": gettext_lazy("Quick"),
    "standard": gettext_lazy("Standard"),
    "slow": gettext_lazy("Slow"),
    "deep": gettext_lazy("Deep"),
    CUSTOM: gettext_lazy("Custom"),
}
REASONS: Final[Mapping[str, str | Promise]] = {
    "quick": gettext_lazy("For rule-based bots; large leagues end within minutes."),
    "standard": gettext_lazy("For light search; uploads are checked with it."),
    "slow": gettext_lazy("For sampling and small networks."),
    "deep": gettext_lazy("For deep search in small finals; a match may take twenty minutes."),
    CUSTOM: gettext_lazy("The values below."),
}


def clock_of(stage: Stage) -> Clock:
    """Return the clock its matches are played with. Stages from before clocks had figures have the named one."""
    if not stage.clock_figures:
        return CLOCKS[stage.clock]
    return clock_from({"clock": stage.clock, **stage.clock_figures})


def clock_from(document: Mapping[str, object]) -> Clock:
    """Return the clock of stored values: its name under "clock", and its figures."""
    return Clock(str(document.get("clock", CUSTOM)), *(int(str(document[name])) for name in BOUNDS))


def figures_of(clock: Clock) -> dict[str, int]:
    """Return the figures of a clock, without its name."""
    return {name: figure for name, figure in asdict(clock).items() if name in BOUNDS}


def duration(ms: int) -> str:
    """Write milliseconds as people read them: `100 ms`, `1 s`, `1.5 s`, `60 s`, `3 min`."""
    if ms < 1_000:
        return _("%(n)s ms") % {"n": ms}
    # Minutes from two on, and only whole ones: "90 s" and "60 s" are read faster than "1.5 min".
    if ms >= 120_000 and ms % 60_000 == 0:
        return _("%(n)s min") % {"n": ms // 60_000}
    return _("%(n)s s") % {"n": decimal(ms / 1000, 3)}


def clock_text(clock: Clock) -> str:
    """Write in a line what a bot may use: "100 ms a move, bank 1 s a deal, 60 s a match, CPU time"."""
    text = _("%(move)s per move, bank of %(bank)s per deal, %(match)s per match (CPU time)")
    shown = {"move": clock.move_ms, "bank": clock.bank_ms, "match": clock.match_ms}
    return text % {name: duration(ms) for name, ms in shown.items()}


def clock_line(clock: Clock) -> str:
    """Write the name of a clock and what a bot may use: `Standard: 100 ms a move, ...`."""
    return labelled(clock_name(clock), clock_text(clock))


def clock_details(clock: Clock) -> str:
    """Write what a bot may use besides thinking: loading and memory."""
    text = _("%(load)s to load, %(memory)s MiB of memory")
    return text % {"load": duration(clock.load_ms), "memory": clock.memory_mib}


def clock_name(clock: Clock) -> str:
    """Return the name of a clock in words."""
    return str(NAMES.get(clock.id, clock.id))
