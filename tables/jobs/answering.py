"""The answer of a bot at a table: its version is started in the sandbox, told the match so far, and asked once.

Between two turns nothing of it stays in memory. What it is asked follows from the table's rows, and its answer is
written only if these are still all there are, so the same task may be done twice, at once or later.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID

import structlog

from bots.errors import BotFault
from bots.jobs.loading import files_of
from bots.models import BotVersion
from bots.protocol.messages import MAX_TO_BOT
from bots.runner.player import Launcher
from bots.runner.spec import CLOCKS, Clock
from engine.deck import bot_rng
from tables.actions.answering import answer_for_bot
from tables.actions.folding import keep_fold, take_fold
from tables.models import LiveSeat, LiveTable
from tables.play.fold import Fold, Question

ROOM: Final = MAX_TO_BOT - 8_192
"""Bytes that events of the match may have in one question; the rest of the question needs much less than is left."""
log = structlog.get_logger(__name__)


def answer_seat(uuid: UUID, rows: int, launcher: Launcher) -> bool:
    """Answer for the bot that is asked after `rows` rows; False if nothing is to be answered any more.

    Raises InfraFault if the sandbox failed: the sweep sends the task again.
    """
    table = LiveTable.objects.filter(uuid=uuid, state=LiveTable.State.PLAYING, answered=rows).first()
    if table is None:
        return False
    seats = list(LiveSeat.objects.filter(table=table).select_related("bot_version__bot").order_by("index"))
    fold = take_fold(table, seats)
    question = fold.question
    version = seats[question.seat].bot_version if question is not None else None
    if question is None or version is None or seats[question.seat].kind != LiveSeat.Kind.BOT:
        keep_fold(table, fold)
        return False
    hello, asked, clock = (
        _hello(fold, question, table, version),
        _observation(fold, question, table, version),
        _clock(version),
    )
    keep_fold(table, fold)
    index, took_ms, fault = _ask(version, clock, hello, asked, launcher)
    return answer_for_bot(table, rows, index, took_ms, fault)


def _clock(version: BotVersion) -> Clock:
    return CLOCKS[version.clock]


def _allowance(clock: Clock) -> int:
    """Return the CPU milliseconds that an answer may cost: it is the only one of this process."""
    return clock.move_ms + clock.bank_ms


def _hello(fold: Fold, question: Question, table: LiveTable, version: BotVersion) -> dict[str, Any]:
    """Return the hello of Protocol v1. Its random numbers differ from one decision to the next."""
    return {
        "match": str(table.uuid),
        "ruleset": fold.match.ruleset.to_json(),
        "seats": fold.match.seats,
        "sides": list(fold.match.sides),
        "me": f"p{question.seat}",
        "clock": asdict(_clock(version)),
        "rng": bot_rng(fold.match.seed, fold.rows + 1, question.seat).hex(),
    }


def _observation(fold: Fold, question: Question, table: LiveTable, version: BotVersion) -> dict[str, Any]:
    """Return what the seat may know, with everything that was told since the match began, as far as there is room."""
    match = fold.match
    since = 0
    # A long match: its first deals are left out, never part of the present one.
    while len(json.dumps(match.events[since:])) > ROOM and (later := _next_deal(match.events, since)) is not None:
        since = later
    return match.observation(
        question.seat,
        match_id=str(table.uuid),
        preset=table.preset,
        since=since,
        ms_left=_allowance(_clock(version)),
    )


def _next_deal(events: list[dict[str, Any]], since: int) -> int | None:
    """Return the index at which the next deal begins."""
    return next((index for index in range(since + 1, len(events)) if "deal" in events[index]), None)


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
