"""What an event comes to as its form stands: matches, tables, when it ends. It stands beside the form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from typing import Final

from django.http import QueryDict
from django.utils.dateformat import format as written
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.phrasing import listed
from accounts.zones import zone_named
from bots.templatetags.times import form_in_use
from core.errors import TournamentError
from core.simulation import Forecast, Pace
from tournaments.events.proposals.estimates import forecast_of, pace_of
from tournaments.events.shapes import read_rules
from tournaments.events.validation import validate_plan
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.pages.events.audiences import BOTS
from tournaments.pages.events.create_form import EventForm
from tournaments.pages.events.drawing import drawing_of
from tournaments.pages.events.offers import ANY_NAME, entries_of, legs_of
from tournaments.pages.events.proposing import span
from tournaments.pages.events.stage_acts import Make
from tournaments.pages.events.templates import typed_number

SUMMARY: Final = "summary"
"""The act of the script beside the form, which is answered with the summary alone."""


@dataclass(frozen=True, slots=True)
class Summary:
    """entries: for how many it is worked out, in words; figures: "28 matches", "4 tables", "ends about 14:40"; slow:
    how long it may take; stages: each with its facts. wrong: what has to be put right before there are figures.
    """

    entries: str = ""
    figures: tuple[str, ...] = ()
    slow: str = ""
    stages: tuple[tuple[str, tuple[str, ...]], ...] = ()
    wrong: str = ""


def summary_in(make: Make[EventForm], sent: QueryDict, query: QueryDict) -> Summary:
    """Return the summary of a form as it was typed so far. Nothing is saved, and the name does not matter.

    query: of the address, which may say how many people and tables there are.
    """
    data = sent.copy()
    data["name"] = ANY_NAME
    form = make(data)
    if not form.is_valid():
        shown = listed(str(form.fields[name].label) for name in form.errors if name in form.fields)
        return Summary(wrong=_("Correct first: %(fields)s.") % {"fields": shown} if shown else _first(form))
    plan = form.plan()
    try:
        validate_plan(plan, form.before)
    except TournamentError as refusal:
        return Summary(wrong=str(refusal))
    return summary_of(plan, people=typed_number(query.get("people", "")), tables=typed_number(query.get("tables", "")))


def _first(form: EventForm) -> str:
    """Return a refusal that belongs to no field."""
    return next((str(error) for errors in form.errors.values() for error in errors), "")


def summary_of(plan: EventPlan, *, people: int = 0, tables: int = 0) -> Summary:
    """Return what a plan that can be played comes to. people: who are expected, 0: as many as may enter; tables: that
    there are, 0: enough.
    """
    entries = min(entries_of(plan, people) or plan.max_entries, plan.max_entries)
    found = forecast_of(plan, entries, _pace(plan, tables or None))
    said = _who(plan, entries, people)
    stages = tuple(drawing_of(plan, entries, found if plan.who != BOTS else None).steps)
    if found is None:  # a ladder ends by its own rule
        return Summary(said, tuple(_end_of_a_ladder(plan)), stages=stages)
    slow = span(found.hours[1])
    if len(stages) == 1:  # its entries and its time stand above
        stages = ((stages[0][0], stages[0][1][:1]),)
    return Summary(
        said,
        tuple(_figures(plan, found, tables)),
        _("One time in ten it takes longer than %(time)s.") % {"time": slow} if plan.who != BOTS else "",
        stages,
    )


def _who(plan: EventPlan, entries: int, people: int) -> str:
    """Return for how many it is worked out: for people who share a side or a team, how many of those they make."""
    shown = {"n": entries, "people": people}
    if entries_of(plan, people) != entries or entries == people:
        return ngettext("With %(n)d entry", "With %(n)d entries", entries) % shown
    if plan.partners == "drawn":
        return _("%(people)d people make %(n)d pairs, drawn on the day") % shown
    return _("%(people)d people make %(n)d entries") % shown


def _pace(plan: EventPlan, tables: int | None) -> Pace:
    """Return how long matches take: as the rules have it, but no longer than the clock of a round."""
    pace = pace_of(read_rules(plan), tables=tables)
    if not plan.round_minutes or plan.round_minutes >= pace.match:
        return pace
    return replace(pace, match=float(plan.round_minutes), spread=0.0)


def _figures(plan: EventPlan, found: Forecast, has_tables: int) -> Iterator[str]:
    """Yield the figures of an event with rounds."""
    matches, rounds = (sum(numbers) for numbers in zip(*((s.matches, s.rounds) for s in found.stages), strict=True))
    matches *= legs_of(plan)
    yield ngettext("%(n)d match", "%(n)d matches", matches) % {"n": matches}
    if plan.who == BOTS:  # workers play them as they come: no tables, no evening
        yield ngettext("%(n)d round", "%(n)d rounds", rounds) % {"n": rounds}
        return
    needed = max(s.tables for s in found.stages)
    tables = min(needed, has_tables or needed)
    yield ngettext("%(n)d table", "%(n)d tables", tables) % {"n": tables}
    yield _end(plan, found.hours[0])


def _end(plan: EventPlan, hours: float) -> str:
    """Return when it ends, to five minutes, where it is known when it begins; else how long it takes."""
    if plan.starts_at is None:
        return _("about %(time)s") % {"time": span(hours)}
    zone = zone_named(plan.time_zone) or UTC
    begins = plan.starts_at.astimezone(zone)
    ends = (plan.starts_at + timedelta(minutes=5 * round(hours * 12))).astimezone(zone)
    form = form_in_use("time" if ends.date() == begins.date() else "short")
    return _("ends about %(at)s") % {"at": written(ends, form)}


def _end_of_a_ladder(plan: EventPlan) -> Iterator[str]:
    if plan.ends_at is not None:
        at = plan.ends_at.astimezone(zone_named(plan.time_zone) or UTC)
        yield _("ends %(at)s") % {"at": written(at, form_in_use("short"))}
    elif plan.rounds:
        yield ngettext("%(n)d deal set for each", "%(n)d deal sets for each", plan.rounds) % {"n": plan.rounds}
