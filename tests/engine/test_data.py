"""Files of decisions: what is written is read back, and what was changed is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.data import SUMS, hash_of, load, schema, write
from engine.data_rows import COLUMNS, observation_of, rows_of
from engine.errors import BadData
from tests.engine.test_data_rows import a_match
from tests.services.processes import ROOT

DAYS = ("2026-11-20.parquet", "2026-11-21.parquet")


def rows_like(preset: str, seats: int) -> list[dict[str, Any]]:
    return rows_of(a_match(preset, seats, told=lambda *_asked: None))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / DAYS[0], [rows_like("hawaii", 3), rows_like("koikoi_zoo", 2)])
    write(tmp_path / DAYS[1], [rows_like("hawaii", 2)])
    sums = "".join(f"{hash_of(tmp_path / day)}  {day}\n" for day in DAYS)
    (tmp_path / SUMS).write_text(sums, encoding="utf-8")
    return tmp_path


def test_what_is_written_is_read_back(folder: Path) -> None:
    matches = [rows_like("hawaii", 3), rows_like("koikoi_zoo", 2), rows_like("hawaii", 2)]
    found = load(folder)
    assert list(found.matches()) == matches
    assert len(found) == sum(map(len, matches))
    assert len(load(folder / DAYS[1])) == len(matches[2])


def test_columns_are_read_alone_and_in_batches(folder: Path) -> None:
    batches = list(load(folder).batches(["legal", "choice"], size=10))
    assert max(batch.num_rows for batch in batches) == 10
    assert {tuple(batch.schema.names) for batch in batches} == {("legal", "choice")}
    assert schema().names == [column.name for column in COLUMNS]


def test_observations_are_the_engine_s_own(folder: Path) -> None:
    seen = 0
    for row, known in load(folder).observations():
        assert known.seat == row["seat"]
        assert len(known.legal) == len(row["legal"])
        assert [str(action.to_json()) for action in known.legal] == [str(a) for a in observation_of(row)["legal"]]  # type: ignore[attr-defined]
        seen += 1
    assert seen == len(load(folder))


def test_a_changed_a_missing_and_a_foreign_file_are_refused(folder: Path) -> None:
    with pytest.raises(BadData) as told:
        load(folder / DAYS[0], sha256="0" * 64)
    assert told.value.code == "data.hash"
    (folder / DAYS[1]).write_bytes((folder / DAYS[1]).read_bytes() + b"x")
    with pytest.raises(BadData) as told:
        load(folder)
    assert told.value.code == "data.hash"
    (folder / DAYS[1]).unlink()
    with pytest.raises(BadData) as told:
        load(folder)
    assert told.value.code == "data.missing"
    (folder / "other.parquet").write_bytes(b"PAR1")
    with pytest.raises(BadData) as told:
        load(folder / "other.parquet")
    assert told.value.code == "data.format"
    with pytest.raises(BadData) as told:
        load(folder.parent)
    assert told.value.code == "data.missing"


def test_a_file_that_is_not_finished_has_no_name(tmp_path: Path) -> None:
    def broken() -> Any:
        yield rows_like("hawaii", 2)
        raise OSError

    with pytest.raises(OSError):
        write(tmp_path / DAYS[0], broken())
    assert not (tmp_path / DAYS[0]).exists()


def test_the_engine_needs_no_pyarrow_until_files_are_read() -> None:
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from engine.data import load\nfrom engine.errors import BadData\n"
        "try:\n    load('x.parquet', sha256='')\nexcept BadData as error:\n    print(error.code)\n"
        "open('/dev/null')\nfrom engine.data import schema\n"
        "try:\n    schema()\nexcept BadData as error:\n    print(error.code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["data.missing", "data.pyarrow"], done.stderr
