"""A small assembler for seccomp's classic BPF programs: jump-free lists of "if the call is n, then ..." blocks."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

ALLOW: Final = 0x7FFF0000
KILL_PROCESS: Final = 0x80000000
_ERRNO: Final = 0x00050000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16  # offsets in struct seccomp_data
MAX_INSTRUCTIONS: Final = 4096

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
    """Allow unless the low half of the argument has one of `bits`; then `refused`. Little-endian machines."""
    return [_argument(argument), (_ANY_BIT, 0, 1, bits), *answer(refused), *answer(ALLOW)]


def below(argument: int, limit: int, refused: int) -> Program:
    """Allow if the low half of the argument, unsigned, is below `limit`; else `refused`."""
    return [_argument(argument), (_AT_LEAST, 0, 1, limit), *answer(refused), *answer(ALLOW)]


def one_of(argument: int, values: Sequence[int], refused: int) -> Program:
    """Allow if the low half of the argument is one of `values`; else `refused`."""
    tests = [(_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [_argument(argument), *tests, *answer(refused), *answer(ALLOW)]


def encode(program: Program) -> bytes:
    """The program as the kernel reads it: struct sock_filter, 8 bytes each."""
    if len(program) > MAX_INSTRUCTIONS:
        raise ValueError(f"a filter may have {MAX_INSTRUCTIONS} instructions, this one has {len(program)}")
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _argument(index: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index)
