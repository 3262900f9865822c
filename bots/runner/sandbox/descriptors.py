"""Layer 1: no descriptor but the log (1 and 2) and the channel (3). There is no stdin."""

from __future__ import annotations

import os

from bots.runner.sandbox.kernel import syscall
from bots.runner.sandbox.layer import CHANNEL_FD, Layer, Limits

_CLOSE_RANGE = 436  # the same number on every architecture
# close_range(2) takes an unsigned int: to the very last, however many are open.
_LAST = 2**32 - 1
# The check is a sample of the lowest numbers, which the kernel gives out first.
_LOOKED_AT = 64


def apply(_limits: Limits) -> None:
    """Close standard input and everything above the channel."""
    syscall(_CLOSE_RANGE, 0, 0, 0)
    syscall(_CLOSE_RANGE, CHANNEL_FD + 1, _LAST, 0)


def is_active(_limits: Limits) -> bool:
    """The first numbers are free, but for the three that a bot has."""
    return {number for number in range(_LOOKED_AT) if _is_open(number)} == {1, 2, CHANNEL_FD}


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


LAYER = Layer("descriptors", apply, is_active)
