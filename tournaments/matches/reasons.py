"""Reasons for the draw of a table in the reader's language: planners store sentences with the figures for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from django.utils.translation import gettext as _

from bots.templatetags.hanami import amount
from core.formats.ladder import REASON_TEXTS
from core.formats.model import Reason
from tournaments.models import Match

SCORES: Final = frozenset({"score", "high", "low", "more"})
EXACT: Final = re.compile(r"-?\d{1,12}([.]\d{1,12}|/[1-9]\d{0,11})?")
FIGURE: Final = re.compile(r"%\((\w+)\)[sd]")
FORMER: Final[Mapping[str, str]] = json.loads((Path(__file__).parent / "former_words.json").read_text(encoding="utf-8"))
"""Sentences as stored plans have them from earlier versions, and what we say now; the figures have the same names."""


def reasons_text(reasons: Iterable[Mapping[str, Any]]) -> str:
    """Return the sentences of a plan, one after the other.

    A translation that asks for what is not there gives the source.
    """
    return " ".join(_sentence(str(each["text"]), each.get("args") or {}) for each in reasons)


def reason_in_words(reason: Reason) -> str:
    """Return the sentence of a reason that a planner has just given."""
    return _sentence(reason.text, dict(reason.args))


def by_table(plan: Mapping[str, Any]) -> dict[int, str]:
    """Return, by table of a round, why it was drawn so; tables about which nothing is stored are left out."""
    pods = plan.get("pods") or ()
    return {int(pod["table"]): text for pod in pods if (text := reasons_text(pod.get("why") or ()))}


def of_match(match: Match) -> str:
    """Return why this match was drawn so.

    match: with its round; one without (of a ladder) stores its sentences as text.
    """
    if match.round is None:
        # Ladders have no plan: reasons of a round are written in it once, not once a match.
        return _read_back(match.why)
    return by_table(match.round.plan).get(match.table_no or 0, match.why)


def _sentence(text: str, figures: Mapping[str, Any]) -> str:
    try:
        return str(_(FORMER.get(text, text)) % {name: _figure(name, each) for name, each in figures.items()})
    except (KeyError, TypeError, ValueError):
        # An older plan may lack a figure that the sentence has now.
        return text


def _figure(name: str, value: Any) -> Any:
    """Return an exact score, which a planner writes as "280/3" or "-2.5", as people read it; all else as it is."""
    is_score = name in SCORES and isinstance(value, str) and EXACT.fullmatch(value)
    return amount(Fraction(value)) if is_score else value


def _read_back(text: str) -> str:
    """Translate the sentences of a ladder's match, of which only the text is stored: their figures are numbers."""
    for source, pattern in _patterns():
        found = pattern.search(text)
        if found is not None:
            figures = {name: int(number) if number.isdigit() else number for name, number in found.groupdict().items()}
            text = text[: found.start()] + _sentence(source, figures) + text[found.end() :]
    return text


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each sentence with a pattern that has a group for every number."""
    return tuple((source, re.compile(_pattern(source))) for source in REASON_TEXTS)


def _pattern(source: str) -> str:
    parts = FIGURE.split(source)
    # Split at a group: every second part is the name of a figure, the others are plain text.
    return "".join(f"(?P<{part}>[0-9.]+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
