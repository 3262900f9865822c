"""`hanami publish`: let everybody read the source of a version, or stop that."""

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


@click.command(short_help="Publish the source of a version under a licence.")
@click.argument("number", type=click.IntRange(1))
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("--licence", default="", help="SPDX identifier: MIT, Apache-2.0, GPL-3.0-or-later or CC0-1.0.")
@click.option("--withdraw", is_flag=True, help="Make it private again. Copies and forks stay.")
@click.option("--server", help="Address of the service.")
@with_output
def publish(out: Output, number: int, bot: Path, *, licence: str, withdraw: bool, server: str | None) -> int:
    """Let everybody read, download and fork version NUMBER of BOT, under a licence; nothing is public before.

    You can take it back with --withdraw. Copies and forks that were made until then stay, under that licence.
    """
    local, service = read_bot(bot), Service(account(server))
    slug = slug_known(service, local)
    page = f"{service.account.server}/b/{slug}/v/{number}/"
    if withdraw:
        version = service.unpublish(slug, number)
        out.print(f"The source of v{number} is private again.")
    elif not licence:
        raise BadCall(f"Choose a licence with --licence. What each of them means is on {page}publish/")
    else:
        version = service.publish(slug, number, licence)
        out.print(f"The source of v{number} is public under {version['licence']}: {page}source/", style="green")
    out.finish({"ok": True, "bot": slug, "n": number, "licence": version["licence"]})
    return 0
