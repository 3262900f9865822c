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
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, Never

from bots.runner import sandbox
from bots.runner.child import Serve, receive_limits
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
_MAX_STACK: Final = 8 << 20
_OWN_MEMORY: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
_GROWS_DOWN: Final = 0x100
_MAY_MOVE: Final = 1
_A_MOMENT: Final = 500_000  # nanoseconds: half a thousand may be over before the process is off its core, and uncounted
_WAITING: Final = ("nanosleep", "clock_nanosleep", "poll", "ppoll", "select", "pselect6", "futex")
_LOCK_PI, _WAIT_SHARED, _WAIT = 6, 0, 128
_FREE_DESCRIPTORS: Final = range(CHANNEL_FD + 1, 256)


def run_probe_child(_serve: Serve) -> Never:
    """In the forked process, which is settled: log {layer name: what was wrong} as JSON, then die of ptrace."""
    limits = receive_limits()
    report = {layer.name: _try_layer(layer, limits) for layer in sandbox.LAYERS}
    # The report first: the next call ends this process.
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
    """Return whether the action fails with just this errno."""
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
    # os.dup until it fails: iter() with a sentinel that never comes is an endless loop without a function of its own.
    is_limited = _fails(errno.EMFILE, lambda: copies.extend(iter(partial(os.dup, 1), -1)))
    os.closerange(CHANNEL_FD + 1, _FREE_DESCRIPTORS.stop)
    if not is_limited or len(copies) > _FEW:
        return "descriptors can be had beyond the limit"
    given = {"DATA": limits.data, "CPU": limits.cpu_s, "FSIZE": limits.log_size}
    given |= {"CORE": 0, "MEMLOCK": 0, "MSGQUEUE": 0}
    open_ones = [
        name for name, value in given.items() if resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) != (value,) * 2
    ]
    if not 0 <= resource.getrlimit(resource.RLIMIT_STACK)[1] <= _MAX_STACK:
        open_ones.append("STACK")
    return f"not limited: {', '.join(open_ones)}" if open_ones else ""


def _capabilities(_limits: Limits) -> str:
    if not _fails(errno.EPERM, lambda: os.chroot("/")):
        return "chroot works"
    sets = (ctypes.c_uint32 * 6)()
    # Through libc itself, not kernel.py, which the layer's own check uses.
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
    executable, numbers = mmap.PROT_READ | mmap.PROT_EXEC, architecture().numbers
    attempts: tuple[tuple[str, int, Callable[[], Any]], ...] = (
        ("open", errno.ENOENT, lambda: os.open("/", os.O_RDONLY)),
        ("stat", errno.ENOENT, lambda: os.stat("/")),
        ("fork", errno.EAGAIN, _fork),
        ("socket", errno.EPERM, lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM)),
        ("pipe", errno.EPERM, os.pipe),
        ("kill", errno.EPERM, lambda: os.kill(os.getpid(), 0)),
        ("executable memory", errno.EPERM, partial(_map, prot=executable)),
        ("memory made executable", errno.EPERM, lambda: _on_a_page("mprotect", executable)),
        ("memory made read-only", errno.EPERM, lambda: _on_a_page("mprotect", mmap.PROT_READ)),
        ("memory shared with others", errno.EPERM, partial(_map, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)),
        ("a shared mapping of the log", errno.EPERM, partial(_map, 1, flags=mmap.MAP_SHARED)),
        ("a mapping of the log", errno.EPERM, partial(_map, 1, flags=mmap.MAP_PRIVATE)),
        ("memory that grows downwards", errno.EPERM, partial(_map, flags=_OWN_MEMORY | _GROWS_DOWN)),
        ("a moved stack", errno.EPERM, _move_the_stack),
        ("merging memory with others'", errno.EPERM, lambda: _on_a_page("madvise", _MERGEABLE)),
        # The CPU clock of a process is (~pid << 3) | 2: an opponent's would tell how long it thinks.
        ("the clock of another", errno.EPERM, lambda: time.clock_gettime((~os.getppid() << 3) | 2)),
        ("a lock that inherits priority", errno.EPERM, lambda: _futex(_LOCK_PI)),
        ("a lock shared with others", errno.EPERM, lambda: _futex(_WAIT_SHARED)),
        ("messages with descriptors, out", errno.EPERM, lambda: _message("sendmsg")),
        ("messages with descriptors, in", errno.EPERM, lambda: _message("recvmsg")),
        *((f"waiting by {call}", errno.EPERM, partial(_wait, call)) for call in _WAITING if call in numbers),
        ("the calls of x32", errno.EPERM, _x32_call),
    )
    working = [name for name, number, attempt in attempts if not _fails(number, attempt)]
    return f"not refused: {', '.join(working)}" if working else ""


def _map(descriptor: int = -1, *, flags: int = _OWN_MEMORY, prot: int = mmap.PROT_READ) -> None:
    """Map a page. By its number: the module of the library looks at the file first, and fails there."""
    syscall(architecture().numbers["mmap"], 0, 4096, prot, flags, descriptor, 0)


def _on_a_page(call: str, argument: int) -> None:
    """The call (mprotect, madvise) on a page of its own."""
    page = (ctypes.c_char * 4096).from_buffer(mmap.mmap(-1, 4096, flags=_OWN_MEMORY))
    syscall(architecture().numbers[call], ctypes.addressof(page), 4096, argument)


def _move_the_stack() -> None:
    """Grow a page of it elsewhere. This process ends after its report, so it does no harm if that works."""
    symbols = ctypes.CDLL(None)
    top = ctypes.c_void_p.in_dll(symbols, "__libc_stack_end").value or 0
    syscall(architecture().numbers["mremap"], top & -4096, 4096, 8192, _MAY_MOVE)


def _futex(operation: int) -> None:
    """On a word of its own that holds 0: one for 1, so that the kernel does not wait either."""
    syscall(architecture().numbers["futex"], ctypes.create_string_buffer(8), operation, 1, None)


def _message(call: str) -> None:
    """Sendmsg or recvmsg with an empty message and without waiting."""
    syscall(architecture().numbers[call], CHANNEL_FD, ctypes.create_string_buffer(56), socket.MSG_DONTWAIT)


def _wait(call: str) -> None:
    """Ask this call to wait a moment; fails if it does not, by the kernel's count of processors given up.

    Three times out of three: to fetch a page counts, too. Time would tell less on a busy machine.
    """
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
        with suppress(OSError):
            syscall(architecture().numbers[call], *_a_moment(call))
        if resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw == before:
            raise PermissionError(errno.EPERM, "it was over at once")


def _a_moment(call: str) -> tuple[Any, ...]:
    """Arguments that make this call wait a moment for nothing; the kernel may write what is left of it into them."""
    moment = ctypes.create_string_buffer(struct.pack("=qq", 0, _A_MOMENT))
    micro = ctypes.create_string_buffer(struct.pack("=qq", 0, _A_MOMENT // 1_000))
    arguments: dict[str, tuple[Any, ...]] = {
        "nanosleep": (moment, None),
        "clock_nanosleep": (time.CLOCK_MONOTONIC, 0, moment, None),
        "poll": (None, 0, 1),
        "ppoll": (None, 0, moment, None, 8),
        "select": (0, None, None, None, micro),
        "pselect6": (0, None, None, None, moment, None),
        "futex": (ctypes.create_string_buffer(8), _WAIT, 0, moment),
    }
    return arguments[call]


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
