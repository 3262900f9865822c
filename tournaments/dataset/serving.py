"""What the site publishes of a folder: files by name, each only while the matches in it are still published."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, Final

from engine.data import SUMS
from tournaments.dataset import catalogue, croissant, days
from tournaments.dataset.catalogue import CROISSANT, DayFile

PIECE: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A file, or a part of one, as it is sent (`web.sending.Divisible`): `size` bytes from `first` on."""

    path: Path
    kind: str
    name: str
    size: int
    first: int = 0

    def part(self, first: int, length: int) -> DiskFile:
        """Return `length` bytes of it, from `first` on."""
        return replace(self, first=self.first + first, size=length)

    def content(self) -> bytes:
        """Return all of it."""
        with self.path.open("rb") as file:
            file.seek(self.first)
            return file.read(self.size)

    def pieces(self) -> Pieces:
        """Return it piece by piece, opened at once: a day that is made again meanwhile does not cut it off."""
        file = self.path.open("rb")
        file.seek(self.first)
        return Pieces(file, self.size)


class Pieces:
    """Some bytes of an open file for Django's ASGI handler, which calls `close` once they are sent, or not wanted."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._left = size

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._each()

    async def _each(self) -> AsyncIterator[bytes]:
        while piece := self._file.read(min(PIECE, self._left)):
            self._left -= len(piece)
            yield piece

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def listed() -> tuple[DayFile, ...]:
    """Return the files of the site's folder, the newest day first."""
    return catalogue.published(catalogue.folder())


def current(files: Sequence[DayFile]) -> frozenset[str]:
    """Return the days, of these, whose files still hold just what is published. One query, none without files.

    A match that was withdrawn is gone at once, and not only once its day was made again.
    """
    if not files:
        return frozenset()
    dates = [file.date for file in files]
    now = days.versions(min(dates), max(dates))
    return frozenset(file.day for file in files if now.get(file.date) == file.version)


def day_file(name: str) -> tuple[DayFile, DiskFile] | None:
    """Return a day's file by its name; None if there is none, or one that is to be made again. One query at most."""
    file = next((each for each in listed() if each.name == name), None)
    path = catalogue.folder() / name
    if file is None or not current([file]) or not path.is_file() or path.stat().st_size != file.bytes:
        return None
    return file, DiskFile(path, croissant.MEDIA_TYPE, name, file.bytes)


def text_file(name: str, home: str, address: Callable[[str], str]) -> tuple[str, str] | None:
    """Return (text, media type) of the hashes or the description; None if that is not its name.

    home: the page, absolute; address: of a file by its name, absolute.
    """
    if name == SUMS:
        return catalogue.sums(sorted(listed(), key=lambda day: day.day)), "text/plain; charset=utf-8"
    if name == CROISSANT:
        said = croissant.text(listed(), home=home, address=lambda day: address(day.name))
        return said, "application/ld+json; charset=utf-8"
    return None


def is_made_here() -> bool:
    """Return whether this installation has the library that files are written with."""
    return find_spec("pyarrow") is not None
