"""Decisions in Parquet files: those that a service publishes, a file a day, or one's own.

    from engine.data import load

    for row in load("dataset").rows():
        print(row["legal"][row["choice"]])

Reading needs pyarrow, which is imported only then. What the columns are: `engine.data_rows.COLUMNS`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import engine.games  # noqa: F401  # fills the registry that `game_of` reads
from engine.data_rows import COLUMNS, FORMAT, Row, observation_of, ruleset_of
from engine.errors import BadData
from engine.game import Observation, Reader, game_of

SUMS: Final = "SHA256SUMS"
"""The file beside the days that lists their hashes, as `sha256sum` writes and checks it."""
MARK: Final = b"hanafuda"
"""The key in a file's own metadata under which its format stands."""
BATCH_SIZE: Final = 4096
GROUP_SIZE: Final = 20_000
"""Decisions that are in memory at once while a file is written: some 15 MB. A group holds whole matches."""
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Dataset:
    """Decisions in files, in order of the days. Nothing of them is in memory until it is asked for."""

    files: tuple[Path, ...]

    def __len__(self) -> int:
        """Number of decisions; read from the ends of the files."""
        return sum(_opened(path).metadata.num_rows for path in self.files)

    def batches(self, columns: Sequence[str] | None = None, *, size: int = BATCH_SIZE) -> Iterator[Any]:
        """Yield `pyarrow.RecordBatch`es of at most `size` decisions, with these columns (all of them without)."""
        for path in self.files:
            yield from _opened(path).iter_batches(batch_size=size, columns=list(columns) if columns else None)

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Row]:
        """Yield every decision as a dict, in the order of play."""
        for batch in self.batches(columns):
            yield from batch.to_pylist()

    def matches(self) -> Iterator[list[Row]]:
        """Yield the decisions of one match after another."""
        for _match, rows in groupby(self.rows(), key=lambda row: row["match"]):
            yield list(rows)

    def observations(self) -> Iterator[tuple[Row, Observation]]:
        """Yield every decision with the engine's typed observation of it, for features and for sampled worlds."""
        for rows in self.matches():
            yield from observations_of(rows)


def observations_of(rows: Iterable[Row]) -> Iterator[tuple[Row, Observation]]:
    """Yield the decisions of one match with the typed observation of each. They must begin with the match."""
    readers: dict[int, Reader] = {}
    for row in rows:
        seat = row["seat"]
        if seat not in readers:
            readers[seat] = game_of(row["game"]).reader(ruleset_of(row), len(row["sides"]))
        yield row, readers[seat].read(observation_of(row))


def load(path: str | Path, *, sha256: str | None = None) -> Dataset:
    """Return the decisions of a file or of all days in a folder, once their hashes were checked.

    The hashes are those of `SHA256SUMS` in the same folder; a folder must have it and every file that it lists.
    sha256: of a single file, hex, as the list of days says it. Raises BadData: `data.missing`, `data.hash`,
    `data.format`, `data.pyarrow`.
    """
    place = Path(path)
    listed = _listed(place if place.is_dir() else place.parent)
    if place.is_dir():
        if not listed:
            raise BadData(f"{place} has no {SUMS}: download it beside the days.", code="data.missing")
        files = tuple(place / name for name in sorted(listed))
    else:
        files = (place,)
        listed |= {place.name: sha256} if sha256 else {}
    for file in files:
        _check(file, listed.get(file.name))
    return Dataset(files)


def _listed(folder: Path) -> dict[str, str]:
    """Return the hash of every Parquet file that the folder's list names; nothing where there is no list."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    pairs = [line.partition("  ") for line in lines]
    # Names alone: a list from elsewhere must not lead out of its folder.
    return {name: digest for digest, _gap, name in pairs if name.endswith(".parquet") and name == Path(name).name}


def _check(file: Path, wanted: str | None) -> None:
    """Check the hash, if one is known, and the format of a file."""
    if not file.is_file():
        raise BadData(f"{file} is not there. Download it, or take its line out of {SUMS}.", code="data.missing")
    if wanted is not None and hash_of(file) != wanted.lower():
        raise BadData(f"{file} is not the file that was published: its SHA-256 differs.", code="data.hash")
    _opened(file)


def hash_of(file: Path) -> str:
    """Return the SHA-256 of a file, hex."""
    found = hashlib.sha256()
    with file.open("rb") as opened:
        while piece := opened.read(_PIECE):
            found.update(piece)
    return found.hexdigest()


def pyarrow() -> Any:
    """Return the library, with its `parquet`. Raises BadData `data.pyarrow` where it is not installed."""
    try:
        import pyarrow as found
        import pyarrow.parquet
    except ImportError as error:
        message = "Files of decisions are Parquet, for which pyarrow is needed: pip install pyarrow"
        raise BadData(message, code="data.pyarrow") from error
    return found


def schema() -> Any:
    """Return the columns as a `pyarrow.Schema`, with the format as its metadata. Raises BadData."""
    arrow = pyarrow()
    plain = {"text": arrow.string(), **{f"int{n}": getattr(arrow, f"int{n}")() for n in (8, 16, 32, 64)}}

    def kind(name: str) -> Any:
        return arrow.list_(plain[name[:-2]]) if name.endswith("[]") else plain[name]

    fields = [arrow.field(column.name, kind(column.kind), nullable=column.optional) for column in COLUMNS]
    return arrow.schema(fields, metadata={MARK: FORMAT.encode()})


def write(path: Path, matches: Iterable[list[Row]]) -> int:
    """Write the decisions of matches (`engine.data_rows.rows_of`) into a file; returns how many there are.

    The file appears whole or not at all: it is written beside its place and renamed. Raises BadData `data.pyarrow`,
    and OSError where it cannot be written.
    """
    arrow, kinds = pyarrow(), schema()
    beside, total = path.with_name(f".{path.name}.part"), 0
    with arrow.parquet.ParquetWriter(beside, kinds, compression="zstd", compression_level=9) as file:
        for group in _groups(matches):
            file.write_table(arrow.Table.from_pylist(group, schema=kinds), row_group_size=len(group))
            total += len(group)
    with beside.open("rb") as written:
        # On the disk before it gets its name: after a power cut the name must not stand for an empty file.
        os.fsync(written.fileno())
    beside.replace(path)
    return total


def _groups(matches: Iterable[list[Row]]) -> Iterator[list[Row]]:
    group: list[Row] = []
    for rows in matches:
        group += rows
        if len(group) >= GROUP_SIZE:
            yield group
            group = []
    if group:
        yield group


def _opened(file: Path) -> Any:
    """Return a file as pyarrow reads it. Raises BadData if it is none of this format."""
    arrow = pyarrow()
    try:
        found = arrow.parquet.ParquetFile(file)
    except (OSError, arrow.ArrowInvalid) as error:
        raise BadData(f"{file} is no Parquet file: {error!s:.120}", code="data.format") from error
    said = (found.schema_arrow.metadata or {}).get(MARK, b"").decode()
    if said != FORMAT:
        raise BadData(f"{file} says that it is {said or 'something else'!r:.60}, not {FORMAT}.", code="data.format")
    return found


__all__ = ["Dataset", "hash_of", "load", "observations_of", "schema", "write"]
