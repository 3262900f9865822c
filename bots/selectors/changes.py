"""Differences between the files of two versions: per file what was added and removed, in the unified form."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.html import escape

from bots.selectors.source_files import LINE_SHOWN, text_of
from bots.uploads.limits import TEXT_EXTENSIONS

MAX_LINES: Final = 2_000
"""Lines of either file. The search takes longer than in proportion: of files made to be slow, seconds beyond this."""
CONTEXT: Final = 3
MAX_HTML: Final = 32_000
"""Characters of HTML that the page shows of all files together; the whole is a download."""
OF_ROW: Final = 115
"""Characters around each row: its numbers and its sign."""
Files = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Row:
    """A row. kind: "same", "added", "removed", or "gap" where lines that are the same are left out.

    old, new: its number in either file, None where it is not in it.
    """

    kind: str
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that differs. kind: "added", "removed", "changed". rows: None where it is not compared line by line."""

    path: str
    kind: str
    added: int
    removed: int
    rows: Sequence[Row] | None


@dataclass(frozen=True, slots=True)
class Changes:
    """Changed files by path; same: how many are the same; left_out: rows beyond what a page shows."""

    files: Sequence[FileChange]
    same: int
    left_out: int


def changes_between(old: Files, new: Files) -> Changes:
    """Compare two versions. old, new: files (path, bytes)."""
    before, after = dict(old), dict(new)
    found, room, left_out = [], MAX_HTML, 0
    paths = sorted(before.keys() | after.keys())
    for path in paths:
        if before.get(path) == after.get(path):
            continue
        change = _change(path, before.get(path), after.get(path))
        shown = _fitting(change.rows or (), room)
        room -= sum(_cost(row) for row in shown)
        left_out += len(change.rows or ()) - len(shown)
        # After a cut the rest is left out, too: a page that goes on further down would hide the gap.
        room = 0 if left_out else room
        rows = shown if change.rows is not None else None
        found.append(FileChange(path, change.kind, change.added, change.removed, rows))
    return Changes(found, len(paths) - len(found), left_out)


def _fitting(rows: Sequence[Row], room: int) -> Sequence[Row]:
    """Return the first rows that fit. room: characters of HTML."""
    for number, row in enumerate(rows):
        room -= _cost(row)
        if room < 0:
            return rows[:number]
    return rows


def _cost(row: Row) -> int:
    return len(escape(row.text)) + OF_ROW


def patch_of(old: Files, new: Files, names: tuple[str, str]) -> str:
    """Return everything as a patch (`diff -u`). names: of the two versions, which stand before the paths."""
    before, after = dict(old), dict(new)
    pieces: list[str] = []
    for path in sorted(before.keys() | after.keys()):
        pair = (before.get(path), after.get(path))
        if pair[0] != pair[1]:
            pieces += _patch(path, pair, names)
    return "".join(f"{line}\n" for line in pieces)


def _patch(path: str, pair: tuple[bytes | None, bytes | None], names: tuple[str, str]) -> Iterator[str]:
    heads = [
        f"{name}/{path}" if content is not None else "/dev/null" for name, content in zip(names, pair, strict=True)
    ]
    lines = [_lines(path, content) for content in pair]
    if lines[0] is None or lines[1] is None:
        yield f"Files {heads[0]} and {heads[1]} differ"
        return
    yield from difflib.unified_diff(lines[0], lines[1], heads[0], heads[1], n=CONTEXT, lineterm="")


def _change(path: str, old: bytes | None, new: bytes | None) -> FileChange:
    kind = "added" if old is None else "removed" if new is None else "changed"
    before, after = _lines(path, old), _lines(path, new)
    if before is None or after is None:
        return FileChange(path, kind, 0, 0, None)
    rows = list(_rows(before, after))
    counts = [sum(row.kind == each for row in rows) for each in ("added", "removed")]
    return FileChange(path, kind, counts[0], counts[1], rows)


def _lines(path: str, content: bytes | None) -> list[str] | None:
    """Return the lines of one side, none of a file that is not there; None for one that is not compared by lines."""
    if content is None or not content:
        return []
    if path.rpartition(".")[2] not in TEXT_EXTENSIONS:
        return None
    lines = text_of(content).removesuffix("\n").split("\n")
    return lines if len(lines) <= MAX_LINES else None


def _rows(old: Sequence[str], new: Sequence[str]) -> Iterator[Row]:
    groups = difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT)
    for number, group in enumerate(groups):
        if number or group[0][1] or group[0][3]:
            yield Row("gap", None, None, "")
        for kind, old_from, old_to, new_from, new_to in group:
            if kind == "equal":
                pairs = zip(range(old_from, old_to), range(new_from, new_to), strict=True)
                yield from (Row("same", one + 1, other + 1, old[one][:LINE_SHOWN]) for one, other in pairs)
            else:
                yield from (Row("removed", n + 1, None, old[n][:LINE_SHOWN]) for n in range(old_from, old_to))
                yield from (Row("added", None, n + 1, new[n][:LINE_SHOWN]) for n in range(new_from, new_to))
