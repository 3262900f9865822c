"""What each event gives a person, what is left of it, and which results count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from core.seasons.model import FULL_DECAY, FULL_WEIGHT, POINT, Decay, Event, Line, Measure, Result, Rules, Status, Total


def divided(amount: int, by: int) -> int:
    """Return the nearest whole number of a quotient; halves go away from zero. by: positive."""
    away = (2 * abs(amount) + by) // (2 * by)
    return away if amount >= 0 else -away


def given(rules: Rules, result: Result) -> int:
    """Return what a result is worth before weight and decay, in hundredths of a point.

    Those who share a place get the mean of the places that they share, as if they had come in one after the other.
    """
    match rules.measure:
        case Measure.POINTS:
            return result.points
        case Measure.VICTORIES:
            return divided(result.share * POINT * 100, FULL_DECAY)
    shared = range(result.place, result.place + max(1, result.shared))
    worth = [_worth(rules, result, place) for place in shared]
    return divided(sum(worth), len(worth))


def _worth(rules: Rules, result: Result, place: int) -> int:
    if rules.measure is Measure.FIELD:
        return POINT * (result.field - place + 1)
    return rules.places[place - 1] if place <= len(rules.places) else rules.others


def decays(rules: Rules, events: Iterable[Event]) -> dict[int, int]:
    """Return, by event, what is left of its worth, in ten-thousandths.

    Counted back from the newest event that is over, never from today: a table changes only when something happens.
    """
    ordered = sorted(events, key=lambda each: (each.day, each.number), reverse=True)
    if rules.decay is Decay.NONE or not ordered:
        return {each.key: FULL_DECAY for each in ordered}
    newest = ordered[0].day
    found = {}
    for later, each in enumerate(ordered):
        steps = later if rules.decay is Decay.EVENT else _months(each.day, newest)
        found[each.key] = divided(FULL_DECAY * (100 - rules.loss) ** steps, 100**steps)
    return found


def _months(first: date, last: date) -> int:
    """Return how many whole months lie between two days."""
    months = (last.year - first.year) * 12 + last.month - first.month
    return months - (last.day < first.day)


def total(rules: Rules, results: Sequence[Result], events: Mapping[int, Event], left: Mapping[int, int]) -> Total:
    """Add up a person's results. events: those that count; left: of `decays`.

    Of two results in one event (two spellings that turned out to be one person) the better one counts. Of results that
    are worth the same, those of newer events count first.
    """
    lines = []
    for result in results:
        worth, weight, decay = given(rules, result), events[result.event].weight, left[result.event]
        amount = divided(worth * weight * decay, FULL_WEIGHT * FULL_DECAY)
        lines.append(Line(result, worth, weight, decay, amount, Status.COUNTED))
    lines = _once(lines)
    lines.sort(key=lambda line: (-line.amount, *_age(events[line.result.event])))
    once = [line for line in lines if line.status is Status.COUNTED]
    counted = once[: rules.best] if rules.best else once
    out = {id(line) for line in once[len(counted) :]}
    marked = [replace(line, status=Status.DROPPED) if id(line) in out else line for line in lines]
    marked.sort(key=lambda line: (*_age(events[line.result.event]), line.status is Status.TWICE))
    amounts = tuple(line.amount for line in counted)
    return Total(sum(amounts), tuple(marked), amounts)


def _once(lines: list[Line]) -> list[Line]:
    best: dict[int, Line] = {}
    for line in lines:
        known = best.get(line.result.event)
        if known is None or (line.amount, -line.result.place) > (known.amount, -known.result.place):
            best[line.result.event] = line
    return [line if best[line.result.event] is line else replace(line, status=Status.TWICE) for line in lines]


def _age(event: Event) -> tuple[int, int]:
    """Return a key that sorts newer events first."""
    return -event.day.toordinal(), -event.number
