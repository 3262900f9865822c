"""The page of the published decisions, and its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from engine.cards import codes
from engine.data import SUMS
from engine.data_rows import COLUMNS
from tournaments.dataset import croissant
from tournaments.dataset.catalogue import CROISSANT, DayFile, totals
from tournaments.dataset.columns import MEANINGS
from tournaments.dataset.serving import current, day_file, is_made_here, listed, text_file
from web.highlighting import highlighted
from web.page import render_page
from web.paging import numbers_for
from web.sending import send_divisible, send_file

DAYS: Final = 30
GROUPS: Final = {
    "match": gettext_lazy("Match"),
    "deal": gettext_lazy("Position"),
    "legal": gettext_lazy("Choice"),
    "deal_score": gettext_lazy("Result"),
}
"""Titles of the groups of columns, by the first column of each."""
EXAMPLE: Final = """from hanafuda.data import load

for row in load("dataset").rows():
    print(row["legal"][row["choice"]])
"""
# The eighth decision of tests/data/records/hawaii-2.json.
ONE_ROW: Final[dict[str, Any]] = {
    "hand": 68721573892,
    "field": 21751661632,
    "legal": ["01.3", "06.2", "10.1"],
    "choice": 1,
    "match_rank": [1, 2],
}
"""Some columns of a row."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A column of the row that is shown. value: as it is read, "" where the number alone says nothing; cards: what it
    stands for.
    """

    name: str
    value: str
    cards: Sequence[str]
    meaning: Promise


@dataclass(frozen=True, slots=True)
class Line:
    """A day in the list. is_current: it can be downloaded."""

    file: DayFile
    is_current: bool


@require_safe
def data(request: HttpRequest) -> HttpResponseBase:
    """Show what is published, what its columns mean and how to read it."""
    files = listed()
    page = numbers_for(request, len(files), DAYS)
    shown = files[(page.number - 1) * DAYS : page.number * DAYS]
    available = current(shown)
    context = {
        "page": replace(page, rows=[Line(file, file.day in available) for file in shown]),
        "totals": totals(files),
        "columns": list(_columns()),
        "one_row": [_cell(name, value) for name, value in ONE_ROW.items()],
        "example": highlighted(EXAMPLE, "python"),
        "citation": croissant.citation(request.build_absolute_uri(reverse("data"))),
        "licence": croissant.LICENCE,
        "sums": SUMS,
        "croissant": CROISSANT,
        "is_made_here": is_made_here(),
    }
    return render_page(request, "dataset/data.html", context)


def _cell(name: str, value: Any) -> Cell:
    """Return a value of the row with the cards that it stands for."""
    if name in ("hand", "field"):
        return Cell(name, "", codes(value), MEANINGS[name])
    cards = ONE_ROW["legal"][value : value + 1] if name == "choice" else value if name == "legal" else ()
    return Cell(name, str(value), cards, MEANINGS[name])


def _columns() -> Iterator[tuple[Promise, list[tuple[str, str, str]]]]:
    """Yield the title of a group of columns, and (name, kind, meaning) of each of them, in their order."""
    rows = [(column.name, column.kind, str(MEANINGS[column.name])) for column in COLUMNS]
    starts = [index for index, row in enumerate(rows) if row[0] in GROUPS]
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        yield GROUPS[rows[start][0]], rows[start:end]


@require_safe
def data_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send a day, the list of hashes or the description for machines."""
    found = day_file(name)
    if found is not None:
        file, sent = found
        return send_divisible(request, file.sha256[:40], sent)
    text = text_file(name, request.build_absolute_uri(reverse("data")), lambda day: _address(request, day))
    if text is None:
        raise Http404(name)
    content, kind = text
    return send_file(content.encode(), kind, name, known=request.headers.get("If-None-Match"))


def _address(request: HttpRequest, name: str) -> str:
    return request.build_absolute_uri(reverse("data-file", args=[name]))
