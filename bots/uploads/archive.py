"""Reading a .zip from memory. Every byte of the file must belong to exactly one entry, the directory or its end.

So there is nothing before, between or after the entries, and no two readers can see two different archives.
"""

from __future__ import annotations

import stat
import struct
from dataclasses import dataclass
from typing import Final

from bots.localization import LocalizedMessage, gettext_noop, localized
from bots.uploads import limits
from bots.uploads.inflate import DEFLATED, STORED, inflate
from bots.uploads.paths import check_path, check_together
from bots.uploads.refusal import UploadRefused, shown

_LOCAL: Final = struct.Struct("<4s5H3I2H")
_CENTRAL: Final = struct.Struct("<4s6H3I5H2I")
_END: Final = struct.Struct("<4s4H2IH")
_DESCRIPTOR: Final = struct.Struct("<3I")

_ENCRYPTED: Final = 0x0001 | 0x0040 | 0x2000
_DESCRIPTOR_FLAG: Final = 0x0008
# Compression hints, sizes behind the data, UTF-8 names; PKWARE's APPNOTE.TXT 4.4.4. Any other bit is refused.
_KNOWN_FLAGS: Final = 0x0006 | _DESCRIPTOR_FLAG | 0x0800
_REFUSED_EXTRAS: Final = {
    0x0001: gettext_noop("zip64 sizes"),
    0x7075: gettext_noop("a second file name"),
    0x9901: gettext_noop("encryption"),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the central directory. Sizes in bytes; `offset` of the local header in the file."""

    raw_name: bytes
    path: str
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int


def read_archive(data: bytes) -> dict[str, bytes]:
    """Return all files of the archive, path -> content. Nothing is written anywhere.

    data: the whole upload. Raises UploadRefused with an "upload.*" code; works in time and memory bounded by limits.
    """
    entries, directory = _directory(data)
    check_together(entry.path for entry in entries)
    # By the declared sizes, before anything is unpacked; `inflate` holds each entry to its own.
    if sum(entry.size for entry in entries) > limits.TOTAL_BYTES:
        message = gettext_noop("The files unpack to more than %(n)s MiB. Leave some out or make them smaller.")
        raise UploadRefused("upload.too_large", localized(message, n=limits.TOTAL_BYTES // 2**20))
    spans = _spans(data, entries, directory)
    view = memoryview(data)
    files = {
        entry.path: inflate(
            view[start : start + entry.packed], method=entry.method, size=entry.size, crc=entry.crc, name=entry.path
        )
        for entry, start in spans
    }
    # Read like the others first: what is left out must not hide what another reader would find.
    return {path: content for path, content in files.items() if path.rpartition(".")[2] not in limits.LEFT_OUT}


def _damaged(what: str, /, **values: str | int | LocalizedMessage) -> UploadRefused:
    """what: marked with `gettext_noop`, a format of the values."""
    message = gettext_noop("We cannot read this zip archive: %(what)s. Pack it again.")
    return UploadRefused("upload.archive", localized(message, what=localized(what, **values)))


def _directory(data: bytes) -> tuple[list[Entry], int]:
    """The entries and the offset where the central directory starts."""
    # Only at the very end: readers that search backwards for the signature may find another directory in a comment.
    if len(data) < _END.size or data[-_END.size : -_END.size + 4] != b"PK\x05\x06":
        raise _damaged(gettext_noop("it is cut off, or something (a comment?) follows its end"))
    _, disk, start_disk, here, total, length, offset, comment = _END.unpack_from(data, len(data) - _END.size)
    # One disk, no comment, and the directory directly before its end record: no room for a second archive.
    if disk or start_disk or here != total or comment or offset + length + _END.size != len(data):
        raise _damaged(gettext_noop("its end record does not fit the file"))
    if not 1 <= total <= limits.ENTRIES:
        message = gettext_noop("The archive has %(n)s entries; 1 to %(most)s are accepted. Leave some out.")
        raise UploadRefused("upload.entries", localized(message, n=total, most=limits.ENTRIES))
    entries, at = [], offset
    for _ in range(total):
        entry, at = _entry(data, at, offset + length)
        entries.append(entry)
    if at != offset + length:
        raise _damaged(gettext_noop("its directory is longer than its entries"))
    return entries, offset


def _entry(data: bytes, at: int, end: int) -> tuple[Entry, int]:
    if at + _CENTRAL.size > end or data[at : at + 4] != b"PK\x01\x02":
        raise _damaged(gettext_noop("its directory is cut off"))
    (_, _, _, flags, method, _, _, crc, packed, size, name_n, extra_n, comment_n, disk, _, mode, offset) = (
        _CENTRAL.unpack_from(data, at)
    )
    at += _CENTRAL.size
    after = at + name_n + extra_n + comment_n
    if after > end or disk:
        raise _damaged(gettext_noop("its directory is cut off"))
    raw = data[at : at + name_n]
    _check_kind(shown(raw), mode)
    path = check_path(raw)
    _check_flags(path, flags, method)
    _check_extra(path, data[at + name_n : at + name_n + extra_n])
    # 0xFFFFFFFF points to sizes of zip64 in an extra field, which another reader would believe instead.
    if 0xFFFFFFFF in (packed, size, offset) or (method == STORED and packed != size):
        message = gettext_noop("%(name)s: its sizes contradict each other. Pack it again.")
        raise UploadRefused("upload.size", localized(message, name=path), file=path)
    return Entry(raw, path, flags, method, crc, packed, size, offset), after


def _check_kind(name: str, mode: int) -> None:
    """Refuse all but plain files: no folder, link, device, set-uid or sticky bit."""
    # The upper half holds the Unix mode, the lower one the MS-DOS attributes; 0x08 is a volume label.
    unix = mode >> 16
    special = stat.S_IFMT(unix) not in (0, stat.S_IFREG) or unix & (stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX)
    if special or mode & (stat.FILE_ATTRIBUTE_DIRECTORY | 0x08):
        message = gettext_noop(
            "%(name)s is not a plain file (a folder, a link or special mode bits). Pack plain files only, "
            "for example with `zip -D -X bot.zip bot.py`."
        )
        raise UploadRefused("upload.link", localized(message, name=name), file=name)


def _check_flags(path: str, flags: int, method: int) -> None:
    if flags & _ENCRYPTED:
        message = gettext_noop("%(name)s is encrypted. Pack it without a password.")
        raise UploadRefused("upload.encrypted", localized(message, name=path), file=path)
    if method not in (STORED, DEFLATED) or flags & ~_KNOWN_FLAGS:
        message = gettext_noop("%(name)s: only stored and deflated entries are read. Pack it as a plain zip.")
        raise UploadRefused("upload.compression", localized(message, name=path), file=path)


def _check_extra(path: str, extra: bytes) -> None:
    at = 0
    while at + 4 <= len(extra):
        tag, length = struct.unpack_from("<2H", extra, at)
        if tag in _REFUSED_EXTRAS:
            message = gettext_noop("%(name)s uses %(what)s. Pack it as a plain zip.")
            text = localized(message, name=path, what=localized(_REFUSED_EXTRAS[tag]))
            raise UploadRefused("upload.archive", text, file=path)
        at += 4 + length
    if at != len(extra):
        message = gettext_noop("%(name)s: an extra field is cut off. Pack it again.")
        raise UploadRefused("upload.archive", localized(message, name=path), file=path)


def _spans(data: bytes, entries: list[Entry], directory: int) -> list[tuple[Entry, int]]:
    """Each entry with the offset of its packed bytes, in file order; together they tile [0, directory)."""
    spans, at = [], 0
    # Entries that share bytes are how a small archive unpacks to terabytes (a zip bomb without recursion).
    for entry in sorted(entries, key=lambda entry: entry.offset):
        if entry.offset != at:
            message = gettext_noop(
                "%(name)s: the archive's entries overlap or leave gaps, or something comes before them. Pack it again."
            )
            raise UploadRefused("upload.overlap", localized(message, name=entry.path), file=entry.path)
        start = _check_local(data, entry, directory)
        at = _after(data, entry, start + entry.packed, directory)
        spans.append((entry, start))
    if at != directory:
        message = gettext_noop("The archive has bytes that belong to no entry. Pack it again.")
        raise UploadRefused("upload.overlap", localized(message))
    return spans


def _check_local(data: bytes, entry: Entry, directory: int) -> int:
    """Return where the packed bytes start. The local header must say what the directory says."""
    if entry.offset + _LOCAL.size > directory or data[entry.offset : entry.offset + 4] != b"PK\x03\x04":
        raise _damaged(gettext_noop("the entry %(name)s is missing"), name=entry.path)
    _, _, flags, method, _, _, crc, packed, size, name_n, extra_n = _LOCAL.unpack_from(data, entry.offset)
    name_at = entry.offset + _LOCAL.size
    start: int = name_at + name_n + extra_n
    if start + entry.packed > directory:
        raise _damaged(gettext_noop("the entry %(name)s is cut off"), name=entry.path)
    later = flags & _DESCRIPTOR_FLAG
    fields = zip((crc, packed, size), (entry.crc, entry.packed, entry.size), strict=True)
    # With a data descriptor a streaming writer leaves these as 0: they follow the data.
    same = all(local == central or (later and local == 0) for local, central in fields)
    if not same or (flags, method) != (entry.flags, entry.method) or data[name_at : name_at + name_n] != entry.raw_name:
        message = gettext_noop("%(name)s: its header and the archive's directory differ. Pack it again.")
        raise UploadRefused("upload.mismatch", localized(message, name=entry.path), file=entry.path)
    _check_extra(entry.path, data[name_at + name_n : start])
    return start


def _after(data: bytes, entry: Entry, at: int, directory: int) -> int:
    """The offset behind the entry: its data descriptor, if it has one, must repeat the directory's figures."""
    if not entry.flags & _DESCRIPTOR_FLAG:
        return at
    # The signature is optional by APPNOTE.TXT 4.3.9.
    signature = 4 if data[at : at + 4] == b"PK\x07\x08" else 0
    end = at + signature + _DESCRIPTOR.size
    if end > directory or _DESCRIPTOR.unpack_from(data, at + signature) != (entry.crc, entry.packed, entry.size):
        message = gettext_noop("%(name)s: its data descriptor is missing or differs. Pack it again.")
        raise UploadRefused("upload.mismatch", localized(message, name=entry.path), file=entry.path)
    return end
