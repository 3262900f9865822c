"""`hanami new`: a folder with a bot that plays, explains itself and can be sent."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

import click

from bots.house import HOUSE, house_files
from bots.uploads.limits import NAME_LENGTH
from engine.game import game_of
from engine.games import PRESETS, preset
from kit.command import with_output
from kit.errors import BadCall
from kit.output import Output

FILES: Final = {
    "bot.py": "bot.py.txt",
    "hanami.toml": "hanami.toml.txt",
    "test_bot.py": "test_bot.py.txt",
    "README.md": "README.md.txt",
    ".gitignore": "gitignore.txt",
}


@dataclass(frozen=True, slots=True)
class Language:
    """A language of remote programs. file: of the program; build: the command that makes it, "" for none."""

    file: str
    template: str
    command: str
    build: str = ""


LANGUAGES: Final = {
    "python": Language("bot.py", "remote.py.txt", "./bot.py"),
    "javascript": Language("bot.js", "remote.js.txt", "./bot.js"),
    "c": Language("bot.c", "remote.c.txt", "./bot", "cc -O2 -o bot bot.c"),
    "rust": Language("bot.rs", "remote.rs.txt", "./bot", "rustc -O -o bot bot.rs"),
}
"""Languages in which `--remote` writes a program; any other one that reads and writes lines will do."""


@click.command(short_help="Make a folder with a bot in it.")
@click.argument("name")
@click.option("--preset", "rules", default="hawaii", show_default=True, help="The rules it plays.")
@click.option("--example", type=click.Choice(list(HOUSE)), help="Begin with the source of a house bot instead.")
@click.option("--remote", type=click.Choice(list(LANGUAGES)), help="A program that plays from this machine instead.")
@with_output
def new(out: Output, name: str, *, rules: str, example: str | None, remote: str | None) -> int:
    """Make the folder NAME with a bot in it: bot.py, hanami.toml, a test, a README.

    With --remote it is a program for `hanami bridge`, in that language.

    Examples: random; greedy; yaku, which hunts and denies yaku; student, a small net; sampler, a search over guessed
    hands.
    """
    if remote and example:
        raise BadCall("A remote program has no example of a house bot: leave --example or --remote away.")
    found, folder = preset(rules), Path(name)
    called = _made(folder, name)
    if remote:
        return _write_remote(out, folder, called, LANGUAGES[remote])
    larger = _larger_table(game_of(found.game).seat_range[1])
    words = {"name": called, "preset": found.id, "presets": ", ".join(PRESETS), "larger": larger}
    for path, template in FILES.items():
        (folder / path).write_text(Template(_text(template)).substitute(words), encoding="utf-8")
    # After the templates: the bot.py of an example replaces the template's.
    sources = dict(house_files(example).files) if example else {}
    for path, source in sources.items():
        (folder / path).write_bytes(source)
    out.print(f"{name}/ has a bot for {found.name}. Next:")
    if folder != Path():
        out.print(f"  cd {name}")
    out.print("  hanami test      what the service checks when you upload it")
    out.print("  hanami play .    against the house's greedy bot")
    out.finish({"ok": True, "folder": str(folder), "preset": found.id, "files": sorted({*FILES, *sources})})
    return 0


def _larger_table(most: int) -> str:
    """Return the README's row for a larger table; "" for a game of two. most: seats of the game."""
    if most == 2:
        return ""
    return f"| the same at a larger table | `hanami play . house:greedy --seats {min(4, most)}` |\n"


def _made(folder: Path, name: str) -> str:
    """Make the folder and return what the bot is called. Raises BadCall."""
    called = folder.resolve().name
    if not _is_name(called):
        raise BadCall(f"{called!r} cannot be a bot's name: letters, digits, - and _, at most {NAME_LENGTH}.")
    if folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
        raise BadCall(f"{name} is there already and not empty. Choose another name.")
    folder.mkdir(parents=True, exist_ok=True)
    return called


def _write_remote(out: Output, folder: Path, called: str, language: Language) -> int:
    """Write a program that plays from this machine."""
    program = folder / language.file
    # As it is: a source may hold signs that a template would take for its own.
    program.write_text(_text(language.template), encoding="utf-8")
    program.chmod(0o755 if not language.build else 0o644)
    build = f"`{language.build}`, then " if language.build else ""
    words = {"name": called, "build": build, "command": language.command}
    readme = Template(_text("remote_README.md.txt")).substitute(words)
    (folder / "README.md").write_text(readme, encoding="utf-8")
    out.print(f"{folder}/ has a program that plays from this machine. Next:")
    if folder != Path():
        out.print(f"  cd {folder}")
    if language.build:
        out.print(f"  {language.build}")
    out.print(f"  hanami bridge {language.command}")
    out.finish({"ok": True, "folder": str(folder), "files": ["README.md", language.file]})
    return 0


def _text(template: str) -> str:
    return files("kit").joinpath("templates", template).read_text(encoding="utf-8")


def _is_name(name: str) -> bool:
    plain = name.replace("-", "").replace("_", "")
    return plain.isascii() and plain.isalnum() and len(name) <= NAME_LENGTH
