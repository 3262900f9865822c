"""Stills of the rules: cards of the clause's own example, where they go, and what they say."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from django.test import Client
from playwright.sync_api import Browser

from engine.cards import CODES
from engine.games import PRESETS
from tournaments.pages.rules.rules import clauses_of
from tournaments.pages.rules.stills import BESIDE, CARD, MAX_CARDS, ClauseStill, still_of

SYMBOLS = {f"c{code[:2]}0{code[3]}" for code in CODES}
EVERY = [(preset, clause.id) for preset in PRESETS for clause in clauses_of(preset)]
FLYING = """(still) => {
  const card = still.querySelector('.flies');
  card.getAnimations().forEach((each) => { each.pause(); each.currentTime = 1000; });
  return card.getAnimations().length && new DOMMatrix(getComputedStyle(card).transform).e;
}"""


def still_at(preset: str, topic: str) -> ClauseStill:
    found = still_of(preset, topic, "en")
    assert found is not None
    return found


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "topic"), EVERY)
def test_every_clause_has_a_still_of_cards_that_move_in_its_example(preset: str, topic: str) -> None:
    found = still_at(preset, topic)
    shown = [slot.symbol for slot in (*found.moving, *found.lying)]
    assert 1 <= len(shown) <= 2 * MAX_CARDS
    assert {symbol for symbol in shown if symbol} <= SYMBOLS
    assert len(set(shown)) == len(shown), "a card is once in the deck"
    assert all(0 <= slot.x <= 252 - 48 for slot in (*found.moving, *found.lying))
    assert found.told


def test_a_still_shows_what_its_clause_is_about() -> None:
    lightning = still_at("hawaii", "gaji")
    assert [slot.symbol for slot in lightning.moving] == ["c1104"]
    assert (len(lightning.lying), lightning.taken) == (1, True)
    hiki = still_at("hawaii", "declaring-hiki")
    months = {slot.symbol[:3] for slot in (*hiki.moving, *hiki.lying)}
    assert (len(hiki.moving) + len(hiki.lying), len(months), hiki.taken) == (4, 1, True)
    assert len(still_at("french", "gaji-triple").lying) == 3
    assert still_at("hawaii", "deal").kind == "deal"
    assert re.fullmatch(r"\d+ points", still_at("hawaii", "score").figure)
    assert still_at("oibana", "auction").figure.startswith("bid ")
    assert still_at("french", "deal-hands").kind == "show"


@pytest.mark.parametrize("preset", PRESETS)
def test_no_two_clauses_of_a_ruleset_have_the_same_still(preset: str) -> None:
    stills = [still_at(preset, clause.id) for clause in clauses_of(preset)]
    pictures = [(each.moving, frozenset(slot.symbol for slot in each.lying), each.figure) for each in stills]
    assert len(set(pictures)) == len(pictures)


def test_the_still_of_a_card_shows_it_first_and_with_what_it_makes() -> None:
    assert [slot.symbol for slot in still_at("koikoi_nintendo", "sake-cup").lying][:1] == ["c0901"]


def test_the_cards_of_a_still_lie_in_its_middle_or_leave_room_for_a_figure() -> None:
    assert [still_at("hawaii", topic).left for topic in ("gaji", "empty-hand")] == [-12, -12]
    for preset, topic in EVERY:
        found = still_at(preset, topic)
        if found.figure:
            places = [slot.x - found.left for slot in (*found.moving, *found.lying)]
            assert min(places) >= 0
            assert max(places) + CARD <= 2 * BESIDE, (preset, topic)


def test_what_is_told_follows_the_language() -> None:
    stills = [found for language in ("en", "ja", "fr") if (found := still_of("hawaii", "score", language))]
    assert len({found.told for found in stills}) == 3
    assert len({found.figure for found in stills}) >= 2


@pytest.mark.django_db
def test_the_page_names_what_each_still_shows_and_cites_its_sources_once(client: Client) -> None:
    page = client.get("/rules/hawaii/").content.decode()
    clauses = [clause.id for clause in clauses_of("hawaii")]
    assert page.count('<figure class="still"') == len(clauses)
    for clause in clauses:
        part = page.split(f'<section id="{clause}">')[1].split("</section>")[0]
        assert re.search(r'role="img" aria-label="[^"]+\."', part)
    assert all(f' id="{part}"' in page for part in re.findall(r'href="#([a-z]+)"', page.split('class="tabs jumps"')[1]))
    assert "Sakura (jeu) · Wikipédia" in page
    assert not re.search(r"\b00[0-4]\b", page.split('<table class="fold options">')[0])
    notes = page.split('<section id="sources"')[1]
    numbers = {int(number) for number in re.findall(r"\[(\d+)\]", page)}
    assert numbers <= set(range(1, notes.count("<li>") + 1))


@pytest.fixture(params=["hover", "focus"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.thorough
@pytest.mark.parametrize(("motion", "plays"), [("no-preference", True), ("reduce", False)])
def test_a_still_plays_while_it_is_pointed_at_or_its_link_is_focused_but_not_without_motion(
    live_site: str, browser: Browser, way: str, motion: Literal["no-preference", "reduce"], plays: bool
) -> None:
    page = browser.new_context(reduced_motion=motion).new_page()
    page.goto(f"{live_site}/rules/hawaii/")
    still = page.locator("#gaji .still")
    assert still.evaluate(FLYING) == 0
    if way == "hover":
        still.hover()
    else:
        still.get_by_role("link").focus()
    assert (still.evaluate(FLYING) > 50) == plays
    page.context.close()
