"""Settings of the C library, so that memory of uploads and large files goes back to the machine."""

from __future__ import annotations

import ctypes
from typing import Final

MMAP_THRESHOLD: Final = -3
TRIM_THRESHOLD: Final = -1
ARENA_MAX: Final = -8
"""mallopt(3)."""


def return_large_pieces() -> None:
    """Give pieces above 256 KiB back to the kernel once they are freed; does nothing where the C library is another
    one.

    On its own glibc keeps such pieces, after the first one was freed, in an arena for each of many threads: a process
    with hostile uploads had 421 MiB, and 341 MiB so (decision 0084).
    """
    # musl and macOS have none.
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, 256 * 1024)
        mallopt(TRIM_THRESHOLD, 1024 * 1024)
        mallopt(ARENA_MAX, 2)
