"""Making a file, unless it is there: one at a time in a process, and so many an hour for one network."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from tournaments.interchange import stored_files
from tournaments.interchange.files import File
from tournaments.interchange.stored_files import Stored
from web.one_at_a_time import FILES
from web.rate_limits import count_from

MADE_PER_HOUR: Final = 240
"""For one network; a file that is there already does not count. An event of ten rounds has some fifty."""
HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Unstored:
    """A file that was made and could not be kept."""

    file: File

    @property
    def kind(self) -> str:
        return self.file.kind

    @property
    def name(self) -> str:
        return self.file.name

    @property
    def size(self) -> int:
        return len(self.file.content)

    def content(self) -> bytes:
        """All of it."""
        return self.file.content

    async def pieces(self) -> AsyncIterator[bytes]:
        """All of it, as one piece."""
        yield self.file.content


def made(key: str, make: Callable[[], File], *, network: str) -> Stored | Unstored:
    """The file of this key. network: stands for who asks (`web.rate_limits.mark_of`).

    Raises what `make` raises, and TournamentError "file.rate" and "file.busy" (extra: retry_after).
    """
    found = stored_files.find(key)
    if found is not None:
        return found
    _require_rate(network)
    with FILES.turn("file.busy"):
        found = stored_files.find(key)  # somebody who was first may have made it
        if found is not None:
            return found
        file = make()
        return stored_files.store(key, *file) or Unstored(file)


def _require_rate(network: str) -> None:
    wait = count_from("files: ", network, most=MADE_PER_HOUR, within=HOUR)
    if wait is not None:
        message = _("%(n)s new files in an hour are the limit for one network. Try again in %(minutes)s minutes.")
        shown = {"n": MADE_PER_HOUR, "minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="file.rate", extra={"retry_after": wait})
