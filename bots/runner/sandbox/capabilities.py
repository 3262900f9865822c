"""Layer 3: no capability, for workers that run as root. The filter refuses what they open; this is a second wall."""

from __future__ import annotations

import ctypes

from bots.runner.sandbox.kernel import syscall
from bots.runner.sandbox.layer import Layer, Limits
from bots.runner.sandbox.syscalls import architecture

_VERSION_3 = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    """Two halves of effective, permitted and inheritable."""

    _fields_ = (("words", ctypes.c_uint32 * 6),)


def apply(_limits: Limits) -> None:
    """Drop every capability of this process, for good."""
    syscall(architecture().numbers["capset"], _Header(_VERSION_3, 0), _Sets())


def is_active(_limits: Limits) -> bool:
    """None is left."""
    sets = _Sets()
    syscall(architecture().numbers["capget"], _Header(_VERSION_3, 0), sets)
    return not any(sets.words)


LAYER = Layer("capabilities", apply, is_active)
