"""`hanami new` and `hanami test`: a first bot that passes, and every way in which one does not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.house import HOUSE, house_files
from engine.games import PRESETS
from kit.home import read_bot
from tests.kit.conftest import Type
from tests.services.processes import ROOT


@pytest.mark.thorough
def test_a_new_bot_passes_the_test_of_uploads(type_in: Type) -> None:
    made = type_in("new", "mybot", "--preset", "hawaii")
    assert made.code == 0
    assert "cd mybot" in made.out
    assert sorted(path.name for path in Path("mybot").iterdir()) == [
        ".gitignore", "README.md", "bot.py", "hanami.toml", "test_bot.py",
    ]  # fmt: skip
    tried = type_in("test", "mybot", "--json")
    assert (tried.code, tried.json["ok"], tried.json["unsafe"]) == (0, True, False)
    assert [step["id"] for step in tried.json["steps"]] == ["static", "start", "smoke.hawaii", "states"]


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["oibana", "nuki88", "poka5"])
def test_a_new_bot_plays_the_other_games_too(type_in: Type, preset: str) -> None:
    assert type_in("new", "mybot", "--preset", preset).code == 0
    tried = type_in("test", "mybot")
    assert tried.code == 0, tried.out
    assert f"smoke.{preset}" in tried.out


@pytest.mark.parametrize(
    ("preset", "larger"), [("hawaii", "--seats 4"), ("nuki88", "--seats 4"), ("koikoi_nintendo", "")]
)
def test_its_readme_has_a_larger_table_where_the_game_has_one(type_in: Type, preset: str, larger: str) -> None:
    assert type_in("new", "mybot", "--preset", preset).code == 0
    text = Path("mybot/README.md").read_text(encoding="utf-8")
    assert larger in text
    assert ("larger table" in text) == bool(larger)
    assert "| run your own tests |" in text


def test_a_house_bot_to_begin_with(type_in: Type) -> None:
    made = type_in("new", "hunter", "--example", "sampler", "--preset", "nuki88", "--json")
    assert (made.code, made.json["preset"]) == (0, "nuki88")
    files = dict(house_files("sampler").files)
    assert {name: Path("hunter", name).read_bytes() for name in files} == files
    assert 'name = "hunter"' in Path("hunter", "hanami.toml").read_text(encoding="utf-8")
    assert set(made.json["files"]) >= set(files)
    assert type_in("new", "other", "--example", "best").code == 2


@pytest.mark.slow
@pytest.mark.parametrize("example", list(HOUSE))
def test_every_example_passes_the_test_of_uploads(type_in: Type, example: str) -> None:
    assert type_in("new", "mybot", "--example", example).code == 0
    assert type_in("test", "mybot").code == 0


def test_its_own_tests_run(type_in: Type, at_home: Path) -> None:
    """As once it is installed: there `hanami` is a module of its own."""
    assert type_in("new", "mybot", "--preset", "paradise").code == 0
    (at_home / "path").mkdir()
    (at_home / "path" / "hanami").symlink_to(ROOT / "kit" / "hanami")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{at_home / 'path'}"}
    command = [sys.executable, "-m", "unittest", "-q"]
    done = subprocess.run(command, cwd=at_home / "mybot", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ran 1 test" in done.stderr


def test_what_is_uploaded_of_a_folder(my_bot: Callable[..., Path]) -> None:
    folder = my_bot("import tables\nimport hanami\n\n\ndef choose(obs):\n    return 0\n")
    for name in ("tables.py", "data.json", "test_bot.py", "conftest.py", "README.md", ".secret.py", "notes.docx"):
        (folder / name).write_text("# {}" if name.endswith(".py") else "{}", encoding="utf-8")
    for inner in ("tests", "games", "more", ".hanami"):
        (folder / inner).mkdir()
        (folder / inner / "x.json").write_text("{}", encoding="utf-8")
    (folder / "games" / ".stays-at-home").touch()
    found = read_bot(folder)
    assert [path for path, _ in found.upload.files] == [
        "bot.py", "data.json", "hanami.toml", "more/x.json", "tables.py",
    ]  # fmt: skip
    assert (found.name, found.plays) == ("mine", ("hawaii",))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("new", "mybot", "--preset", "koikoi"), 2, ", ".join(PRESETS)),
        (("new", "my bot"), 2, "letters, digits"),
        (("new", "full"), 2, "not empty"),
        (("new",), 2, "NAME"),
        (("fly",), 2, "fly"),
        (("test", "nowhere"), 2, "bot.py"),
        (("test", "empty"), 2, "hanami new mybot"),
        (("play", "house:nobody"), 2, "house:greedy"),
        (("play", "v3"), 2, "v3"),
        (("play", "house:greedy", "house:yaku", "--seats", "7", "--preset", "poka5"), 2, "not by 7"),
        (("play", "house:greedy", "house:yaku", "--option", "teams"), 2, "teams=2x2"),
        (("play", "house:greedy", "house:yaku", "--option", "moon=1"), 2, "no option"),
        (("play", "house:greedy", "house:yaku", "house:random", "--seats", "2"), 2, "do not fit"),
        (("replay", "nothing.json"), 2, "no file"),
        (("replay", "broken.json"), 1, "no JSON"),
        (("verify", "broken.json"), 1, "no JSON"),
        (("ab", "house:greedy", "house:greedy"), 1, "same version"),
        (("ab", "house:greedy", "house:yaku", "--sprt", "20,0"), 2, "elo0 < elo1"),
        (("ab", "house:greedy", "house:yaku", "--sprt", "much"), 2, "0,20"),
        (("submit", "mine"), 2, "hanami login"),
    ],
)
def test_errors_say_what_to_do_and_whose_they_are(
    type_in: Type, at_home: Path, my_bot: Callable[..., Path], words: tuple[str, ...], code: int, told: str
) -> None:
    my_bot("def choose(obs):\n    return 0\n")
    (at_home / "empty").mkdir()
    (at_home / "full").mkdir()
    (at_home / "full" / "x").touch()
    (at_home / "broken.json").write_text("{", encoding="utf-8")
    plain, as_json = type_in(*words), type_in(*words, "--json")
    assert (plain.code, as_json.code) == (code, code), plain.err
    assert told in plain.err
    assert as_json.json["ok"] is False
    assert as_json.json["error"]["code"]
    assert told in as_json.json["error"]["message"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "last", "code"),
    [
        ("import requests\n\n\ndef choose(obs):\n    return 0\n", "static", None),
        ("def choose(obs)\n    return 0\n", "static", None),
        ("1 / 0\n\n\ndef choose(obs):\n    return 0\n", "start", "crash"),
        ("def choose(obs):\n    print('thinking')\n    return obs['nothing']\n", "smoke.hawaii", "crash"),
        ("def choose(obs):\n    return {'play': '13.1'}\n", "smoke.hawaii", "illegal"),
        ("def choose(obs):\n    while True:\n        pass\n", "smoke.hawaii", "timeout.cpu"),
    ],
)
def test_a_bad_bot_fails_where_an_upload_would(
    type_in: Type, my_bot: Callable[..., Path], source: str, last: str, code: str | None
) -> None:
    my_bot(source)
    found = type_in("test", "mine", "--json")
    assert (found.code, found.json["ok"]) == (1, False)
    step = found.json["steps"][-1]
    assert step["id"] == last
    assert step.get("code") == code
    assert (found.json["failure"] is None) is (code is None)
