"""Matches on several processors: one that is killed and one that cannot start say what happened."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator

import pytest

from bots.errors import InfraFault
from bots.runner.inprocess import UnsafeInProcessLauncher
from kit import playing
from kit.contest import Contest, ContestSettings, arrange
from kit.errors import Unwell
from kit.players import player
from kit.playing import play_sets


@pytest.fixture
def contest() -> Contest:
    """Enough matches for two processes."""
    bots = [player("house:random"), player("house:greedy")]
    return arrange(bots, ContestSettings(deals=200, seed="s", preset="hawaii"))


@pytest.fixture
def as_a_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Afterwards this process is as it was."""
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(playing, "_launcher", None)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.slow
def test_a_process_that_is_killed_is_named(contest: Contest) -> None:
    sets = play_sets(contest, UnsafeInProcessLauncher(), jobs=2, unsafe=True)
    next(sets)
    for process in multiprocessing.active_children():
        process.kill()
    with pytest.raises(Unwell, match="A process that played was lost"):
        list(sets)


def test_a_process_without_a_sandbox_says_why(
    contest: Contest, as_a_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def starts(*, unsafe: bool) -> None:
        raise InfraFault("sandbox.zygote", "the fork server did not start in time")

    monkeypatch.setattr(playing, "start_again", starts)
    playing._begin(unsafe=False)
    with pytest.raises(InfraFault, match="did not start in time"):
        playing._play_here(contest, 0, None)
