"""The file that goes with every download of a published source: whose it is, and under which licence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bots.licences import LICENCES

FILE: Final = "LICENSE.txt"


def notice_of(*, title: str, holder: str, year: int, licence: str, address: str, origin: str = "") -> str:
    """Return the notice as text.

    title: of the version ("Plum v2"); holder: who wrote it; year: of its upload; licence: SPDX identifier; address: of
    its page; origin: what it was forked from, with its licence, "" if it is no fork.
    """
    found = LICENCES[licence]
    lines = [title, address, "", f"Copyright (c) {year} {holder}", f"SPDX-License-Identifier: {found.id}"]
    if origin:
        lines += ["", f"Forked from {origin}"]
    return "\n".join([*lines, "", "-" * 78, "", found.text.rstrip(), ""])


def with_notice(files: Sequence[tuple[str, bytes]], notice: str) -> tuple[tuple[str, bytes], ...]:
    """Return files (path, bytes) and the notice; authors who bring a file of that name along keep theirs."""
    if any(path == FILE for path, _content in files):
        return tuple(files)
    return (*files, (FILE, notice.encode()))
