"""`hanami login` and `hanami logout`: keep the address of a service and a token for it; forget both."""

from __future__ import annotations

import sys
from typing import Final

import click

from kit.account import Account, account, remove_account, require_private, save_account
from kit.command import with_output
from kit.errors import BadCall
from kit.output import Output
from kit.service import Service
from kit.telling import warn_of_differences

NEEDED: Final = {"bot:write": "submit, activate", "bot:logs": "logs, repro"}
"""Scopes of a token, and the commands that need them."""
PLAYS: Final = "bot:play"
"""The scope of `hanami bridge`, which needs no other."""


@click.command(short_help="Keep the address of a service and a token for it.")
@click.argument("server")
@click.option("--token", help="A token hf_.. of that service; asked for, or read from a pipe, if omitted.")
@with_output
def login(out: Output, server: str, *, token: str | None) -> int:
    """Sign in at SERVER with a token: make one on its page /me/tokens/ with the scopes bot:write and bot:logs.

    For `hanami bridge` one with bot:play, limited to your program.
    """
    address = account(server).server
    require_private(address)  # before a token is asked for
    mine = Account(address, (token or _asked_for(address)).strip())
    service = Service(mine)
    # Tried before it is kept: a mistyped token would fail only at the next command.
    bots = service.own_bots()
    _warn_of_scopes(out, service, address)
    runtime = service.runtime()
    path = save_account(Account(address, mine.token, runtime))
    count = "1 bot" if len(bots) == 1 else f"{len(bots)} bots"
    out.print(f"Signed in at {address}: {count} of yours. Kept in {path}, which only you can read.")
    warn_of_differences(out, runtime)
    out.finish({"ok": True, "server": address, "bots": [bot["slug"] for bot in bots], "kept": str(path)})
    return 0


def _warn_of_scopes(out: Output, service: Service, address: str) -> None:
    """Say at once what a token is not good for: else `submit` would be the first to fail."""
    known = service.token()
    if known and PLAYS in known["scopes"]:
        return
    missing = [scope for scope in NEEDED if known and scope not in known["scopes"]]
    if missing:
        what = "; ".join(f"{scope} ({NEEDED[scope]})" for scope in missing)
        out.warn(f"This token lacks {what}. Make another one at {address}/me/tokens/ with {' and '.join(NEEDED)}.")


@click.command(short_help="Forget the service and the token.")
@with_output
def logout(out: Output) -> int:
    """Delete the token that `login` kept on this machine. To end it everywhere, revoke it on the page Tokens."""
    path = remove_account()
    out.print(f"Deleted: {path}." if path is not None else "Nobody was signed in.")
    out.finish({"ok": True, "deleted": None if path is None else str(path)})
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
