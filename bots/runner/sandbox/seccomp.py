"""Layer 6: the system call filter, an allow-list. Changing a list here changes what bots can do: read the README."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import time
from functools import cache

from bots.runner.sandbox import bpf
from bots.runner.sandbox.kernel import syscall
from bots.runner.sandbox.layer import Layer, Limits, LockError
from bots.runner.sandbox.syscalls import Architecture, architecture

_SET_MODE_FILTER, _TSYNC = 1, 1
_PROT_EXEC = 4
_READ_WRITE = 3
"""What mprotect may make of memory. Made read-only it would still be there but not count for the limit on data."""
_PRIVATE, _ANONYMOUS = 0x02, 0x20
_MAP_FLAGS = _PRIVATE | _ANONYMOUS | 0x10 | 0x4000 | 0x8000 | 0x20000
"""And: at a fixed address, without reserve, populated, a stack's. Of no file; not shared, which reaches others; and, as
the limit on data passes over both, not growing downwards either."""
_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15)
"""What malloc and numpy say: how it is read, not needed, free, huge pages or none. Not what others feel: to poison
physical pages, to push shared pages out of memory, to merge pages with those of other processes."""
_CLOCKS_END = 16  # above, and below zero: clocks of other processes and of descriptors
_FUTEX_WAITS = (128, 137, 393)
_FUTEX_WAKES = (129, 138)
"""The private operations that locks of one process need. By those for shared memory two bots would meet at a page of a
library that both have mapped; those with priority inheritance take a process id and tell whether it runs."""
_FOR_EVER = 2**32 - 1  # -1 ms
_STACK_GAP = 64 << 20
"""The stack grows to 8 MiB (rlimits.py); below it the kernel leaves 128 MiB free, so nothing else begins here."""

# Often called first: the filter is read from the top.
ALLOWED = """recvfrom sendto read write brk munmap readv writev close lseek
    set_robust_list rseq set_tid_address gettimeofday time getrandom
    getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getpgrp getgroups getrusage times getcpu
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack restart_syscall
    exit exit_group sched_yield"""

# Normal Python asks for these now and then and copes with a plain no.
POLITE = {
    errno.ENOENT: """open openat openat2 creat stat lstat fstat newfstatat statx access faccessat faccessat2
        readlink readlinkat getcwd""",
    errno.EAGAIN: "clone clone3 fork vfork",
    errno.ENOTTY: "ioctl",
}

# Nobody calls these by accident: the process ends with SIGSYS, which is evidence.
DEADLY = """execve execveat ptrace process_vm_readv process_vm_writev pidfd_getfd
    io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd memfd_secret
    add_key request_key keyctl mount umount2 move_mount fsopen fsconfig fsmount fspick open_tree mount_setattr
    pivot_root chroot unshare setns name_to_handle_at open_by_handle_at init_module finit_module delete_module
    kexec_load kexec_file_load reboot swapon swapoff shmget shmat shmctl shmdt semget semop semctl semtimedop
    msgget msgsnd msgrcv msgctl mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
    io_setup io_submit io_destroy io_cancel io_getevents io_pgetevents splice tee vmsplice personality
    clock_settime clock_adjtime settimeofday adjtimex
    seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self"""


def program(arch: Architecture, *, stack_from: int = 0) -> bpf.Program:
    """The whole filter of one architecture; what no list names fails with EPERM.

    stack_from: no address but the stack's lies at this one or above; by default as in this process.
    """
    refused = bpf.errno_action(errno.EPERM)
    parts = bpf.require_arch(arch.audit_arch) + bpf.load_number()
    # x86_64 has a second table (x32) with the same audit architecture; its numbers begin at 2**30.
    if arch.foreign_start is not None:
        parts += bpf.numbers_from(arch.foreign_start, refused)
    for name, block in _blocks(refused, stack_from or stack_start()).items():
        if name in arch.numbers:  # a call that this architecture lacks cannot be made
            parts += bpf.on_call(arch.numbers[name], block)
    # A call that no list names, one of a newer kernel among them, is refused without evidence: libraries probe for
    # them.
    return parts + bpf.answer(refused)


def stack_start() -> int:
    """An address below this process's stack, however far that grows, and above everything else. Raises LockError."""
    with open("/proc/self/maps", encoding="ascii") as maps:
        for line in maps:
            if line.endswith("[stack]\n"):
                return int(line.partition("-")[0], 16) - _STACK_GAP
    raise LockError("the kernel does not say where the stack is; /proc must be mounted")


def _blocks(refused: int, stack_from: int) -> dict[str, bpf.Program]:
    blocks = {
        **_sleepers(refused),
        "mmap": bpf.both(
            bpf.without_bits(2, _PROT_EXEC, refused), bpf.only_bits(3, _MAP_FLAGS, _PRIVATE | _ANONYMOUS, refused)
        ),
        "mprotect": bpf.one_of(2, (_READ_WRITE,), refused),
        "mremap": bpf.below_address(0, stack_from, refused),  # a piece of the stack would grow beside the limit on data
        "clock_gettime": bpf.below(0, _CLOCKS_END, refused),
        "clock_getres": bpf.below(0, _CLOCKS_END, refused),
        "madvise": bpf.one_of(2, _ADVICE, refused),
        "sched_getaffinity": bpf.below(0, 1, refused),  # of itself only
    }
    blocks = {name: bpf.answer(bpf.ALLOW) for name in ALLOWED.split()} | blocks
    # Later lists override earlier ones: a call that stands in POLITE or DEADLY by mistake of ALLOWED is refused.
    for number, names in POLITE.items():
        blocks |= {name: bpf.answer(bpf.errno_action(number)) for name in names.split()}
    return blocks | {name: bpf.answer(bpf.KILL_PROCESS) for name in DEADLY.split()}


@cache
def code_here() -> bytes:
    """The filter of this machine as the kernel reads it; the fork server asks once, for all its children."""
    return bpf.encode(program(architecture()))


def _sleepers(refused: int) -> dict[str, bpf.Program]:
    """Return what can wait: for its own channel or for ever, never for a time. When a bot answers would be a signal to
    others.

    `nanosleep` and `clock_nanosleep` are on no list. A time limit that is asked for is over at once.
    """
    allow, timed_out = bpf.answer(bpf.ALLOW), bpf.errno_action(errno.ETIMEDOUT)
    waits = dict.fromkeys(_FUTEX_WAITS, bpf.if_null(3, allow, timed_out))
    return {
        "poll": bpf.one_of(2, (0, _FOR_EVER), bpf.DONE),
        "ppoll": bpf.if_null(2, allow, bpf.DONE),
        "select": bpf.if_null(4, allow, bpf.DONE),
        "pselect6": bpf.if_null(4, allow, bpf.DONE),
        "futex": bpf.by_value(1, waits | dict.fromkeys(_FUTEX_WAKES, allow), refused),
    }


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def apply(_limits: Limits) -> None:
    """Load the filter into every thread of this process, for good. Needs no_new_privs first."""
    # From the fork server's cache: /proc/self/maps can no longer be read at this layer.
    code = code_here()
    buffer = ctypes.create_string_buffer(code, len(code))
    loaded = _FilterProgram(len(code) // 8, ctypes.addressof(buffer))
    # TSYNC puts the filter on all threads or on none; a positive result is the thread that could not take it.
    if syscall(architecture().numbers["seccomp"], _SET_MODE_FILTER, _TSYNC, loaded) != 0:
        raise LockError("a thread of this process could not take the filter")


def is_active(_limits: Limits) -> bool:
    """Opening, forking, making a socket and sleeping fail in just the way that the filter makes them fail."""
    return _open_fails() and _fork_fails() and _socket_fails() and _sleep_fails()


def _open_fails() -> bool:
    try:
        os.close(os.open("/", os.O_RDONLY))
    except OSError as error:
        return error.errno == errno.ENOENT
    return False


def _fork_fails() -> bool:
    try:
        pid = os.fork()
    except OSError as error:
        return error.errno == errno.EAGAIN
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return False


def _socket_fails() -> bool:
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
    except OSError as error:
        return error.errno == errno.EPERM
    return False


def _sleep_fails() -> bool:
    try:
        time.sleep(0.001)
    except OSError as error:
        return error.errno == errno.EPERM
    return False


LAYER = Layer("seccomp", apply, is_active)
