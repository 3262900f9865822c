"""The first steps of a bot's process: its descriptors, the lock, `locked`, and only then the bot's own loop."""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Callable
from typing import Final, Never

from bots.protocol import messages
from bots.runner.process import WHERE_SIGNAL
from bots.runner.sandbox import CHANNEL_FD, Limits, LockError, lock

Serve = Callable[[int], None]
"""What runs once the process is locked: takes the channel's descriptor and returns when the match is over."""

NOT_LOCKED: Final = 70  # exit code: no bot was let in


def run(serve: Serve) -> Never:
    """Lock this forked and settled process, say so, and serve. Never returns."""
    try:
        lock(receive_limits())
        # Nothing of the bot has been sent yet: the table sends no source before it has read this.
        os.write(CHANNEL_FD, messages.LOCKED)
    except (LockError, OSError, ValueError) as error:
        refuse(str(error))
    try:
        serve(CHANNEL_FD)
    finally:
        # Not sys.exit: handlers and buffers that were inherited from the fork server must not run here.
        os._exit(0)


def settle(channel: int, log: int, zygote_pid: int) -> None:
    """Put log and channel in their places. A process whose parent is gone already ends here."""
    try:
        # Before the descriptors are closed by the first layer: 1 and 2 are the log, 3 is the channel, the rest goes.
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.dup2(channel, CHANNEL_FD)
    except OSError as error:
        refuse(str(error))
    # Layer 4 asks for a signal at the parent's end; a parent that is gone by then would never send it.
    if os.getppid() != zygote_pid:
        refuse("the fork server is gone")
    # A crash in C (numpy, ctypes) then leaves a traceback in the log of the bot's owner.
    faulthandler.enable(file=2, all_threads=False)
    # For `whereabouts`: written in C, so a loop of the bot cannot keep it from being written.
    faulthandler.register(WHERE_SIGNAL, file=2, all_threads=False)


def receive_limits() -> Limits:
    """The limits, the only message before the lock."""
    address_space, data, cpu_s = messages.read_limits(os.read(CHANNEL_FD, messages.MAX_TO_BOT))
    return Limits(address_space, data, cpu_s, messages.LOG_CAP)


def refuse(reason: str) -> Never:
    """End without the `locked` message: the table sends no source. The reason is in the log."""
    os.write(2, reason.encode())
    os._exit(NOT_LOCKED)
