"""A check in two other browsers: one that asks for less motion sees no ticks come, one without script has a button."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Browser, Route, expect

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


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_the_verdict_takes_the_place_that_was_kept_for_it(live_site: str, browser: Browser, width: int) -> None:
    match = a_finished_match(rounds=2)
    page = browser.new_context(viewport={"width": width, "height": 860}, reduced_motion="reduce").new_page()
    waiting: list[Route] = []
    page.route("**/record.json", lambda route: waiting.append(route))
    with page.expect_request("**/record.json"):
        page.goto(f"{live_site}/m/{match.uuid}/verify/", wait_until="commit")
    list_top = "each => each.getBoundingClientRect().top"
    checks, bar = page.locator("hanami-verify .vf-checks"), page.locator(".vf-room").first
    bar.wait_for()
    page.evaluate("document.fonts.ready")
    before = checks.evaluate(list_top)
    middles = (
        "each => [...each.children].map((one) => one.getBoundingClientRect()).map((box) => box.top + box.height / 2)"
    )
    clock, line = bar.evaluate(middles)
    assert abs(clock - line) <= 1
    waiting[0].continue_()
    page.wait_for_selector(DONE)
    assert abs(checks.evaluate(list_top) - before) < 1
    page.context.close()


@pytest.mark.thorough
@pytest.mark.parametrize("width", [1280, 360])
def test_below_the_verdict_of_the_browser_that_of_the_server_is_one_line(
    live_site: str, browser: Browser, width: int
) -> None:
    match = a_finished_match(rounds=1)
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    page.goto(f"{live_site}/m/{match.uuid}/verify/?check=server")
    page.wait_for_selector(DONE)
    own, servers = page.locator("hanami-verify .vf-verdict"), page.locator("#vf-server .vf-verdict")
    expect(servers).to_contain_text("Nothing was rigged")
    assert own.evaluate("each => each.clientHeight") >= 120
    assert servers.evaluate("each => each.clientHeight") <= 32
    expect(page.locator("#vf-server .vf-checks")).to_be_hidden()
    page.context.close()


@pytest.mark.thorough
def test_without_script_a_button_does_it(live_site: str, browser: Browser) -> None:
    match = a_finished_match(rounds=1)
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_site}/m/{match.uuid}/verify/")
    page.get_by_role("button", name="Replay it on the server").click()
    expect(page.locator("#vf-server .vf-verdict.ok")).to_be_visible()
    page.context.close()
