"""The way of a child's end from the fork server to the worker, without a trace left in the fork server.

Every later bot can find in its own memory all that the fork server has had in its: freed memory is not cleared. How
long a bot thought and how much memory it took would then be a message from one match to the next. So the kernel writes
the end of a child into one fixed piece of memory, that is sent as it is, and wiped.
"""

from __future__ import annotations

import ctypes
import socket
from typing import Final

from bots.runner.process import Exit

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_USAGE_LONGS: Final = 18  # struct rusage: two times of two, and fourteen more
_PEAK: Final = 4
# No JSON object begins with these letters, so replies and ends share one socket.
_MARK: Final = b"end"


class _End(ctypes.Structure):
    _fields_ = (
        ("mark", ctypes.c_char * 8),
        ("number", ctypes.c_int64),
        ("status", ctypes.c_int64),  # an int, the upper half stays 0
        ("usage", ctypes.c_long * _USAGE_LONGS),
    )


class Reaper:
    """The fork server's side."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._end = _End()
        self._status = ctypes.byref(self._end, _End.status.offset)
        self._usage = ctypes.byref(self._end, _End.usage.offset)

    def reap(self, pid: int, number: int) -> None:
        """Take a dead child off the kernel's list and report its end as `number`. Raises OSError."""
        # Not os.wait4, which makes Python objects of the figures; their freed memory would show in every later fork
        # (decision 0024).
        if _LIBC.wait4(pid, self._status, 0, self._usage) != pid:
            raise OSError(ctypes.get_errno(), f"the child {pid} cannot be reaped")
        self._end.mark, self._end.number = _MARK, number
        self._control.send(self._end)
        # Wiped before the next fork copies this memory.
        ctypes.memset(ctypes.byref(self._end), 0, ctypes.sizeof(self._end))


def is_end(packet: bytes) -> bool:
    """Return whether this packet of the fork server reports an end; the others are JSON."""
    return packet.startswith(_MARK)


def read_end(packet: bytes) -> tuple[int, Exit]:
    """The worker's side: the number of the child and how it ended."""
    end = _End.from_buffer_copy(packet)
    user_s, user_us, system_s, system_us = end.usage[:4]
    cpu_ms = (user_s + system_s) * 1000 + (user_us + system_us) / 1000
    return end.number, Exit(end.status, cpu_ms, end.usage[_PEAK])
