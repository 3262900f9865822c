"""Pages are made a few at a time, first come, first served; nobody holds up the others for long, no turn is lost."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from config.asgi import django
from config.turns import InTurn, Turns
from tests.services.looping import run_async
from web.one_at_a_time import takes_long

FOREVER_S = 600.0


@dataclass
class Hall:
    """The requests at work on a page, in the order in which they began; `may_end` lets them end."""

    turns: Turns
    begun: list[int] = field(default_factory=list)
    at_work: int = 0
    most: int = 0

    async def page(self, number: int, may_end: asyncio.Event, *, is_heavy: bool = False) -> None:
        async with self.turns.one(is_heavy=is_heavy):
            self.begun.append(number)
            self.at_work += 1
            self.most = max(self.most, self.at_work)
            try:
                await may_end.wait()
            finally:
                self.at_work -= 1


async def settled() -> None:
    """Everybody who could go on has gone on."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_so_many_at_once_and_in_the_order_they_came() -> None:
    async def scene() -> Hall:
        hall, ends = Hall(Turns(2, FOREVER_S)), [asyncio.Event() for _ in range(9)]
        pages = [asyncio.create_task(hall.page(number, end)) for number, end in enumerate(ends)]
        for number, end in enumerate(ends):
            await settled()
            assert hall.begun == list(range(min(9, number + 2)))
            end.set()
        await asyncio.gather(*pages)
        return hall

    hall = run_async(scene)
    assert hall.most == 2


def test_whoever_takes_long_gives_the_turn_back_and_goes_on() -> None:
    async def scene() -> Hall:
        hall, never, now = Hall(Turns(1, 0.01)), asyncio.Event(), asyncio.Event()
        now.set()
        slow = asyncio.create_task(hall.page(0, never))
        await asyncio.wait_for(hall.page(1, now), 60)
        assert hall.begun == [0, 1]
        assert not slow.done()
        never.set()
        await slow
        # The slow one gave its turn back once, not again at its end: one at a time is still one at a time.
        ends = [asyncio.Event() for _ in range(3)]
        hall.turns._longest_s, hall.most = FOREVER_S, 0
        pages = [asyncio.create_task(hall.page(2 + number, end)) for number, end in enumerate(ends)]
        for end in ends:
            await settled()
            end.set()
        await asyncio.gather(*pages)
        return hall

    assert run_async(scene).most == 1


def test_pages_queue_behind_one_heavy_request_and_not_behind_all() -> None:
    async def scene() -> list[int]:
        hall, ends = Hall(Turns(1, FOREVER_S)), [asyncio.Event() for _ in range(6)]
        heavy = [asyncio.create_task(hall.page(number, ends[number], is_heavy=True)) for number in range(4)]
        await settled()
        pages = [asyncio.create_task(hall.page(number, ends[number])) for number in (4, 5)]
        for end in ends:
            await settled()
            end.set()
        await asyncio.gather(*heavy, *pages)
        return hall.begun

    begun = run_async(scene)
    assert begun[0] == 0
    assert max(begun.index(4), begun.index(5)) < max(begun.index(2), begun.index(3)), begun


def test_work_that_says_it_takes_long_gives_the_turn_back_at_once() -> None:
    async def scene() -> list[int]:
        hall, never, now = Hall(Turns(1, FOREVER_S)), asyncio.Event(), asyncio.Event()
        now.set()

        async def long_work() -> None:
            async with hall.turns.one(is_heavy=True):
                await asyncio.to_thread(takes_long.get())
                await never.wait()

        slow = asyncio.create_task(long_work())
        await asyncio.wait_for(hall.page(1, now, is_heavy=True), 60)
        never.set()
        await slow
        return hall.begun

    assert run_async(scene) == [1]


def test_a_turn_is_given_back_by_who_fails_and_by_who_goes_away() -> None:
    async def fails(turns: Turns) -> None:
        async with turns.one():
            raise LookupError

    async def scene() -> list[int]:
        hall, never, now = Hall(Turns(1, FOREVER_S)), asyncio.Event(), asyncio.Event()
        now.set()
        assert [type(each) for each in await asyncio.gather(fails(hall.turns), return_exceptions=True)] == [LookupError]
        works, waits = (asyncio.create_task(hall.page(number, never)) for number in (0, 1))
        await settled()
        waits.cancel()
        await settled()
        works.cancel()
        await asyncio.wait_for(hall.page(2, now), 60)
        return hall.begun

    assert run_async(scene) == [0, 2]


def test_turns_know_every_loop() -> None:
    turns = Turns(1, FOREVER_S)

    async def scene() -> int:
        hall, now = Hall(turns), asyncio.Event()
        pages = [asyncio.create_task(hall.page(number, now)) for number in range(3)]
        await settled()
        now.set()
        await asyncio.gather(*pages)
        return len(hall.begun)

    assert [run_async(scene) for _ in range(2)] == [3, 3]


def test_the_door_makes_pages_in_turn() -> None:
    assert isinstance(django, InTurn)
