"""Tables of the guides, cell by cell."""

from __future__ import annotations

import re


def rows(guide: str, after: str) -> list[list[str]]:
    """Return the cells of the first table after a heading or another text."""
    table = re.search(r"((?:^\|.*\n)+)", guide[guide.index(after) :], re.MULTILINE)
    assert table is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.group(1).splitlines()[2:]]
