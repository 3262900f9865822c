"""Reading an event that anybody may have sent: bounded in bytes, then in shape. What it says is judged elsewhere."""

from __future__ import annotations

import re
import zlib
from typing import Final

import msgspec
import zstandard

from core.interchange.documents.event import MAX_ROWS, Event
from core.interchange.errors import InterchangeError, refusal

MAX_BYTES: Final = 64 * 1024 * 1024
"""Bytes that a file may have once it is unpacked, unless the caller says otherwise."""
MAX_VALUES: Final = 50_000_000
GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
# A zstd frame names the memory that its reader needs; without a bound a few bytes could ask for gigabytes.
WINDOW: Final = 1 << 27
MAX_RATIO: Final = 100
"""Times its packed size that a file may have. Events are packed to a tenth or a thirtieth (measured); what is
packed much better was made to be."""
MIN_BYTES: Final = 1024 * 1024
"""Bytes that any file may have, however small it is packed."""
NUL: Final = b"\\u0000"
WHERE: Final = re.compile(r" - at `\$?([^`]*)`$")


def read(data: bytes, *, most: int = MAX_BYTES, values: int = MAX_VALUES) -> Event:
    """Read the event of a file: JSON, or JSON packed by gzip or zstd. most: bytes, unpacked; values: how many.

    Raises InterchangeError "event.too_large", "event.packed", "event.json", "event.shape", "event.format",
    "event.too_many"; extra: where, as a path in the document.
    """
    text = unpacked(data, most)
    _refuse_many_values(text, values)
    # A pair of backslashes is one that is meant, so what follows it is no escape. No pattern is looked for: the one
    # that says the same held the interpreter for seconds and took 32 bytes a backslash.
    if NUL in text and NUL in text.replace(b"\\\\", b""):
        raise refusal("event.json", "A text contains the character 0, which is not allowed. Remove it.", where="")
    try:
        event = msgspec.json.decode(text, type=Event)
    except msgspec.ValidationError as error:
        raise _misshapen(text, str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = "This is not valid or complete JSON: %(why)s. Export the event again."
        raise refusal("event.json", message, why=str(error)[:200], where="") from error
    stages = (*event.stages, *event.called_off)
    rows = sum(len(each.matches) + len(each.deal_sets) + len(each.entries) + len(each.rounds) for each in stages)
    if rows + len(event.log) > MAX_ROWS:
        message = "The event has more than %(most)s matches, entries and log lines."
        raise refusal("event.too_many", message, most=MAX_ROWS, where="")
    return event


def _refuse_many_values(text: bytes, most: int) -> None:
    """A list of empty lists takes thirty times its bytes. Every value begins a list or an object, or follows one."""
    if sum(text.count(each) for each in (b",", b"[", b"{")) > most:
        message = "The event has more than %(most)s values. Import it with `manage.py import_event`."
        raise refusal("event.too_large", message, most=most, where="")


def _misshapen(text: bytes, reason: str) -> InterchangeError:
    found = WHERE.search(reason)
    where = found.group(1).removeprefix(".") if found else ""
    if where == "format" or b"hanafuda-tournament" not in text[:1000]:
        message = "This is not an event in the format hanafuda-tournament/1. Choose the JSON file of an event."
        return refusal("event.format", message, where=where)
    why = WHERE.sub("", reason)
    message = "At %(where)s the file does not follow the format: %(why)s."
    return refusal("event.shape", message, where=where[:200] or "the top", why=why[:200])


def unpacked(data: bytes, most: int) -> bytes:
    """The bytes of a file, unpacked up to `most`. Raises InterchangeError "event.too_large", "event.packed"."""
    bound = min(most, max(MIN_BYTES, MAX_RATIO * len(data)))
    try:
        if data.startswith(GZIP):
            # One byte more than is allowed tells a file that is too large, and nothing beyond it is ever unpacked.
            text = zlib.decompressobj(wbits=31).decompress(data, bound + 1)
        elif data.startswith(ZSTD):
            with zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(data) as stream:
                text = stream.read(bound + 1)
        else:
            text, bound = data, most
    except (zlib.error, zstandard.ZstdError) as error:
        raise refusal("event.packed", "We could not decompress the file: %(why)s.", why=str(error), where="") from error
    if bound < most and len(text) > bound:
        message = "The file unpacks to more than %(most)s times its size, as no event does. Send it unpacked."
        raise refusal("event.too_large", message, most=MAX_RATIO, where="")
    if len(text) > most:
        message = "The event has more than %(most)s bytes. Import it with `manage.py import_event`."
        raise refusal("event.too_large", message, most=most, where="")
    return text
