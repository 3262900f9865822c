"""The choice of an emblem in the browser: without a script, by keyboard, on a phone, light and dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from bots.emblems import INKS, Colour
from bots.models import Bot
from tests.browser.looking import axe_violations, sideways
from tests.builders import events as a

COLOURS_OF_THE_SHEET = """() => [...document.querySelectorAll("input[name=emblem_colour]")].slice(1).map((each) => {
  each.checked = true;
  return [each.value, getComputedStyle(document.querySelector(".emblem-month svg")).color];
})"""


def rgb(ink: str) -> str:
    """Return a colour as a browser computes it."""
    return "rgb({}, {}, {})".format(*(int(ink[i : i + 2], 16) for i in (1, 3, 5)))


@pytest.mark.slow
def test_an_emblem_is_chosen_by_keyboard_and_seen_before_it_is_saved(
    visit: Callable[..., Page], live_site: str, transactional_db: None
) -> None:
    bot = a.a_bot(name="Plum")
    page = visit(f"/b/{bot.slug}/emblem/", as_=bot.owner)
    wrong: list[str] = []
    for width in (1280, 360):
        for look in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": 740})
            page.emulate_media(color_scheme=look)
            wrong += [f"{width} {look}: {each}" for each in (*sideways(page), *axe_violations(page))]
    assert wrong == []
    shown = dict(page.evaluate(COLOURS_OF_THE_SHEET))
    assert shown == {colour.value: rgb(INKS[colour]) for colour in Colour}, "the style sheet knows every colour"
    page.get_by_role("radio", name="moon gold").focus()
    page.keyboard.press("Space")
    page.get_by_role("radio", name="Pine: Crane").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Plum")
    chosen = Bot.objects.get()
    assert (chosen.emblem_card, chosen.emblem_colour) == ("01.1", "moon")
