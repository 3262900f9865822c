"""Drawing of a chain of stages: a box for each with its time, arrows with the rule in words. One column, for phones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from unicodedata import east_asian_width

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.phrasing import labelled, listed
from core.simulation import Forecast, StageTime
from tournaments.events.proposals.estimates import forecast_of
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan
from tournaments.lifecycle.plan_words import stage_word
from tournaments.models import Progression
from tournaments.pages.events.proposing import span, stage_fact

WIDTH: Final = 330
"""Units, which are pixels on a phone of 360."""
LANE: Final = 12
"""Between two arrows that pass stages by."""
LINE: Final = 17
PAD: Final = 9
NARROW, WIDE = 7.0, 13.5
"""Width of a letter of 13 units, roughly, and of one of a script with square letters."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text at a place. is_name: the first lines of a box."""

    x: float
    y: float
    words: str
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """The frame of a stage."""

    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True)
class Drawing:
    """Everything to be drawn, in units. arrows: paths, heads: the triangles at their ends; steps: the same in words."""

    width: int = WIDTH
    height: float = 0
    boxes: list[Box] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    arrows: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    steps: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    time: str = ""


def drawing_of(plan: EventPlan, entries: int, forecast: Forecast | None = None) -> Drawing:
    """Return the drawing of a plan with that many entries. forecast: the time it takes, if it is known."""
    times = {stage.name: stage for stage in forecast.stages} if forecast else {}
    found = Drawing()
    passing = [rule for rule in plan.ways if rule.target > rule.source + 1]
    left = LANE * len(passing) + (6 if passing else 1)
    tops, bottoms = [], []
    y = 1.0
    for number, stage in enumerate(plan.stages, start=1):
        ways = [rule for rule in plan.ways if rule.target == number]
        labels = [_label(plan, rule, is_named=len(ways) > 1 or rule in passing) for rule in ways]
        y = _labels(found, labels, left, y) if labels else y
        facts = _facts(plan, number, times.get(str(number)), entries)
        name = stage_word(stage, number)
        tops.append(y)
        y = _box(found, name, facts, left, y)
        bottoms.append(y)
        found.steps.append((name, (*facts, *labels)))
    for rule in plan.ways:
        if rule in passing:
            lane = 4 + LANE * passing.index(rule)
            _passing(found, (left, lane), bottoms[rule.source - 1] - 14, tops[rule.target - 1] + 14)
        else:
            _straight(found, left + 10, bottoms[rule.source - 1], tops[rule.target - 1])
    found.height = y + 2
    if forecast is not None:
        shown = {"usual": span(forecast.hours[0]), "slow": span(forecast.hours[1])}
        found.time = _("About %(usual)s; one time in ten longer than %(slow)s.") % shown
    return found


def drawing_with_time(plan: EventPlan, entries: int) -> Drawing:
    """Return the drawing with the time that a rehearsal would begin from."""
    return drawing_of(plan, entries, forecast_of(plan, entries) if plan.who != "bots" else None)


def way_words(plan: EventPlan, rule: AdvancementPlan) -> str:
    """Return in a few words who goes on: "the first 2 of each group"."""
    shown = {"first": rule.first, "last": rule.last, "most": rule.most}
    if plan.stages[rule.source - 1].groups > 1:
        words = _("places %(first)s–%(last)s of each group")
        words = words if rule.first < rule.last else _("place %(first)s of each group")
    else:
        words = _("places %(first)s–%(last)s") if rule.first < rule.last else _("place %(first)s")
    parts = [words % shown]
    if rule.most:
        parts.append(_("at most %(most)s in all") % shown)
    if rule.carry != Progression.Carry.NONE:
        parts.append(_("carrying over %(what)s") % {"what": Progression.Carry(rule.carry).label})
    return listed(parts)


def _label(plan: EventPlan, rule: AdvancementPlan, *, is_named: bool) -> str:
    words = way_words(plan, rule)
    return labelled(stage_word(plan.stages[rule.source - 1], rule.source), words) if is_named else words


def _facts(plan: EventPlan, number: int, time: StageTime | None, entries: int) -> tuple[str, ...]:
    """Return the lines of a box: what is played, by how many, when."""
    stage = plan.stages[number - 1]
    if time is None:
        return (stage_fact(stage.kind, stage.groups, stage.rounds),)
    counted = ngettext("%(n)d entry", "%(n)d entries", time.entries) % {"n": time.entries}
    return stage_fact(stage.kind, time.groups, time.rounds), counted, _when(plan.starts_at, time)


def _when(begins: datetime | None, time: StageTime) -> str:
    """Return when a stage begins and how long it lasts: by the clock where the event has a time."""
    lasts = span(time.hours)
    if begins is None:
        if time.starts <= 0:
            return _("takes about %(time)s") % {"time": lasts}
        return _("after about %(start)s; takes about %(time)s") % {"start": span(time.starts), "time": lasts}
    minutes = 5 * round(time.starts * 12)
    at = timezone.localtime(begins + timedelta(minutes=minutes))
    return _("from about %(at)s; takes about %(time)s") % {"at": time_format(at, "H:i"), "time": lasts}


def _labels(found: Drawing, labels: Sequence[str], left: float, y: float) -> float:
    """Write who comes in above a box; returns where the box begins."""
    y += 6
    for label in labels:
        for line in wrapped(label, WIDTH - left - 24):
            y += LINE
            found.texts.append(Text(left + 22, y - 3, line))
    return y + 10


def _box(found: Drawing, name: str, facts: Iterable[str], left: float, top: float) -> float:
    """Draw a box; returns where it ends."""
    room = WIDTH - left - 2 * PAD - 1
    y = top + PAD - 3
    for words, is_name in [(name, True), *((fact, False) for fact in facts)]:
        for line in wrapped(words, room * (0.9 if is_name else 1)):
            y += LINE
            found.texts.append(Text(left + PAD, y - 3, line, is_name))
    bottom = y + PAD - 3
    found.boxes.append(Box(left, top, WIDTH - left - 1, bottom - top))
    return bottom


def _straight(found: Drawing, x: float, top: float, bottom: float) -> None:
    found.arrows.append(f"M{x:g} {top:g}V{bottom - 6:g}")
    found.heads.append(f"M{x:g} {bottom:g}l-5 -8h10z")


def _passing(found: Drawing, across: tuple[float, float], top: float, bottom: float) -> None:
    """Draw an arrow that goes around the stages between, in a lane of its own. across: where boxes and lane are."""
    left, lane = across
    found.arrows.append(f"M{left:g} {top:g}H{lane:g}V{bottom:g}H{left - 6:g}")
    found.heads.append(f"M{left:g} {bottom:g}l-8 -5v10z")


def wrapped(text: str, room: float) -> list[str]:
    """Return the lines of a text that fit into that many units; a word that is longer than a line is cut."""
    lines, line, used = [], "", 0.0
    for letter in text:
        wide = WIDE if east_asian_width(letter) in "WF" else NARROW
        if used + wide > room and line:
            head, space, tail = line.rpartition(" ")
            # At the last space, unless the line is one word, or of a script without spaces.
            line, rest = (head, tail) if space and len(tail) < len(line) // 2 else (line, "")
            lines.append(line)
            line = rest
            used = sum(WIDE if east_asian_width(each) in "WF" else NARROW for each in line)
        line += letter
        used += wide
    return [*lines, line.strip()] if line.strip() else lines or [""]
