"""Figures in words: points in the game's own units (`10 points are 1 kan`, `-32.5 kan`), clocks in people's words."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any, Final

from django import template
from django.utils import timezone
from django.utils.translation import gettext

from accounts.phrasing import decimal, listed
from core.replay import facts
from core.replay.document import LETTERS
from engine.game import Preset
from engine.games import PRESETS
from engine.words import Words
from tournaments.lifecycle.time_limits import clock_details, clock_from, clock_line, clock_of, duration
from tournaments.models import RatingPool, Seat, Stage
from web.presets import event_title, official_ladder, preset_title

register = template.Library()
EMBLEMS: Final = ("01.1", "03.1", "08.1", "12.1", "07.1", "10.1", "06.1", "04.1", "05.1", "11.1", "02.1", "09.1")
"""The cards that everybody knows, one for each preset in the order of the registry."""
NUMBER_AND_UNIT: Final = re.compile(r"(?<=\d) (?=[^\W\d])")
"""The space between them: "60 s"."""


def words_of(preset: Preset | None) -> Words:
    """Return the words of a preset's game; none for a preset that is no longer known."""
    return facts.words_of(preset.game) if preset is not None else Words()


@register.filter
def preset_name(preset: str) -> str:
    """Return the name of a preset in the reader's language; its id where it is no longer known."""
    return preset_title(preset)


@register.filter
def event_name(name: str) -> str:
    """Return the name of an event; that of an official ladder in the reader's language."""
    return event_title(name)


@register.filter
def ladder_title(name: str, month: date | None = None) -> str:
    """Return the name of a ladder below a heading that says a month, this one if none is given; an official one of
    that month is its game.
    """
    found, said = official_ladder(name), month or timezone.localtime()
    if found is None or (found[1].year, found[1].month) != (said.year, said.month):
        return event_title(name)
    return preset_title(found[0])


@register.filter
def preset_card(preset: str) -> str:
    """Return the card that stands for a preset in lists."""
    known = list(PRESETS)
    return EMBLEMS[known.index(preset) % len(EMBLEMS)] if preset in PRESETS else EMBLEMS[0]


@register.filter
def account_of(preset: Preset | None) -> str:
    """Return a sentence on what the points of a match are; empty where the game has none."""
    text = words_of(preset).account
    return gettext(text) if text else ""


@register.filter
def in_units(points: object, preset: Preset | None) -> str:
    """Return an amount of points in the larger unit that the game counts in, `-32.5 kan`; empty where it has none.

    points: a whole number, or an exact amount as text (`-95/3`).
    """
    words = words_of(preset)
    if words.unit_points == 1 or points is None:
        return ""
    # A fraction: the amount may be exact text as `-95/3`; one decimal is all that is shown.
    shown = decimal(float(Fraction(str(points)) / words.unit_points), 1)
    return gettext("%(n)s %(unit)s") % {"n": shown, "unit": gettext(words.unit)}


@register.filter
def letter(side: int) -> str:
    """Return the letter of a team, as at the table of its replay."""
    return LETTERS[side]


def _unbroken(words: str) -> str:
    """Keep numbers and their units on one line."""
    return NUMBER_AND_UNIT.sub("\N{NO-BREAK SPACE}", words)


@register.filter("clock_line")
def line_of_clock(stage: Stage) -> str:
    """Return the clock of a stage: `Standard: 100 ms a move, bank 1 s a deal, 60 s a match, CPU time`."""
    return _unbroken(clock_line(clock_of(stage)))


@register.filter
def clock_more(stage: Stage) -> str:
    """Return what a bot may use besides thinking: `1 s to load, 256 MiB of memory`."""
    return _unbroken(clock_details(clock_of(stage)))


@register.simple_tag
def cpu_used(seat: Seat, stage: Stage, document: dict[str, Any] | None) -> str:
    """Return what a seat's bot used of its clock: `812 ms of 60 s, bank 40 ms of 1 s at most, elapsed time 1.1 s`.

    The last is wall time, where the record has it. The clock is the one the record names; records from before it did
    fall back on the stage's. Empty if not measured.
    """
    if seat.cpu_ms is None:
        return ""
    view = document["view"] if document else {}
    clock = clock_from({"clock": view["clock"]["id"], **view["clock"]}) if "clock" in view else clock_of(stage)
    shown = {"used": duration(seat.cpu_ms), "limit": duration(clock.match_ms)}
    parts = [gettext("%(used)s of %(limit)s") % shown]
    most = max((view.get("cpu") or {}) and view["cpu"][seat.index]["bank"], default=0)
    if most:
        bank = gettext("at most %(used)s of the bank of %(limit)s")
        parts.append(bank % {"used": duration(most), "limit": duration(clock.bank_ms)})
    if wall := _wall_of(seat.index, view):
        parts.append(gettext("elapsed time %(wall)s") % {"wall": duration(wall)})
    return listed(parts)


def _wall_of(seat: int, view: Mapping[str, Any]) -> int:
    """Return the milliseconds that the table waited for a seat's answers; 0 where the record does not say."""
    own = f"p{seat}"
    deals = zip(view.get("deals", ()), view.get("wall", ()))
    return sum(ms for deal, times in deals for move, ms in zip(deal["moves"], times) if move["a"]["by"] == own)


@register.filter
def percent(value: float) -> str:
    """Return a share of one in whole percent."""
    return gettext("%(n)s%%") % {"n": round(100 * value)}


@register.filter
def games(presets: Sequence[str]) -> str:
    """Return the names of presets in a row; "all 11 games" where there is no other."""
    if set(presets) >= set(PRESETS):
        return gettext("all %(n)s games") % {"n": len(PRESETS)}
    return listed(preset_name(each) for each in presets)


@register.filter
def board_name(pool: RatingPool) -> str:
    """Return what a pool of bots rates: "Hawaii, 2 seats", "Hawaii, 4 seats, 2 sides"."""
    shown = {"game": preset_name(pool.preset), "seats": pool.seats, "sides": pool.sides}
    if pool.sides < pool.seats:
        return gettext("%(game)s, %(seats)s seats, %(sides)s sides") % shown
    return gettext("%(game)s, %(seats)s seats") % shown
