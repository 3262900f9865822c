"""A check in two other browsers: one that asks for less motion sees no ticks come, one without script has a button."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.builders.matches_on_show import a_finished_match

DONE = 'hanami-verify[data-state="done"]'
TICKS = """() => {
  window.ticks = [];
  window.real = window.setTimeout;
  window.setTimeout = (done, ms) => { if (ms === 40) ticks.push(ms); return real(done, ms); };
}"""


@pytest.mark.slow
@pytest.mark.parametrize(("motion", "ticks"), [("no-preference", True), ("reduce", False)])
def test_the_ticks_come_one_after_another_but_not_without_motion(
    live_site: str, browser: Browser, motion: Literal["no-preference", "reduce"], ticks: bool
) -> None:
    match = a_finished_match(rounds=12)
    page = browser.new_context(reduced_motion=motion).new_page()
    page.add_init_script(f"({TICKS})()")
    page.goto(f"{live_site}/m/{match.uuid}/verify/")
    page.wait_for_selector(DONE)
    assert (len(page.evaluate("window.ticks")) >= 18) == ticks
    page.context.close()


def test_without_script_a_button_does_it(live_site: str, browser: Browser) -> None:
    match = a_finished_match(rounds=1)
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_site}/m/{match.uuid}/verify/")
    page.get_by_role("button", name="Replay it on the server").click()
    expect(page.locator("#vf-server .vf-verdict.ok")).to_be_visible()
    page.context.close()
