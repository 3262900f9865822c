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

MEMORY_BYTES: Final = 256 * 1024 * 1024
"""Of addresses. A WebP of 12.2 million pixels, which Pillow decodes into four copies, just fits (measured)."""
CPU_S: Final = 10
"""A photo of 25 million pixels takes half a second."""
WRITTEN_BYTES: Final = 4 * 1024 * 1024
UNREADABLE: Final = 3
TOO_LARGE: Final = 4


def limit() -> None:
    """Before anything of the file is read: memory, time, what may be written, no process and no file beside."""
    bounds = {
        resource.RLIMIT_AS: MEMORY_BYTES,
        resource.RLIMIT_CPU: CPU_S,
        resource.RLIMIT_FSIZE: WRITTEN_BYTES,
        resource.RLIMIT_CORE: 0,
    }
    for what, most in bounds.items():
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":  # only the process of its own: a process that imports this module keeps its memory
    limit()

from io import BytesIO  # noqa: E402  # Pillow is loaded within the limits
from struct import unpack_from  # noqa: E402

from PIL import Image, ImageOps  # noqa: E402

FORMATS: Final = ("JPEG", "PNG", "WEBP")
MAX_PIXELS: Final = {"JPEG": 25_000_000, "PNG": 25_000_000, "WEBP": 12_500_000}
"""What phones take by default is half of 25 million. A WebP cannot be decoded at a fraction of its size, and takes
twenty bytes a pixel where the others take four."""
SCAN: Final = b"\xff\xda"
MAX_SCANS: Final = 40
"""A progressive JPEG has about ten scans, its small picture and a second one as many; a thousand cost minutes."""
STEPS: Final = ((1600, 80), (1600, 60), (1200, 60), (900, 50))
"""Longest edge in pixels and JPEG quality: the first that is small enough is stored."""
ENOUGH_BYTES: Final = 400 * 1024
STRIP_PIXELS: Final = 1_000_000
TURN: Final = 0x0112
"""The EXIF tag that says how the camera was held."""


class TooLarge(Exception):
    """The picture has more pixels than its format may have."""


def webp_pixels(data: bytes) -> int:
    """Width times height as the head of a WebP says, 0 for what is none.

    Pillow makes room for the whole picture as soon as it opens a WebP, so this one cannot be asked. Source: RFC 9649.
    """
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 30:
        return 0
    kind = data[12:16]
    if kind == b"VP8X":
        return (1 + int.from_bytes(data[24:27], "little")) * (1 + int.from_bytes(data[27:30], "little"))
    if kind == b"VP8L":
        bits: int = unpack_from("<I", data, 21)[0]
        return (1 + (bits & 0x3FFF)) * (1 + (bits >> 14 & 0x3FFF))
    wide, high = unpack_from("<HH", data, 26)
    return int((wide & 0x3FFF) * (high & 0x3FFF))


def redrawn(data: bytes) -> tuple[int, int, bytes]:
    """Width, height and JPEG. Raises TooLarge, MemoryError, and what Pillow raises for broken files."""
    if webp_pixels(data) > MAX_PIXELS["WEBP"]:
        raise TooLarge
    if data.count(SCAN) > MAX_SCANS:
        raise ValueError(SCAN)
    with Image.open(BytesIO(data), formats=FORMATS) as found:
        if found.width * found.height > MAX_PIXELS[str(found.format)]:
            raise TooLarge
        return small_enough(pixels(found))


def pixels(found: Image.Image) -> Image.Image:
    """Upright, on white, of at most the largest edge; without anything else that the file said."""
    edge = STEPS[0][0]
    found.draft("RGB", (edge, edge))
    found.load()
    seen = shrunk(found, max(found.size) // edge or 1)
    seen.thumbnail((edge, edge))
    seen.getexif()[TURN] = found.getexif().get(TURN, 1)
    seen = ImageOps.exif_transpose(seen)
    clean = Image.new("RGB", seen.size, "white")
    clean.paste(seen, mask=seen if seen.mode == "RGBA" else None)
    return clean


def shrunk(found: Image.Image, factor: int) -> Image.Image:
    """The picture in red, green, blue (and alpha), its edges divided by `factor`, strip by strip.

    Each conversion copies pixels, and averaging with alpha copies them again: of a strip that is little.
    """
    mode = "RGBA" if found.has_transparency_data else "RGB"
    small = Image.new(mode, (-(-found.width // factor), -(-found.height // factor)))
    rows = factor * max(1, STRIP_PIXELS // (found.width * factor))
    for top in range(0, found.height, rows):
        strip = found.crop((0, top, found.width, min(found.height, top + rows)))
        small.paste(strip.convert(mode).reduce(factor), (0, top // factor))
    return small


def small_enough(picture: Image.Image) -> tuple[int, int, bytes]:
    """The first of the steps that is small enough, else the last."""
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
