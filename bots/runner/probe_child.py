"""The probe's process: puts the layers on one by one and, after each, tries what it forbids.

The attempts are written apart from the layers' own checks (`holds`), so that one mistake does not blind both.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, Never

from bots.runner import sandbox
from bots.runner.child import Serve, receive_limits, settle
from bots.runner.sandbox import CHANNEL_FD, Limits, LockError
from bots.runner.sandbox.kernel import syscall
from bots.runner.sandbox.syscalls import architecture

_TRACE_ME: Final = 0
_GET_PDEATHSIG: Final = 2
_GET_DUMPABLE: Final = 3
_GET_NO_NEW_PRIVS: Final = 39
_ABI_NET: Final = 4  # of Landlock: from here on TCP
_ABI_SCOPES: Final = 6  # .. and signals
_CAPABILITY_VERSION: Final = 0x20080522
_FEW: Final = 16
_MERGEABLE: Final = 12  # advice
_X32_START: Final = 0x40000000
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
    if not is_limited or len(copies) > _FEW:
        return "descriptors can be had beyond the limit"
    given = {"CPU": limits.cpu_s, "FSIZE": limits.log_size, "CORE": 0, "MEMLOCK": 0, "MSGQUEUE": 0}
    open_ones = [
        name for name, value in given.items() if resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) != (value,) * 2
    ]
    return f"not limited: {', '.join(open_ones)}" if open_ones else ""


def _capabilities(_limits: Limits) -> str:
    if not _fails(errno.EPERM, lambda: os.chroot("/")):
        return "chroot works"
    sets = (ctypes.c_uint32 * 6)()
    ctypes.CDLL(None).capget((ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0), sets)
    return "capabilities are left" if any(sets) else ""


def _process_flags(_limits: Limits) -> str:
    prctl = ctypes.CDLL(None).prctl
    if prctl(_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
        return "an exec could raise rights"
    if prctl(_GET_DUMPABLE, 0, 0, 0, 0):
        return "another process could look into this one"
    at_parents_end = ctypes.c_int()
    prctl(_GET_PDEATHSIG, ctypes.byref(at_parents_end), 0, 0, 0)
    return "" if at_parents_end.value == signal.SIGKILL else "it would outlive the fork server"


def _landlock(_limits: Limits) -> str:
    for path in ("/", "/proc/self/maps", "/dev/null"):
        if not _fails(errno.EACCES, partial(os.open, path, os.O_RDONLY)):
            return f"{path} can be opened"
    if not _fails(errno.EACCES, _make_folder):
        return "a folder can be made"
    version = sandbox.landlock.abi()
    if version >= _ABI_NET and not _fails(errno.EACCES, _connect):
        return "a TCP connection can be tried"
    is_signalled = version >= _ABI_SCOPES and not _fails(errno.EPERM, lambda: os.kill(os.getppid(), 0))
    return "the fork server can be sent a signal" if is_signalled else ""


def _connect() -> None:
    """To nobody: without the layer the answer is a refusal, or that there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tcp:
        tcp.connect(("127.0.0.1", 9))


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
        ("memory made executable", errno.EPERM, lambda: _on_a_page("mprotect", executable)),
        ("merging memory with others'", errno.EPERM, lambda: _on_a_page("madvise", _MERGEABLE)),
        ("the clock of another", errno.EPERM, lambda: time.clock_gettime((~os.getppid() << 3) | 2)),
        ("the calls of x32", errno.EPERM, _x32_call),
    )
    working = [name for name, number, attempt in attempts if not _fails(number, attempt)]
    return f"not refused: {', '.join(working)}" if working else ""


def _on_a_page(call: str, argument: int) -> None:
    """The call (mprotect, madvise) on a page of its own."""
    page = (ctypes.c_char * 4096).from_buffer(mmap.mmap(-1, 4096))
    syscall(architecture().numbers[call], ctypes.addressof(page), 4096, argument)


def _x32_call() -> None:
    """One by the numbers of x32 (getpid); an architecture that has no second table cannot be asked."""
    if architecture().name != "x86_64":
        raise PermissionError(errno.EPERM, "there is no x32")
    syscall(_X32_START + architecture().numbers["getpid"])


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
