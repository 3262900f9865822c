"""The system call filter as a program: read by a small interpreter for every architecture, not only this one."""

from __future__ import annotations

import errno
import struct
from typing import NamedTuple

import pytest

from bots.runner.sandbox import bpf, seccomp
from bots.runner.sandbox.layer import LockError
from bots.runner.sandbox.syscalls import Architecture, architecture

ARCHITECTURES = ["x86_64", "aarch64"]
ALLOW, KILL = bpf.ALLOW, bpf.KILL_PROCESS
EPERM = bpf.errno_action(errno.EPERM)
STACK = 0x7FFC_1234_5000
BLOCKS = seccomp._blocks(EPERM, STACK)
A_POINTER = 0x7F00_0000_0000


class Call(NamedTuple):
    number: int
    audit_arch: int
    arguments: tuple[int, ...] = ()


def answer(program: bpf.Program, call: Call) -> int:
    """Run the filter as the kernel does."""
    data = struct.pack("<iIQ6Q", call.number, call.audit_arch, 0, *(*call.arguments, *[0] * 6)[:6])
    at = accumulator = 0
    while True:
        code, if_true, if_false, constant = program[at]
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, constant)
        elif code == 0x06:
            return constant
        else:
            taken = {0x15: accumulator == constant, 0x35: accumulator >= constant, 0x45: bool(accumulator & constant)}
            at += if_true if taken[code] else if_false


def of(name: str, arch: Architecture, *arguments: int) -> int:
    return answer(seccomp.program(arch, stack_from=STACK), Call(arch.numbers[name], arch.audit_arch, arguments))


@pytest.fixture(params=ARCHITECTURES)
def arch(request: pytest.FixtureRequest) -> Architecture:
    return architecture(request.param)


def test_an_unknown_architecture_is_refused() -> None:
    with pytest.raises(LockError, match="riscv64"):
        architecture("riscv64")


def test_every_named_call_has_a_number_somewhere() -> None:
    known = set().union(*(architecture(name).numbers for name in ARCHITECTURES))
    assert set(BLOCKS) <= known


def test_only_old_calls_are_missing_on_the_newer_architecture() -> None:
    missing = set(architecture("x86_64").numbers) - set(architecture("aarch64").numbers)
    names = "time getpgrp poll select open creat stat lstat access readlink fork vfork"
    assert " ".join(sorted(missing)) == " ".join(sorted(names.split()))


@pytest.mark.parametrize(
    ("name", "x86_64", "aarch64"),
    [("read", 0, 63), ("mmap", 9, 222), ("execve", 59, 221), ("ptrace", 101, 117), ("seccomp", 317, 277),
     ("openat", 257, 56), ("clone", 56, 220), ("futex", 202, 98), ("newfstatat", 262, 79), ("recvfrom", 45, 207)],
)  # fmt: skip
def test_numbers_that_everybody_knows(name: str, x86_64: int, aarch64: int) -> None:
    assert (architecture("x86_64").numbers[name], architecture("aarch64").numbers[name]) == (x86_64, aarch64)


def test_each_list_gets_its_answer(arch: Architecture) -> None:
    for names, wanted in [
        (seccomp.ALLOWED, ALLOW),
        (seccomp.DEADLY, KILL),
        *((names, bpf.errno_action(number)) for number, names in seccomp.POLITE.items()),
    ]:
        for name in set(names.split()) & set(arch.numbers):
            assert of(name, arch) == wanted, name


def test_what_no_list_names_is_refused(arch: Architecture) -> None:
    program = seccomp.program(arch)
    named = {arch.numbers[name] for name in BLOCKS if name in arch.numbers}
    for number in set(range(1024)) - named:
        assert answer(program, Call(number, arch.audit_arch)) == EPERM


def test_calls_by_another_door_die(arch: Architecture) -> None:
    other = {"x86_64": 0x40000003, "aarch64": 0x40000028}[arch.name]  # i386, arm
    for number in (0, 1, arch.numbers["read"]):
        assert answer(seccomp.program(arch), Call(number, other)) == KILL


def test_x32_numbers_are_refused() -> None:
    arch = architecture("x86_64")
    for number in (0x40000000, 0x40000000 + 1, 0x40000000 + 520, 0x7FFFFFFF, -1):
        assert answer(seccomp.program(arch), Call(number, arch.audit_arch)) == EPERM


@pytest.mark.parametrize("name", ["mmap", "mprotect"])
def test_no_executable_memory(arch: Architecture, name: str) -> None:
    assert of(name, arch, 0, 4096, 3, 0x22) == ALLOW
    for protection in (4, 5, 7, 1 << 32 | 4):
        assert of(name, arch, 0, 4096, protection, 0x22) == EPERM


def test_memory_is_ones_own_and_counts(arch: Architecture) -> None:
    """Private, of no file, not a stack that grows; once writable it stays so."""
    assert {of("mmap", arch, 0, 4096, 3, 0x22 | more) for more in (0, 0x10, 0x4000, 0x20000)} == {ALLOW}
    shared, of_a_file, huge, locked = (0x21, 0x23, 0x01, 0x03), (0x02, 0x12), 0x40022, 0x2022
    for flags in (*shared, *of_a_file, huge, locked, 0, 0x20, 0x122, 0x100122):
        assert of("mmap", arch, 0, 4096, 3, flags, 3) == EPERM, hex(flags)
    assert {of("mprotect", arch, 0, 4096, protection) for protection in (0, 1, 2, 0x0100_0003)} == {EPERM}


def test_a_stack_cannot_be_moved(arch: Architecture) -> None:
    below = (0x5600_0000_0000, STACK - 4096, STACK & ~0xFFFFFFFF, 0xFFFF_F000)
    assert {of("mremap", arch, address, 4096, 8192, 1) for address in below} == {ALLOW}
    above = (STACK, STACK + 4096, (STACK >> 32) + 1 << 32, 0xFFFF_FFFF_FFFF_F000)
    assert {of("mremap", arch, address, 4096, 8192, 1) for address in above} == {EPERM}


def test_no_call_waits_for_a_time(arch: Architecture) -> None:
    """For ever, as for one's own channel, is allowed; a limit is over at once. Pointers may have a low half of 0."""
    done, timed_out = bpf.DONE, bpf.errno_action(errno.ETIMEDOUT)
    for name in ("nanosleep", "clock_nanosleep"):
        assert of(name, arch, A_POINTER) == EPERM
    for name, argument in (("ppoll", 2), ("select", 4), ("pselect6", 4)):
        if name in arch.numbers:
            assert of(name, arch, *[7] * argument, 0) == ALLOW
            assert {of(name, arch, *[7] * argument, pointer) for pointer in (A_POINTER, 4096)} == {done}
    if "poll" in arch.numbers:
        assert {of("poll", arch, 0, 1, limit) for limit in (0, 0xFFFF_FFFF)} == {ALLOW}
        assert {of("poll", arch, 0, 1, limit) for limit in (1, 5_000, 0x8000_0000)} == {done}
    for operation in (128, 137, 393):
        assert of("futex", arch, A_POINTER, operation, 0, 0) == ALLOW
        assert {of("futex", arch, A_POINTER, operation, 0, pointer) for pointer in (A_POINTER, 16)} == {timed_out}


@pytest.mark.thorough(keep=1)
def test_locks_are_of_this_process_and_inherit_nothing(arch: Architecture) -> None:
    assert {of("futex", arch, A_POINTER, operation, 1, 7) for operation in (129, 138)} == {ALLOW}
    known = {128, 129, 137, 138, 393}
    for operation in {*range(1024), 1 << 31} - known:
        assert of("futex", arch, A_POINTER, operation) == EPERM, operation


@pytest.mark.parametrize("name", ["sendmsg", "recvmsg"])
def test_no_descriptors_in_messages(arch: Architecture, name: str) -> None:
    assert of(name, arch, 3, A_POINTER, 0) == EPERM


@pytest.mark.parametrize("name", ["clock_gettime", "clock_getres"])
def test_only_its_own_clocks(arch: Architecture, name: str) -> None:
    assert {of(name, arch, clock) for clock in range(12)} == {ALLOW}
    for pid in (1, 77, 4_000_000):
        assert of(name, arch, ((~pid << 3) | 2) & 0xFFFFFFFF) == EPERM


def test_memory_advice_but_none_that_others_feel(arch: Architecture) -> None:
    """Not: remove, merge, cold, page out, collapse, poison, offline."""
    assert {of("madvise", arch, 0, 4096, advice) for advice in (0, 1, 2, 3, 4, 8, 14, 15)} == {ALLOW}
    forbidden = (9, 12, 13, 20, 21, 25, 100, 101, 102, -1 & 0xFFFFFFFF)
    assert {of("madvise", arch, 0, 4096, advice) for advice in forbidden} == {EPERM}


def test_the_filter_fits_the_kernel(arch: Architecture) -> None:
    program = seccomp.program(arch)
    assert len(bpf.encode(program)) == 8 * len(program)
    assert len(program) < 500
    with pytest.raises(ValueError, match="4096"):
        bpf.encode(program * 20)
