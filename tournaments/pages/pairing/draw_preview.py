"""Beside the preview of a round: what its priorities cost, rules it breaks, and the sizes of its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.formats.model import Plan, Priority
from tournaments.models import Stage
from tournaments.pages.events import chain
from tournaments.pairing import pair_rules, table_sizes
from tournaments.progress.by_hand import can_pair_by_hand
from tournaments.progress.draws.alternatives import Comparison, Cost, ages_of, compared
from tournaments.progress.rounds import NextRound

GIVEN_UP: Final[dict[Priority, str | Promise]] = {
    Priority.REPEATS: gettext_lazy("If new opponents came last"),
    Priority.CLUBS: gettext_lazy("Without club mates and pairs apart"),
    Priority.SCORES: gettext_lazy("If equal scores came last"),
}


def draw_preview(stage: Stage, drawn: NextRound) -> dict[str, Any]:
    """Return the context of the tables and of `desk/_draw_preview.html` for a round that is not published yet."""
    if (plan := drawn.plan) is None:
        return {}
    found = compared(stage, plan)
    people = sum(len(pod.seats) for pod in plan.pods) + len(plan.byes)
    return chain.first_round(plan, drawn.names) | {
        "figures": _figures(found) if found else [],
        "compared": found,
        "broken_rules": list(pair_rules.problems_in(stage, plan)),
        "layouts": table_sizes.layouts_of(stage, people) if table_sizes.may_choose(stage) else [],
        "people": people,
        "ages": _ages(stage, plan, drawn.names),
        "by_hand": can_pair_by_hand(stage),
    }


def _ages(stage: Stage, plan: Plan, names: Mapping[str, str]) -> dict[str, Any] | None:
    """Return who are partners against the rule about ages, and what keeping it costs; None without the rule."""
    found = ages_of(stage, plan)
    if found is None:
        return None
    return {
        "broken": [(names.get(one, ""), names.get(other, "")) for one, other in found.broken],
        "repeats": found.repeats,
        "without": found.repeats_without,
        "years": stage.tournament.age_gap,
    }


def _figures(found: Comparison) -> list[tuple[str, Cost]]:
    """Return (what was drawn, its figures): the round itself, then without each priority."""
    return [(_("As drawn"), found.drawn), *((str(GIVEN_UP[name]), cost) for name, cost in found.without)]
