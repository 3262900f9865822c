"""The mode without a sandbox: refused or loudly unsafe where there is no sandbox, and never used where there is one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.runner.zygote import Zygote
from engine.record import canonical
from kit.documents import load
from tests.bots.runner.broken import UNAVAILABLE, without
from tests.kit.conftest import Type

MINE = "def choose(obs):\n    return obs['legal'][-1]\n"
PLAY = ("play", "mine", "house:random", "--deals", "2", "--seed", "s")


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork server that cannot put on one of its layers, as on a kernel without it."""
    monkeypatch.setattr(Zygote, "program", without("landlock", UNAVAILABLE).program)


@pytest.mark.slow
def test_without_a_sandbox_nothing_is_played(type_in: Type, my_bot: Callable[..., Path], no_sandbox: None) -> None:
    my_bot(MINE)
    for words in (PLAY, ("test", "mine"), ("ab", "mine", "house:random")):
        found = type_in(*words)
        assert (found.code, found.out) == (3, "")
        assert "There is no sandbox on this machine (landlock" in found.err
        assert "--unsafe" in found.err


@pytest.mark.slow
def test_the_unsafe_mode_is_loud_and_plays_the_same(
    type_in: Type, my_bot: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    my_bot(MINE)
    assert type_in(*PLAY, "--records", "safe").code == 0
    monkeypatch.setattr(Zygote, "program", without("landlock", UNAVAILABLE).program)
    found = type_in(*PLAY, "--records", "unsafe", "--unsafe")
    assert found.code == 0
    assert "UNSAFE: no sandbox" in found.err
    for name in ("s-1-1.json", "s-2-1.json"):
        safe, unsafe = (load(Path(folder) / name)["record"] for folder in ("safe", "unsafe"))
        assert canonical(safe) == canonical(unsafe)
    tried = type_in("test", "mine", "--unsafe", "--json")
    assert (tried.code, tried.json["unsafe"]) == (0, True)
    assert "UNSAFE" in tried.err


def test_where_the_sandbox_works_it_is_used(type_in: Type, my_bot: Callable[..., Path]) -> None:
    my_bot(MINE)
    found = type_in(*PLAY, "--unsafe")
    assert found.code == 2
    assert "leave it away" in found.err


def test_elsewhere_than_on_linux_the_sandbox_is_not_even_looked_for(
    type_in: Type, my_bot: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    my_bot(MINE)
    monkeypatch.setattr(sys, "platform", "darwin")
    found = type_in(*PLAY)
    assert found.code == 3
    assert "this is darwin" in found.err
    assert type_in(*PLAY, "--unsafe").code == 0
