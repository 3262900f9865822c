"""Pages of bots, people and accounts in a browser: in every theme and width, by keyboard, without script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from bots.models import Bot
from tests.browser.keyboard import Hands
from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a
from tests.services.processes import Project
from tests.tournaments.pages.people.test_bot_pages import a_match, a_rated_bot
from tests.tournaments.pairing.test_rated_seeds import rated
from tournaments.models import Match, Tournament
from tournaments.progress.run import start_tournament

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
Visit = Callable[..., Page]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SHOWN = "each => getComputedStyle(each).clipPath === 'none'"


def wrong_with(page: Page) -> list[str]:
    """Return what is wrong at every width and in both themes."""
    found = []
    for width in (1280, 360, 320):
        page.set_viewport_size({"width": width, "height": 740})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found += [f"{page.url} {width} {scheme}: {each}" for each in (*axe_violations(page), *sideways(page))]
    page.set_viewport_size({"width": 1280, "height": 900})
    return found


@pytest.mark.parametrize("results", [1, 30])
def test_a_bot_looks_right_with_one_result_and_with_many(visit: Visit, transactional_db: None, results: int) -> None:
    bot, _pool = a_rated_bot(results)
    found = []
    for tab in ("", "matches/", "versions/", "events/"):
        found += wrong_with(visit(f"/b/{bot.slug}/{tab}", as_=bot.owner))
    found += wrong_with(visit("/ladder/")) + wrong_with(visit("/ladder/hawaii/"))
    found += wrong_with(visit(f"/u/{bot.owner.username}/"))
    assert found == []


def test_a_bot_looks_right_after_a_match_of_seven(visit: Visit, transactional_db: None) -> None:
    event = a.an_open_event(name="Moon league", entries_per_owner=8)
    bots = [a.a_bot(name=f"Bot of a long name {number}") for number in range(7)]
    a.entered(event, bots)
    a_match(event, {bot: (place, -110 - place) for place, bot in enumerate(bots, 1)})
    assert wrong_with(visit(f"/b/{bots[0].slug}/matches/")) == []


def test_on_a_phone_every_tab_of_a_bot_says_what_its_figure_is(visit: Visit, transactional_db: None) -> None:
    bot, _pool = a_rated_bot()
    for tab in ("", "matches/", "versions/", "events/"):
        page = visit(f"/b/{bot.slug}/{tab}")
        page.set_viewport_size({"width": 360, "height": 740})
        label = page.locator(".strength dt", has_text="Rating (lower bound)")
        assert label.evaluate(SHOWN), tab
        name, figure, act = (
            page.locator(each).first.evaluate("each => each.getBoundingClientRect().toJSON()")
            for each in (".portrait h1", ".strength .big strong", ".portrait .acts .btn")
        )
        assert name["bottom"] < figure["top"], "the name has its line, the figure stands below it"
        assert tab == "" or figure["right"] < act["left"], "beside what is done"
        assert tab == "" or act["top"] < figure["bottom"]


def test_the_curve_names_the_match_that_is_pointed_at_or_focused(visit: Visit, transactional_db: None) -> None:
    bot, _pool = a_rated_bot(30)
    page = visit(f"/b/{bot.slug}/")
    columns = page.locator(".columns > a")
    tips = page.locator(".columns .tip")
    assert columns.count() == 15
    assert [at for at in range(15) if tips.nth(at).evaluate(SHOWN)] == [14], "the newest is said at first"
    columns.nth(3).hover()
    assert [at for at in range(15) if tips.nth(at).evaluate(SHOWN)] == [3]
    expect(tips.nth(3)).to_contain_text("Moon league")
    page.mouse.move(0, 0)
    columns.nth(7).focus()
    assert [at for at in range(15) if tips.nth(at).evaluate(SHOWN)] == [7]
    page.keyboard.press("Enter")
    page.wait_for_url("**/m/*/")
    page.set_viewport_size({"width": 360, "height": 740})
    page.go_back()
    seen = [each.bounding_box() for each in columns.all() if each.is_visible()]
    assert len(seen) <= 10
    assert min(box["width"] for box in seen if box) >= 24


def test_account_pages_have_their_menu_on_every_screen(visit: Visit, transactional_db: None) -> None:
    kimo = a.a_user("kimo")
    found = []
    for path in ("/me/", "/me/display/", "/me/tokens/", "/me/hooks/", "/me/notices/", "/me/data/", "/me/password/"):
        page = visit(path, as_=kimo)
        current = page.locator(".account > nav [aria-current]")
        expect(current).to_have_count(1)
        assert (current.get_attribute("href") or "") == path
        found += wrong_with(page)
    assert found == []
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.get_by_role("navigation", name="Account", exact=True)).to_be_hidden()
    hands = Hands(page)
    hands.reach(page.locator(".account-phone > summary"), "the menu")
    page.keyboard.press("Enter")
    hands.press("link", "Display")
    expect(page.get_by_role("heading", name="Display")).to_be_visible()


def ends_above_the_bar(page: Page, what: str, n: int = 0) -> bool:
    """Return whether an element can be seen whole on the first screen of a phone."""
    page.set_viewport_size({"width": 360, "height": 740})
    box, bar = page.locator(what).nth(n).bounding_box(), page.locator(".nav").bounding_box()
    assert box is not None
    assert bar is not None
    return box["y"] + box["height"] < bar["y"]


def test_a_phone_shows_the_tabs_of_a_bot_and_five_bots_of_the_list_at_once(
    visit: Visit, transactional_db: None
) -> None:
    bot, pool = a_rated_bot(1)
    assert ends_above_the_bar(visit(f"/b/{bot.slug}/"), "main > .tabs")
    page = visit(f"/b/{bot.slug}/versions/")
    assert ends_above_the_bar(page, "main > .tabs")
    head = page.locator(".portrait").bounding_box()
    assert head is not None
    assert head["height"] < 250
    for mu in (15, 16):
        other = a.a_bot()
        rated(pool, other.pk, mu, 1, version=other.active_version)
    page = visit("/b/")
    assert ends_above_the_bar(page, "tr[data-row]", 4)
    assert wrong_with(page) == []


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    """A phone without JavaScript."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    yield context.new_page()
    context.close()


def test_without_script_tabs_choose_between_paste_and_file(plain: Page, live_site: str, transactional_db: None) -> None:
    owner = a.a_user("kimo")
    log_in(plain.context, live_site, owner)
    plain.goto(f"{live_site}/b/new/")
    source, file = plain.get_by_label("Source code"), plain.locator("input[type=file]")
    expect(source).to_be_visible()
    expect(file).to_be_hidden()
    plain.get_by_role("radio", name="File").check()
    expect(source).to_be_hidden()
    expect(file).to_be_visible()
    plain.get_by_role("radio", name="Paste").check()
    plain.get_by_label("Name of the new bot").fill("Plum")
    expect(plain.get_by_role("checkbox").first).to_be_hidden()
    plain.get_by_role("button", name="Upload and check").click()
    expect(plain.get_by_role("heading", name="Plum v1")).to_be_visible()


def test_the_upload_looks_right_and_a_dropped_file_opens_its_tab(visit: Visit, transactional_db: None) -> None:
    page = visit("/b/new/", as_=a.a_user("kimo"))
    assert wrong_with(page) == []
    page.locator("details.folded").first.locator("summary").click()
    page.get_by_role("radio", name="File").check()
    assert wrong_with(page) == []
    page.get_by_role("radio", name="Paste").check()
    moved = page.evaluate_handle(
        "() => { const it = new DataTransfer(); it.items.add(new File(['x'], 'bot.py')); return it; }"
    )
    page.dispatch_event("[data-drop]", "drop", {"dataTransfer": moved})
    expect(page.get_by_role("radio", name="File")).to_be_checked()
    assert page.locator("input[type=file]").evaluate("each => each.files[0].name") == "bot.py"


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
def test_the_button_of_an_upload_is_on_the_first_screen(
    visit: Visit, transactional_db: None, size: tuple[int, int]
) -> None:
    page = visit("/b/new/", as_=a.a_user("kimo"))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    button = page.get_by_role("button", name="Upload and check").bounding_box()
    bar = page.locator(".nav").bounding_box()
    assert button is not None
    assert bar is not None
    end = bar["y"] if bar["y"] > button["y"] else size[1]
    assert button["y"] + button["height"] < end
    for row in page.locator("details.folded > summary").all():
        assert "(" not in row.inner_text()
        box = row.bounding_box()
        assert box is not None
        assert box["height"] >= 44


def test_who_may_enter_a_bot_has_a_page_as_wide_as_the_others(visit: Visit, transactional_db: None) -> None:
    bot, event = a.a_bot(), a.an_open_event()
    page = visit(f"/t/{event.slug}/entries/", as_=bot.owner)
    form, tabs = page.locator("form.enter").bounding_box(), page.locator("main > .tabs").bounding_box()
    assert form is not None
    assert tabs is not None
    assert tabs["width"] > 1000
    assert form["width"] == tabs["width"]
    assert form["height"] < 200, "one row: what, which and the button"
    assert wrong_with(page) == []


def test_from_sign_up_to_the_replay_of_the_first_match(page: Page, live_site: str, project: Project) -> None:
    page.goto(f"{live_site}/signup/")
    page.get_by_label("User name").fill("kimo")
    page.get_by_label("Password", exact=True).fill("plum-blossom-77")
    page.get_by_label("Repeat password").fill("plum-blossom-77")
    page.get_by_role("button", name="Create my account").click()
    expect(page.get_by_role("heading", name="Your first bot in two minutes")).to_be_visible()
    assert wrong_with(page) == []
    page.get_by_role("button", name="Let it play").click()
    expect(page.get_by_text("It is next.")).to_be_visible()
    assert wrong_with(page) == []
    project.worker()
    expect(page.get_by_text("It passed.")).to_be_visible(timeout=60_000)
    enter_with_somebody(Bot.objects.get(owner__username="kimo"))
    link = page.get_by_role("link", name="Watch its first match")
    expect(link).to_be_visible(timeout=60_000)
    assert wrong_with(page) == []
    link.click()
    page.wait_for_url("**/m/*/")
    assert Match.objects.filter(state="confirmed").exists()


def enter_with_somebody(bot: Bot) -> None:
    event: Tournament = a.an_open_event(name="Evening league")
    a.entered(event, [bot, a.a_bot()])
    start_tournament(tournament=event, by=event.created_by)
