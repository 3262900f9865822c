"""The answer of a bot at a table: its version is started in the sandbox, told the match so far, and asked once.

Between two turns nothing of it stays in memory. What it is asked follows from the table's rows, and its answer is
written only if these are still all there are, so the same task may be done twice, at once or later.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

import structlog

from bots.errors import BotFault
from bots.jobs.loading import files_of
from bots.models import BotVersion
from bots.runner.player import Launcher
from bots.runner.spec import CLOCKS, Clock
from tables.actions.answering import answer_for_bot
from tables.actions.folding import keep_fold, take_fold
from tables.models import LiveSeat, LiveTable
from tables.play.asking import hello_to, question_to

log = structlog.get_logger(__name__)


def answer_seat(uuid: UUID, rows: int, launcher: Launcher) -> bool:
    """Answer for the bot that is asked after `rows` rows; False if nothing is to be answered any more.

    Raises InfraFault if the sandbox failed: the sweep sends the task again.
    """
    waiting = LiveTable.objects.filter(uuid=uuid, state=LiveTable.State.PLAYING, answered=rows)
    table = waiting.filter(paused_at=None).first()
    if table is None:
        return False
    seats = list(LiveSeat.objects.filter(table=table).select_related("bot_version__bot").order_by("index"))
    fold = take_fold(table, seats)
    question = fold.question
    version = seats[question.seat].bot_version if question is not None else None
    if question is None or version is None or seats[question.seat].kind != LiveSeat.Kind.BOT:
        keep_fold(table, fold)
        return False
    clock, match_id = CLOCKS[version.clock], str(table.uuid)
    # Its random numbers differ from one decision to the next: each is asked of a process of its own.
    hello = hello_to(fold, question.seat, match_id=match_id, clock=asdict(clock), draw=fold.rows + 1)
    asked = question_to(fold, question.seat, match_id=match_id, preset=table.preset, ms_left=_allowance(clock))
    keep_fold(table, fold)
    index, took_ms, fault = _ask(version, clock, hello, asked, launcher)
    return answer_for_bot(table, rows, index, took_ms, fault)


def _allowance(clock: Clock) -> int:
    """Return the CPU milliseconds that an answer may cost: it is the only one of this process."""
    return clock.move_ms + clock.bank_ms


def _ask(
    version: BotVersion, clock: Clock, hello: dict[str, Any], asked: dict[str, Any], launcher: Launcher
) -> tuple[int, int, str]:
    """Return (index, CPU milliseconds, code of the fault with which it forfeits or "")."""
    player = launcher.launch(clock)
    try:
        player.load(hello, files_of(version).files)
        index = player.ask(1, asked, _allowance(clock))
        return index, round(player.spent_ms), ""
    except BotFault as fault:
        log.info("table.bot_forfeits", version=str(version), code=fault.code)
        return 0, round(player.spent_ms), fault.code
    finally:
        player.close()
