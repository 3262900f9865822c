"""`hanami rename` and `hanami delete`: a bot on the service gets another name, or goes."""

from __future__ import annotations

from pathlib import Path

import click

from kit.account import account
from kit.command import with_output
from kit.commands.logs import slug_known
from kit.home import Home, read_bot
from kit.output import Output
from kit.service import Service


@click.command(short_help="Give the bot another name on the service.")
@click.argument("name")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("--server", help="Address of the service.")
@with_output
def rename(out: Output, name: str, bot: Path, *, server: str | None) -> int:
    """Give BOT the name NAME on the service. Its address follows as long as it has no version, and then stays.

    Write the same name into hanami.toml.
    """
    local, service = read_bot(bot), Service(account(server))
    slug = slug_known(service, local)
    found = service.rename(slug, name)
    Home.of(local).remember(service.account.server, str(found["slug"]))
    out.print(f"It is called {found['name']} now: {service.account.server}/b/{found['slug']}/", style="green")
    if local.upload.name not in (None, found["name"]):
        out.print(f'Write name = "{found["name"]}" into hanami.toml, too.')
    out.finish({"ok": True, "bot": found["slug"], "name": found["name"]})
    return 0


@click.command(short_help="Delete a bot that has no versions.")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("--server", help="Address of the service.")
@with_output
def delete(out: Output, bot: Path, *, server: str | None) -> int:
    """Delete BOT on the service, if it has no versions. Versions are kept: results name them; retire them instead.

    The folder here stays as it is.
    """
    local, service = read_bot(bot), Service(account(server))
    slug = slug_known(service, local)
    service.delete(slug)
    Home.of(local).forget(service.account.server)
    out.print(f"{slug} is deleted on {service.account.server}.")
    out.finish({"ok": True, "bot": slug})
    return 0
