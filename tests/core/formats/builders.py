"""Builders for planner tests."""

from __future__ import annotations

from core.formats.model import Entrant


def entrants(count: int) -> list[Entrant]:
    """entry-01 (the strongest), entry-02, ..."""
    return [Entrant(f"entry-{number:02}", number) for number in range(1, count + 1)]
