"""`hanami login`: keep the address of a service and a token for it."""

from __future__ import annotations

import sys

import click

from kit.account import Account, account, require_private, save_account
from kit.command import with_output
from kit.errors import BadCall
from kit.output import Output
from kit.service import Service


@click.command(short_help="Keep the address of a service and a token for it.")
@click.argument("server")
@click.option("--token", help="A token hf_.. of that service; asked for, or read from a pipe, if left away.")
@with_output
def login(out: Output, server: str, *, token: str | None) -> int:
    """Sign in at SERVER with a token: make one on its page /me/tokens/ with the scopes bot:write and bot:logs."""
    address = account(server).server
    require_private(address)  # before a token is asked for
    mine = Account(address, (token or _asked_for(address)).strip())
    # Tried before it is kept: a mistyped token would fail only at the next command.
    bots = Service(mine).own_bots()
    path = save_account(mine)
    out.print(f"Signed in at {address}: {len(bots)} bots of yours. Kept in {path}, which only you can read.")
    out.finish({"ok": True, "server": address, "bots": [bot["slug"] for bot in bots], "kept": str(path)})
    return 0


def _asked_for(address: str) -> str:
    """Ask for a token on a terminal without showing it, or read the first line of standard input.

    Raises BadCall for none.
    """
    if sys.stdin.isatty():
        return str(click.prompt(f"Token (make one at {address}/me/tokens/)", hide_input=True, err=True))
    found = sys.stdin.readline().strip()
    if not found:
        raise BadCall(f"No token came. Make one at {address}/me/tokens/ and type it here, or give it with --token.")
    return found
