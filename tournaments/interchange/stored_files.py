"""Files that were made once, stored packed on the disk of this machine: the next reader gets them without any work.

A file is named by the hash of all that it depends on, so that one that is out of date is never found, only pushed out.
Nothing depends on the folder: it may be emptied at any time, and another machine makes its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, Self

import zstandard
from django.conf import settings
from django.utils.translation import gettext as _

from core.errors import TournamentError
from tournaments.interchange.files import File
from web.one_at_a_time import FILES
from web.rate_limits import count_from

# Of all files as they lie there. An event of 12 MB is packed to about one.
MAX_BYTES: Final = 24 * 1024 * 1024
PIECE: Final = 64 * 1024
LEVEL: Final = 3


@dataclass(frozen=True, slots=True)
class Stored:
    """A file as it lies there. size: unpacked, bytes; head: the offset of its packed contents."""

    path: Path
    kind: str
    name: str
    size: int
    head: int

    def content(self) -> bytes:
        """Return all of it at once. Raises OSError if it was pushed out meanwhile."""
        return b"".join(_Pieces(self))

    def pieces(self) -> AsyncPieces:
        """Return it piece by piece, for a reader that may be slow. Raises OSError likewise, at once."""
        return AsyncPieces(_Pieces(self))


class _Pieces:
    """An open file and its unpacked pieces. While it is open it is there, however long the reader takes."""

    def __init__(self, stored: Stored) -> None:
        self._file = stored.path.open("rb")
        self._file.seek(stored.head)
        self._reader = zstandard.ZstdDecompressor().stream_reader(self._file)

    def __iter__(self) -> Iterator[bytes]:
        with contextlib.closing(self):
            while piece := self._reader.read(PIECE):
                yield piece

    def close(self) -> None:
        self._file.close()


class AsyncPieces:
    """Pieces for Django's ASGI handler, which would put those of a plain iterator together before it sends any."""

    def __init__(self, pieces: _Pieces) -> None:
        self._pieces = pieces

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._each()

    async def _each(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            yield piece

    def close(self) -> None:
        """Close the file. Django calls it once the answer is sent, or nobody reads it any more."""
        self._pieces.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()


def folder() -> Path:
    """Return the folder of the files."""
    return Path(settings.DATA_DIR) / "made-files"


def find(key: str) -> Stored | None:
    """Return the file of this key, if it is there; that it was asked for keeps it longer."""
    path = folder() / key
    try:
        with path.open("rb") as file:
            line = file.readline(2000)
            head = json.loads(line)
        os.utime(path)
        return Stored(path, head["kind"], head["name"], head["size"], len(line))
    except (OSError, ValueError, KeyError):
        return None


def store(key: str, content: bytes, kind: str, name: str) -> Stored | None:
    """Store a file under this key, and push out what was not asked for longest. None where nothing can be stored."""
    head = json.dumps({"kind": kind, "name": name, "size": len(content)}).encode() + b"\n"
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        packed = zstandard.ZstdCompressor(level=LEVEL).compress(content)
        if len(head) + len(packed) > MAX_BYTES:
            return None
        _make_room(len(head) + len(packed))
        # Written beside it and renamed: a reader sees the whole file or none, also if the process dies in between.
        with tempfile.NamedTemporaryFile(dir=folder(), prefix=".", delete=False) as file:
            file.write(head + packed)
        Path(file.name).replace(folder() / key)
    except OSError:  # a full disk, or one that may not be written to: the file goes out all the same
        return None
    return Stored(folder() / key, kind, name, len(content), len(head))


def _make_room(wanted: int) -> None:
    """Delete the oldest until there is room; half-written ones of a process that died are as old as they are."""
    found = []
    for path in folder().iterdir():
        with contextlib.suppress(OSError):  # another process was first
            status = path.stat()
            found.append((status.st_mtime_ns, status.st_size, path))
    room = MAX_BYTES - sum(size for _at, size, _path in found)
    for _at, size, path in sorted(found):
        if room >= wanted:
            return
        path.unlink(missing_ok=True)
        room += size


# For one network; a file that is there already does not count. An event of ten rounds has some fifty.
MADE_PER_HOUR: Final = 240
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
        """Return all of it."""
        return self.file.content

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield all of it, as one piece."""
        yield self.file.content


def made(key: str, make: Callable[[], File], *, network: str) -> Stored | Unstored:
    """Return the file of this key. network: stands for the caller (`web.rate_limits.mark_of`).

    Raises what `make` raises, and TournamentError "file.rate" and "file.busy" (extra: retry_after).
    """
    found = find(key)
    if found is not None:
        return found
    _require_rate(network)
    # One at a time: files of large events cost memory and seconds, and pages of others would wait for them.
    with FILES.turn("file.busy"):
        found = find(key)  # somebody who was first may have made it
        if found is not None:
            return found
        file = make()
        return store(key, *file) or Unstored(file)


def _require_rate(network: str) -> None:
    wait = count_from("files: ", network, most=MADE_PER_HOUR, within=HOUR)
    if wait is not None:
        message = _("One network can have %(n)s new files made per hour. Try again in %(minutes)s minutes.")
        shown = {"n": MADE_PER_HOUR, "minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="file.rate", extra={"retry_after": wait})
