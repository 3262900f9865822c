"""Errors that end a command early.

The exit code says whose it is: 1 the bot or the file, 2 the call, 3 machine or service.
"""

from __future__ import annotations

from typing import Final

from bots.errors import InfraFault
from engine.errors import BadOption, BadSeating, DomainError

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
UNWELL: Final = 3
STOPPED: Final = 130
"""Ctrl-C, as shells have it."""


class KitError(DomainError):
    """Root of what the kit itself refuses; the message says what to do next."""

    code = "kit.error"
    exit_code = FAILED


class BotFailed(KitError):
    """The bot, or the file, is not in order."""

    code = "kit.failed"


class BadCall(KitError):
    """The command was called with something that cannot be."""

    code = "kit.usage"
    exit_code = USAGE


class Unwell(KitError):
    """This machine cannot do it."""

    code = "kit.machine"
    exit_code = UNWELL


class ServiceError(KitError):
    """The service did not do it. `code`: the service's own stable code, where it gave one."""

    code = "kit.service"
    exit_code = UNWELL


def exit_code(error: DomainError) -> int:
    """Return what a command that ended with this error exits with."""
    if isinstance(error, KitError):
        return error.exit_code
    if isinstance(error, InfraFault):
        return UNWELL
    # Of the domain's own errors only these two can come from what was typed; the others speak of a bot or a record.
    return USAGE if isinstance(error, BadOption | BadSeating) else FAILED
