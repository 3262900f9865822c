"""pytest plugin: `--vectors PATH` (or HANAMI_VECTORS) runs another file of vectors; skipped presets are named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.engine.vectors.files import PUBLIC, load, missing_presets, playable

PATH_KEY = pytest.StashKey[Path]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        metavar="PATH",
        default=os.environ.get("HANAMI_VECTORS"),
        help="JSON file of rule vectors to run instead of tests/data/vectors.json",
    )


def pytest_configure(config: pytest.Config) -> None:
    given = config.getoption("--vectors")
    path = Path(given) if given else PUBLIC
    if not path.is_file():
        raise pytest.UsageError(f"--vectors: there is no file {path}")
    config.stash[PATH_KEY] = path


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `vector` gets every vector whose preset exists."""
    if "vector" in metafunc.fixturenames:
        vectors = playable(load(metafunc.config.stash[PATH_KEY]))
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
    path = config.stash[PATH_KEY]
    missing = missing_presets(load(path))
    named = ", ".join(f"{preset} ({count})" for preset, count in missing.items()) or "none"
    terminalreporter.write_line(f"vectors: {path.name}; presets not registered yet, their vectors not run: {named}")
