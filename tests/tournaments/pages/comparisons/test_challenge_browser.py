"""Journey 20 in a browser: two versions are compared, the ratio moves, and stopping is inconclusive."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from bots.jobs.process import Process
from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders.challenges import a_bot_of_two_versions, a_challenge
from tournaments.matches import play
from tournaments.models import Challenge
from tournaments.progress import derive
from tournaments.progress.draws import next_round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(120)]
Visit = Callable[..., Page]
PHONE = ViewportSize(width=360, height=740)


def wrong_with(page: Page) -> list[str]:
    """Return what is wrong at the size of a laptop and of a phone, in light and in dark."""
    found = []
    for size in (ViewportSize(width=1280, height=800), PHONE):
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += [f"{scheme} {size['width']}: {each}" for each in axe_violations(page) + sideways(page)]
    return found


def play_some(process: Process) -> None:
    """Do what workers do with one wake-up each."""
    process.seconds = 0.5
    play.play_batch(process)
    derive.derive_waiting()
    next_round.advance_waiting()


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    """A phone without JavaScript."""
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    yield context.new_page()
    context.close()


@pytest.mark.slow
def test_the_ratio_moves_and_stopping_is_inconclusive(visit: Visit, trouble: Trouble, process: Process) -> None:
    bot = a_bot_of_two_versions()
    page = visit(f"/b/{bot.slug}/", as_=bot.owner)
    page.get_by_role("link", name="Compare with an older version").click()
    expect(page.get_by_label("Your version")).to_contain_text(f"{bot.name} v2 (active)")
    assert wrong_with(page) == []
    page.get_by_label("Deals per match").fill("1")
    page.get_by_label("Custom bounds").check()
    page.get_by_label("From Elo").fill("-5")
    page.get_by_label("To Elo").fill("5")
    page.get_by_label("Accepted error").select_option("0.01")
    page.get_by_role("button", name="Start the comparison").press("Enter")
    expect(page.get_by_role("heading", name=f"{bot.name} v2 against {bot.name} v1")).to_be_visible()
    expect(page.get_by_text("Queued: no match has begun yet.").first).to_be_visible()
    seen = []
    for _each in range(2):
        before = Challenge.objects.get().judged
        while Challenge.objects.get().judged == before:
            play_some(process)
        judged = Challenge.objects.get().judged
        expect(page.locator("figcaption")).to_contain_text(f"after {judged} deal sets", timeout=20_000)
        seen.append(page.locator("polyline.course").get_attribute("points"))
    assert seen[0] != seen[1]
    expect(page.get_by_role("img", name="Log likelihood ratio by deal sets")).to_be_visible()
    assert wrong_with(page) == []
    page.get_by_role("button", name="Stop").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Inconclusive: it was stopped before the result was certain enough.")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert wrong_with(page) == []
    page.get_by_role("link", name="replay of leg 1").first.click()
    expect(page).to_have_url(re.compile("/m/[0-9a-f-]{36}/"))
    expect(page.get_by_role("button", name="Next move").or_(page.get_by_role("link", name="Next move"))).to_be_visible()


@pytest.mark.slow
def test_without_script_on_a_phone(plain: Page, live_site: str, process: Process) -> None:
    challenge = a_challenge(elo0=-5, elo1=5, alpha=0.01, beta=0.01)
    log_in(plain.context, live_site, challenge.by)
    plain.goto(f"{live_site}/c/")
    plain.get_by_role("link", name=f"{challenge.candidate} – {challenge.reference}").click()
    while not Challenge.objects.get().judged:
        play_some(process)
    plain.reload()
    expect(plain.locator("polyline.course")).to_be_attached()
    expect(plain.get_by_text("Not decided yet.")).to_be_visible()
    plain.get_by_role("button", name="Stop").click()
    expect(plain.get_by_text("Inconclusive: it was stopped before the result was certain enough.")).to_be_visible()
