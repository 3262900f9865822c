"""Layer 5: Landlock. Every right that the running kernel knows is handled and none is granted.

Source: Linux `include/uapi/linux/landlock.h`. ABI 1: file system, 2: refer, 3: truncate, 4: TCP, 5: device ioctl,
6: scopes (abstract unix sockets, signals). ABI 1 is required; a newer kernel than this file only has rights that the
filter of the next layer refuses.
"""

from __future__ import annotations

import ctypes
import errno
import os

from bots.runner.sandbox.kernel import syscall
from bots.runner.sandbox.layer import Layer, Limits, LockError

_CREATE_RULESET, _RESTRICT_SELF = 444, 446  # the same on every architecture
_VERSION_FLAG = 1
_FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15}  # by ABI; from 5 on there are 16
_FS_BITS_LATEST = 16
_NET_ALL = 0b11  # bind and connect TCP
_SCOPE_ALL = 0b11  # abstract unix sockets, signals
_ABI_NET, _ABI_SCOPES = 4, 6


class _Rights(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


def abi() -> int:
    """The Landlock ABI of the running kernel. Raises LockError if it has none or it is switched off."""
    try:
        return syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError as error:
        raise LockError(f"Landlock is not available ({error.strerror}); Linux 5.13 or newer is needed") from None


def restrict() -> None:
    """Take every right from this thread and its children for good. Set no_new_privs first."""
    version = abi()
    rights = _Rights(
        # Rights are numbered without gaps; asking a kernel for one that it does not know fails with EINVAL.
        fs=(1 << _FS_BITS.get(version, _FS_BITS_LATEST)) - 1,
        net=_NET_ALL if version >= _ABI_NET else 0,
        scoped=_SCOPE_ALL if version >= _ABI_SCOPES else 0,
    )
    # Without a single rule: what is handled and not granted is refused everywhere.
    ruleset = syscall(_CREATE_RULESET, rights, ctypes.sizeof(rights), 0)
    try:
        syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def apply(_limits: Limits) -> None:
    """No file system, no TCP, no signal and no abstract socket outside this process."""
    restrict()


def is_active(_limits: Limits) -> bool:
    """Not even the root directory can be opened."""
    try:
        os.close(os.open("/", os.O_RDONLY | os.O_DIRECTORY))
    except OSError as error:
        return error.errno == errno.EACCES
    return False


LAYER = Layer("landlock", apply, is_active)
