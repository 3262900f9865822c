"""Programs of the guides: the blocks of a page, run as one."""

from __future__ import annotations

from collections.abc import Sequence

from bots.runner.preload import name_engine_twice
from tests.docs.blocks import Block


def run(program: Sequence[Block], instead: dict[str, str] | None = None) -> dict[str, object]:
    """Run the blocks of a page as one program; return its names. A mistake names the line of the guide."""
    names: dict[str, object] = {}
    name_engine_twice()  # guides call it `hanafuda`, as its package does
    for block in program:
        source = block.content
        for old, new in (instead or {}).items():
            source = source.replace(old, new)
        first = int(block.where.rpartition(":")[2])
        exec(compile("\n" * first + source, block.file, "exec"), names)
    return names
