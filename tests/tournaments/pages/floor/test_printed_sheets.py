"""Printed sheets: slips with a grid for every deal and room to sign, the rule card of the stage, three slips a page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from engine.games import PRESETS
from tests.builders.clubs import a_called_night
from tests.builders.paper import pages_of
from tests.builders.teams import a_drawn_night
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.progress.test_people_chains import KNOCK_OUT, a_night, play_and_close
from tournaments.models import Tournament
from tournaments.pages.floor.print_sheets import deal_grid
from tournaments.progress.run import start_tournament
from tournaments.progress.stage_actions import draw_stage

OVER = """() => [...document.querySelectorAll(".slips > li")]
  .map((li) => [li.offsetHeight, li.scrollWidth - li.clientWidth])
  .filter(([high, right]) => high > 326 || right > 1)"""
"""Slips of which three are higher than a page of Letter (86 mm each), or from which something sticks out."""
UNEVEN = """() => [...document.querySelectorAll(".slips .grid")].map((grid) => {
  const rows = [...grid.querySelectorAll(".deals")].map((each) => [...each.tBodies[0].rows].map(
    (row) => Math.round(row.getBoundingClientRect().top)));
  return rows[0].filter((top, i) => rows.some((other) => i < other.length && other[i] !== top)).length;
})"""
"""Rows of each slip whose deals do not stand on one line with those beside them."""
TWO_SIDES = frozenset({"nuki88", "koikoi_nintendo", "koikoi_fuda", "koikoi_zoo"})
"""Presets whose rules fill both sides of a sheet of A5."""
LOWEST = {"oibana": 3}
"""Seats of a preset that is not played by two."""


def printed(event: Tournament, sheet: str) -> str:
    answer = as_one(event.created_by).get(f"/t/{event.slug}/print/1/?sheet={sheet}")
    assert answer.status_code == 200
    return answer.content.decode()


def text(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


@pytest.mark.parametrize(
    ("deals", "sides", "blocks"),
    [(1, 2, [1]), (6, 2, [6]), (9, 2, [5, 4]), (12, 2, [6, 6]), (12, 7, [12]), (18, 3, [9, 9]),
     (36, 2, [12, 12, 12]), (18, 4, []), (40, 2, [])],
)  # fmt: skip
def test_deals_stand_in_blocks_that_can_be_written_in(deals: int, sides: int, blocks: list[int]) -> None:
    found = deal_grid(deals, sides)
    assert [len(block) for block in found] == blocks
    assert [n for block in found for n in block] == (list(range(1, deals + 1)) if blocks else [])


@pytest.mark.slow
@pytest.mark.django_db
def test_a_slip_has_a_row_for_every_deal_and_is_signed_twice() -> None:
    event = a_called_night(people=4, options={"rounds": 12})
    page = printed(event, "slips")
    slips = page.split('<li class="box">')[1:]
    assert len(slips) == 4
    for slip in slips:
        numbers = [int(n) for n in re.findall(r'<th scope="row">(\d+)</th>', slip)]
        assert numbers == list(range(1, 13))
        assert slip.count("<td></td>") == 13 * 2, "a sum below"
        assert slip.count('class="sign"') == 2
    many = a_called_night(people=4, name="Long night", options={"rounds": 40})
    assert '<dl class="sums">' in printed(many, "slips"), "too many deals for a slip: the sums alone"


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("preset", PRESETS)
def test_the_rule_card_says_every_rule_of_a_stage(preset: str) -> None:
    seats = LOWEST.get(preset, 2)
    event = a_called_night(people=6, preset=preset, seats=seats, kind="tables" if seats > 2 else "swiss", options={})
    page = text(printed(event, "rules"))
    client = as_one(None)
    for title in re.findall(r'<section id="[-\w]+">\s*<h3>([^<]+)', client.get(f"/rules/{preset}/").content.decode()):
        assert title.strip() in page
    assert f"{seats} at a table" in page
    assert "%(" not in page


@pytest.mark.slow
@pytest.mark.django_db
def test_letters_stand_for_sides_above_the_boxes_of_a_slip() -> None:
    event = a_called_night(people=4, options={"rounds": 12})
    for slip in printed(event, "slips").split('<li class="box">')[1:]:
        legend = re.findall(r"<dt>(\w)</dt>\s*<dd>([^<]+)", slip)
        assert [letter for letter, _name in legend] == ["A", "B"]
        columns = re.findall(r'<abbr title="([^"]+)">(\w)</abbr>', slip)
        assert columns == [(name.strip(), letter) for letter, name in legend] * 2, "two blocks of six"
        own = re.findall(r'<div class="own">\s*<dt>\w</dt>\s*<dd>([^<]+)', slip)
        assert own == re.findall(r'<p class="who">([^<]+)', slip)
        assert re.search(r'<p class="table-no">\s*Table <b>\d+</b>', slip)


@pytest.mark.timeout(180)
@pytest.mark.slow
def test_the_rule_card_is_a_sheet_of_a5_with_the_cards(
    visit: Callable[..., Page], live_site: str, transactional_db: None
) -> None:
    for preset in PRESETS:
        seats = LOWEST.get(preset, 2)
        kind = "tables" if seats > 2 else "swiss"
        event = a_called_night(people=6, name=preset, preset=preset, seats=seats, kind=kind, options={})
        page = visit(f"/t/{event.slug}/print/1/?sheet=rules", as_=event.created_by)
        assert page.locator(".rule-months .card").count() == 48
        paper = page.pdf(prefer_css_page_size=True)
        sizes = {
            tuple(round(float(each)) for each in size.split()) for size in re.findall(rb"MediaBox \[([^\]]*)", paper)
        }
        assert sizes == {(0, 0, 420, 595)}, preset
        assert pages_of(paper) == (2 if preset in TWO_SIDES else 1), preset


@pytest.mark.slow
@pytest.mark.django_db
def test_a_rule_that_the_organiser_chose_is_named() -> None:
    usual = a_called_night(people=4, options={})
    assert "House rules:" not in text(printed(usual, "rules"))
    chosen = a_called_night(people=4, name="Short night", options={"rounds": 3})
    page = text(printed(chosen, "rules"))
    assert "House rules:" in page
    pairs = a_drawn_night()
    start_tournament(tournament=pairs, by=pairs.created_by)
    assert "4 at a table" in text(printed(pairs, "rules"))


@pytest.mark.slow
@pytest.mark.django_db
def test_a_bracket_is_a_sheet_too() -> None:
    event = a_night(then=(KNOCK_OUT,), name="Pools and a cup")
    play_and_close(event, 1)
    draw_stage(tournament=event, by=event.created_by, order=2)
    here = f"/t/{event.slug}/bracket/?stage=2"
    page = as_one(event.created_by).get(f"/t/{event.slug}/print/1/?stage=2&sheet=pairings").content.decode()
    assert here in page.replace("&amp;", "&")
    assert as_one(None).get(here).status_code == 200


@pytest.mark.timeout(120)
@pytest.mark.slow
def test_what_is_printed_fits_its_paper(visit: Callable[..., Page], live_site: str, transactional_db: None) -> None:
    """A4 and Letter: a slip holds all that stands on it, at two and at four sides, with long names."""
    nights = [
        a_called_night(people=4, options={"rounds": 12}),
        a_called_night(people=8, name="A night of four at each table", seats=4, kind="tables", options={"rounds": 12}),
    ]
    for event in nights:
        for number, entry in enumerate(event.entries.select_related("player").order_by("pk")):
            entry.player.name = f"{entry.player.name} Kealoha-Nakamura the {number}th"
            entry.player.save(update_fields=["name"])
        page = visit(f"/t/{event.slug}/print/1/?sheet=slips", as_=event.created_by)
        page.emulate_media(media="print")
        for width in (718, 740):  # A4 and Letter without their margins, in CSS pixels
            page.set_viewport_size({"width": width, "height": 1000})
            assert page.evaluate(OVER) == [], (event.name, width)
            assert not any(page.evaluate(UNEVEN)), (event.name, width)
