"""The kit as an author meets it: typed commands in a folder of their own, with the real sandbox."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from accounts.tokens import make_token
from kit.cli import main
from tests.builders import events as a


@dataclass(frozen=True, slots=True)
class Said:
    """The results of a command: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        lines = self.out.splitlines()
        assert len(lines) == 1, self.out
        return json.loads(lines[0])


Type = Callable[..., Said]


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and a configuration of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HANAMI_CONFIG", str(tmp_path / "config"))
    monkeypatch.delenv("HANAMI_SERVER", raising=False)
    monkeypatch.delenv("HANAMI_TOKEN", raising=False)
    return tmp_path


@pytest.fixture
def type_in(at_home: Path, capsys: pytest.CaptureFixture[str]) -> Type:
    """`type_in("play", ".", "--json")`: run a command of `hanami` here."""

    def run(*words: str) -> Said:
        capsys.readouterr()
        code = main(words)
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return run


@pytest.fixture
def signed_in(live_site: str, type_in: Type) -> User:
    """A user whose kit is signed in, with a token for bots and their logs."""
    user = a.a_user("kimo")
    _, key = make_token(user=user, name="kit", scopes=["read", "bot:write", "bot:logs"])
    found = type_in("login", live_site, "--token", key)
    assert found.code == 0, found.err
    assert "0 bots of yours" in found.out
    assert key not in found.out
    return user


@pytest.fixture
def my_bot(at_home: Path) -> Callable[..., Path]:
    """`my_bot(source)`: a folder `mine` with this bot.py."""

    def write(source: str, name: str = "mine", plays: str = "hawaii") -> Path:
        folder = at_home / name
        folder.mkdir(exist_ok=True)
        (folder / "bot.py").write_text(source, encoding="utf-8")
        (folder / "hanami.toml").write_text(f'name = "{name}"\nplays = ["{plays}"]\n', encoding="utf-8")
        return folder

    return write
