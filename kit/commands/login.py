"""`hanami login`: keep the address of a service and a token for it."""

from __future__ import annotations

import click

from kit.account import Account, account, keep
from kit.command import with_output
from kit.output import Output
from kit.service import Service


@click.command()
@click.argument("server")
@click.option("--token", help="A token hf_.. of that service; asked for if left away, so that no history keeps it.")
@with_output
def login(out: Output, server: str, *, token: str | None) -> int:
    """Sign in at SERVER with a token: make one on its page /me/tokens/ with the scopes bot:write and bot:logs."""
    address = account(server).server
    if token is None:
        token = click.prompt(f"Token (make one at {address}/me/tokens/)", hide_input=True, err=True)
    mine = Account(address, token.strip())
    bots = Service(mine).own_bots()
    path = keep(mine)
    out.say(f"Signed in at {address}: {len(bots)} bots of yours. Kept in {path}, which only you can read.")
    out.finish({"ok": True, "server": address, "bots": [bot["slug"] for bot in bots], "kept": str(path)})
    return 0
