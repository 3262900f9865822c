"""Programs, their tokens and tables, and the client's end of a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from django.utils import timezone

from accounts.models import User
from accounts.tokens import Bound
from config.asgi import application
from tables.actions.opening import TablePlan
from tables.models import LiveTable, Program
from tables.play.clocks import CLOCKS
from tables.play.shuffle import of_service
from tables.programs.challenges import accept, challenge
from tables.programs.registry import ProgramPlan, register, sitter_for
from tests.builders import events as a
from tests.builders.keys import Caller
from tests.tables.players import folded

REMOTE = CLOCKS["remote"]


def a_program(name: str = "Plum", owner: User | None = None, *, is_here: bool = True, **plan: Any) -> Program:
    """A program that takes every challenge of Koi-Koi and Hawaii, and whose stream is open."""
    stated = ProgramPlan(**{"presets": ["koikoi_nintendo", "hawaii"], "seats_max": 3, "tables_most": 4, **plan})
    made = register(by=owner or a.a_user(), name=name, plan=stated)
    if is_here:
        made.seen_at = timezone.now()
        made.save()
    return made


def caller(program: Program) -> Caller:
    """Somebody with a token that is only for this program."""
    bot = program.bot
    return Caller(bot.owner, "bot:play", bound=Bound("bot", bot.uuid, bot.name))


def a_plan(preset: str = "koikoi_nintendo", seats: int = 2, **more: Any) -> TablePlan:
    return TablePlan(**{"preset": preset, "seats": seats, "clock": REMOTE, **more})


def a_table_of(*programs: Program, **more: Any) -> LiveTable:
    """A table at which these programs sit, dealt; the service drew their nonces."""
    plan = a_plan(seats=len(programs), **more)
    first, *others = programs
    table = challenge(sitter_for(first), others, plan, of_service(), program=first)
    for other in others:
        accept(table.challenges.get(program=other).uuid, other, of_service())
    return LiveTable.objects.get(pk=table.pk)


def asked(table: LiveTable, *programs: Program) -> tuple[Program, int, int]:
    """The program whose turn it is, the number of its question, and how many choices it has."""
    question = folded(LiveTable.objects.get(pk=table.pk)).question
    assert question is not None
    seat = table.seats.get(index=question.seat)
    found = next(program for program in programs if program.version_id == seat.bot_version_id)
    return found, question.n, len(question.legal)


class Stream:
    """A program's end of one stream, through the whole ASGI application."""

    def __init__(self, path: str, key: str, query: str = "", **headers: str) -> None:
        sent = {"authorization": f"Bearer {key}", "host": "testserver", **headers}
        self.scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in sent.items()],
            "client": ("127.0.0.1", 40000),
            "server": ("testserver", 80),
        }
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self._asked = False
        self._grown = asyncio.Event()
        self._leave = asyncio.Event()
        self._task = asyncio.create_task(application(self.scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._leave.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        for name, value in message.get("headers", ()):
            self.headers[name.decode().lower()] = value.decode()
        self.body += message.get("body", b"")
        self._grown.set()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.body.splitlines()]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] == kind]

    async def until(self, condition: Callable[[], bool], deadline_s: float = 15) -> None:
        async with asyncio.timeout(deadline_s):
            while not condition():
                await self._grown.wait()
                self._grown.clear()

    async def opened(self) -> None:
        await self.until(lambda: self.status == 200)

    async def turn(self, n: int) -> dict[str, Any]:
        """The turn of that number, once it is there."""
        await self.until(lambda: any(turn["n"] == n for turn in self.of("turn")))
        return next(turn for turn in reversed(self.of("turn")) if turn["n"] == n)

    async def first(self, kind: str, count: int = 1) -> dict[str, Any]:
        """The `count`-th line of a kind, once it is there."""
        await self.until(lambda: len(self.of(kind)) >= count)
        return self.of(kind)[count - 1]

    async def ended(self) -> None:
        async with asyncio.timeout(15):
            await self._task

    async def leave(self) -> None:
        self._leave.set()
        await self.ended()
