"""Settings of the C library and of the collector: memory goes back to the machine, and no page waits for either."""

from __future__ import annotations

import ctypes
import gc
from typing import Any, Final

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
    mallopt = _of_the_c_library("mallopt")
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, 256 * 1024)
        mallopt(TRIM_THRESHOLD, 1024 * 1024)
        mallopt(ARENA_MAX, 2)


def return_memory(*, is_at_rest: bool = True) -> None:
    """Give what a process has let go of back to the kernel. Nothing else runs meanwhile.

    Cycles that requests left behind lie between the rest, and free pages stay with the process otherwise: six hundred
    tables at rest took 12 kB each, and 4 kB so. is_at_rest: no request waits for it. While a thousand tables were
    played, to look through everything took 110 ms; what is young, where such cycles are, is a part of it.
    """
    gc.collect(OLDEST if is_at_rest else YOUNG)
    trim = _of_the_c_library("malloc_trim")
    if trim is not None:
        trim(0)


def _of_the_c_library(name: str) -> Any:
    """Return a function of glibc; None where there is another library: musl and macOS have none of these."""
    return getattr(ctypes.CDLL(None), name, None)


NET_OBJECTS: Final = 10_000
"""Objects that are new and not gone before the young ones are looked through (Python: 700); a page makes some 2,000."""
YOUNG: Final = 1
OLDEST: Final = 2
"""Generations of the collector."""
TIMES: Final = (5, 80)
"""Times that a generation is looked through before the next older one is. With 20 for the first of them a process that
had a third of a core's work in pages stood still for 45 ms now and then, up to 95.
"""


def collect_seldom() -> None:
    """Put what is loaded aside, and look for cycles among what requests leave behind only.

    Call it once everything is imported. As Python does it, a page now and then waits for all modules, models and
    templates to be looked through: 280,000 objects, a quarter of a second on the machine where this was measured.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NET_OBJECTS, *TIMES)
