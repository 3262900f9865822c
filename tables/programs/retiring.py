"""The end of a program: what waits for it is called off, and what it has begun it plays to the end."""

from __future__ import annotations

from contextlib import suppress

from django.db import transaction

from accounts.models import User
from activity.journal import publish
from bots.services import retire
from tables.actions.leaving import leave
from tables.domain_events import ProgramNews
from tables.errors import TableError
from tables.models import LiveTable, Program, TableChallenge
from tables.programs.challenges import decline
from tables.programs.registry import sitter_for

OPEN = LiveTable.State.OPEN


def retire_program(*, program: Program, by: User) -> None:
    """Retire a program for good: it sits down at no table any more, and its stream ends with its last match.

    Matches that have begun, and seats of events that it has taken, it plays to the end. Twice changes nothing.
    Raises BotError "bot.not_owner".
    """
    retire(version=program.version, by=by)
    # Each in a transaction of its own, after the one that counts: what is left is refused, and expires.
    for challenge in TableChallenge.objects.filter(program=program, answer="", table__state=OPEN, table__stage=None):
        with suppress(TableError):
            decline(challenge.uuid, program)
    for table in LiveTable.objects.filter(seats__bot_version=program.version, state=OPEN, stage=None):
        with suppress(TableError):
            leave(table, sitter_for(program))
    with transaction.atomic():
        publish(ProgramNews(program.channel))
