"""`hanami logs`: failures of one's bot, on the service and at home."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kit.account import account
from kit.command import with_output
from kit.errors import BadCall
from kit.home import Home, LocalBot, read_bot
from kit.output import Output
from kit.service import Service


@click.command(short_help="Where it failed, on the service and here.")
@click.argument("bot", default=".", type=click.Path(path_type=Path))
@click.option("--last-failure", "last", is_flag=True, help="All there is to know of the newest one.")
@click.option("--local", is_flag=True, help="Of matches played here, without asking the service.")
@click.option("--server", help="Address of the service.")
@with_output
def logs(out: Output, bot: Path, *, last: bool, local: bool, server: str | None) -> int:
    """List the failures of BOT, newest first: those of the service, with --local those of this folder."""
    mine = read_bot(bot)
    if local:
        found, details = Home.of(mine).failures(), None
    else:
        service = Service(account(server))
        slug = slug_known(service, mine)
        found, details = service.failures(slug), (service, slug)
    if last and found:
        newest = found[0] if details is None else details[0].failure(details[1], str(found[0]["id"]))
        show(out, newest)
        out.finish({"ok": True, "failure": newest})
        return 0
    for one in found:
        out.print(f"{one['id']}  {one.get('code', '')}  {where(one)}")
    if not found:
        out.print("No failures.")
    out.finish({"ok": True, "failures": found})
    return 0


def slug_known(service: Service, local: LocalBot) -> str:
    """The address of this bot on the service. Raises BadCall if there is none."""
    slug = Home.of(local).slug(service.account.server) or service.find(local.name)
    if slug is None:
        raise BadCall(f"{local.name} was never sent to {service.account.server}. Send it with `hanami submit`.")
    return slug


def where(failure: dict[str, Any]) -> str:
    """Match, deal and move in short, as `hanami replay` reads it."""
    if not failure.get("deal"):
        return f"{failure.get('match') or 'check'}, while loading"
    return f"{failure.get('match') or 'check'}#d{failure['deal']}m{failure.get('move', 0)}"


def show(out: Output, failure: dict[str, Any]) -> None:
    """A failure for people: what, where, its traceback, its last words, how to see it again."""
    out.print(f"{failure['id']}: {failure.get('code', '')} at {where(failure)}", style="bold")
    observation = failure.get("observation")
    if observation:
        out.print(f"It was asked about {len(observation.get('legal') or failure.get('legal') or [])} legal actions:")
        out.print(f"  hand   {' '.join(observation.get('hand', []))}")
        out.print(f"  field  {' '.join(observation.get('field', []))}")
    traceback = failure.get("traceback") or ""
    tail = failure.get("stderr") or failure.get("log") or ""
    # One of each: the log often ends with the very traceback.
    for text in dict.fromkeys(text.rstrip() for text in (traceback, tail) if text):
        out.print(text)
    out.print(f"Again:  hanami repro {failure['id']}")
