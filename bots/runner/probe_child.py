"""The probe's process: puts the layers on one by one and, after each, tries what it forbids.

The attempts are written apart from the layers' own checks (`holds`), so that one mistake does not blind both.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import socket
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Never

from bots.runner import sandbox
from bots.runner.child import Serve, receive_limits, settle
from bots.runner.sandbox import CHANNEL_FD, Limits, LockError

_TRACE_ME: Final = 0
_GET_DUMPABLE: Final = 3
_GET_NO_NEW_PRIVS: Final = 39
_FREE_DESCRIPTORS: Final = range(CHANNEL_FD + 1, 256)


def run_probe_child(channel: int, log: int, zygote_pid: int, _serve: Serve) -> Never:
    """In the forked process: log {layer name: what was wrong, "" if nothing} as JSON; if all is well, die of ptrace."""
    settle(channel, log, zygote_pid)
    limits = receive_limits()
    report = {layer.name: _try_layer(layer, limits) for layer in sandbox.LAYERS}
    os.write(1, json.dumps(report).encode())
    ctypes.CDLL(None).ptrace(_TRACE_ME, 0, 0, 0)  # the filter answers this with SIGSYS
    os._exit(0)


def _try_layer(layer: sandbox.Layer, limits: Limits) -> str:
    """Empty if the layer went on and every attempt failed; else what was wrong."""
    try:
        sandbox.put_on(layer, limits)
        return ATTEMPTS[layer.name](limits)
    except (LockError, OSError) as error:
        return str(error)
    except KeyError:
        return "nobody tries this layer; write an attempt in probe_child.py"


def _fails(number: int, action: Callable[[], Any]) -> bool:
    """Whether the action fails with just this errno."""
    try:
        action()
    except OSError as error:
        return error.errno == number
    return False


def _descriptors(_limits: Limits) -> str:
    open_ones = [number for number in (0, *_FREE_DESCRIPTORS) if not _fails(errno.EBADF, partial(os.fstat, number))]
    return f"descriptors {open_ones} are open" if open_ones else ""


def _rlimits(limits: Limits) -> str:
    if not _fails(errno.ENOMEM, lambda: mmap.mmap(-1, limits.address_space)):
        return "memory can be had beyond the limit"
    copies: list[int] = []
    is_limited = _fails(errno.EMFILE, lambda: copies.extend(iter(partial(os.dup, 1), -1)))
    os.closerange(CHANNEL_FD + 1, _FREE_DESCRIPTORS.stop)
    return "" if is_limited else "descriptors can be had beyond the limit"


def _capabilities(_limits: Limits) -> str:
    return "" if _fails(errno.EPERM, lambda: os.chroot("/")) else "chroot works"


def _process_flags(_limits: Limits) -> str:
    prctl = ctypes.CDLL(None).prctl
    if prctl(_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
        return "an exec could raise rights"
    return "another process could look into this one" if prctl(_GET_DUMPABLE, 0, 0, 0, 0) else ""


def _landlock(_limits: Limits) -> str:
    for path in ("/", "/proc/self/maps", "/dev/null"):
        if not _fails(errno.EACCES, partial(os.open, path, os.O_RDONLY)):
            return f"{path} can be opened"
    return "" if _fails(errno.EACCES, _make_folder) else "a folder can be made"


def _make_folder() -> None:
    path = f"/tmp/hanami-probe-{os.getpid()}"  # made only if the sandbox fails, and removed
    os.mkdir(path)
    os.rmdir(path)


def _seccomp(_limits: Limits) -> str:
    executable = mmap.PROT_READ | mmap.PROT_EXEC
    attempts: tuple[tuple[str, int, Callable[[], Any]], ...] = (
        ("open", errno.ENOENT, lambda: os.open("/", os.O_RDONLY)),
        ("stat", errno.ENOENT, lambda: os.stat("/")),
        ("fork", errno.EAGAIN, _fork),
        ("socket", errno.EPERM, lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM)),
        ("pipe", errno.EPERM, os.pipe),
        ("kill", errno.EPERM, lambda: os.kill(os.getpid(), 0)),
        ("executable memory", errno.EPERM, lambda: mmap.mmap(-1, 4096, prot=executable)),
    )
    working = [name for name, number, attempt in attempts if not _fails(number, attempt)]
    return f"not refused: {', '.join(working)}" if working else ""


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)
    os.wait()


ATTEMPTS: Final[dict[str, Callable[[Limits], str]]] = {
    "descriptors": _descriptors,
    "rlimits": _rlimits,
    "capabilities": _capabilities,
    "process_flags": _process_flags,
    "landlock": _landlock,
    "seccomp": _seccomp,
}
