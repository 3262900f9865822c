"""The canonical archive in which a version's files are kept: the same files are always the same bytes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable

from bots.localization import gettext_noop, localized
from bots.uploads.refusal import UploadRefused


def pack_files(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Pack files: one line of JSON, [[path, size], ..] sorted by path, then the contents in that order."""
    listed = sorted(files)
    head = json.dumps([[path, len(content)] for path, content in listed], separators=(",", ":"))
    return head.encode("ascii") + b"\n" + b"".join(content for _, content in listed)


def zip_files(files: Iterable[tuple[str, bytes]]) -> bytes:
    """The files as a .zip, byte for byte as they were uploaded; the same files give the same archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files):
            # ZipInfo without a date stands for 1980-01-01: the same files give the same bytes at any time.
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def unpack_files(bundle: bytes) -> tuple[tuple[str, bytes], ...]:
    """The files of `pack_files`, sorted by path. Raises UploadRefused upload.mismatch when the sizes do not fit."""
    head, _, body = bundle.partition(b"\n")
    files: list[tuple[str, bytes]] = []
    at = 0
    for path, size in json.loads(head):
        files.append((path, body[at : at + size]))
        at += size
    if at != len(body):
        message = gettext_noop("The stored files are damaged: sizes do not add up. Restore the blob.")
        raise UploadRefused("upload.mismatch", localized(message))
    return tuple(files)
