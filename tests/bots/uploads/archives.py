"""Builders of archives, honest and lying. `Zip` writes every header by hand, so that each field can be wrong."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass, field

BOT = b"def choose(obs):\n    return 0\n"


def zipped(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive as the standard library packs it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


@dataclass
class Entry:
    """One entry; `local` and `central` override header fields on one side only."""

    name: bytes = b"bot.py"
    content: bytes = BOT
    method: int = 8
    flags: int = 0
    mode: int = 0
    extra: bytes = b""
    packed: bytes | None = None
    size: int | None = None
    local: dict[str, int] = field(default_factory=dict)
    central: dict[str, int] = field(default_factory=dict)
    local_name: bytes | None = None
    descriptor: bytes = b""

    def body(self) -> bytes:
        if self.packed is not None:
            return self.packed
        return deflated(self.content) if self.method == 8 else self.content

    def fields(self, side: dict[str, int]) -> dict[str, int]:
        size = len(self.content) if self.size is None else self.size
        plain = {"flags": self.flags, "method": self.method, "crc": zlib.crc32(self.content)}
        return plain | {"packed": len(self.body()), "size": size} | side

    def local_header(self) -> bytes:
        f, name = self.fields(self.local), self.name if self.local_name is None else self.local_name
        head = struct.pack("<4s5H3I2H", b"PK\3\4", 20, f["flags"], f["method"], 0, 33, f["crc"], f["packed"], f["size"],
                           len(name), len(self.extra))  # fmt: skip
        return head + name + self.extra

    def central_header(self, offset: int) -> bytes:
        f = self.fields(self.central)
        head = struct.pack("<4s6H3I5H2I", b"PK\1\2", 0x0314, 20, f["flags"], f["method"], 0, 33, f["crc"], f["packed"],
                           f["size"], len(self.name), len(self.extra), 0, 0, 0, self.mode,
                           f.get("offset", offset))  # fmt: skip
        return head + self.name + self.extra


def forged(
    *entries: Entry, before: bytes = b"", gap: bytes = b"", comment: bytes = b"", count: int | None = None
) -> bytes:
    """The archive of these entries, with optional bytes before the first, before the directory and at the end."""
    body, directory = before, b""
    for entry in entries:
        directory += entry.central_header(len(body))
        body += entry.local_header() + entry.body() + entry.descriptor
    body += gap
    n = len(entries) if count is None else count
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, n, n, len(directory), len(body), len(comment))
    return body + directory + end + comment
