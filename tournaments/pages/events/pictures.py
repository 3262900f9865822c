"""Small drawings of formats, by what a format says of itself: a new one has a picture without being named here."""

from __future__ import annotations

from collections.abc import Iterator

from core.formats import format_of
from tournaments.lifecycle.event_plan import EventPlan


def pictures_of(plan: EventPlan) -> Iterator[str]:
    """Yield the symbol of every stage in static/site/formats.svg."""
    for stage in plan.stages:
        found = format_of(stage.kind)
        if found.is_bracket:
            yield "bracket"
        elif found.is_open_ended:
            yield "ladder"
        elif found.changes_partners:
            yield "partners"
        elif found.meets_everybody:
            yield "grid"
        else:
            yield "steps" if found.needs_results else "tables"
