"""pytest plugin: `--vectors PATH` (or HANAMI_VECTORS) runs other vectors; skipped presets are named.

`--records PATH` (or HANAMI_RECORDS) runs other recorded Koi-Koi matches (`test_koikoi_records.py`). Each is
a file, or a folder whose files are run together.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.engine.vectors.files import KOIKOI, PUBLIC, load, missing_presets, playable

PATH_KEY = pytest.StashKey[tuple[Path, ...]]()
RECORDS_KEY = pytest.StashKey[tuple[Path, ...]]()
OF_VECTORS = ("*.json",)
OF_RECORDS = ("*.jsonl", "*.jsonl.gz")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        metavar="PATH",
        default=os.environ.get("HANAMI_VECTORS"),
        help="JSON file or folder of rule vectors to run instead of tests/data/vectors.json and koikoi.json",
    )
    parser.addoption(
        "--records",
        metavar="PATH",
        default=os.environ.get("HANAMI_RECORDS"),
        help="file or folder of recorded Koi-Koi matches (JSON lines, also gzipped) to run instead of tests/data",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[PATH_KEY] = _files(config, "--vectors", OF_VECTORS) or (PUBLIC, KOIKOI)
    config.stash[RECORDS_KEY] = _files(config, "--records", OF_RECORDS)


def _files(config: pytest.Config, option: str, patterns: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the file that the option names, or all of the form in its folder; nothing without the option."""
    if not config.getoption(option):
        return ()
    path = Path(str(config.getoption(option)))
    found = [path] if path.is_file() else sorted(file for pattern in patterns for file in path.glob(pattern))
    if not found:
        raise pytest.UsageError(
            f"{option}: there is no file {path}, and no {' or '.join(patterns)} in a folder of that name"
        )
    return tuple(found)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `vector` gets every vector whose preset exists."""
    if "vector" in metafunc.fixturenames:
        vectors = playable(load(*metafunc.config.stash[PATH_KEY]))
        metafunc.parametrize("vector", vectors, ids=[f"{vector['id']}-{vector['preset']}" for vector in vectors])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    ran = any(
        "test_vectors.py" in report.nodeid
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport)
    )
    if not ran:
        return
    paths = config.stash[PATH_KEY]
    missing = missing_presets(load(*paths))
    named = ", ".join(f"{preset} ({count})" for preset, count in missing.items()) or "none"
    names = ", ".join(path.name for path in paths)
    terminalreporter.write_line(f"vectors: {names}; presets not registered yet, their vectors not run: {named}")
