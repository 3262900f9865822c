"""`hanami get` and `hanami fork`: the published source of somebody's bot, as files and as a bot of one's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import click

from bots.uploads import read_upload
from kit.account import account
from kit.command import with_output
from kit.errors import BadCall
from kit.home import Home, read_bot
from kit.output import Output
from kit.service import Service

NAMED: Final = re.compile(r"([a-z0-9_-]{1,60})(?:/v?([1-9]\d{0,8}))?")
"""`sampler`, `sampler/3`, `sampler/v3`."""


@click.command(short_help="Download the published source of a bot.")
@click.argument("bot")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--server", help="Address of the service.")
@with_output
def get(out: Output, bot: str, folder: Path | None, *, server: str | None) -> int:
    """Download the source of BOT, the last part of its address, into a new FOLDER: `hanami get sampler`.

    `sampler/3` is its version 3; without a number it is the newest whose source is public. Your own bots can be had
    whether they are public or not.
    """
    service = Service(account(server))
    version = _version(service, bot)
    slug, number = str(version["bot"]), int(version["n"])
    target = folder or Path(slug)
    written = _write(service.source(slug, number), target)
    licence = version["licence"] or "not public: it is yours"
    out.print(f"{slug} v{number} ({licence}) is in {target}/: {', '.join(written)}", style="green")
    out.finish({"ok": True, "bot": slug, "n": number, "licence": version["licence"], "files": written})
    return 0


@click.command(short_help="Make a bot of your own out of a published one.")
@click.argument("bot")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--server", help="Address of the service.")
@with_output
def fork(out: Output, bot: str, name: str, folder: Path | None, *, server: str | None) -> int:
    """Make a bot called NAME that begins with the source of BOT, and download it into a new FOLDER.

    `hanami submit` in that folder then sends the next version of it.
    """
    service = Service(account(server))
    version = _version(service, bot)
    slug = str(version["bot"])
    target = _free(folder or Path(name.strip().lower().replace(" ", "-")))
    made = service.fork(slug, int(version["n"]), name)
    own = str(made["bot"])
    written = _write(service.source(own, int(made["n"])), target)
    Home.of(read_bot(target)).remember(service.account.server, own)
    page = f"{service.account.server}/b/{own}/"
    out.print(f"{name} began as {slug} v{version['n']} ({version['licence']}): {page}", style="green")
    out.print(f"Its files are in {target}/. Change them, then:  hanami submit {target}")
    out.finish({"ok": True, "bot": own, "n": made["n"], "licence": version["licence"], "files": written})
    return 0


def _version(service: Service, bot: str) -> dict[str, Any]:
    """Return the version that was named, or the newest one that can be had."""
    named = NAMED.fullmatch(bot)
    if named is None:
        raise BadCall("Give the last part of a bot's address, with a version or without: sampler, sampler/3.")
    slug, number = named.groups()
    if number is not None:
        return service.version(slug, int(number))
    public = [version for version in service.versions(slug) if version.get("licence")]
    if not public:
        raise BadCall(f"No version of {slug} has a public source. Give a number to download one of your own: {slug}/1.")
    return public[0]


def _write(packed: bytes, folder: Path) -> list[str]:
    """Write the files of a .zip into a new folder. Returns their paths."""
    # Judged as an upload is: no path of it leads out of the folder.
    files = read_upload("source.zip", packed).files
    _free(folder)
    for path, content in files:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return [path for path, _content in files]


def _free(folder: Path) -> Path:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadCall(f"{folder} is there already. Give the name of a new folder.")
    for outer in folder.absolute().parents:
        if (outer / "bot.py").is_file():
            # It would be packed as a part of that bot, and refused for the dash in its name.
            raise BadCall(f"{outer} is the folder of a bot: all files in it belong to that bot. Leave it first: cd ..")
    return folder
