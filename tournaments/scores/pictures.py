"""Pictures from strangers' phones, redrawn: the stored bytes are our own, without place, time or camera.

Nothing of the file that was sent is kept but its pixels: no EXIF, no GPS, no comment, no second picture, no profile.
It is decoded in a process of its own (`picture_decoder`), one at a time: if a file breaks a decoder, this
process neither grows nor falls (decisions 0067, 0083).
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from web.one_at_a_time import OneAtATime

CHILD: Final = Path(__file__).with_name("picture_decoder.py")
# The child's exit status. It is repeated, not imported: the module limits the process that loads it.
TOO_LARGE: Final = 4
# Of a file as it is sent; `pages.site.oversize` lets no larger body in.
MAX_BYTES: Final = 8 * 1024 * 1024
# The child's own limit is 10 s of the processor; a machine under load gives it less than it asks.
MAX_SECONDS: Final = 20.0
# A photo waits for those before it, about twenty of the largest, and holds no connection to the database meanwhile.
DECODING: Final = OneAtATime(waiting=40, wait_s=10.0)


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG of ours. width, height: pixels."""

    jpeg: bytes
    width: int
    height: int


def redrawn(data: bytes) -> Picture:
    """Redraw the picture in a file of a stranger, upright, as a JPEG of at most 1600 pixels an edge.

    Raises TournamentError "photo.too_large" (bytes, pixels or memory), "photo.unreadable" (no such picture, or broken)
    or "photo.busy" (many others are being decoded; extra: retry_after).
    """
    if len(data) > MAX_BYTES:
        raise _too_large()
    with DECODING.turn("photo.busy"):
        status, written = _run(data)
    if status == TOO_LARGE:
        raise _too_large()
    # Any other status, also a child that was killed by a limit or for its time, is a picture that we cannot read.
    if status:
        raise _unreadable()
    size, _line, jpeg = written.partition(b"\n")
    width, height = map(int, size.split())
    return Picture(jpeg, width, height)


def _run(data: bytes) -> tuple[int, bytes]:
    """Return the child's exit status, not 0 if it was ended for its time, and what it wrote.

    Both go through memory that is a file: what the child may write is bounded by its own limit of file sizes, and no
    photo touches the disk. It gets an empty environment: nothing of ours is a secret to lose.
    """
    source, target = os.memfd_create("photo"), os.memfd_create("picture")
    try:
        with open(source, "wb", closefd=False) as file:
            file.write(data)
        os.lseek(source, 0, os.SEEK_SET)
        # -I: neither the current folder nor the environment says what this Python imports.
        command = [sys.executable, "-I", str(CHILD)]
        try:
            found = subprocess.run(
                command,
                stdin=source,
                stdout=target,
                stderr=subprocess.DEVNULL,
                env={},
                timeout=MAX_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return -1, b""
        os.lseek(target, 0, os.SEEK_SET)
        with open(target, "rb", closefd=False) as file:
            return found.returncode, file.read()
    finally:
        os.close(source)
        os.close(target)


def _too_large() -> TournamentError:
    message = _(
        "The photo is too large: at most 8 MB and 25 million pixels (WebP: 12 million). "
        "Choose a smaller size in the camera, or crop it."
    )
    return TournamentError(message, code="photo.too_large")


def _unreadable() -> TournamentError:
    message = _("We cannot read this photo. Send a JPEG, PNG or WebP picture of the slip.")
    return TournamentError(message, code="photo.unreadable")
