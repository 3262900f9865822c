"""Ladders and comparisons of two versions as stage formats: they have no rounds, so nothing is drawn ahead."""

from __future__ import annotations

from random import Random

from core.formats.errors import FormatError
from core.formats.model import Plan, Shape, StageSoFar
from core.formats.stage_format import Format
from engine.words import Counted, gettext_noop, ngettext


class OpenEnded(Format):
    """The common part of both. Their pods are drawn by `Ladder` and `Gauntlet`, a few at a time."""

    is_open_ended = True

    def rounds(self, entries: int, shape: Shape) -> int:
        """Return 0: there are none."""
        return 0

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """Draw no round. Raises FormatError "entries.too_few" while no table can be filled."""
        if len(stage.entries) < stage.shape.seats.pref:
            message = f"a ladder at tables of {stage.shape.seats.pref} needs that many entries to begin; wait for more"
            raise FormatError(message, code="entries.too_few")
        return []


class ContinuousLadder(OpenEnded):
    """Bots come and go; whose rating is the least sure plays next."""

    id = "ladder"
    name = "Ladder"
    label = gettext_noop("ladder")
    choice = gettext_noop("ladder of bots: no rounds, ranked by rating")
    description = "Bots come and go; whose rating is the least sure plays next, against neighbours."
    ranks_by_rating = True
    takes_late_entries = True

    def sentence(self, shape: Shape) -> Counted | str:
        """Return how many deal sets; without a number it ends by its time."""
        if not shape.rounds:
            return gettext_noop("a ladder that draws matches until its time is up")
        return ngettext("a ladder of %(n)d deal set each", "a ladder of %(n)d deal sets each", shape.rounds)


class Comparison(OpenEnded):
    """Two versions, until a test has decided which is stronger."""

    id = "gauntlet"
    name = "Comparison"
    label = gettext_noop("comparison of two versions")
    description = "Two versions meet until a test has decided which of them is stronger."
    is_experiment = True


class TableOfTheSite(OpenEnded):
    """One match at a table of the site, outside of events."""

    id = "site_table"
    name = "Table"
    label = gettext_noop("table of the site")
    description = "One match that people and programs sat down to on the site."
    is_experiment = True
    stands_alone = True
