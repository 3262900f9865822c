"""The check of an upload step by step: what was found, and what is still to come, for its owner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _

from accounts.phrasing import listed
from bots.localization import from_stored, render_message
from bots.models import BotVersion
from bots.runner.spec import CLOCKS
from bots.trials.findings import START, STATES
from bots.trials.running import DECISIONS
from bots.trials.tables import OPPONENTS, seats_of
from web.presets import preset_title

SMOKE: Final = "smoke."
OPEN: Final = {"queued": "waiting", "claimed": "playing", "quarantined": "held"}
"""How a step that is still to come stands, by the state of its check."""
FORMER: Final[Mapping[str, str]] = {
    (
        "%(asked)s decisions at tables of %(low)s to %(high)s seats against players who do anything: all"
        " legal, the slowest took %(ms)s ms of the %(limit)s that are free in each move."
    ): (
        "%(asked)s decisions at tables of %(low)s to %(high)s seats against random players: all legal; the"
        " slowest took %(ms)s of the %(limit)s ms that are free in each move."
    ),
}
"""Findings as earlier checks have them stored, and what we say now; the figures have the same names."""


@dataclass(frozen=True, slots=True)
class Tick:
    """One step. id: "static", "start", "smoke.<preset>" or "states". state: passed, failed, waiting, playing or held.

    message: what was found; "" before. coming: what is going to be tried; "" after.
    """

    id: str
    state: str
    message: str = ""
    coming: str = ""


def ticks_of(version: BotVersion) -> list[Tick]:
    """The steps of a version's check; those to come wait, are played, or are held with it. version: with its check."""
    check = version.check_run
    known_ticks = [
        Tick(str(step["id"]), "passed" if step["ok"] else "failed", message_of(step))
        for step in check.result.get("steps", [])
    ]
    if version.state != BotVersion.State.CHECKING:
        return known_ticks
    known, state = {tick.id for tick in known_ticks}, OPEN.get(check.state, "waiting")
    return [*known_ticks, *(Tick(name, state, coming=words) for name, words in _coming(version) if name not in known)]


def message_of(step: Mapping[str, Any]) -> str:
    """Return the finding of a step in the reader's language; older checks were stored in one language alone."""
    if "said" not in step:
        return str(step["message"])
    said = from_stored(step["said"])
    # Stored by its id; people read its name.
    values = {name: named(str(value)) if name == "preset" else value for name, value in said.values.items()}
    return render_message(replace(said, message=FORMER.get(said.message, said.message), values=values), _)


def named(preset: str) -> str:
    """Return the name of a preset; its id where it is no longer known."""
    return preset_title(preset)


def _coming(version: BotVersion) -> Iterator[tuple[str, str]]:
    """Every step that a worker tries, in words."""
    yield (
        START,
        _("It is loaded in the sandbox and may use %(ms)s ms of CPU for that.") % {"ms": CLOCKS[version.clock].load_ms},
    )
    for preset in version.plays:
        shown = {"preset": named(preset), "opponents": listed(OPPONENTS[: seats_of(preset) - 1])}
        yield f"{SMOKE}{preset}", _("%(preset)s: a short match against %(opponents)s.") % shown
    shown = {"n": str(DECISIONS), "ms": str(CLOCKS[version.clock].move_ms)}
    message = _(
        "%(n)s decisions at tables of all sizes against random players: none may end in an error or be illegal,"
        " and each has %(ms)s ms of CPU, then a bank."
    )
    yield STATES, message % shown
