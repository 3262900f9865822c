"""A layer of the lock: something to apply to the calling process, and a question whether it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

CHANNEL_FD: Final = 3  # the child's end of its socket; 1 and 2 are its log


class LockError(Exception):
    """A layer could not be applied or does not hold. Nothing of a bot may be played in this process."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one child. address_space, data, log_size: bytes; cpu_s: whole seconds.

    data: of private memory that can be written, what the process starts with included.
    """

    address_space: int
    data: int
    cpu_s: int
    log_size: int


@dataclass(frozen=True, slots=True)
class Layer:
    """One file of this package. `apply` raises OSError, ValueError or LockError; `is_active` tries what is
    forbidden.
    """

    name: str
    apply: Callable[[Limits], None]
    is_active: Callable[[Limits], bool]
