"""Examples of the guides: each does what it says; what is left out says why, and is listed here."""

from __future__ import annotations

import json
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from django.urls import Resolver404, resolve

from accounts.tokens import make_token
from bots.house import house_files
from bots.runner.inprocess import InProcessLauncher
from bots.runner.table import play
from bots.uploads.manifest import read_manifest
from engine.environments import aec, one_seat, prompts, spiel, spiel_tiny
from engine.game import game_of
from engine.games import PRESETS
from kit.cli import main
from tests.bots.matches import a_bot, a_spec
from tests.builders.keys import ALL
from tests.builders.leagues import League
from tests.docs.blocks import Block, blocks, inline_commands
from tests.docs.commands import wrong_with
from tests.docs.programs import run

BLOCKS = blocks()
SITE = "https://hanami.example.org"
ADDRESS = re.compile(r'"(/api/v1/[^"?{]*|/files/[\w.]+|/records/[\w.]+)')
LEFT_OUT = {
    "docs/05-architecture.md": ["a drawing"],
    "docs/09-the-kit.md": ["what the command prints"],
}
LOADED = (aec, one_seat, prompts, spiel, spiel_tiny)
"""The environments: what is loaded has both names, and guides call it by that of the package."""
TYPED_ELSEWHERE = ("docs/02-write-your-first-bot.md", "docs/09-the-kit.md")
"""Bots and commands of these are played and typed in order, in an empty folder (tests/kit/test_docs.py)."""
BOTS = [block for block in BLOCKS if block.is_bot and block.file not in TYPED_ELSEWHERE]


def of_kind(*kinds: str) -> list[Block]:
    return [block for block in BLOCKS if block.kind in kinds and not block.reason]


def pages(*, live: bool) -> list[Any]:
    """Programs: the blocks of each page that has some, in order."""
    programs = [block for block in of_kind("python") if not block.is_bot and block.live == live]
    return [pytest.param(list(found), id=file) for file, found in groupby(programs, key=lambda block: block.file)]


def test_what_is_left_out_says_why_and_is_known() -> None:
    found: dict[str, list[str]] = {}
    for block in BLOCKS:
        if block.reason or block.kind not in ("python", "sh", "console", "json", "toml"):
            found.setdefault(block.file, []).append(block.reason or f"line {block.where}: no reason")
    assert found == LEFT_OUT
    assert len(BLOCKS) > 50


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.where)
def test_each_bot_plays_or_fails_as_it_says(bot: Block) -> None:
    played = play(a_spec(a_bot(bot.content), house_files("greedy"), rounds=1), InProcessLauncher())
    assert [forfeit.code for forfeit in played.forfeits] == ([bot.fault] if bot.fault else [])


@pytest.mark.parametrize("page", ["docs/14-the-games-for-bots.md", "docs/21-cards.md"])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_bot_for_every_game_plays_every_game(preset: str, page: str) -> None:
    last = [bot for bot in BOTS if bot.file == page][-1]
    game = game_of(PRESETS[preset].game)
    is_duel = game.seat_range[1] == 2
    others = [house_files(name) for name in (["greedy"] if is_duel else ["greedy", "random"])]
    short: dict[str, Any] = {"rounds": 1} if any(info.id == "rounds" for info in game.options) else {}
    spec = a_spec(a_bot(last.content), *others, preset=preset, **short)
    assert play(spec, InProcessLauncher()).forfeits == ()


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("program", pages(live=False))
def test_a_program_runs(program: list[Block], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = a_spec("def choose(obs):\n    return 0\n", house_files("random"), rounds=2)
    document = play(spec, InProcessLauncher()).document
    document["view"]["seed"] = spec.seed.hex()
    Path("record.json").write_text(json.dumps(document), encoding="utf-8")
    run(program)
    for block in of_kind("sh"):
        if block.file == program[0].file and block.content.startswith("hanami verify"):
            assert main(block.content.split()[1:]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("program", pages(live=True))
def test_a_program_runs_against_a_service(
    program: list[Block], live_league: League, live_site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HANAMI_TOKEN", make_token(user=live_league.owner, name="guide", scopes=ALL)[1])
    assert live_league.finished.slug == "spring-league"
    run(program, {SITE: live_site})


@pytest.mark.parametrize("program", pages(live=True))
def test_addresses_of_programs_are_those_of_the_service(program: list[Block]) -> None:
    named = [found for block in program for found in ADDRESS.findall(block.content.replace('SITE + "', '"'))]
    dead = []
    for address in named:
        path = address if address.startswith("/api/") else f"/api/v1/tournaments/x{address}"
        try:
            resolve(path)
        except Resolver404:
            dead.append(path)
    assert named
    assert dead == []


@pytest.mark.parametrize("block", of_kind("sh", "console"), ids=lambda block: block.where)
def test_commands_are_such_as_can_be_typed(block: Block) -> None:
    lines = [line for line in block.content.splitlines() if line.strip()]
    assert lines
    if block.kind == "console":
        assert all(line.startswith("$ ") for line in lines)
    assert [f"{line}: {wrong}" for line in lines if (wrong := wrong_with(line))] == []


@pytest.mark.thorough
def test_commands_within_sentences_can_be_typed() -> None:
    named = inline_commands()
    assert len(named) > 10
    assert [f"{where}: {line}: {wrong}" for where, line in named if (wrong := wrong_with(line))] == []


@pytest.mark.parametrize(
    "line",
    [
        "hanami fly",
        "hanami play . --wings 2",
        "python manage.py backup",
        "python manage.py fly",
        "make fly",
        "rm -rf x",
    ],
)
def test_what_cannot_be_typed_is_seen(line: str) -> None:
    assert wrong_with(line)


@pytest.mark.parametrize("block", of_kind("json", "toml"), ids=lambda block: block.where)
def test_data_can_be_read(block: Block) -> None:
    if block.kind == "json":
        assert json.loads(block.content)
    else:
        assert read_manifest(block.content.encode()).plays
