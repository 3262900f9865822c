"""The command `hanami`: its commands, and how errors end it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import click
from rich.console import Console
from rich.text import Text

from engine import ENGINE_VERSION
from engine.errors import DomainError
from kit.commands.ab import ab
from kit.commands.activate import activate
from kit.commands.bridge import bridge
from kit.commands.fetching import fork, get
from kit.commands.login import login, logout
from kit.commands.logs import logs
from kit.commands.naming import delete, rename
from kit.commands.new import new
from kit.commands.play import play
from kit.commands.publishing import publish
from kit.commands.replay import replay
from kit.commands.repro import repro
from kit.commands.status import status
from kit.commands.submit import submit
from kit.commands.trial import trial
from kit.commands.verify import verify
from kit.commands.watch import watch
from kit.errors import DONE, STOPPED, UNWELL, USAGE, exit_code


def release() -> str:
    """Return the versions of the kit and of the engine."""
    try:
        project = version("hanami-kit")
    except PackageNotFoundError:
        project = "source"
    return f"{project}, engine {ENGINE_VERSION}"


ALIASES: Final = {"compare": "ab"}


class Commands(click.Group):
    """The commands in the order in which an author comes to need them."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, or by the word that the site has for it."""
        return super().get_command(ctx, ALIASES.get(cmd_name, cmd_name))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which they were added."""
        return list(self.commands)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(release(), prog_name="hanami")
def hanami() -> None:
    """Write, test, play and send bots for hanafuda. Begin with `hanami new mybot`.

    Exit codes: 0 done, 1 the bot or the file failed, 2 wrong usage, 3 this machine or the service.
    """


COMMANDS: Final = (
    *(new, trial, play, watch, ab, submit, status, activate, logs, repro),
    *(replay, verify, publish, bridge, get, fork, rename, delete, login, logout),
)
for command in COMMANDS:
    hanami.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # Not standalone: click would print errors in its own way and exit, and `--json` promises a document for errors
        # too.
        code = hanami.main(words, prog_name="hanami", standalone_mode=False)
        return code if isinstance(code, int) else DONE
    # Before ClickException, whose kind it is: the bare command shows its help, not an error.
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(error.format_message() + "\n")
        return USAGE
    except click.ClickException as error:
        hint = error.format_message()
        usage = ""
        if isinstance(error, click.UsageError) and error.ctx is not None:
            usage = f"{error.ctx.get_usage()}\nAll about it: {error.ctx.command_path} --help"
        return _ended(words, "kit.usage", hint, USAGE, usage)
    except DomainError as error:
        return _ended(words, error.code, str(error), exit_code(error))
    except (click.Abort, KeyboardInterrupt):
        return _ended(words, "kit.stopped", "Stopped.", STOPPED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        message = f"{where}{error.strerror or error}. Is there room, and may you read and write there?"
        return _ended(words, "kit.machine", message, UNWELL)


def _ended(words: Sequence[str], code: str, message: str, exits: int, usage: str = "") -> int:
    """Say why it ended: as JSON where that was asked for."""
    # Read from the words themselves: the call may have failed before any option was understood.
    if "--json" in words:
        sys.stdout.write(json.dumps({"ok": False, "error": {"code": code, "message": message}}) + "\n")
    else:
        console = Console(stderr=True, highlight=False, soft_wrap=True)
        if usage:
            console.print(Text(usage))
        console.print(Text(message, style="red"))
    return exits


def run() -> None:
    """The entry point of the installed command."""
    sys.exit(main())
