"""Address of an example: the game of the engine, and the moment in it, at which a rule shows. It holds no card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

FILE: Final = Path(__file__).with_name("examples.json")
"""Written by scripts/make_examples.py: {preset: {topic: [seats, number, deal, move, span, teams]}}."""


@dataclass(frozen=True, slots=True)
class Example:
    """A moment of a game that `walk` plays on its own.

    topic: id of the clause (with hyphens) or of the option (with underscores) that shows; seats, teams: at the table.
    number: of the game (`walk.seed_of`); deal: from 1; move: the last move of the moment, 0 if it is the dealing;
    span: how many moves it takes, 0 if it is the dealing.
    """

    preset: str
    topic: str
    seats: int
    number: int
    deal: int
    move: int
    span: int
    teams: str = "solo"

    @property
    def before(self) -> int:
        """The number of the move that the position before it follows."""
        return self.move - self.span


def read(data: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[str, dict[str, Example]]:
    """The examples of a file by preset and topic."""
    return {
        preset: {topic: Example(preset, topic, *place) for topic, place in topics.items()}
        for preset, topics in data.items()
    }


@cache
def examples() -> Mapping[str, Mapping[str, Example]]:
    """All examples, by preset and topic."""
    return MappingProxyType(read(json.loads(FILE.read_text(encoding="utf-8"))))


def example_of(preset: str, topic: str) -> Example | None:
    """The example of a clause or option of a preset; None where nothing is to be seen at a table."""
    return examples().get(preset, {}).get(topic)
