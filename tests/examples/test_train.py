"""The example of training, in small: data, a net that learns, a bot that passes what an upload goes through."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.runner.inprocess import InProcessLauncher
from bots.runner.table import play
from bots.uploads.limits import UPLOAD_BYTES
from engine.games import ruleset
from examples.train import generate as generating
from examples.train import measure as measuring
from examples.train import train as training
from examples.train.features import SIZE, packed, unpacked
from examples.train.generate import generate, of_deals
from examples.train.make_bot import make_bot
from examples.train.net import Net
from examples.train.teacher import decisions, house_bot
from examples.train.train import Data, judge, train
from kit.cli import main
from tests.bots.matches import a_spec


def quiet(_line: str) -> None:
    pass


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Data of a few deals, and a net that has seen them twice."""
    monkeypatch.setattr(generating, "DEALS_OF_A_FILE", 3)
    monkeypatch.setattr(generating, "HELD_OUT", (500_000, 2, 2))
    generate(tmp_path, 6, 1, quiet)
    train(tmp_path, 2, quiet)
    return tmp_path


def test_the_teacher_leaves_no_folder_of_bots_on_the_path() -> None:
    """A spawned process would take `random.py` of the house for Python's own."""
    before = list(sys.path)
    assert house_bot("sampler").__name__ == "sampler"
    assert sys.path == before


def test_features_tell_what_an_action_takes_and_lays() -> None:
    seen = 0
    for view in decisions(7, lambda _view: 0):
        rows, shared = packed(view)
        found = unpacked(rows, shared)
        assert found.shape == (len(view.legal), SIZE)
        for line, action in zip(found, view.legal, strict=True):
            taken, mine = view.takes(action), {card for card in range(48) if line[card]}
            assert mine == {card for card in range(48) if (view.mine | taken) >> card & 1}
        seen += 1
    assert seen > 10


@pytest.mark.thorough
def test_generating_goes_on_where_it_stopped(folder: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    said: list[str] = []
    generate(folder, 9, 1, said.append)
    assert [line.partition(":")[0] for line in said] == ["1000006.npz"]
    assert {name: (folder / name).stat().st_mtime_ns for name in before} == before
    again = of_deals(generating.FIRST_SEED, 3, 1)
    assert all(np.array_equal(again[name], array) for name, array in np.load(folder / "1000000.npz").items())


@pytest.mark.thorough
def test_a_net_learns_and_training_goes_on(folder: Path) -> None:
    data = Data.read(sorted(folder.glob("[0-9]*.npz")))
    wanted = data.batch(np.arange(len(data.counts)))
    fresh = Net.fresh(1)
    errors = [fresh.learn(*wanted, 1e-3) for _ in range(40)]
    assert errors[-1] < errors[0] / 2
    trained = Net.load(folder / "net.npz")
    said: list[str] = []
    train(folder, 3, said.append)
    assert [line.partition(":")[0] for line in said[1:]] == ["epoch 3"]
    assert Net.load(folder / "net.npz").steps == trained.steps * 3 // 2
    lost, same = judge(fresh, data)
    assert lost >= 0
    assert 0 <= same <= 1


def test_half_precision_changes_no_net(folder: Path) -> None:
    rows, _wanted, _counts = Data.read([folder / "held-out.npz"]).batch(np.arange(5))
    net = Net.load(folder / "net.npz")
    half = Net([layer.astype(np.float16).astype(np.float32) for layer in net.layers])
    assert np.allclose(net.values(rows), half.values(rows), atol=0.02)


@pytest.mark.thorough
def test_the_bot_is_small_and_plays_at_every_table(folder: Path) -> None:
    assert make_bot(folder, folder / "student.zip") < UPLOAD_BYTES / 4
    bot = measuring.student(folder)
    for seats in range(2, 8):
        played = play(a_spec(*[bot] * seats, preset="hawaii", rounds=1), InProcessLauncher())
        assert played.forfeits == ()


def test_it_chooses_what_the_net_values_most(folder: Path) -> None:
    bot, net = measuring.student(folder), Net.load(folder / "net.npz")
    player = InProcessLauncher().launch(a_spec(bot, bot).clock)
    rules = ruleset("hawaii", rounds=1)
    player.load({"rng": "00", "ruleset": rules.to_json(), "seats": 2}, bot.files)
    for view in decisions(11, lambda _view: 0):
        values = net.values(unpacked(*packed(view)))
        mine = player.ask(1, view.obs, 1000)
        assert values[mine] >= values.max() - 0.02


@pytest.mark.thorough
def test_measuring_goes_on_where_it_stopped(folder: Path) -> None:
    said: list[str] = []
    measuring.measure(folder, ["random"], 3, said.append)
    measuring.measure(folder, ["random", "greedy"], 4, said.append)
    lines = [json.loads(line) for line in (folder / "measured.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["against"] for line in lines] == ["random"] * 4 + ["greedy"] * 4
    assert [line.split()[:2] for line in said] == [["random", "3"], ["random", "4"], ["greedy", "4"]]


def test_the_teacher_values_every_action(monkeypatch: pytest.MonkeyPatch) -> None:
    assert house_bot("sampler").PARAMS["worlds"] == 64
    found = of_deals(3, 1, 2)
    assert found["counts"].sum() == len(found["worths"]) == len(found["rows"])


@pytest.mark.slow
def test_the_archive_passes_what_an_upload_goes_through(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_bot(folder, folder / "student.zip")
    with zipfile.ZipFile(folder / "student.zip") as archive:
        archive.extractall(folder / "student")
    assert main(["test", str(folder / "student")]) == 0


def test_commands_say_what_they_take(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    modules: list[Any] = [generating, training, measuring]
    for module in modules:
        monkeypatch.setattr("sys.argv", ["x", "--help"])
        with pytest.raises(SystemExit):
            module.main()
        assert "Goes on where it stopped" in capsys.readouterr().out
