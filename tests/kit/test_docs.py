"""Every command of the guides is typed, in order, in an empty folder; those on the service against a real one."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from accounts.tokens import make_token
from bots.services.house import house_account, install_house_bot
from kit.cli import hanami
from tests.builders import events as a
from tests.kit.conftest import Said, Type
from tests.services.processes import ROOT, Project

GUIDES = ("09-the-kit.md", "02-write-your-first-bot.md")
BLOCK = re.compile(r"```(console|python)\n(.*?)```", re.DOTALL)
EXIT = re.compile(r"  # exit (\d+)$")
ON_THE_SERVICE = ("login", "submit", "status", "activate", "logs", "publish", "get", "fork", "ab v1")


@dataclass(frozen=True, slots=True)
class Step:
    """A command with its exit code, or a bot.py to write."""

    command: str
    code: int = 0
    source: str = ""

    @property
    def needs_a_service(self) -> bool:
        return self.command.removeprefix("hanami ").startswith(ON_THE_SERVICE) and "--local" not in self.command


def steps(guide: str) -> Iterator[Step]:
    """Return the steps that a reader of the guide would take.

    Bots of the second guide are played by tests/bots/sdk/test_guide.py.
    """
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    for kind, content in BLOCK.findall(text):
        if kind == "python":
            name, _, source = content.partition("\n")
            assert name == "# bot.py", name
            yield Step("", source=source)
            continue
        for line in content.splitlines():
            assert line.startswith("$ "), line
            found = EXIT.search(line)
            yield Step(EXIT.sub("", line.removeprefix("$ ")), int(found[1]) if found else 0)


def follow(step: Step, type_in: Callable[..., Said], monkeypatch: pytest.MonkeyPatch, *more: str) -> None:
    """Do one step here."""
    if step.source:
        Path("bot.py").write_text(step.source, encoding="utf-8")
        return
    words = shlex.split(step.command)
    if words[:2] == ["pip", "install"]:
        return  # typed by test_installed.py
    if words[0] == "cd":
        monkeypatch.chdir(words[1])
        return
    assert words.pop(0) == "hanami", step.command
    if words[0] == "watch":
        more = (*more, "--times", "1")
    found = type_in(*words, *more)
    codes = (0, 1) if words[0] == "ab" else (step.code,)
    assert found.code in codes, f"{step.command}: {found.code}\n{found.out}{found.err}"


@pytest.mark.slow
@pytest.mark.parametrize("guide", GUIDES)
def test_the_guides_offline(guide: str, type_in: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    done = [step for step in steps(guide) if not step.needs_a_service]
    assert len(done) > 5
    for step in done:
        follow(step, type_in, monkeypatch)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("guide", GUIDES)
def test_the_guides_on_a_service(
    guide: str, type_in: Type, monkeypatch: pytest.MonkeyPatch, live_site: str, project: Project
) -> None:
    project.worker()
    # The guide downloads its source and forks it.
    source = (ROOT / "bots/house/sampler.py").read_bytes()
    install_house_bot(owner=house_account(), name="Sampler", files=[("bot.py", source)], plays=["hawaii"])
    _, key = make_token(user=a.a_user("kimo"), name="kit", scopes=["bot:write", "bot:logs"])
    for step in steps(guide):
        if step.command.startswith("hanami login"):
            step = Step(re.sub(r"https://\S+", live_site, step.command))
            follow(step, type_in, monkeypatch, "--token", key)
        else:
            follow(step, type_in, monkeypatch)


def test_the_guide_has_every_command() -> None:
    text = (ROOT / "docs" / GUIDES[0]).read_text(encoding="utf-8")
    assert [name for name in hanami.commands if f"`hanami {name}" not in text and f"$ hanami {name}" not in text] == []
