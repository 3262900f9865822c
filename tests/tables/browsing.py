"""People at tables in a real browser: what every journey there does."""

from __future__ import annotations

import re
from collections.abc import Callable
from uuid import UUID

from playwright.sync_api import Page, expect

from bots.jobs.process import Process
from bots.services.house import house_account, install_house_bot
from engine.games import PRESETS
from tables.jobs.answering import answer_seat
from tables.models import LiveTable
from tests.tables.players import again, folded

OWN_TURN = "Your turn:"


def a_house() -> None:
    """Install a bot for every level of the house that a test names: the first choice, at once."""
    source = b"def choose(obs):\n    return 0\n"
    install_house_bot(owner=house_account(), name="House 3", files=[("bot.py", source)], plays=list(PRESETS))


def table_of(page: Page) -> LiveTable:
    """The table that a page shows, once it shows one."""
    page.wait_for_url(re.compile(r"/play/[0-9a-f-]{36}/"))
    return LiveTable.objects.get(uuid=UUID(page.url.split("/play/")[1][:36]))


def let_bots_answer(table: LiveTable, process: Process) -> None:
    """Answer for the bots until a person is asked."""
    while again(table).bot_asked_at is not None:
        table = again(table)
        assert answer_seat(table.uuid, table.answered, process.launcher())


def choose_first(page: Page, between: Callable[[], None] = lambda: None) -> None:
    """Tap the first card that may be played, and the first of those that it may take; else the first button.

    between: what is done when the card to take is still to be chosen.
    """
    if not page.locator(".pick").count():
        page.locator(".aim, .live-choices button:visible").first.click()
        return
    page.locator(".pick").first.click()
    if page.locator(".pick.chosen").count():
        between()
        page.locator(".aim, .live-choices button:visible").first.click()


def choose_by_keys(page: Page) -> None:
    """The same with keys alone."""
    page.keyboard.press("1")
    if page.locator(".live-amount select:focus").count():
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    elif page.locator(".pick.chosen").count():
        page.keyboard.press("Enter")


def play_whole(pages: dict[int, Page], table: LiveTable, process: Process, choose: Callable[[Page], None]) -> None:
    """Play a match to its end in the browsers of the people."""
    while again(table).state == LiveTable.State.PLAYING:
        let_bots_answer(table, process)
        question = folded(again(table)).question
        if question is None:
            break
        page = pages[question.seat]
        wanted = page.locator(f'form[data-choices]:not([aria-busy]) input[name="n"][value="{question.n}"]')
        onward = page.locator("button.rp-onward")
        expect(wanted.or_(onward).first).to_be_attached()
        if onward.count():
            page.keyboard.press("Enter") if choose is choose_by_keys else onward.click()
            continue
        with page.expect_response("**/do/answer/**"):
            choose(page)


def waits_for_turn(page: Page) -> None:
    expect(page.locator("#live-told")).to_contain_text(OWN_TURN)


def asked(page: Page) -> str:
    """The number of the question that a page asks."""
    return page.locator('form[data-choices] input[name="n"]').input_value()


def is_done_with(page: Page, n: str) -> None:
    """Wait until a page no longer asks a question."""
    expect(page.locator(f'form[data-choices] input[name="n"][value="{n}"]')).to_have_count(0)
