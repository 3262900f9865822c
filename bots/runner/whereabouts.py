"""The lines that a bot was at when its time was up: asked of its process, written into its log."""

from __future__ import annotations

import re
import time
from typing import Final

from bots.runner.log import BotLog
from bots.runner.process import BotProcess

HEAD: Final = re.compile(rb"(?:Stack|Current thread \S+) \(most recent call first\):\n")
FRAME: Final = re.compile(r'^  File "([^"\n]+)", line (\d+) in (.+)$', re.MULTILINE)
OURS: Final = "hanami/loop.py"
"""Below this frame there is nothing of the bot's."""
MAX_FRAMES: Final = 8
# The answer is written in C within a moment, unless the machine is busy or the bot has turned the signal off.
PATIENCE_S: Final = 0.25
LOOK_S: Final = 0.01


def note_whereabouts(process: BotProcess, log: BotLog) -> None:
    """Have the log of a running bot end with the lines that it is at, the newest call first; as it is if none come."""
    start = log.size()
    process.ask_where()
    _await(process, log, start)
    content = log.content()
    # From the last head on: what the bot prints meanwhile stands before it.
    heads = list(HEAD.finditer(content, start))
    if heads:
        told = content[heads[-1].end() :].decode(errors="replace")
        before = b"\n" if heads[-1].start() and content[heads[-1].start() - 1 : heads[-1].start()] != b"\n" else b""
        log.end_with(heads[-1].start(), before + _lines(told).encode(errors="replace"))


def _lines(told: str) -> str:
    """Return the frames in our own words: without ours, and without this machine's paths."""
    frames = FRAME.findall(told)
    names = [path for path, _line, _name in frames]
    own = frames[: names.index(OURS)] if OURS in names else frames
    lines = [f"  {_shortened(path)}, line {line}, in {name}\n" for path, line, name in own[:MAX_FRAMES]]
    return "hanami: out of time, it was here (the newest call first):\n" + "".join(lines) if lines else ""


def _await(process: BotProcess, log: BotLog, start: int) -> None:
    """Wait until the answer is written: the log has grown and grows no more."""
    until, seen = time.monotonic() + PATIENCE_S, start
    while time.monotonic() < until and not process.dies_within(LOOK_S):
        size = log.size()
        if start < size == seen:
            return
        seen = size


def _shortened(path: str) -> str:
    """Return the last two parts of a path of this machine; a file of the bot keeps its name in the upload."""
    return "/".join(path.rsplit("/", 2)[1:]) if path.startswith("/") else path
