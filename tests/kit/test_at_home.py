"""Tools of an author's own tests: the module `hanami`, and positions."""

from __future__ import annotations

from pathlib import Path

import pytest

import kit.hanami
from bots import sdk
from engine.errors import BadOption
from engine.games import PRESETS
from kit.positions import positions


def test_the_module_at_home_is_the_one_in_the_sandbox() -> None:
    assert set(kit.hanami.__all__) == set(sdk.__all__)
    own = {"read", "asset"}
    assert {name for name in sdk.__all__ if getattr(kit.hanami, name) is not getattr(sdk, name)} == own


def test_assets_are_read_from_the_present_folder(at_home: Path) -> None:
    (at_home / "tables.json").write_text("[1]", encoding="utf-8")
    assert kit.hanami.asset("tables.json") == b"[1]"
    with pytest.raises(FileNotFoundError):
        kit.hanami.asset("nothing.json")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", list(PRESETS))
def test_positions_of_every_preset_can_be_read_one_by_one(preset: str) -> None:
    found = list(positions(preset, count=40))
    assert len(found) == 40
    assert found == list(positions(preset, count=40))
    assert found != list(positions(preset, count=40, seed=1))
    for obs in found:
        assert len(obs["legal"]) > 1
        view = kit.hanami.read(obs)
        assert len(view.legal) == len(obs["legal"])
        view.determinize(kit.hanami.rng)


def test_positions_at_one_number_of_seats() -> None:
    assert {len(obs["sides"]) for obs in positions("hawaii", seats=5, count=9)} == {5}
    assert {len(obs["sides"]) for obs in positions("hawaii", count=90)} == {2, 3, 4, 5, 6, 7}
    with pytest.raises(BadOption):
        next(positions("koikoi"))
