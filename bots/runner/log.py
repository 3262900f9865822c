"""A bot's log: a sealed piece of memory of fixed size that the bot writes and the worker reads."""

from __future__ import annotations

import fcntl
import os

from bots.protocol.messages import LOG_CAP


class BotLog:
    """Both processes share the memory and the offset. What a bot makes of them harms only its own log."""

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("log", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        # Sized first, then sealed against any other size: the worker can read LOG_CAP bytes at any time, and the bot's
        # memory limit cannot be passed by growing its log.
        os.ftruncate(self.descriptor, LOG_CAP)
        seals = fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, seals)
        self._final: tuple[bytes, int] | None = None
        self._end: tuple[int, bytes] | None = None

    def size(self) -> int:
        """Bytes written so far."""
        if self._final is not None:
            return self._final[1]
        # The offset is shared with the bot, which may seek anywhere: the value is bounded, and only its own log
        # suffers.
        if self._end is not None:
            return self._end[0] + len(self._end[1])
        return min(os.lseek(self.descriptor, 0, os.SEEK_CUR), LOG_CAP)

    def content(self) -> bytes:
        """Return what was written, as it is."""
        if self._final is not None:
            return self._final[0]
        written = os.pread(self.descriptor, LOG_CAP, 0)
        if self._end is not None:
            return written[: self._end[0]] + self._end[1]
        return written.rstrip(b"\0")

    def end_with(self, start: int, text: bytes) -> None:
        """Put this in the place of all that stands from an offset on. The bot writes nothing more."""
        self._end = start, text[: LOG_CAP - start]

    def close(self) -> None:
        """Keep the content and free the memory. May be called twice."""
        if self._final is None:
            self._final = (self.content(), self.size())
            os.close(self.descriptor)
