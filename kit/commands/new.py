"""`hanami new`: a folder with a bot that plays, explains itself and can be sent."""

from __future__ import annotations

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


@click.command(short_help="Make a folder with a bot in it.")
@click.argument("name")
@click.option("--preset", "rules", default="hawaii", show_default=True, help="The rules it plays.")
@click.option("--example", type=click.Choice(list(HOUSE)), help="Begin with the source of a house bot instead.")
@with_output
def new(out: Output, name: str, rules: str, example: str | None) -> int:
    """Make the folder NAME with a bot in it: bot.py, hanami.toml, a test, a README.

    Examples: random; greedy; yaku, which hunts and denies yaku; student, a small net; sampler, a search over guessed
    hands.
    """
    found, folder = preset(rules), Path(name)
    called = folder.resolve().name
    if not _is_name(called):
        raise BadCall(f"{called!r} cannot be a bot's name: letters, digits, - and _, at most {NAME_LENGTH}.")
    if folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
        raise BadCall(f"{name} is there already and not empty. Choose another name.")
    folder.mkdir(parents=True, exist_ok=True)
    # The README of the new bot shows a command for a larger table.
    seats = min(4, game_of(found.game).seat_range[1])
    words = {"name": called, "preset": found.id, "presets": ", ".join(PRESETS), "seats": str(seats)}
    for path, template in FILES.items():
        text = files("kit").joinpath("templates", template).read_text(encoding="utf-8")
        (folder / path).write_text(Template(text).substitute(words), encoding="utf-8")
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


def _is_name(name: str) -> bool:
    plain = name.replace("-", "").replace("_", "")
    return plain.isascii() and plain.isalnum() and len(name) <= NAME_LENGTH
