"""Checking a folder of decisions: the hashes of its files, and rows against the records that they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.data import load
from engine.data_rows import Row, difference
from engine.errors import BadData, BadRecord
from tournaments.dataset import catalogue, days
from tournaments.dataset.catalogue import DayFile
from tournaments.dataset.export import documents_of

SAMPLE: Final = 20
"""Matches of a day that are derived again, unless said otherwise."""


def problems(place: Path, *, sample: int = SAMPLE, seed: int = 0) -> Iterator[str]:
    """Yield what is wrong with the files of a folder; nothing if every hash, count and sampled row is right.

    sample: matches of each day that are derived again from their records; seed: of that choice.
    """
    listed = catalogue.published(place)
    try:
        if listed:
            load(place)
    except BadData as error:
        yield f"{error.code}: {error}"
        return
    dice = Random(seed)
    for day in listed:
        yield from (f"{day.name}: {problem}" for problem in _of_day(place, day, sample, dice))


def _of_day(place: Path, day: DayFile, sample: int, dice: Random) -> Iterator[str]:
    data = load(place / day.name)
    if len(data) != day.decisions:
        yield f"{len(data)} decisions, the list says {day.decisions}"
    names = sorted({row["match"] for row in data.rows(["match"])})
    if len(names) != day.matches:
        yield f"{len(names)} matches, the list says {day.matches}"
    chosen = set(dice.sample(names, min(sample, len(names))))
    for rows in data.matches():
        name = rows[0]["match"]
        if name in chosen and (problem := _of_match(day, name, rows)):
            yield f"match {name}: {problem}"


def _of_match(day: DayFile, name: str, rows: Sequence[Row]) -> str:
    """Return what is wrong with the rows of a match, "" if nothing."""
    keys = list(days.matches_of(day.date).filter(uuid=name).values_list("pk", flat=True))
    found: list[dict[str, Any]] = list(documents_of(keys))
    if not found:
        return "it is not published any more, or never was; export again"
    try:
        return difference(list(rows), found[0])
    except BadRecord as error:
        return f"its record does not play again: {error.code} at {error.where}"
