"""A bounded reader of one compressed stream: it never produces more than was declared.

`zipfile` is not used anywhere here: it stops at the declared length and so accepts a lying size.
"""

from __future__ import annotations

import zlib

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
        raise UploadRefused(
            "upload.size", f"{name} does not have the {size} bytes that the archive declares. Pack it anew.", file=name
        )
    if zlib.crc32(content) != crc:
        raise UploadRefused("upload.mismatch", f"{name}: the check sum is wrong. Pack it anew.", file=name)
    return content


def _stored(data: memoryview) -> bytes:
    return bytes(data)


def _deflated(data: memoryview, size: int, name: str) -> bytes:
    reader = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = reader.decompress(data, size + 1)
    except zlib.error as error:
        raise UploadRefused("upload.archive", f"{name} is damaged ({error}). Pack it anew.", file=name) from error
    if len(content) > size:
        raise UploadRefused(
            "upload.size", f"{name} unpacks to more than the {size} bytes declared. Pack it anew.", file=name
        )
    if not reader.eof or reader.unused_data or reader.unconsumed_tail:
        raise UploadRefused(
            "upload.size", f"{name}: its compressed data does not end where the archive says. Pack it anew.", file=name
        )
    return content
