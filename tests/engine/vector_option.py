"""pytest plugin: `--vectors PATH` (or HANAMI_VECTORS) runs another file of vectors; skipped presets are named.

`--records PATH` (or HANAMI_RECORDS) runs another file of recorded Koi-Koi matches (`test_koikoi_records.py`).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.engine.vectors.files import KOIKOI, PUBLIC, load, missing_presets, playable

PATH_KEY = pytest.StashKey[tuple[Path, ...]]()
RECORDS_KEY = pytest.StashKey[Path | None]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        metavar="PATH",
        default=os.environ.get("HANAMI_VECTORS"),
        help="JSON file of rule vectors to run instead of tests/data/vectors.json and koikoi.json",
    )
    parser.addoption(
        "--records",
        metavar="PATH",
        default=os.environ.get("HANAMI_RECORDS"),
        help="file of recorded Koi-Koi matches (JSON lines, may be gzipped) to run instead of those in tests/data",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[PATH_KEY] = (_file(config, "--vectors"),) if config.getoption("--vectors") else (PUBLIC, KOIKOI)
    config.stash[RECORDS_KEY] = _file(config, "--records") if config.getoption("--records") else None


def _file(config: pytest.Config, option: str) -> Path:
    path = Path(str(config.getoption(option)))
    if not path.is_file():
        raise pytest.UsageError(f"{option}: there is no file {path}")
    return path


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
