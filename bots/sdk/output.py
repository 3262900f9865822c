"""A bot's log: `print` goes there until it is full and then nowhere; tracebacks have room kept for them."""

from __future__ import annotations

import io
import os
import sys
import traceback
from types import TracebackType
from typing import TYPE_CHECKING, Final

import numpy as np

from bots.protocol.messages import LOG_CAP, LOG_RESERVE

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_LOG_FD: Final = 1
_STDLIB: Final = f"{os.path.dirname(os.__file__)}/"
_OWN_FRAMES: Final = ("hanami/", "<frozen ", f"{_STDLIB}importlib/")
_NO_FILES: Final = (
    "hanami: there are no files here but those uploaded with the bot: hanami.asset(path) has their bytes\n"
)
_HEAD: Final = "Traceback (most recent call last):\n"
_PACKAGES: Final = f"{os.path.dirname(os.path.dirname(np.__file__))}/"


class _Log(io.RawIOBase):
    """Standard output and error in one: silent once the log holds LOG_CAP - LOG_RESERVE bytes."""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return _LOG_FD

    def write(self, data: ReadableBuffer, /) -> int:
        view = memoryview(data)
        put(bytes(view), cap=LOG_CAP - LOG_RESERVE)
        return view.nbytes


def put(data: bytes, *, cap: int = LOG_CAP) -> None:
    """Append to the log as much of `data` as fits below `cap` bytes."""
    room = cap - os.lseek(_LOG_FD, 0, os.SEEK_CUR)
    if room > 0:
        os.write(_LOG_FD, data[:room])


def install() -> io.TextIOWrapper:
    """Point sys.stdout and sys.stderr at the log; returns the stream, to be flushed before each answer."""
    # Line by line: a bot that is killed in the middle of a move has its last prints in the log.
    stream = io.TextIOWrapper(io.BufferedWriter(_Log()), encoding="utf-8", errors="replace", line_buffering=True)
    for name, value in (("stdout", stream), ("stderr", stream), ("stdin", None)):
        setattr(sys, name, value)
        setattr(sys, f"__{name}__", value)
    return stream


def put_traceback(error: BaseException) -> None:
    """Append the bot's part of the traceback: without our own frames and without this machine's paths."""
    frames = _bots_own(error.__traceback__)
    text = "".join(traceback.format_exception(type(error), error, frames))
    # A source that does not compile has no frame of its own, and the library then leaves out the head.
    text = text if frames is not None else _HEAD + text
    text = text.replace(_PACKAGES, "").replace(_STDLIB, "python/")
    if isinstance(error, OSError) and error.filename is not None:
        text += _NO_FILES
    # The end of a long traceback says what went wrong, so the beginning is cut.
    put(text.encode(errors="replace")[-LOG_RESERVE:])


def _bots_own(frames: TracebackType | None) -> TracebackType | None:
    while frames is not None and frames.tb_frame.f_code.co_filename.startswith(_OWN_FRAMES):
        frames = frames.tb_next
    return frames
