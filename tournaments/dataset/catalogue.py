"""The list of the files of a dataset: `index.json` in its folder, and what is derived from it for readers.

A file counts once the list names it with its hash: the list is written last, whole or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings

from engine.data import SUMS
from engine.data_rows import FORMAT

INDEX: Final = "index.json"
CROISSANT: Final = "croissant.json"


@dataclass(frozen=True, slots=True)
class DayFile:
    """A day's file. day: ISO; version: of the matches that it was made of; skipped: records that do not play again."""

    day: str
    sha256: str
    bytes: int
    matches: int
    decisions: int
    skipped: int
    version: str

    @property
    def name(self) -> str:
        """Its name in the folder."""
        return f"{self.day}.parquet"

    @property
    def date(self) -> date:
        return date.fromisoformat(self.day)


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over files."""

    days: int
    matches: int
    decisions: int
    bytes: int


def folder() -> Path:
    """Return the folder of the files that the site publishes."""
    return Path(settings.DATASET_DIR)


def published(place: Path) -> tuple[DayFile, ...]:
    """Return the files of a folder, the newest day first; none where there is no list, or one of another format."""
    try:
        return _read(place, (place / INDEX).stat().st_mtime_ns)
    except FileNotFoundError:
        return ()


# A page asks for all days; a folder of ten years has 3,650.
@lru_cache(maxsize=8)
def _read(place: Path, _changed_at: int) -> tuple[DayFile, ...]:
    found = json.loads((place / INDEX).read_text(encoding="utf-8"))
    if found.get("format") != FORMAT:
        return ()
    return tuple(sorted((DayFile(**day) for day in found["days"]), key=lambda day: day.day, reverse=True))


def totals(days: Sequence[DayFile]) -> Totals:
    """Add up what files hold."""
    return Totals(
        days=len(days),
        matches=sum(day.matches for day in days),
        decisions=sum(day.decisions for day in days),
        bytes=sum(day.bytes for day in days),
    )


def store(place: Path, days: Sequence[DayFile], description: str) -> None:
    """Write the list, and beside it the hashes and the description (JSON) that follow from it."""
    ordered = sorted(days, key=lambda day: day.day)
    index = {"format": FORMAT, "days": [asdict(day) for day in ordered]}
    _replace(place / SUMS, sums(ordered))
    _replace(place / CROISSANT, description)
    # Last: a process that dies before it does the whole day again, and these two with it.
    _replace(place / INDEX, json.dumps(index, indent=1) + "\n")


def sums(days: Sequence[DayFile]) -> str:
    """Write the lines that `sha256sum --check` reads."""
    return "".join(f"{day.sha256}  {day.name}\n" for day in days)


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.part")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
