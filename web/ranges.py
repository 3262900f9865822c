"""Parts of a file that a reader asks for: one range of bytes, for downloads that go on after they broke off (RFC 9110).

A request that names several ranges, or that cannot be read, gets the whole file, as the RFC allows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_ONE_RANGE: Final = re.compile(r"bytes=(?:(\d{1,18})-(\d{1,18})?|-(\d{1,18}))", re.ASCII)


@dataclass(frozen=True, slots=True)
class Part:
    """Some bytes of a file: `length` of them from `first` on. length 0: none of those that were asked for is there."""

    first: int
    length: int
    size: int

    @property
    def header(self) -> str:
        """The value of `Content-Range`."""
        if not self.length:
            return f"bytes */{self.size}"
        return f"bytes {self.first}-{self.first + self.length - 1}/{self.size}"


def part_asked_for(headers: Mapping[str, str], etag: str, size: int) -> Part | None:
    """Return the part of a file that a request asks for, or None for all of it.

    etag: of the file now; one that the reader has a part of (`If-Range`) has to be the same, or all of it goes out.
    """
    found = _ONE_RANGE.fullmatch(headers.get("Range", "").strip())
    # Compared to the letter: a weak mark says that two files are as good as equal, and halves of those do not fit. A
    # date is never equal; these files have none.
    if found is None or headers.get("If-Range", etag) != etag:
        return None
    first, last, newest = found.groups()
    if newest is not None:
        length = min(int(newest), size)
        return Part(size - length, length, size)
    begin = int(first)
    end = size - 1 if last is None else min(int(last), size - 1)
    if last is not None and int(last) < begin:
        return None
    return Part(begin, max(0, end - begin + 1), size)
