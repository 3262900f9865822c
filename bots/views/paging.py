"""Pages of a long list: numbered, linked, findable; nothing loads while you scroll."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page of rows. `previous_query`, `next_query`: the query strings of the neighbours, other filters kept."""

    rows: Sequence[Row]
    number: int
    last: int
    total: int
    previous_query: str = ""
    next_query: str = ""

    @property
    def has_other_pages(self) -> bool:
        return self.last > 1

    @property
    def has_previous_page(self) -> bool:
        return self.number > 1

    @property
    def has_next_page(self) -> bool:
        return self.number < self.last


ModelRow = TypeVar("ModelRow", bound=Model)


def page_of(request: HttpRequest, rows: "QuerySet[ModelRow, Any]", *, size: int = 25) -> Page[ModelRow]:
    """The page that `?page=` asks for, the nearest one there is if it asks for nonsense. Two queries."""
    page = numbers_of(request, rows, size=size)
    return replace(page, rows=list(rows[(page.number - 1) * size : page.number * size]))


def numbers_of(request: HttpRequest, rows: "QuerySet[ModelRow, Any]", *, size: int) -> Page[ModelRow]:
    """Which page that is, and its neighbours, without its rows. One query."""
    total = rows.count()
    last = max(1, -(-total // size))
    wanted = request.GET.get("page", "1")
    number = min(max(1, int(wanted)), last) if wanted.isdecimal() and len(wanted) < 9 else 1
    return Page((), number, last, total, _query(request, number - 1), _query(request, number + 1))


def _query(request: HttpRequest, number: int) -> str:
    query = request.GET.copy()
    query["page"] = str(number)
    return query.urlencode()
