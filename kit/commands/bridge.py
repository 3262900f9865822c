"""`hanami bridge`: a program of any language plays on a service from this machine."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Final

import click

from engine.games import preset as preset_of
from kit.account import account
from kit.bridging import Bridge, Orders
from kit.command import with_output
from kit.errors import DONE, FAILED, BadCall
from kit.output import Output
from kit.remote import Remote
from kit.service import Service

SCOPE: Final = "bot:play"


@click.command(short_help="Play on a service with a program on this machine, in any language.")
@click.argument("command", nargs=-1, required=True)
@click.option("--server", help="The service; the one of `hanami login` if omitted.")
@click.option("--program", default="", help="The address of the program, where the token is good for several.")
@click.option("--challenge", multiple=True, metavar="SLUG", help="Challenge this program; once for each opponent.")
@click.option("--seek", is_flag=True, help="Look for matches against programs that look for the same.")
@click.option("--preset", default="", help="Rules of --challenge and --seek.")
@click.option("--rated", is_flag=True, help="Let results of --challenge and --seek count.")
@click.option("--matches", type=click.IntRange(1), help="End after that many matches.")
@with_output
def bridge(
    out: Output,
    command: tuple[str, ...],
    *,
    server: str | None,
    program: str,
    challenge: tuple[str, ...],
    seek: bool,
    preset: str,
    rated: bool,
    matches: int | None,
) -> int:
    """Run COMMAND for each table at which your remote program sits, and pass turns and answers on.

    COMMAND speaks Protocol v1 as lines of JSON on its standard input and output; `hanami new NAME --remote c` writes
    one. Challenges are accepted. After a cut of the network the bridge connects again and goes on where it was.
    """
    words = runnable(command)
    orders = Orders(challenge, seek, _rules(preset, is_needed=bool(challenge) or seek), rated, matches or 0)
    mine = account(server)
    _require_scope(Service(mine))
    remote = Remote(mine, program, on_cut=lambda why: out.warn(f"Connection lost ({why}). Trying again."))
    playing = Bridge(remote, words, orders, out.print)
    out.print(f"Connected to {mine.server}. Challenges are accepted; stop with Ctrl-C.")
    playing.run()
    out.finish({"ok": not playing.failed, "matches": playing.done, "failed": playing.failed})
    return FAILED if playing.failed else DONE


def runnable(command: tuple[str, ...]) -> list[str]:
    """Return the words of a command as they are started. Raises BadCall for a program that is not there."""
    first = Path(command[0])
    if first.suffix == ".py" and first.is_file():
        return [sys.executable, *command]
    found = shutil.which(command[0]) or (str(first.resolve()) if os.access(first, os.X_OK) and first.is_file() else "")
    if not found:
        raise BadCall(f"{command[0]} is no program that can be started. Build it first, or write its whole path.")
    return [found, *command[1:]]


def _rules(preset: str, *, is_needed: bool) -> str:
    if not preset and is_needed:
        raise BadCall("Which rules? Add --preset, for example --preset koikoi_nintendo.")
    return preset_of(preset).id if preset else ""


def _require_scope(service: Service) -> None:
    """Raise BadCall for a token that cannot play."""
    known = service.token()
    if known and SCOPE not in known["scopes"]:
        where = f"{service.account.server}/me/tokens/"
        raise BadCall(f"This token lacks {SCOPE}. Make one at {where}, and `hanami login` with it.")
