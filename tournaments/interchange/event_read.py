"""Reading an event that anybody may have sent: bounded in bytes, then in shape. What it says is judged elsewhere."""

from __future__ import annotations

import re
import zlib
from typing import Final

import msgspec
import zstandard

from tournaments.interchange.errors import InterchangeError, refusal
from tournaments.interchange.event import MOST_ROWS, Event

MOST_BYTES: Final = 64 * 1024 * 1024
"""So many bytes a file may have once it is unpacked, unless the caller says otherwise."""
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
WINDOW: Final = 1 << 27
NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
WHERE: Final = re.compile(r" - at `\$?([^`]*)`$")


def read(data: bytes, *, most: int = MOST_BYTES) -> Event:
    """The event of a file: JSON, or JSON packed by gzip or zstd.

    Raises InterchangeError "event.too_large", "event.packed", "event.json", "event.shape", "event.format",
    "event.too_many"; extra: where, as a path in the document.
    """
    text = unpacked(data, most)
    if NUL.search(text):
        raise refusal("event.json", "A text holds the character 0, which no text needs. Take it out.", where="")
    try:
        event = msgspec.json.decode(text, type=Event)
    except msgspec.ValidationError as error:
        raise _misshapen(text, str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = "This is not JSON, or not all of it: %(why)s. Export the event again."
        raise refusal("event.json", message, why=str(error)[:200], where="") from error
    stages = (*event.stages, *event.called_off)
    rows = sum(len(each.matches) + len(each.deal_sets) + len(each.entries) + len(each.rounds) for each in stages)
    if rows + len(event.log) > MOST_ROWS:
        message = "The event has more than %(most)s matches, entries and lines of its log."
        raise refusal("event.too_many", message, most=MOST_ROWS, where="")
    return event


def _misshapen(text: bytes, said: str) -> InterchangeError:
    found = WHERE.search(said)
    where = found.group(1).removeprefix(".") if found else ""
    if where == "format" or b"hanafuda-tournament" not in text[:1000]:
        message = "This is no event in the format hanafuda-tournament/1. Choose the JSON file of an event."
        return refusal("event.format", message, where=where)
    why = WHERE.sub("", said)
    message = "At %(where)s the file is not as the format has it: %(why)s."
    return refusal("event.shape", message, where=where[:200] or "the top", why=why[:200])


def unpacked(data: bytes, most: int) -> bytes:
    """The bytes of a file, unpacked up to `most`. Raises InterchangeError "event.too_large", "event.packed"."""
    try:
        if data.startswith(GZIP):
            text = zlib.decompressobj(wbits=31).decompress(data, most + 1)
        elif data.startswith(ZSTD):
            with zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(data) as stream:
                text = stream.read(most + 1)
        else:
            text = data
    except (zlib.error, zstandard.ZstdError) as error:
        raise refusal(
            "event.packed", "The packed file cannot be unpacked: %(why)s.", why=str(error), where=""
        ) from error
    if len(text) > most:
        message = "The event has more than %(most)s bytes. Import it with `manage.py import_event`."
        raise refusal("event.too_large", message, most=most, where="")
    return text
