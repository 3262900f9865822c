"""The viewer's tools: playing on its own, guessing, asking, links, the spoken regions, an owner's log in step."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from bots.models import Blob
from core.replay.words import deal_text
from tests.browser.looking import log_in
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import ENGLISH, at, opened, replay_of


@pytest.mark.slow
def test_a_link_is_copied_or_it_is_said_where_it_is(live_site: str, browser: Browser) -> None:
    match = a_finished_match(seats=2, rounds=1)
    for allowed, said in (([], "address line"), (["clipboard-read", "clipboard-write"], "Link copied")):
        context = browser.new_context(permissions=allowed)
        if not allowed:  # as on plain http, where there is no clipboard to write to
            context.add_init_script(script="Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page = opened(context.new_page(), live_site, match, "#d1m5s2")
        page.get_by_role("button", name="Copy link").click()
        expect(page.locator('[data-rp="done"]')).to_contain_text(said)
        if allowed:
            assert page.evaluate("navigator.clipboard.readText()") == f"{live_site}/m/{match.uuid}/#d1m5s2"
        context.close()


@pytest.mark.slow
def test_where_the_line_is_lost_the_link_is_in_the_address(live_site: str, page: Page) -> None:
    """What copies comes when it is asked for."""
    opened(page, live_site, a_finished_match(rounds=1), "#d1m5")
    page.route("**/copy*.js", lambda route: route.abort())
    page.locator('[data-do="link"]').click()
    expect(page.locator('[data-rp="done"]')).to_contain_text("address line")


@pytest.mark.slow
def test_what_a_seat_knows_is_loaded_for_the_first_who_looks_as_one(live_site: str, page: Page) -> None:
    """Without a connection it is not: the reader is told, sees all hands still and goes on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2].partition(".")[0]))
    page.route("**/knowledge*.js", lambda route: route.abort())
    opened(page, live_site, a_finished_match(seats=2, rounds=2))
    page.keyboard.press("ArrowRight")
    assert at(page) == "#d1m1"
    assert "knowledge" not in asked
    page.keyboard.press("1")
    expect(page.locator('[data-rp="failed"]')).to_be_visible()
    assert page.locator(".rp-hidden").count() == 0
    page.keyboard.press("ArrowRight")
    assert at(page) == "#d1m2"


@pytest.mark.slow
def test_of_two_views_asked_for_the_later_one_is_shown(live_site: str, page: Page) -> None:
    """Also where the script that the first one needs comes late."""
    waiting: list[Route] = []
    page.route("**/knowledge*.js", lambda route: waiting.append(route))  # a method of a list cannot be marked
    opened(page, live_site, a_finished_match(seats=2, rounds=1))
    with page.expect_request("**/knowledge*.js"):
        page.keyboard.press("1")
    page.keyboard.press("0")
    page.keyboard.press("ArrowRight")
    with page.expect_response("**/knowledge*.js"):
        waiting[0].continue_()
    page.wait_for_function("() => document.querySelector('hanami-replay').view.knowledge")
    assert at(page) == "#d1m1"
    assert page.locator(".rp-hidden").count() == 0


@pytest.mark.slow
def test_an_address_can_name_a_seat_to_look_from(live_site: str, page: Page) -> None:
    opened(page, live_site, a_finished_match(seats=2, rounds=2), "#d1m3s1")
    expect(page.locator(".rp-others .rp-hidden")).to_have_count(1)
    page.evaluate("() => { location.hash = '#d1m2s2'; }")
    expect(page.locator('[data-view="2"][aria-current]')).to_have_count(1)
    expect(page.locator('[data-rp="where"]')).to_contain_text("move 2")


@pytest.mark.slow
def test_a_record_that_does_not_come_is_said_and_links_go_on(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    page.route("**/record.json?*", lambda route: route.abort())
    page.goto(f"{live_site}/m/{match.uuid}/")
    expect(page.get_by_role("alert")).to_contain_text("We could not load the record")
    page.get_by_role("link", name="Next move").click()
    assert "m=1" in page.url


@pytest.mark.slow
def test_the_log_keeps_in_step_with_the_moves(live_site: str, browser: Browser) -> None:
    match = a_finished_match(seats=2, rounds=1)
    seat = match.seats.get(index=0)
    own = [move.number for move in replay_of(match).deals[0].moves if move.seat == 0]
    seat.log = Blob.objects.put(b"first thought\n<b>second</b>")
    seat.log_marks = [[1, own[0], 14], [1, own[1], 27]]
    seat.save()
    assert seat.bot_version is not None
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    log_in(context, live_site, seat.bot_version.bot.owner)
    page = opened(context.new_page(), live_site, match, f"#d1m{own[0]}")
    here = page.locator('[data-rp="log"]')
    expect(here).to_contain_text("Plum printed here")
    expect(here.locator("pre")).to_have_text("first thought")
    page.evaluate(f"location.hash = '#d1m{own[1]}'")
    expect(here.locator("pre")).to_have_text("<b>second</b>")
    expect(page.locator(".rp-log [aria-current] pre")).to_have_text("<b>second</b>")
    page.keyboard.press("Home")
    expect(here).to_contain_text("Nothing was printed here")
    context.close()


@pytest.mark.slow
def test_guessing_hides_what_comes(live_site: str, page: Page) -> None:
    opened(page, live_site, a_finished_match(seats=2, rounds=1), "#d1m4")
    page.get_by_role("button", name="Guess").click()
    expect(page.locator(".rp-moves li:visible")).to_have_count(5)  # its script is loaded now
    page.keyboard.press("ArrowRight")
    assert page.locator(".rp-moves li:visible").count() == 6
    assert page.locator(".rp-strip thead a:visible").count() == 0  # the strip would tell how the deal ends
    page.keyboard.press("End")
    assert page.locator(".rp-strip thead a:visible").count() == 1


@pytest.mark.slow
def test_playing_stops_at_the_end(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    last = len(replay_of(match).deals[0].moves)
    opened(page, live_site, match, f"#d1m{last - 2}")
    button = page.locator('[data-go="play"]')
    for speed in ("1", "2"):
        page.get_by_role("button", name=f"Speed {speed}×").click()
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    expect(page).to_have_url(re.compile(f"#d1m{last}$"), timeout=60_000)
    expect(button).to_have_attribute("aria-pressed", "false", timeout=60_000)


@pytest.mark.slow
def test_two_regions_take_turns_so_repeats_are_read_again(live_site: str, page: Page) -> None:
    opened(page, live_site, a_finished_match(seats=2, rounds=1))
    regions = page.locator('[data-rp="say"]')
    assert [regions.nth(i).get_attribute("aria-live") for i in (0, 1)] == ["polite", "polite"]
    heard = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        heard.append([regions.nth(i).inner_text() for i in (0, 1)])
    assert [bool(one) for one, _two in heard] in ([True, False, True], [False, True, False])
    assert all(bool(one) != bool(two) for one, two in heard)


@pytest.mark.slow
def test_each_move_is_announced_once_and_what_is_repeated_twice(live_site: str, page: Page) -> None:
    """The accessibility tree has it: of two polite regions one holds the sentence, and no other one is spoken."""
    match = a_finished_match(seats=2, rounds=1)
    said = deal_text(replay_of(match), ENGLISH, replay_of(match).deals[0])
    opened(page, live_site, match)
    page.evaluate(HEARD)
    for _move in said[1:]:
        page.keyboard.press("ArrowRight")
    assert page.evaluate("window.heard") == said[1:]
    for key in ("ArrowLeft", "ArrowRight", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("window.heard")[-4:] == [said[-2], said[-1]] * 2
    spoken = spoken_regions(page)
    assert [each for each in spoken if each] == [said[-1]]
    page.keyboard.press("ArrowRight")  # there is no further move: nothing is said
    assert len(page.evaluate("window.heard")) == len(said) + 3


HEARD = """() => {
  window.heard = [];
  const note = (changes) => {
    for (const { target } of changes) {
      const place = target.nodeType === 3 ? target.parentElement : target;
      const region = place.closest('[aria-live], [role=status], [role=alert]');
      if (region && region.textContent) window.heard.push(region.textContent);
    }
  };
  new MutationObserver(note).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
"""All that changes inside a region that is spoken, anywhere on the page."""


def spoken_regions(page: Page) -> list[str]:
    """The texts of all live regions of the accessibility tree that are not its answers to questions or its news."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in tree}

    def text(node: dict[str, Any]) -> str:
        own = node.get("name", {}).get("value", "") if node["role"]["value"] == "StaticText" else ""
        return own or "".join(text(by_id[child]) for child in node.get("childIds", ()) if child in by_id)

    is_live = {"name": "live", "value": {"type": "token", "value": "polite"}}
    live = [node for node in tree if is_live in node.get("properties", ())]
    return [text(node) for node in live if node["role"]["value"] == "paragraph"]


@pytest.mark.slow
def test_the_command_box_answers_in_words(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=1)
    third = deal_text(replay_of(match), ENGLISH, replay_of(match).deals[0])[3]
    opened(page, live_site, match)
    page.keyboard.press("t")
    for command, says in (
        ("s", "Total"), ("h", "Hand: 8"), ("c 1", "Total"), ("l", "the cards of deal"),
        ("k", "All hands are open here"),
        ("x", "No such command"), ("g d1m3", third),
    ):  # fmt: skip
        page.get_by_label("Ask", exact=True).fill(command)
        page.keyboard.press("Enter")
        expect(page.locator('[data-rp="answer"]'), command).to_contain_text(says)


@pytest.mark.slow
def test_a_line_below_the_table_leads_to_any_move(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=2)
    opened(page, live_site, match, "#d2m3")
    line, last = page.get_by_role("slider", name="Moves of this deal"), len(replay_of(match).deals[1].moves)
    expect(line).to_have_value("3")
    expect(line).to_have_attribute("aria-valuetext", f"Deal 2 of 2, move 3 of {last}")
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        box = line.bounding_box()
        assert box is not None
        line.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
        assert at(page) == f"#d2m{last}"
        page.keyboard.press("ArrowLeft")
        assert at(page) == f"#d2m{last - 1}"
        line.fill("0")
        assert at(page) == "#d2m0"


@pytest.mark.slow
def test_at_the_end_of_a_match_play_begins_again(live_site: str, page: Page) -> None:
    match = a_finished_match(seats=2, rounds=2)
    last = len(replay_of(match).deals[1].moves)
    opened(page, live_site, match, f"#d2m{last}")
    play = page.locator(".rp-play")
    expect(play.locator(".rp-again")).to_be_visible()
    play.click()
    expect(page.locator(".rp-where")).to_contain_text("Deal 1 of 2, move 1 ")
    expect(play).to_have_attribute("aria-pressed", "true")
    play.click()
    expect(play.locator(".rp-go")).to_be_visible()
