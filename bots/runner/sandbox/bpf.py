"""A small assembler for seccomp's classic BPF programs: jump-free lists of "if the call is n, then ..." blocks.

Halves of arguments lie as on little-endian machines; no other has a table in `syscalls.py`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Final

ALLOW: Final = 0x7FFF0000
KILL_PROCESS: Final = 0x80000000
_ERRNO: Final = 0x00050000
DONE: Final = _ERRNO
"""The filter's answer "not called, result 0"."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16  # offsets in struct seccomp_data
MAX_INSTRUCTIONS: Final = 4096
_WORD: Final = 2**32 - 1

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant
Program = list[Instruction]


def errno_action(number: int) -> int:
    """The filter's answer "fail with this errno"."""
    return _ERRNO | number


def answer(action: int) -> Program:
    """End here with `action`."""
    return [(_RETURN, 0, 0, action)]


def require_arch(audit_arch: int) -> Program:
    """Kill a call that comes by another architecture's door, whose numbers mean other calls."""
    # A 64-bit process can still enter by int 0x80, where the same number is another call: the oldest way around a
    # filter.
    return [(_LOAD, 0, 0, _ARCH_AT), (_EQUAL, 1, 0, audit_arch), *answer(KILL_PROCESS)]


def load_number() -> Program:
    """Load the call's number, which the blocks below compare."""
    return [(_LOAD, 0, 0, _NUMBER_AT)]


def numbers_from(first: int, action: int) -> Program:
    """Every number from `first` on gets `action`."""
    return [(_AT_LEAST, 0, 1, first), *answer(action)]


def on_call(number: int, block: Program) -> Program:
    """Run `block`, which must end, if this is the call; else go on behind it."""
    return [(_EQUAL, 0, len(block), number), *block]


def without_bits(argument: int, bits: int, refused: int) -> Program:
    """Allow unless the low half of the argument has one of `bits`; then `refused`."""
    return [_argument(argument), (_ANY_BIT, 0, 1, bits), *answer(refused), *answer(ALLOW)]


def below(argument: int, limit: int, refused: int) -> Program:
    """Allow if the low half of the argument, unsigned, is below `limit`; else `refused`."""
    return [_argument(argument), (_AT_LEAST, 0, 1, limit), *answer(refused), *answer(ALLOW)]


def one_of(argument: int, values: Sequence[int], refused: int) -> Program:
    """Allow if the low half of the argument is one of `values`; else `refused`."""
    # A hit jumps over the tests that are left and over the refusal, to ALLOW.
    tests = [(_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [_argument(argument), *tests, *answer(refused), *answer(ALLOW)]


def only_bits(argument: int, bits: int, needed: int, refused: int) -> Program:
    """Allow if the low half of the argument has none but `bits`, and all of `needed`; else `refused`."""
    tests: Program = [(_ANY_BIT, 0, 1, ~bits & _WORD), *answer(refused)]
    for bit in (1 << place for place in range(32) if needed >> place & 1):
        tests += [(_ANY_BIT, 1, 0, bit), *answer(refused)]
    return [_argument(argument), *tests, *answer(ALLOW)]


def below_address(argument: int, address: int, refused: int) -> Program:
    """Allow if the whole argument, unsigned, is below `address`; else `refused`."""
    # Classic BPF compares 32 bits at a time: the high half decides, and only if it is equal the low one.
    high, low = address >> 32, address & _WORD
    return [
        _argument(argument, half=1),
        (_AT_LEAST, 0, 1, high + 1), *answer(refused),
        (_AT_LEAST, 1, 0, high), *answer(ALLOW),
        _argument(argument),
        (_AT_LEAST, 0, 1, low), *answer(refused),
        *answer(ALLOW),
    ]  # fmt: skip


def if_null(argument: int, block: Program, otherwise: int) -> Program:
    """Run `block`, which must end, if the whole argument is 0, as a null pointer is; else `otherwise`."""
    other = answer(otherwise)
    # Both halves are compared: a pointer above 4 GiB may have a low half of 0.
    low: Program = [_argument(argument), (_EQUAL, 1, 0, 0), *other]
    return [*low, _argument(argument, half=1), (_EQUAL, 1, 0, 0), *other, *block]


def by_value(argument: int, blocks: Mapping[int, Program], otherwise: int) -> Program:
    """Run the block, which must end, that stands for the low half of the argument; else `otherwise`."""
    cases = [step for value, block in blocks.items() for step in on_call(value, block)]
    return [_argument(argument), *cases, *answer(otherwise)]


def both(first: Program, second: Program) -> Program:
    """Two blocks that end with ALLOW: allow what both allow."""
    return [*first[:-1], *second]


def encode(program: Program) -> bytes:
    """The program as the kernel reads it: struct sock_filter, 8 bytes each."""
    if len(program) > MAX_INSTRUCTIONS:
        raise ValueError(f"a filter may have {MAX_INSTRUCTIONS} instructions, this one has {len(program)}")
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _argument(index: int, *, half: int = 0) -> Instruction:
    """Load one half of an argument, 0 the low one."""
    return (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index + 4 * half)
