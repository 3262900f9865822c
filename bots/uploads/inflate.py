"""A bounded reader of one compressed stream: it never produces more than was declared.

`zipfile` is not used anywhere here: it stops at the declared length and so accepts a lying size.
"""

from __future__ import annotations

import zlib

from bots.localization import gettext_noop, localized
from bots.uploads.refusal import UploadRefused

STORED = 0
DEFLATED = 8


def inflate(data: memoryview, *, method: int, size: int, crc: int, name: str) -> bytes:
    """The `size` bytes packed in `data`; at most size + 1 bytes are ever unpacked.

    Raises UploadRefused upload.size when the stream holds more or less than `size` bytes, upload.mismatch when the
    check sum differs, upload.archive when the stream is damaged.
    """
    content = _stored(data) if method == STORED else _deflated(data, size, name)
    if len(content) != size:
        message = gettext_noop("%(name)s does not have the %(n)s bytes that the archive declares. Pack it again.")
        raise UploadRefused("upload.size", localized(message, name=name, n=size), file=name)
    if zlib.crc32(content) != crc:
        message = gettext_noop("%(name)s: the checksum is wrong. Pack it again.")
        raise UploadRefused("upload.mismatch", localized(message, name=name), file=name)
    return content


def _stored(data: memoryview) -> bytes:
    return bytes(data)


def _deflated(data: memoryview, size: int, name: str) -> bytes:
    # Negative: a raw stream without zlib's header, as zip holds it.
    reader = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        # One byte more than declared shows that the stream holds more, and no more than that is ever unpacked.
        content = reader.decompress(data, size + 1)
    except zlib.error as error:
        message = gettext_noop("%(name)s is damaged (%(why)s). Pack it again.")
        raise UploadRefused("upload.archive", localized(message, name=name, why=str(error)), file=name) from error
    if len(content) > size:
        message = gettext_noop("%(name)s unpacks to more than the %(n)s bytes declared. Pack it again.")
        raise UploadRefused("upload.size", localized(message, name=name, n=size), file=name)
    # Bytes behind the end of the stream would be read differently by other readers.
    if not reader.eof or reader.unused_data or reader.unconsumed_tail:
        message = gettext_noop("%(name)s: its compressed data does not end where the archive says. Pack it again.")
        raise UploadRefused("upload.size", localized(message, name=name), file=name)
    return content
