"""The newest match on the home page: a still, and the frame that plays it."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from django.test import Client
from playwright.sync_api import Browser, expect

from tests.browser.looking import axe_violations, sideways
from tests.builders import events as a
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import replay_of
from tests.web.test_home import read
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
Motion = Literal["no-preference", "reduce"]


def test_the_newest_match_is_played_in_a_frame_of_the_page_alone(client: Client) -> None:
    match = a_finished_match(seats=2, rounds=1)
    page = read(client)
    assert '<template>\n<iframe src="/m/newest/" loading="lazy"' in page
    assert "felt-table" in page, "the still, until the frame plays and where nothing may move"
    answer = client.get("/m/newest/")
    frame = answer.content.decode()
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    scene = re.search(r"\?d=1&amp;m=(\d+)#replay", page)
    assert scene
    assert int(scene[1]) > 0
    assert f'data-deal="1" data-move="{scene[1]}"' in frame, "the place that the still shows"
    after = frame.partition("</hanami-replay>")[2]
    assert "<b>" not in after, "how it ended is told when it ends: before, it would be a second score"
    assert re.search(r'data-until="1\.\d+" data-next="/m/newest/"', frame)
    assert f'href="/m/{match.uuid}/#replay" target="_top"' in frame


def test_the_felt_outlines_what_has_just_moved_and_who_moved_it(client: Client) -> None:
    """The cards that the words tell of are drawn, also where more valuable ones were captured."""
    replay = replay_of(a_finished_match(seats=2, rounds=1))
    page = read(client)
    scene = re.search(r"\?d=1&amp;m=(\d+)#replay", page)
    assert scene
    move = replay.deals[0].moves[int(scene[1]) - 1]
    moved = {f"c{effect.card.replace('.', '0')}" for effect in move.effects}
    assert set(re.findall(r'class="card moved".*?#(c\d{4})"', page)) == moved
    movers = re.findall(r'<div class="felt-side[^"]* mover">.*?<b>(.*?)</b>', page, flags=re.DOTALL)
    assert movers == [replay.names[move.seat]]


def test_the_match_on_the_felt_is_no_row_of_new_replays(client: Client) -> None:
    first = a_finished_match(seats=2, rounds=1)
    page = read(client)
    assert f'href="/m/{first.uuid}/' in page
    assert "New replays" not in page
    assert "No match has been played yet" not in page
    second = a_finished_match(seats=2, rounds=1)
    rows = read(client).partition("New replays")[2]
    assert f"/m/{first.uuid}/" in rows
    assert f"/m/{second.uuid}/" not in rows


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_felt_moves_where_something_may_move(browser: Browser, live_site: str, motion: Motion) -> None:
    a_finished_match(seats=2, rounds=1)
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion=motion)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(live_site)
    expect(page.locator(".felt-now .felt-table")).to_be_visible()
    assert not any("newest" in url for url in asked), "the page itself comes first"
    if motion == "reduce":
        page.mouse.wheel(0, 900)
        page.wait_for_load_state("networkidle")
        assert not any("newest" in url for url in asked)
    else:
        page.locator(".felt-now").scroll_into_view_if_needed()
        where = page.frame_locator(".felt-now iframe").locator(".rp-where")
        expect(where).to_contain_text(re.compile(r"move [1-9]"), timeout=20_000)
        expect(page.locator(".felt-now .felt-table")).to_be_hidden()
    assert axe_violations(page) + sideways(page) == []
    context.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("seats", [2, 4])
def test_all_of_the_felt_is_on_the_first_screen(browser: Browser, live_site: str, seats: int, motion: Motion) -> None:
    a_finished_match(seats=seats, rounds=1)
    with browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion=motion) as context:
        page = context.new_page()
        page.goto(live_site)
        if motion == "no-preference":
            expect(page.locator(".felt-now")).to_have_class(re.compile("plays"), timeout=20_000)
            felt = page.frame_locator(".felt-now iframe").locator(".rp-table")
        else:
            felt = page.locator(".felt-now .felt-table")
        box = felt.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 800, box


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("seats", "width", "height"),
    [
        (2, 326, 550),
        (4, 326, 576),
        (7, 326, 576),
        (2, 522, 496),
        (4, 522, 496),
        (7, 522, 576),
        (2, 660, 496),
        (4, 660, 496),
        (7, 660, 496),
    ],
)
def test_the_frame_of_the_newest_match_holds_all_of_it(
    browser: Browser, live_site: str, seats: int, width: int, height: int
) -> None:
    a_finished_match(seats=seats, rounds=1)
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(live_site + "/m/newest/")
    expect(page.locator(".rp-where")).to_contain_text(re.compile(r"move [1-9]"), timeout=20_000)
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    expect(page.locator(".rp-scrub")).to_be_hidden()
    if seats == 2 and width > 326:
        expect(page.locator(".rp-kinds .hc").first).to_be_visible()
        expect(page.locator(".rp-open").first).to_be_hidden()
    expect(page.locator(".rp-line")).to_be_hidden()  # the last line says it
    context.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("width", [522, 654])
def test_eight_cards_of_the_frame_lie_in_two_rows_of_four(browser: Browser, live_site: str, width: int) -> None:
    a_finished_match(seats=2, rounds=1)
    with browser.new_context(viewport={"width": width, "height": 638}, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(live_site + "/m/newest/?d=1&m=0")
        cards = page.locator(".rp-places .hc")
        expect(cards).to_have_count(8)
        rows = cards.evaluate_all("all => all.map((each) => each.getBoundingClientRect().top)")
        assert [sum(abs(row - first) < 9 for row in rows) for first in (rows[0], rows[-1])] == [4, 4], rows


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("coming", [1, 2, 3, 4])
def test_what_comes_up_has_room_beside_the_deal_of_the_day(browser: Browser, live_site: str, coming: int) -> None:
    a_finished_match(seats=2, rounds=1)
    for number in range(coming):
        a.an_open_event(name=f"Open cup {number}")
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.goto(live_site)
        expect(page.locator(".now > div")).to_have_count(2)
        widths = page.locator(".soon > li").evaluate_all("all => all.map((each) => each.offsetWidth)")
        assert len(widths) == coming
        assert min(widths) > 280, widths


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_comes_first_is_named_on_the_first_screen(browser: Browser, live_site: str) -> None:
    """Beside a match with one row of cards on its field."""
    a.an_open_event(name="Open cup")
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        for _ in range(20):
            played = a_finished_match(seats=2, rounds=1)
            Tournament.objects.filter(pk=played.stage.tournament_id).update(state="finished")
            page.goto(live_site)
            if page.locator(".newest .felt-cards .card").count() <= 5:
                break
        box = page.locator(".coming h3").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 800, box


def test_the_frame_of_the_newest_match_can_be_halted(browser: Browser, live_site: str) -> None:
    a_finished_match(seats=2, rounds=1)
    page = browser.new_context(viewport={"width": 660, "height": 496}).new_page()
    page.clock.install()
    page.goto(live_site + "/m/newest/")
    button, where = page.locator(".rp-play"), page.locator(".rp-where")
    expect(button).to_have_attribute("aria-pressed", "true")
    begun = where.inner_text()
    page.clock.run_for(2_000)
    expect(where).not_to_have_text(begun)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    halted = where.inner_text()
    page.clock.run_for(10_000)
    expect(where).to_have_text(halted)
    button.click()
    page.clock.run_for(2_000)
    expect(where).not_to_have_text(halted)


def test_who_plays_on_what_plays_itself_still_has_a_button_to_pause(browser: Browser, live_site: str) -> None:
    a_finished_match(seats=2, rounds=1)
    page = browser.new_context(viewport={"width": 660, "height": 496}).new_page()
    page.clock.install()
    page.goto(live_site + "/m/newest/")
    button = page.locator(".rp-play")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.locator("hanami-replay").evaluate("each => each.toggle()")  # as its key does, where it has keys
    page.clock.run_for(2_000)
    expect(button).to_have_attribute("aria-pressed", "true")
