"""The one error of this package: an upload that is not taken, with a stable code."""

from __future__ import annotations

from typing import Final

from bots.errors import BotError
from bots.localization import LocalizedMessage, render_message

CODES: Final = frozenset(
    {
        "upload.empty",
        "upload.too_large",
        "upload.type",
        "upload.archive",
        "upload.encrypted",
        "upload.compression",
        "upload.entries",
        "upload.name",
        "upload.extension",
        "upload.link",
        "upload.duplicate",
        "upload.shadow",
        "upload.overlap",
        "upload.mismatch",
        "upload.size",
        "upload.text",
        "upload.no_entry",
        "upload.manifest",
        "upload.plays",
    }
)


class UploadRefused(BotError):
    """Nothing of this upload was kept. `code`: one of CODES; `extra["file"]`: the file meant, if one is.

    `text`: why, in any language; the error itself says it in English.
    """

    def __init__(self, code: str, text: LocalizedMessage, *, file: str | None = None) -> None:
        super().__init__(render_message(text))
        self.code = code
        self.text = text
        self.extra = {} if file is None else {"file": file}


def shown(raw: bytes | str) -> str:
    """A file name as it may stand in a message: ASCII, escaped, at most 80 characters."""
    text = raw.decode("latin-1") if isinstance(raw, bytes) else raw
    escaped = text.encode("unicode_escape").decode("ascii")
    return escaped if len(escaped) <= 80 else escaped[:77] + "..."
