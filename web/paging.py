"""Pages of a long list: numbered, linked, findable; nothing loads while you scroll."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

Row = TypeVar("Row")
COUNTED: Final = 5_000
"""Rows are counted up to this number; a longer list says "more than", and its pages go on all the same."""
MAX_EXAMINED: Final = 1_000
"""The same where each row has to be examined before it counts: words in its name, what its owner has."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page of rows. `previous_query`, `next_query`: the query strings of the neighbours, with the other filters.

    is_more: there are more rows than `total` and more pages than `last`: nobody counted them.
    """

    rows: Sequence[Row]
    number: int
    last: int
    total: int
    previous_query: str = ""
    next_query: str = ""
    is_more: bool = False

    @property
    def has_other_pages(self) -> bool:
        return self.last > 1

    @property
    def has_previous_page(self) -> bool:
        return self.number > 1

    @property
    def has_next_page(self) -> bool:
        return self.is_more or self.number < self.last


ModelRow = TypeVar("ModelRow", bound=Model)


def far(words: str) -> int:
    """Return up to how many rows a list that may be searched is counted."""
    return MAX_EXAMINED if words else COUNTED


def page_of(
    request: HttpRequest,
    rows: "QuerySet[ModelRow, Any]",
    *,
    size: int = 25,
    most: int = COUNTED,
    parts: "Sequence[QuerySet[ModelRow, Any]]" = (),
) -> Page[ModelRow]:
    """Return the page that `?page=` asks for, the nearest one if it asks for nonsense. Two queries, one of no rows.

    Beyond what is counted: three once the list ends, for anyone who asks for more than there is gets the last page.
    most: the number up to which rows are counted; smaller where each is examined, as in a search.
    parts: the same rows in their order, one part after another: first those that an index has in that order, so that
    nothing else is sorted before them. Three queries on a page with rows of two parts, four far behind that.
    """
    page = numbers_of(request, rows, size=size, most=most)
    found = _rows(parts or (rows,), page, size) if page.total else []
    # Beyond the counted rows the list may end on this page or before it: only now is it worth counting all.
    if page.is_more and len(found) <= size:
        page = numbers_for(request, rows.count(), size)
        found = _rows(parts or (rows,), page, size)
    return replace(page, rows=found[:size])


def _rows(parts: "Sequence[QuerySet[ModelRow, Any]]", page: "Page[ModelRow]", size: int) -> list[ModelRow]:
    """Return the rows of the page, and one more if there is one."""
    start, found = (page.number - 1) * size, list[ModelRow]()
    # Where all were counted, those on the page are known to be there: a part after them has none.
    enough = size + 1 if page.is_more else min(size, page.total - start)
    for part in parts:
        here = _slice(part, start, start + size + 1 - len(found))
        found += here
        if len(found) >= enough:
            break
        if part is not parts[-1]:
            # Without a row the part ended before the page, nobody knows how far before it.
            start = 0 if here or not start else start - part.count()
    return found


def _slice(rows: "QuerySet[ModelRow, Any]", start: int, stop: int) -> list[ModelRow]:
    """Return these rows. Deep in a list their keys are found first, in the same query: what is shown of a row is not
    worked out for all the rows before it.
    """
    wanted = slice(start, stop)
    return list(rows.filter(pk__in=rows.values("pk")[wanted])) if start else list(rows[wanted])


def numbers_of(request: HttpRequest, rows: "QuerySet[Any, Any]", *, size: int, most: int = COUNTED) -> Page[Any]:
    """Return the number of the page and its neighbours, without its rows. One query, which counts no further than
    `most`.
    """
    # Without the order: a count needs none, and PostgreSQL would sort for it.
    counted = rows.order_by().values("pk")[: most + 1].count()
    return numbers_for(request, min(counted, most), size, is_more=counted > most)


def numbers_for(request: HttpRequest, total: int, size: int, *, is_more: bool = False) -> Page[Any]:
    """Return the number of the page of a list of `total` rows, and its neighbours; no query."""
    # Rounded up; an empty list has one page.
    last = max(1, -(-total // size))
    wanted = request.GET.get("page", "1")
    # Six digits at most: a far OFFSET reads all rows before it.
    number = max(1, int(wanted)) if wanted.isdecimal() and len(wanted) < 7 else 1
    number = number if is_more else min(number, last)
    return Page((), number, last, total, _query(request, number - 1), _query(request, number + 1), is_more)


def _query(request: HttpRequest, number: int) -> str:
    query = request.GET.copy()
    query["page"] = str(number)
    return query.urlencode()
