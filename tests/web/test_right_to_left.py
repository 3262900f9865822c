"""Names written from right to left keep their places on every page: positions are compared in a real Chromium."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.builders import events as a
from tests.builders.clubs import round_of, tables_of, totals
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, hall
from tournaments.entries.people import add_list, check_in_all
from tournaments.events.create import create_tournament
from tournaments.models import Tournament
from tournaments.progress.rounds import call_round
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.scores.actions import Actor, dispute_result, submit_result
from tournaments.scores.slips import slip_token

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]

NAMES: Final = (
    ("שלום עולם", "מועדון 7"),
    ("مرحبا بالعالم", "نادي"),
    ("Ben כהן", ""),
    ("ז'ק בן-דוד", "Lyon"),
    ("فريق ٢", ""),
    ("Aiko", "דן"),
    ("می‌خواهم 4", ""),
    ("דנה (Dana) לוי", ""),
)
SWAPPED: Final = r"""() => {
  const SCRIPT = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc";
  const PIECE = new RegExp(`[${SCRIPT}]+(?:[ '’.\\-\\u200c]+[${SCRIPT}]+)*|[^\\s${SCRIPT}\\u2066-\\u2069]+`, "gu");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const places = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const holder = text.parentElement;
    if (!holder.checkVisibility() || holder.closest("textarea, script, option, svg, .sr")) continue;
    let block = holder;
    while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    for (const found of text.data.matchAll(PIECE)) {
      const range = document.createRange();
      range.setStart(text, found.index);
      range.setEnd(text, found.index + found[0].length);
      const boxes = [...range.getClientRects()];
      if (boxes.length !== 1) continue;  // of a piece that goes on in the next line nothing can be said
      places.push({ block, text: found[0], box: boxes[0] });
    }
  }
  const wrong = [];
  for (let at = 1; at < places.length; at += 1) {
    const [one, other] = [places[at - 1], places[at]];
    const isOneLine = one.block === other.block && Math.abs(one.box.bottom - other.box.bottom) < one.box.height / 2;
    if (isOneLine && other.box.left < one.box.right - 1) wrong.push(`${one.text} | ${other.text}`);
  }
  return wrong;
}"""
"""Neighbours on one line that are drawn in another order than they are written."""
LINKS: Final = "() => [...document.querySelectorAll('a[href]')].map((each) => each.getAttribute('href'))"


def a_night_of_two_directions(**changes: object) -> Tournament:
    """Round 1 is called: a result counts, one waits for its confirmation, one is in dispute."""
    by = a.a_user()
    plan = a.a_plan(**{"name": "ערב 12", "who": "people", "kind": "swiss", "rounds": 3, **changes})
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    add_list(tournament=event, by=by, data="\n".join(",".join(each) for each in NAMES).encode())
    check_in_all(tournament=event, by=by)
    start_tournament(tournament=event, by=by)
    call_round(round_row=round_of(event, 1), by=by)
    first, second, *others = tables_of(event)
    submit_result(match=first, actor=Actor(user=by), claim=totals(100, 140))
    submit_result(match=second, actor=Actor(side=0), claim=totals(150, 90))
    for match in others[:1]:
        submit_result(match=match, actor=Actor(side=0), claim=totals(150, 90))
        dispute_result(match=match, actor=Actor(side=1))
    return event


def swapped(page: Page, address: str) -> list[str]:
    """Return what stands in the wrong place there."""
    page.goto(address)
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
    found: list[str] = page.evaluate(SWAPPED)
    return [f"{address}: {each}" for each in found]


@pytest.mark.slow
def test_figures_stay_with_their_names_at_desk_sheets_projector_and_phones(hall: Hall) -> None:
    event = a_night_of_two_directions()
    desk, phone = hall.open(event.created_by), hall.open(size=PHONE)
    pages = ("desk/", "grid/", "grid/1/", "print/1/", "screen/", "standings/", "rounds/", "entries/", "undo/", "feed/")
    wrong = [each for path in pages for each in swapped(desk, f"{hall.site}/t/{event.slug}/{path}")]
    wrong += [each for match in tables_of(event) for each in swapped(phone, f"{hall.site}/e/{slip_token(match, 1)}/")]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["swiss", "round_robin", "single_elim", "rotation"])
def test_every_page_of_an_event_keeps_names_in_their_places(hall: Hall, kind: str) -> None:
    pairs = {"seats": 4, "options": {"rounds": 3, "teams": "2x2"}} if kind == "rotation" else {}
    event = a_night_of_two_directions(kind=kind, **pairs)
    desk = hall.open(event.created_by)
    seen: list[str] = [f"/t/{event.slug}/", f"/t/{event.slug}/desk/"]
    wrong = []
    for path in seen:  # grows while it is walked
        wrong += swapped(desk, hall.site + path)
        links: list[str] = desk.evaluate(LINKS)
        own = (f"/t/{event.slug}/", "/m/", "/x/", "/e/")
        pages = [link.split("#")[0] for link in links if link.startswith(own) and "." not in link.split("/")[-1]]
        seen += [link for link in dict.fromkeys(pages) if link not in seen and len(seen) < 90]
    assert len(seen) > 20
    assert wrong == []
