"""Changing partners: the partners and opponents of past matches, and the quality of a schedule for a field."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

from django.utils.translation import gettext as _

from core.formats.rotation.stage import outlook
from engine.game import Ruleset as Rules
from tournaments.models import Match, Seat, Stage


def with_whom(stage: Stage, entries: Iterable[int]) -> dict[tuple[int, str], str]:
    """Return, per entry (its key) and match (id), partners and opponents, in words. One query."""
    wanted = set(entries)
    seats = Seat.objects.filter(match__stage=stage, match__state=Match.State.CONFIRMED, entry__isnull=False)
    tables: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    columns = ("match__uuid", "side", "entry_id", "entry__player__name")
    for match, side, entry, name in seats.order_by("match", "index").values_list(*columns):
        tables[str(match)].append((side, entry or 0, name))
    return {
        (entry, match): _seating_text(seated, side, entry)
        for match, seated in tables.items()
        for side, entry, _name in seated
        if entry in wanted
    }


def _seating_text(seated: list[tuple[int, int, str]], own: int, entry: int) -> str:
    """Write "with Kiri against Ran & Sumi"."""
    sides: dict[int, list[str]] = defaultdict(list)
    for side, each, name in seated:
        if each != entry:
            sides[side].append(name)
    partners = " & ".join(sides.pop(own, []))
    shown = {"partners": partners, "opponents": " – ".join(" & ".join(names) for names in sides.values())}
    return _("with %(partners)s against %(opponents)s") % shown


def expected(stage: Stage, people: int) -> list[str]:
    """Describe what a field can expect of a stage in which partners change, before it is drawn; else nothing."""
    if not stage.format.changes_partners or stage.state != Stage.State.PLANNED:
        return []
    sides = Rules.from_json(json.loads(stage.ruleset.canonical)).sides(stage.seats_pref)
    each = -(-people // stage.groups_n)
    return [_(reason.text) % dict(reason.args) for reason in outlook(each, sides, stage.rounds_planned)]
