"""The words of a ranking: how its order came about, and where each entry of it stands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from accounts.phrasing import listed
from tournaments.models import Stage
from tournaments.ranking.lines import Departure, EventRanking, RankLine


def explanation_of(ranking: EventRanking) -> list[str]:
    """Explain the order: a sentence for each stage, in the order in which they count, and for what is special."""
    placed = ranking.placed
    lines = [_of_stage(list(own)) for _key, own in groupby(placed, key=lambda line: line.stage.pk)]
    if any(line.shared for line in placed):
        lines.append(_("A place marked “=” is shared: nothing that counts tells these entries apart."))
    departures = {line.departure for line in ranking.lines}
    if Departure.WITHDRAWN in departures:
        lines.append(_("Those who withdrew keep the place that their results give them."))
    if Departure.DISQUALIFIED in departures:
        lines.append(_("Disqualified entries have no place."))
    return lines


def _of_stage(lines: Sequence[RankLine]) -> str:
    first, stage = lines[0].rank or 1, lines[0].stage
    shown = {"first": first, "last": first + len(lines) - 1, "stage": stage_name(stage)}
    if lines[0].place is None:
        text = _("Places %(first)s to %(last)s: those who advanced to “%(stage)s”, where no result counts yet.")
    elif any(line.group for line in lines):
        text = _("Places %(first)s to %(last)s: by the place in their group of “%(stage)s”.")
    elif len(lines) == 1:
        text = _("Place %(first)s: by the standings of “%(stage)s”.")
    else:
        text = _("Places %(first)s to %(last)s: by the standings of “%(stage)s”.")
    return text % shown


def stage_name(stage: Stage) -> str:
    """Return the name that people call a stage by."""
    return stage.name or _("Stage %(n)s") % {"n": stage.number}


def standing_words(line: RankLine) -> str:
    """Name the last stage of an entry and its place there: "Pools, place 2 of group B"."""
    if line.place is None:
        return listed((stage_name(line.stage), _("no result yet")))
    shown = {"place": line.place, "group": line.group}
    place = _("place %(place)s of group %(group)s") if line.group else _("place %(place)s")
    return listed((stage_name(line.stage), place % shown))


def departure_words(line: RankLine) -> str:
    """Return what became of an entry that did not play to the end; "" for the others."""
    return str(line.entry.get_state_display()) if line.departure else ""
