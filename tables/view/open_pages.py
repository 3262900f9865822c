"""Pages at which somebody has a table open: noted as seen all at once, and told whether their view has changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Final

from django.core import signing
from django.db.models import Prefetch
from django.utils import timezone
from django.utils.translation import override

from tables.actions.rows import write_seen_of
from tables.models import LiveSeat, LiveTable
from tables.view.masks import NOBODY
from tables.view.state import etag_of

PATH: Final = "/play/here/"
SALT: Final = "hanami.open_page"
TOKEN_S: Final = 24 * 3600
WATCHES: Final = 0
"""In place of a seat's id: somebody who only watches."""
# What an ETag is made of. A column that is missing here would be read row by row.
_OF_TABLE: Final = ("uuid", "state", "answered", "events", "match_id", "clock", "paused_at", "deadline_at")
_OF_SEAT: Final = ("table_id", "index", "kind", "name", "nonce", "greeting", "greeted_after", "seen_at")


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that shows a table. table, seat: ids of their rows; seat: WATCHES for none. language: of its texts."""

    table: int
    seat: int
    language: str

    @property
    def address(self) -> str:
        """Sign it for a day, and return where it says that it is open.

        Make it only for somebody who may see the page, and with their own seat.
        """
        return f"{PATH}?page={signing.dumps(astuple(self), salt=SALT)}"


def page_of(token: str) -> OpenPage | None:
    """Return the page that a token was made for; None if it was not made here, or more than a day ago."""
    try:
        return OpenPage(*signing.loads(token, salt=SALT, max_age=TOKEN_S))
    except signing.BadSignature:
        return None


def note_open(pages: Collection[OpenPage]) -> dict[OpenPage, str]:
    """Note that somebody is at these pages, and return the ETag of the view of each. Four statements.

    A page is missing where there is something to do that only a look does: its table is gone, or a time is over there.
    """
    now = timezone.now()
    write_seen_of({page.seat for page in pages} - {WATCHES}, now)
    seats = LiveSeat.objects.order_by("index").only(*_OF_SEAT)
    asked = LiveTable.objects.filter(pk__in={page.table for page in pages}).only(*_OF_TABLE)
    tables = {table.pk: table for table in asked.prefetch_related(Prefetch("seats", seats))}
    return dict(_etags(pages, tables, now))


def _etags(pages: Collection[OpenPage], tables: dict[int, LiveTable], now: datetime) -> Iterator[tuple[OpenPage, str]]:
    for page in pages:
        table = tables.get(page.table)
        if table is None or (table.deadline_at is not None and table.deadline_at <= now):
            continue
        seats = list(table.seats.all())
        own = next((seat.index for seat in seats if seat.pk == page.seat), NOBODY)
        with override(page.language):
            yield page, etag_of(table, seats, own, now)
