"""Which compilers of other languages can be used here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts.languages import is_there


@pytest.mark.parametrize(("text", "runs"), [("exit 0", True), ("echo no default toolchain >&2; exit 1", False)])
def test_a_program_that_cannot_say_its_version_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, *, runs: bool
) -> None:
    program = tmp_path / "rustc"
    program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert is_there("rustc") is runs


def test_what_is_not_on_the_path_is_not_there() -> None:
    assert not is_there("no-such-program-of-hanami")
    assert is_there(sys.executable)
