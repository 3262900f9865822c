"""The few kernel calls that Python does not offer, over ctypes. Errors are OSError, as in `os`."""

from __future__ import annotations

import ctypes
import os

_LIBC = ctypes.CDLL(None, use_errno=True)


def syscall(number: int, *arguments: int | ctypes.Array[ctypes.c_char] | ctypes.Structure | None) -> int:
    """Call by number. Integers are passed as 64 bits; buffers and structures by reference."""
    result: int = _LIBC.syscall(ctypes.c_long(number), *(_passed(argument) for argument in arguments))
    return _checked(result)


def prctl(option: int, *arguments: int) -> int:
    """prctl(2) with four further arguments, zero where not given (several options insist on that)."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    result: int = _LIBC.prctl(option, *(ctypes.c_ulong(argument) for argument in padded))
    return _checked(result)


def prctl_out(option: int) -> int:
    """prctl(2) for the options that write an int to the address given as first argument."""
    value = ctypes.c_int()
    _checked(_LIBC.prctl(option, ctypes.byref(value), 0, 0, 0))
    return value.value


def _passed(argument: int | ctypes.Array[ctypes.c_char] | ctypes.Structure | None) -> object:
    if argument is None:
        return None
    return ctypes.c_long(argument) if isinstance(argument, int) else ctypes.byref(argument)


def _checked(result: int) -> int:
    if result == -1:
        # ctypes' own copy (use_errno=True): the interpreter may change the real errno between the call and this line.
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
