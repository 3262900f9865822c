"""Rulesets side by side say what differs, all of it, and nothing else."""

from __future__ import annotations

import re
from html import unescape
from itertools import combinations

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from engine.games import PRESETS, option_table, ruleset
from tournaments.pages.rules.comparing import phrases_of

ROW = re.compile(r'<tr>\s*<th scope="row">\s*(?:<span class="about">.*?</span>\s*)?(.*?)\s*</th>(.*?)</tr>', re.DOTALL)
CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)
ANCHOR = re.compile(r'href="/rules/[a-z0-9_]+/#([a-z_-]+)"')
PAIRS = [pair for pair in combinations(sorted(PRESETS), 2) if PRESETS[pair[0]].game == PRESETS[pair[1]].game]


def rows_of(client: Client, query: str) -> list[tuple[str, list[str]]]:
    text = client.get(f"/rules/compare/?{query}").content.decode()
    return [(title, CELL.findall(cells)) for title, cells in ROW.findall(text)]


@pytest.mark.django_db
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_options_that_differ_are_there_and_no_other(client: Client, pair: tuple[str, str]) -> None:
    one, two = (ruleset(each).options for each in pair)
    different = {
        info.id for info in option_table(PRESETS[pair[0]].game) if getattr(one, info.id) != getattr(two, info.id)
    }
    rows = rows_of(client, f"a={pair[0]}&b={pair[1]}")
    meanings = {info.id: info.meaning for info in option_table(PRESETS[pair[0]].game)}
    linked = {title for title, cells in rows if all(len(ANCHOR.findall(cell)) == 1 for cell in cells)}
    assert linked == {meanings[each] for each in different}, "one link for one thing"
    for title, cells in rows:
        assert len(cells) == 2
        assert cells[0] != cells[1], title
        assert any("<b>" in cell for cell in cells), title


@pytest.mark.django_db
def test_what_differs_leads_to_the_clauses_of_both(client: Client) -> None:
    cells = dict(rows_of(client, "a=hawaii&b=french"))
    block = next(found for title, found in cells.items() if title.startswith("What stops the wild Gaji"))
    for preset, cell in zip(("hawaii", "french"), block, strict=True):
        assert f'href="/rules/{preset}/#gaji-block" title="The block"' in cell
        assert 'id="gaji-block"' in client.get(f"/rules/{preset}/").content.decode()
    hiki = next(found for title, found in cells.items() if title.startswith("Capturing a whole month"))
    assert "#declaring-hiki" in hiki[0]
    assert "#declaring-hiki" not in hiki[1], "the French rules know none"
    assert "no such" in hiki[1]


@pytest.mark.django_db
def test_each_column_ends_with_its_ruleset_to_play(client: Client) -> None:
    text = client.get("/rules/compare/?a=hawaii&b=poka5&c=nuki88").content.decode()
    ends = text.partition("<tfoot>")[2].partition("</tfoot>")[0]
    assert re.findall(r'href="([^"]+)"', ends) == [f"/play/?preset={each}" for each in ("hawaii", "poka5", "nuki88")]
    assert text.count("<tfoot>") == 1, "once, below all tables"


@pytest.mark.django_db
def test_a_rule_about_a_card_shows_the_card(client: Client) -> None:
    text = client.get("/rules/compare/?a=hawaii&b=french").content.decode()
    heads = re.findall(r'<th scope="row">(.*?)</th>', text, re.DOTALL)
    shown = {" ".join(re.sub(r"<[^>]+>", "", each).split()): "#c1104" in each for each in heads}
    assert {title for title, has_card in shown.items() if has_card} == {each for each in shown if "Gaji" in each}
    assert sum(shown.values()) == 3


@pytest.mark.django_db
def test_rulesets_of_two_games_are_compared_by_what_both_have(client: Client) -> None:
    rows = dict(rows_of(client, "a=hawaii&b=poka5&c=nuki88"))
    assert [re.sub(r"<[^>]+>|\s", "", cell) for cell in rows["Players"]] == ["2–7", "2–2", "2–4"]
    assert not any(ANCHOR.search(cell) for cells in rows.values() for cell in cells)


def test_the_words_that_part_are_marked_and_the_others_are_not() -> None:
    one, two = phrases_of(["the dealer captures them", "the deal is void"])
    assert [(part.text, part.differs) for part in one] == [("the", False), ("dealer captures them", True)]
    assert [(part.text, part.differs) for part in two] == [("the", False), ("deal is void", True)]
    assert [part.differs for part in phrases_of(["a b c", "a b", "a c"])[0]] == [False, True]


@pytest.mark.django_db
def test_words_are_marked_only_where_few_of_them_part_and_the_link_keeps_the_last_one(client: Client) -> None:
    rows = dict(rows_of(client, "a=hawaii&b=french"))
    text = client.get("/rules/compare/?a=hawaii&b=french").content.decode()
    assert 'class="apart"' not in text.split("When the deal ends")[1].split("</tr>")[0]
    assert text.split("Four cards of a month dealt")[1].split("</tr>")[0].count('class="apart"') == 2
    ends = rows["When the deal ends"][0].split('<span class="last">')
    assert "<b>and pile</b>" in ends[0]
    assert ends[1].startswith("empty")


@pytest.mark.django_db
def test_something_is_compared_before_anything_is_chosen(client: Client) -> None:
    first = client.get("/rules/compare/").content.decode()
    assert re.findall(r'<option value="(\w+)" selected', first) == ["hawaii", "french"]
    assert "<b>" in first
    other = client.get("/rules/compare/?a=poka3").content.decode()
    assert re.findall(r'<option value="(\w+)" selected', other) == ["poka3", "poka5"]


@pytest.mark.django_db
def test_names_that_are_none_are_told_and_twins_count_once(client: Client) -> None:
    text = unescape(client.get("/rules/compare/?a=hawaii&b=hawaii&c=koikoi").content.decode())
    assert "There is no ruleset called koikoi" in text
    assert "Choose two rulesets" in text
    assert client.get("/rules/compare/?a=<script>").content.decode().count("<script>") == 0


@pytest.mark.slow
def test_two_are_chosen_and_compared_by_keyboard_on_a_phone(live_site: str, page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 780})
    page.goto(f"{live_site}/rules/hawaii/")
    page.locator("main summary", has_text="More").press("Enter")
    page.get_by_role("link", name="Compare with others").press("Enter")
    page.get_by_label("Ruleset 2").select_option("paradise")
    expect(page).to_have_url(re.compile(r"a=hawaii&b=paradise"))
    expect(page.locator("thead").get_by_role("link", name="Paradise")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 240})
    page.locator("tbody tr").last.scroll_into_view_if_needed()
    assert page.locator("thead").evaluate("head => head.getBoundingClientRect().top") == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 360
