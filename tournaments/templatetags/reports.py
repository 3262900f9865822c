"""Words of reported results: what people counted at a table beside the score."""

from collections.abc import Sequence

from django import template
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.phrasing import labelled, side_by_side
from core.replay.book import yaku_sign
from tournaments.models import ResultReport
from tournaments.scores.tables import SideLine, Table

register = template.Library()


@register.filter
def reported_by(report: ResultReport, sides: Sequence[SideLine]) -> str:
    """Return the name of the person or side that gave a report; "" where nobody knows any more."""
    number = report.body.get("side")
    if isinstance(number, int) and number < len(sides):
        return sides[number].name
    return report.by.shown_name if report.by is not None else ""


@register.filter
def waiting_lines(table: Table) -> list[str]:
    """Return what sides reported of a table and nobody has decided: "Aiko: 130 – 110", and who objects."""
    lines = [
        labelled(reported_by(report, table.sides) or "?", " – ".join(map(str, report.body["score"])))
        for report in table.open_reports
    ]
    return [*lines, objection(table)] if table.objector is not None else lines


@register.filter
def objection(table: Table) -> str:
    """Return a sentence that a side objected without figures of its own; "" where none did."""
    return _("%(name)s disagrees.") % {"name": table.objector.name} if table.objector is not None else ""


@register.filter
def figures_of(report: ResultReport, sides: Sequence[SideLine]) -> list[tuple[str, object]]:
    """Return for each side its name and the points that a report gives it."""
    # Not strict: a report outlives a change of who sits at its table.
    return list(zip((side.name for side in sides), report.body["score"], strict=False))


@register.filter
def counted(report: ResultReport, sides: Sequence[SideLine]) -> list[str]:
    """Return a line for each deal in which yaku were named or bids were made, then one for each extra deal.

    None for a report of figures alone.
    """
    lines = [_line(number, made, sides) for number, made in enumerate(report.body.get("yaku", ()), 1) if any(made)]
    lines += [_line(number, bids, sides) for number, bids in enumerate(report.body.get("bids", ()), 1)]
    return lines + [_extra(number, deal, sides) for number, deal in enumerate(report.body.get("extra", ()), 1)]


def _extra(number: int, deal: dict[str, list[int]], sides: Sequence[SideLine]) -> str:
    named = zip(sides, deal["score"], strict=False)
    text = side_by_side(f"{side.name} {points}" for side, points in named)
    return _("Extra deal %(n)s: %(figures)s") % {"n": number, "figures": text}


def _line(number: int, figures: Sequence[object], sides: Sequence[SideLine]) -> str:
    """Return a line as "Deal 2: Aiko I Ho; Ben Ro": of every side its yaku, or its bid."""
    named = zip(sides, figures, strict=False)
    shown = [(side.name, " ".join(_signs(each)) if isinstance(each, list) else str(each)) for side, each in named]
    text = side_by_side(f"{name} {what}" for name, what in shown if what)
    return _("Deal %(n)s: %(what)s") % {"n": number, "what": text}


def _signs(made: Sequence[str]) -> list[str]:
    return [yaku_sign(name, get_language() or "en") for name in made]
