"""`hanami activate`: let a version play."""

from __future__ import annotations

from pathlib import Path

import click

from kit.account import account
from kit.command import with_output
from kit.commands.logs import slug_known
from kit.errors import BadCall
from kit.home import read_bot
from kit.output import Output
from kit.service import Service
from kit.telling import tell_entries


@click.command(short_help="Let a version play from now on.")
@click.argument("number", type=click.IntRange(1), required=False)
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("--server", help="Address of the service.")
@with_output
def activate(out: Output, number: int | None, bot: Path, *, server: str | None) -> int:
    """Make version NUMBER of BOT the one that plays: the newest that passed its check if omitted.

    An earlier number rolls the bot back. Matches that are drawn already are played by the version they were drawn for.
    """
    local, service = read_bot(bot), Service(account(server))
    slug = slug_known(service, local)
    wanted = number if number is not None else _newest_ready(service, slug)
    version = service.activate(slug, wanted)
    entries = service.entries(slug)
    out.print(f"v{wanted} of {local.name} plays from now on:", style="green")
    tell_entries(out, version, entries, service.ladders())
    out.finish({"ok": True, "bot": slug, "active": wanted, "entries": entries})
    return 0


def _newest_ready(service: Service, slug: str) -> int:
    ready = [int(version["n"]) for version in service.versions(slug) if version["state"] == "ready"]
    if not ready:
        raise BadCall("No version has passed its check. See how they stand:  hanami status")
    return max(ready)
