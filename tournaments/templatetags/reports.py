"""What people counted at a table beside the score, on pages that show what was said."""

from collections.abc import Sequence

from django import template
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.phrasing import side_by_side
from tournaments.models import ResultReport
from tournaments.replay.book import yaku_sign
from tournaments.selectors.desk import SideLine

register = template.Library()


@register.filter
def counted(report: ResultReport, sides: Sequence[SideLine]) -> list[str]:
    """A line for each deal in which yaku were named or bids were made; none for a report of figures alone."""
    lines = [_line(number, made, sides) for number, made in enumerate(report.body.get("yaku", ()), 1) if any(made)]
    return lines + [_line(number, bids, sides) for number, bids in enumerate(report.body.get("bids", ()), 1)]


def _line(number: int, said: Sequence[object], sides: Sequence[SideLine]) -> str:
    """As "Deal 2: Aiko I Ho; Ben Ro": of every side its yaku, or its bid."""
    named = zip(sides, said, strict=False)
    shown = [(side.name, " ".join(_signs(each)) if isinstance(each, list) else str(each)) for side, each in named]
    text = side_by_side(f"{name} {what}" for name, what in shown if what)
    return _("Deal %(n)s: %(what)s") % {"n": number, "what": text}


def _signs(made: Sequence[str]) -> list[str]:
    return [yaku_sign(name, get_language() or "en") for name in made]
