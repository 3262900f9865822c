"""A picture from a stranger's phone, drawn anew: what is stored are our own bytes, without place, time or camera.

Nothing of the file that was sent is kept but its pixels: no EXIF, no GPS, no comment, no second picture, no profile.
Its size is checked before it is decoded, a JPEG is decoded at a fraction of its size, and only three formats are tried
at all (decision 0067).
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Final

from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from tournaments.errors import TournamentError

FORMATS: Final = ("JPEG", "PNG", "WEBP")
MOST_BYTES: Final = 8 * 1024 * 1024
"""Of a file as it is sent; `views.oversize` lets no larger body in."""
MOST_PIXELS: Final = 25_000_000
"""What phones take by default is half of it. At four bytes a pixel a decoded picture is at most 100 MB."""
SCAN: Final = b"\xff\xda"
MOST_SCANS: Final = 40
"""A progressive JPEG has about ten scans, its small picture and a second one as many; a thousand cost minutes."""
STEPS: Final = ((1600, 80), (1600, 60), (1200, 60), (900, 50))
"""Longest edge in pixels and JPEG quality: the first that is small enough is stored."""
ENOUGH_BYTES: Final = 400 * 1024


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG of ours. width, height: pixels."""

    jpeg: bytes
    width: int
    height: int


def drawn_anew(data: bytes) -> Picture:
    """The picture in a file of a stranger, upright, as a JPEG of at most 1600 pixels an edge.

    Raises TournamentError "photo.too_large" (bytes or pixels) or "photo.unreadable" (no such picture, or broken).
    """
    if len(data) > MOST_BYTES:
        raise _too_large()
    if data.count(SCAN) > MOST_SCANS:
        raise _unreadable()
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as found:
            if found.width * found.height > MOST_PIXELS:
                raise _too_large()
            return _small_enough(_pixels(found))
    except Image.DecompressionBombError as huge:
        raise _too_large() from huge
    except (OSError, ValueError, SyntaxError, EOFError) as broken:
        raise _unreadable() from broken


def _pixels(found: Image.Image) -> Image.Image:
    """Upright, on white, of at most the largest edge; without anything else that the file said."""
    edge = STEPS[0][0]
    found.draft("RGB", (edge, edge))
    found.load()
    seen: Image.Image = found.convert("RGBA" if found.has_transparency_data else "RGB")
    seen.thumbnail((edge, edge))
    seen = ImageOps.exif_transpose(seen)
    clean = Image.new("RGB", seen.size, "white")
    clean.paste(seen, mask=seen if seen.mode == "RGBA" else None)
    return clean


def _small_enough(picture: Image.Image) -> Picture:
    """The first of the steps that is small enough, else the last."""
    written = BytesIO()
    for edge, quality in STEPS:
        picture.thumbnail((edge, edge))
        written = BytesIO()
        picture.save(written, "JPEG", quality=quality)
        if written.tell() <= ENOUGH_BYTES:
            break
    return Picture(written.getvalue(), picture.width, picture.height)


def _too_large() -> TournamentError:
    message = _(
        "The photo is too large: at most 8 MB and 25 million pixels. Choose a smaller size in the camera, or crop it."
    )
    return TournamentError(message, code="photo.too_large")


def _unreadable() -> TournamentError:
    message = _("This is no photo that can be read here. Send a JPEG, PNG or WebP picture of the slip.")
    return TournamentError(message, code="photo.unreadable")
