"""Files of a version as pages show them: text in numbered lines, a part at a time; of others size and hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString

from bots.runner.printed import CONTROLS
from bots.uploads.limits import ENTRY_FILE, TEXT_EXTENSIONS
from web.highlighting import highlighted_lines

SHOWN_BYTES: Final = 256 * 1024
"""Of a longer file the page shows size and hash, and offers the download."""
COLOURED: Final = 64 * 1024
"""Characters: longer files are shown without colours, which would take a process a second to find."""
LINE_SHOWN: Final = 600
"""Characters of a line; the rest is in the download."""
PART_HTML: Final = 36_000
"""Characters of HTML of one part, so that the page stays light (60 KB with its frame)."""
OF_LINE: Final = 55
"""Characters around each line: its anchor and its number."""
LANGUAGES: Final = {"py": "python", "json": "json", "toml": "toml"}


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file. sha256: hex. is_text: its kind is text; is_shown: it is short enough to be shown, too."""

    path: str
    size: int
    sha256: str
    is_text: bool
    is_shown: bool


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a file. n: from 1; html: its text, marked; more: characters of it that are not shown."""

    n: int
    html: SafeString
    more: int


@dataclass(frozen=True, slots=True)
class Part:
    """Some lines of a file. number: from 1, of `parts`; total: lines of the whole file."""

    lines: Sequence[SourceLine]
    number: int
    parts: Sequence[tuple[int, int]]
    total: int

    @property
    def following(self) -> tuple[int, int, int] | None:
        """Return number, first and last line of the next part; None after the last one."""
        return (self.number + 1, *self.parts[self.number]) if self.number < len(self.parts) else None


def files_of(files: Sequence[tuple[str, bytes]]) -> list[SourceFile]:
    """Describe files (path, bytes): the entry file first, the others by path."""
    described = [_described(path, content) for path, content in files]
    return sorted(described, key=lambda each: (each.path != ENTRY_FILE, each.path))


def _described(path: str, content: bytes) -> SourceFile:
    is_text = path.rpartition(".")[2] in TEXT_EXTENSIONS
    digest = hashlib.sha256(content).hexdigest()
    return SourceFile(path, len(content), digest, is_text, is_text and len(content) <= SHOWN_BYTES)


def text_of(content: bytes) -> str:
    """Return a file as text that can be shown: marks that turn the direction of writing and other control characters
    become a sign, as with them a source could be made to read as something else. Lines stay what they are.
    """
    text = content.decode("utf-8", "replace").replace("\r\n", "\n")
    return "\n".join(CONTROLS.sub("\N{REPLACEMENT CHARACTER}", line) for line in text.split("\n"))


def part_of(path: str, content: bytes, wanted: int) -> Part:
    """Return one part of a text file. wanted: its number; one that there is not gives the first."""
    text = text_of(content)
    raw = text.removesuffix("\n").split("\n")
    language = LANGUAGES.get(path.rpartition(".")[2], "")
    if language and len(text) <= COLOURED and max(map(len, raw)) <= LINE_SHOWN:
        marked: Sequence[SafeString] = highlighted_lines(text, language)[: len(raw)]
    else:
        marked = [escape(line[:LINE_SHOWN]) for line in raw]
    parts = list(_cut(marked))
    number = wanted if 1 <= wanted <= len(parts) else 1
    first, last = parts[number - 1]
    lines = [SourceLine(n, marked[n - 1], max(0, len(raw[n - 1]) - LINE_SHOWN)) for n in range(first, last + 1)]
    return Part(lines, number, parts, len(raw))


def _cut(lines: Sequence[SafeString]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each part."""
    first, size = 1, 0
    for n, line in enumerate(lines, 1):
        size += len(line) + OF_LINE
        if size > PART_HTML and n > first:
            yield first, n - 1
            first, size = n, len(line) + OF_LINE
    yield first, len(lines)
