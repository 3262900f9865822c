"""The bot's side of Protocol v1, from hello to the last answer. The process is locked before it comes here.

All that is here belongs to the bot as soon as its code runs: the table trusts nothing that it says.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from bots.protocol import messages
from bots.sdk import NO_SUCH_ACTION, Session, index_of, module_for, output, rehearsal, source
from bots.sdk.answer import mistake

_ENTRY_MODULE: Final = messages.ENTRY.removesuffix(".py")

Choose = Callable[[dict[str, Any]], object]


class Channel:
    """One packet in, one packet out. Keeps its own `read` and `write`, which a bot may replace in `os`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._read, self._write = descriptor, os.read, os.write

    def receive(self) -> bytes:
        """The next packet; empty when the table has closed the channel."""
        return self._read(self._descriptor, messages.MAX_TO_BOT + 1)

    def send(self, packet: bytes) -> None:
        """Send one packet."""
        self._write(self._descriptor, packet)


def serve(descriptor: int) -> None:
    """Load the bot that comes over the socket `descriptor` and answer until the socket is closed or the bot fails."""
    channel = Channel(descriptor)
    log = output.install()
    session = Session()
    try:
        choose = _load(channel, session)
        log.flush()
        channel.send(messages.READY)
        while packet := channel.receive():
            answer = _answer(choose, session, packet)
            log.flush()
            channel.send(answer)
    except MemoryError as error:
        _report(channel, error, messages.OUT_OF_MEMORY)
    except BaseException as error:  # noqa: BLE001  # anything a bot raises, even SystemExit, counts as its crash
        _report(channel, error, messages.CRASHED)


def rehearse() -> None:
    """Do before the first fork what every bot's process would otherwise do on its own (`rehearsal`)."""
    rehearsal.rehearse(reseed, _answer)


def _load(channel: Channel, session: Session) -> Choose:
    hello: Any = messages.read_object(channel.receive(), "hello")["hello"]
    files = _receive_files(channel, messages.read_files(hello["files"]))
    # Before the bot's code runs: what it draws while loading must be repeatable, too.
    reseed(hello["rng"])
    session.begin(hello, files)
    # In the table of modules, before the bot's finder: no file of the upload can take this name.
    sys.modules["hanami"] = module_for(session)
    source.install(files)
    bot = importlib.import_module(_ENTRY_MODULE)
    choose = getattr(bot, "choose", None)
    if not callable(choose):
        raise TypeError(f"{messages.ENTRY} must define a function choose(obs); see the guide to your first bot")
    start = getattr(bot, "start", None)
    if start is not None:
        start(hello)
    return cast(Choose, choose)


def _receive_files(channel: Channel, listing: list[tuple[str, int]]) -> dict[str, bytes]:
    files = {}
    for path, size in listing:
        parts, missing = [], size
        while missing > 0:
            parts.append(channel.receive())
            missing -= len(parts[-1])
            if not parts[-1]:
                raise messages.BadPacket(f"the table closed the channel in the middle of {path}")
        files[path] = b"".join(parts)
    return files


def reseed(rng: str) -> None:
    """Give `random` and `numpy.random` their state from the 16 bytes (hex) of hello.rng: forks share what they had."""
    seed = bytes.fromhex(rng)
    random.seed(seed)
    np.random.seed(np.frombuffer(seed, dtype=np.uint32))  # the legacy state is what forks share


def _answer(choose: Choose, session: Session, packet: bytes) -> bytes:
    message: Any = messages.read_object(packet, "obs")
    obs = message["obs"]
    legal = list(obs["legal"])  # a bot may sort or empty its own copy
    session.note(obs)
    choice = choose(obs)
    index = index_of(choice, legal)
    if index == NO_SUCH_ACTION:
        # Into the log that its author alone reads: the packet says only that it is none of them.
        output.put(mistake(choice, legal).encode(errors="replace"))
    return messages.answer_packet(message["q"], index)


def _report(channel: Channel, error: BaseException, packet: bytes) -> None:
    """Traceback into the log, then the fault; out of memory, even the traceback may be too much."""
    try:
        output.put_traceback(error)
    except Exception:  # noqa: BLE001  # the report itself matters more than its text, and the bot may have broken both
        output.put(b"(the traceback could not be written)\n")
    finally:
        channel.send(packet)
