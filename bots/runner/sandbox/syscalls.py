"""System call numbers by name, one table per architecture; an architecture that is not here is refused.

Source: Linux 6.1 `arch/x86/include/generated/uapi/asm/unistd_64.h` and `include/uapi/asm-generic/unistd.h` as arm64
builds it. The numbers are kernel ABI and never change. A dash: the architecture has no such call.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import Final

from bots.runner.sandbox.layer import LockError

_COLUMNS: Final = ("x86_64", "aarch64")
_AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_START: Final = {"x86_64": 0x40000000}
_TABLE: Final = """
access 21 -, add_key 248 217, adjtimex 159 171, bpf 321 280, brk 12 214, capget 125 90, capset 126 91, chroot 161 51,
clock_adjtime 305 266, clock_getres 229 114, clock_gettime 228 113, clock_nanosleep 230 115,
clock_settime 227 112, clone 56 220, clone3 435 435, close 3 57, close_range 436 436, creat 85 -,
delete_module 176 106, execve 59 221, execveat 322 281, exit 60 93, exit_group 231 94, faccessat 269 48,
faccessat2 439 439, finit_module 313 273, fork 57 -, fsconfig 431 431, fsmount 432 432, fsopen 430 430,
fspick 433 433, fstat 5 80, futex 202 98, getcpu 309 168, getcwd 79 17, getegid 108 177, geteuid 107 175,
getgid 104 176, getgroups 115 158, getpgrp 111 -, getpid 39 172, getppid 110 173, getrandom 318 278,
getresgid 120 150, getresuid 118 148, getrusage 98 165, gettid 186 178, gettimeofday 96 169, getuid 102 174,
init_module 175 105, io_cancel 210 3, io_destroy 207 1, io_getevents 208 4, io_pgetevents 333 292,
io_setup 206 0, io_submit 209 2, io_uring_enter 426 426, io_uring_register 427 427, io_uring_setup 425 425,
ioctl 16 29, kexec_file_load 320 294, kexec_load 246 104, keyctl 250 219, kill 62 129, landlock_add_rule 445 445,
landlock_create_ruleset 444 444, landlock_restrict_self 446 446, lseek 8 62, lstat 6 -, madvise 28 233,
memfd_secret 447 447, mmap 9 222, mount 165 40, mount_setattr 442 442, move_mount 429 429, mprotect 10 226,
mq_getsetattr 245 185, mq_notify 244 184, mq_open 240 180, mq_timedreceive 243 183, mq_timedsend 242 182,
mq_unlink 241 181, mremap 25 216, msgctl 71 187, msgget 68 186, msgrcv 70 188, msgsnd 69 189, munmap 11 215,
name_to_handle_at 303 264, nanosleep 35 101, newfstatat 262 79, open 2 -, open_by_handle_at 304 265,
open_tree 428 428, openat 257 56, openat2 437 437, perf_event_open 298 241, personality 135 92,
pidfd_getfd 438 438, pidfd_open 434 434, pidfd_send_signal 424 424, pipe2 293 59, pivot_root 155 41, poll 7 -,
ppoll 271 73, prctl 157 167, process_vm_readv 310 270, process_vm_writev 311 271, pselect6 270 72,
ptrace 101 117, read 0 63, readlink 89 -, readlinkat 267 78, readv 19 65, reboot 169 142, recvfrom 45 207,
recvmsg 47 212, request_key 249 218, restart_syscall 219 128, rseq 334 293, rt_sigaction 13 134,
rt_sigpending 127 136, rt_sigprocmask 14 135, rt_sigreturn 15 139, sched_getaffinity 204 123, sched_yield 24 124,
seccomp 317 277, select 23 -, semctl 66 191, semget 64 190, semop 65 193, semtimedop 220 192, sendmsg 46 211,
sendto 44 206, set_robust_list 273 99, set_tid_address 218 96, setns 308 268, settimeofday 164 170, shmat 30 196,
shmctl 31 195, shmdt 67 197, shmget 29 194, sigaltstack 131 132, socket 41 198, socketpair 53 199, splice 275 76,
stat 4 -, statx 332 291, swapoff 168 225, swapon 167 224, tee 276 77, tgkill 234 131, time 201 -, times 100 153,
umount2 166 39, unshare 272 97, userfaultfd 323 282, vfork 58 -, vmsplice 278 75, write 1 64, writev 20 66
"""


@dataclass(frozen=True, slots=True)
class Architecture:
    """One machine's calls. `audit_arch`: what seccomp sees; `foreign_start`: first number of another call table."""

    name: str
    audit_arch: int
    foreign_start: int | None
    numbers: dict[str, int]


@cache
def architecture(name: str = "") -> Architecture:
    """The table of `name`, by default of this machine. Raises LockError for one that has none."""
    name = name or os.uname().machine  # not platform.machine(), which keeps the host's name for bots to read
    if name not in _COLUMNS:
        raise LockError(f"no system call table for {name!r}; bots run on {' and '.join(_COLUMNS)} only")
    return Architecture(name, _AUDIT_ARCH[name], _X32_START.get(name), _numbers(_COLUMNS.index(name)))


def _numbers(column: int) -> dict[str, int]:
    rows = (entry.split() for entry in _TABLE.replace("\n", " ").split(","))
    return {row[0]: int(row[1 + column]) for row in rows if row[1 + column] != "-"}
