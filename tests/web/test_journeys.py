"""The journeys of people through the site, with real workers and a real browser, with and without script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from tests.browser.keyboard import Hands
from tests.browser.looking import Trouble, axe_violations, log_in
from tests.builders import events as a
from tests.services import waiting
from tests.services.make_run import as_run_too
from tests.services.processes import Project
from tournaments.entries.bots import enter_bot
from tournaments.models import Entry, Match, Tournament

Visit = Callable[..., Page]
Wait = Callable[..., Any]
SOURCE = "def choose(obs):\n    print('thinking')\n    return obs['legal'][0]\n"
ONE_LINE = 'def choose(obs): return obs["legal"][0]'
CRASHING = "def choose(obs):\n    raise ValueError('lost in the peonies')\n"
PASSWORD = "plum-blossom-77"


def sign_up(page: Page, site: str, name: str) -> None:
    page.goto(f"{site}/")
    page.get_by_role("link", name="Sign up").first.click()
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat password").fill(PASSWORD)
    page.get_by_role("button", name="Create my account").click()
    expect(page.get_by_role("status").first).to_contain_text("Your account is ready")


def two_things_to_do_next(page: Page, site: str) -> None:
    """Journey 2: an account in which nothing is yet says what to begin with."""
    page.goto(f"{site}/me/")
    expect(page.locator("main .note")).to_have_count(0)  # nothing waits for anybody here
    assert axe_violations(page) == []
    page.goto(f"{site}/")
    for name in ("Upload a bot", "Create a tournament"):
        expect(page.get_by_role("main").get_by_role("link", name=name)).to_have_count(1)
    assert axe_violations(page) == []


def upload(page: Page, site: str, name: str, source: str) -> None:
    page.goto(f"{site}/b/new/")
    page.get_by_label("Name of the new bot").fill(name)
    page.get_by_label("Source code").fill(source)
    page.get_by_role("button", name="Upload and check").click()
    expect(page.get_by_role("heading", name=f"{name} v1")).to_be_visible()


def paste_by_keyboard(page: Page, site: str, name: str, source: str) -> None:
    """Journey 17 up to the place in the queue: no mouse, every tick there is to come, seen to be focused on the way."""
    hands = Hands(page)
    page.goto(f"{site}/b/new/")
    hands.write("Name of the new bot", name)
    hands.reach(page.get_by_label("Source code"), "the source")
    hands.type(source)
    hands.press("button", "Upload and check")
    expect(page.get_by_role("heading", name=f"{name} v1")).to_be_visible()
    expect(page.get_by_text("Place 1 in the queue")).to_be_visible()
    steps = page.locator("ol.steps strong").all_inner_texts()
    assert list(dict.fromkeys(steps)) == ["Source.", "Start.", "Smoke match.", "All kinds of tables."]
    assert axe_violations(page) == []


def until_shown(page: Page, words: str) -> None:
    """Wait for words; a page without script is loaded again as a person would."""

    def is_shown() -> bool:
        if page.get_by_text(words).count():
            return True
        page.goto(page.url)
        return False

    waiting.wait_until(is_shown, 60, f"{words!r} at {page.url}")


def an_open_event(**changes: object) -> Tournament:
    wanted = {"name": "Evening league", "legs": "cyclic", "entries_per_owner": 4, "options": {"rounds": 2}}
    return a.an_open_event(**{**wanted, **changes})


@pytest.mark.thorough
@as_run_too
@pytest.mark.timeout(600)
def test_from_sign_up_to_an_entry_with_the_check_watched_live(
    page: Page, live_site: str, project: Project, trouble: Trouble
) -> None:
    event = an_open_event()
    sign_up(page, live_site, "kimo")
    two_things_to_do_next(page, live_site)
    paste_by_keyboard(page, live_site, "Moon viewer", ONE_LINE)
    project.worker()
    expect(page.get_by_text("It is active.")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("against random, greedy, yaku, no fault").first).to_be_visible()
    ticks = page.locator("ol.steps li")
    assert ticks.count() >= 4
    expect(page.locator("ol.steps li .state.ok")).to_have_count(ticks.count())
    assert axe_violations(page) == []
    page.get_by_role("link", name="Find a tournament").click()
    page.get_by_role("link", name="Evening league").click()
    page.get_by_role("link", name="Enter a bot").click()
    page.get_by_label("Your bot").select_option(label="Moon viewer v1")
    page.get_by_role("button", name="Enter it").click()
    expect(page.get_by_role("status").first).to_contain_text("Moon viewer is entered")
    expect(page.get_by_role("row", name="Moon viewer").get_by_role("button", name="Withdraw")).to_be_visible()
    assert Entry.objects.get(tournament=event).player.name == "Moon viewer"


@pytest.mark.slow
@as_run_too
@pytest.mark.timeout(600)
def test_journey_18_a_traceback_is_its_owner_s_alone(
    page: Page, browser: Browser, live_site: str, project: Project
) -> None:
    sign_up(page, live_site, "kimo")
    hands = Hands(page)
    upload(page, live_site, "Lost", CRASHING)
    project.worker()
    expect(page.get_by_text("The check failed.")).to_be_visible(timeout=60_000)
    expect(page.locator("pre.log")).to_contain_text("ValueError: lost in the peonies")
    expect(page.get_by_role("link", name="Upload a repaired version")).to_be_visible()
    hands.press("link", "Its question at that move")
    page.wait_for_url("**/failures/**")
    expect(page.get_by_text("ValueError: lost in the peonies").first).to_be_visible()
    expect(page.get_by_text("hanami repro").first).to_be_visible()
    assert axe_violations(page) == []
    stranger = browser.new_page()
    for reader in (None, a.a_user("rival")):
        if reader is not None:
            log_in(stranger.context, live_site, reader)
        answer = stranger.goto(page.url)
        assert answer is not None
        assert answer.status == 404
        assert "peonies" not in stranger.content()
    stranger.close()


@pytest.mark.slow
@as_run_too
@pytest.mark.timeout(600)
def test_an_organiser_makes_and_runs_an_event_and_a_spectator_sees_it_move(
    page: Page, browser: Browser, live_site: str, project: Project, wait_until: Wait, trouble: Trouble
) -> None:
    bots = [a.a_bot() for _ in range(4)]
    organiser = a.a_user("hoku")
    log_in(page.context, live_site, organiser)
    make_an_event(page, live_site)
    event = Tournament.objects.get()
    page.get_by_role("button", name="Announce it").click()
    page.get_by_role("button", name="Open entries").click()
    expect(page.get_by_text("Entries are open.").first).to_be_visible()
    a.entered(event, bots)
    watcher = browser.new_page()
    watcher.goto(f"{live_site}/t/{event.slug}/standings/")
    expect(watcher.get_by_text("No standings yet")).to_be_visible()
    expect(watcher.get_by_text("Live, updated")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("status").first).to_contain_text("The event is running")
    project.worker()
    expect(watcher.get_by_role("row")).to_have_count(5, timeout=60_000)
    wait_until(lambda: Tournament.objects.get().state == "finished", 30)
    expect(watcher.get_by_role("link", name="Final", exact=True)).to_be_visible(timeout=60_000)
    expect(watcher.get_by_role("button", name="Pause updates")).to_be_hidden()  # what is over is not live
    expect(page.get_by_text("wins.")).to_be_visible(timeout=60_000)
    watcher.close()


def make_an_event(page: Page, site: str) -> None:
    page.goto(f"{site}/t/new/?for=bots")
    page.get_by_label("Name", exact=True).fill("Moon league")
    page.get_by_label("Rules", exact=True).select_option("paradise")
    page.get_by_label("Seats at a table").select_option("2")
    page.get_by_label("Deals per match").fill("2")
    page.get_by_label("Minimum entries").fill("4")
    page.get_by_role("button", name="Create the draft").click()
    expect(page.get_by_text("The draft is ready")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_pause_stops_the_live_page_and_go_on_catches_up(
    page: Page, live_site: str, visit: Visit, trouble: Trouble
) -> None:
    event = an_open_event()
    page = visit(f"/t/{event.slug}/entries/")
    expect(page.get_by_text("Live, updated")).to_be_visible()
    page.locator(".livebar .dot").hover()
    page.get_by_role("button", name="Pause updates").click()
    expect(page.get_by_text("Paused at")).to_be_visible()
    bot = a.a_bot(name="Late guest")
    enter_bot(tournament=event, bot=bot, by=bot.owner)
    page.get_by_role("button", name="Resume updates").click()
    expect(page.get_by_role("row", name="Late guest")).to_be_visible(timeout=60_000)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_focus_and_open_explanations_survive_a_live_update(page: Page, live_site: str, visit: Visit) -> None:
    event = an_open_event()
    page = visit(f"/t/{event.slug}/entries/?q=Late")
    page.get_by_label("Find a bot").focus()
    bot = a.a_bot(name="Late guest")
    enter_bot(tournament=event, bot=bot, by=bot.owner)
    expect(page.get_by_role("row", name="Late guest")).to_be_visible(timeout=60_000)
    assert page.evaluate("() => document.activeElement.id") == "q"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_without_the_stream_the_page_asks_every_twenty_seconds(page: Page, live_site: str, visit: Visit) -> None:
    event = an_open_event()
    page.route("**/events/**", lambda route: route.abort())
    page.clock.install()
    page = visit(f"/t/{event.slug}/entries/")
    for _ in range(4):
        page.clock.run_for(4000)
    page.clock.run_for(20_000)
    expect(page.get_by_text("Updating every 20 seconds")).to_be_visible(timeout=60_000)
    bot = a.a_bot(name="Late guest")
    enter_bot(tournament=event, bot=bot, by=bot.owner)
    page.clock.run_for(21_000)
    expect(page.get_by_role("row", name="Late guest")).to_be_visible(timeout=60_000)


@pytest.mark.slow
@as_run_too
@pytest.mark.timeout(600)
def test_every_core_job_works_without_script(browser: Browser, live_site: str, project: Project) -> None:
    project.worker()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_up(page, live_site, "kimo")
    upload(page, live_site, "Plain", SOURCE)
    until_shown(page, "It is active.")
    make_an_event(page, live_site)
    event = Tournament.objects.get()
    page.get_by_role("button", name="Announce it").click()
    page.get_by_role("button", name="Open entries").click()
    page.get_by_role("link", name="Enter a bot").click()
    page.get_by_label("Your bot").select_option(label="Plain v1")
    page.get_by_role("button", name="Enter it").click()
    expect(page.get_by_text("Plain is entered")).to_be_visible()
    a.entered(event, [a.a_bot() for _ in range(3)])
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("button", name="Follow").click()
    expect(page.get_by_role("button", name="Unfollow")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("The event is running")).to_be_visible()
    until_shown(page, "wins.")
    page.get_by_role("link", name="Standings", exact=True).click()
    page.locator("details.why > summary").first.click()
    panel = page.locator("details.why[open] .panel").first
    expect(panel).to_contain_text("Sum of the deals won; of the results won")
    panel.get_by_role("link").first.click()
    assert Match.objects.filter(uuid=page.url.rstrip("/").rsplit("/", 1)[-1]).exists()
    page.goto(f"{live_site}/me/follow/list/")
    expect(page.get_by_role("link", name="Moon league").first).to_be_visible()
    context.close()


@pytest.mark.thorough
@as_run_too
@pytest.mark.timeout(600)
def test_calling_off_asks_why_and_tells_everybody(page: Page, live_site: str, visit: Visit) -> None:
    event = an_open_event()
    organiser: User = event.created_by
    page = visit(f"/t/{event.slug}/", as_=organiser)
    page.locator("#organise-more > summary").click()
    page.get_by_role("link", name="Cancel the event").click()
    page.get_by_label("Why?").fill("The room is flooded")
    page.get_by_role("button", name="Cancel the event").click()
    expect(page.get_by_text("The room is flooded")).to_be_visible()
    event.refresh_from_db()
    assert event.state == "cancelled"
