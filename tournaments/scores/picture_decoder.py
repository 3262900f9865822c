"""Decode one picture of a stranger in a process of its own, which may take little memory and little time.

usage: python -I picture_decoder.py < file > picture

What stands on standard output is "width height" in pixels, a line feed and a JPEG. The exit status says why there is
none: UNREADABLE, or TOO_LARGE. Run as a script that imports neither Django nor anything of the service: it starts in
a tenth of a second, and what a broken decoder could read in its memory is the picture alone (decision 0083).
"""

from __future__ import annotations

import resource
import sys
from typing import Final

# Of address space. A WebP of 12.2 million pixels, which Pillow decodes into four copies, just fits (measured).
MEMORY_BYTES: Final = 256 * 1024 * 1024
# Seconds of the processor; a photo of 25 million pixels takes half a second.
CPU_S: Final = 10
# Ten times what is stored at most: room for the largest of the steps, and an end to a decoder that writes for ever.
WRITTEN_BYTES: Final = 4 * 1024 * 1024
# Exit statuses; `pictures` repeats the second one.
UNREADABLE: Final = 3
TOO_LARGE: Final = 4


def limit() -> None:
    """Limit the process before anything of the file is read: memory, time, output, no core file."""
    bounds = {
        resource.RLIMIT_AS: MEMORY_BYTES,
        resource.RLIMIT_CPU: CPU_S,
        resource.RLIMIT_FSIZE: WRITTEN_BYTES,
        resource.RLIMIT_CORE: 0,
    }
    for what, most in bounds.items():
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":  # only the process of its own: a process that imports this module keeps its memory
    # Before Pillow is imported below: its libraries are loaded under the limits, too.
    limit()

from io import BytesIO  # noqa: E402  # Pillow is loaded within the limits
from struct import unpack_from  # noqa: E402

from PIL import Image, ImageOps  # noqa: E402

FORMATS: Final = ("JPEG", "PNG", "WEBP")
# Phones take half of 25 million by default. A WebP cannot be decoded at a fraction of its size, and takes twenty bytes
# a pixel where the others take four.
MAX_PIXELS: Final = {"JPEG": 25_000_000, "PNG": 25_000_000, "WEBP": 12_500_000}
SCAN: Final = b"\xff\xda"
# A progressive JPEG has about ten scans, its small picture and a second one as many; a thousand cost minutes.
MAX_SCANS: Final = 40
# Longest edge in pixels and JPEG quality: the first that is small enough is stored.
STEPS: Final = ((1600, 80), (1600, 60), (1200, 60), (900, 50))
ENOUGH_BYTES: Final = 400 * 1024
STRIP_PIXELS: Final = 1_000_000
# The EXIF tag that says how the camera was held.
TURN: Final = 0x0112


class TooLarge(Exception):
    """The picture has more pixels than its format may have."""


def webp_pixels(data: bytes) -> int:
    """Return width times height as the head of a WebP says, 0 for what is none.

    Pillow makes room for the whole picture as soon as it opens a WebP, so this one cannot be asked. Source: RFC 9649.
    """
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 30:
        return 0
    kind = data[12:16]
    # Three kinds of heads (RFC 9649): extended with 24 bits an edge less one, lossless with 14, lossy with 14.
    if kind == b"VP8X":
        return (1 + int.from_bytes(data[24:27], "little")) * (1 + int.from_bytes(data[27:30], "little"))
    if kind == b"VP8L":
        bits: int = unpack_from("<I", data, 21)[0]
        return (1 + (bits & 0x3FFF)) * (1 + (bits >> 14 & 0x3FFF))
    wide, high = unpack_from("<HH", data, 26)
    return int((wide & 0x3FFF) * (high & 0x3FFF))


def redrawn(data: bytes) -> tuple[int, int, bytes]:
    """Decode, draw again, encode: width, height and JPEG. Raises TooLarge, MemoryError, and what Pillow raises."""
    # Both before Pillow opens it: a small file may say that it is huge, or have a thousand scans.
    if webp_pixels(data) > MAX_PIXELS["WEBP"]:
        raise TooLarge
    if data.count(SCAN) > MAX_SCANS:
        raise ValueError(SCAN)
    # Only three formats: every further decoder of Pillow is code that a stranger's file could reach.
    with Image.open(BytesIO(data), formats=FORMATS) as found:
        if found.width * found.height > MAX_PIXELS[str(found.format)]:
            raise TooLarge
        return small_enough(pixels(found))


def pixels(found: Image.Image) -> Image.Image:
    """Return the picture upright, on white, of at most the largest edge; without anything else that the file said."""
    edge = STEPS[0][0]
    # A JPEG is decoded at a half, a quarter or an eighth at once; other formats ignore it.
    found.draft("RGB", (edge, edge))
    found.load()
    seen = shrunk(found, max(found.size) // edge or 1)
    seen.thumbnail((edge, edge))
    seen.getexif()[TURN] = found.getexif().get(TURN, 1)
    seen = ImageOps.exif_transpose(seen)
    # A new picture with the pixels pasted in: all that Pillow has read beside them (EXIF, GPS, profiles) stays behind.
    clean = Image.new("RGB", seen.size, "white")
    clean.paste(seen, mask=seen if seen.mode == "RGBA" else None)
    return clean


def shrunk(found: Image.Image, factor: int) -> Image.Image:
    """The picture in red, green, blue (and alpha), its edges divided by `factor`, strip by strip.

    Each conversion copies pixels, and averaging with alpha copies them again: of a strip that is little.
    """
    mode = "RGBA" if found.has_transparency_data else "RGB"
    small = Image.new(mode, (-(-found.width // factor), -(-found.height // factor)))
    # Whole multiples of the factor, so that no block of pixels is cut between two strips.
    rows = factor * max(1, STRIP_PIXELS // (found.width * factor))
    for top in range(0, found.height, rows):
        strip = found.crop((0, top, found.width, min(found.height, top + rows)))
        small.paste(strip.convert(mode).reduce(factor), (0, top // factor))
    return small


def small_enough(picture: Image.Image) -> tuple[int, int, bytes]:
    """Encode by the first of the steps that is small enough, else by the last."""
    written = BytesIO()
    for edge, quality in STEPS:
        picture.thumbnail((edge, edge))
        written = BytesIO()
        picture.save(written, "JPEG", quality=quality)
        if written.tell() <= ENOUGH_BYTES:
            break
    return picture.width, picture.height, written.getvalue()


def main() -> int:
    """Read, decode, write. Returns the exit status."""
    try:
        width, height, jpeg = redrawn(sys.stdin.buffer.read())
    except (TooLarge, MemoryError, Image.DecompressionBombError):
        return TOO_LARGE
    except (OSError, ValueError, SyntaxError, EOFError):
        return UNREADABLE
    sys.stdout.buffer.write(b"%d %d\n" % (width, height) + jpeg)
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
