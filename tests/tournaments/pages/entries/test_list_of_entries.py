"""The list of the entries of an event that has not begun: only what tells them apart, the best rated first."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import Page

from bots.models import Bot
from tests.browser.looking import log_in
from tests.builders import events as a
from tests.tournaments.pairing.test_rated_seeds import a_pool, rated
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def an_event_of_three() -> tuple[Tournament, list[Bot]]:
    """An open event with three entries."""
    event = a.an_open_event(name="Moon league", entries_per_owner=8)
    bots = [a.a_bot(name=name) for name in ("Plum", "Kiri", "Matsu")]
    a.entered(event, bots)
    return event, bots


def list_of(event: Tournament) -> str:
    """Return the list as a visitor sees it."""
    page = Client().get(f"/t/{event.slug}/entries/").content.decode()
    return page.partition('id="entries"')[2].partition("</table>")[0]


def names_in(shown: str) -> list[str]:
    """Return the names of the entries, as they stand."""
    return re.findall(r">(Plum|Kiri|Matsu)</a>", shown)


def test_neither_seeds_that_nobody_has_nor_the_state_that_all_have_are_shown() -> None:
    event, _bots = an_event_of_three()
    shown = list_of(event)
    assert re.findall(r'scope="col"[^>]*>([^<]*)<', shown) == ["Bot"]
    assert "<h2>3 entries</h2>" in shown
    assert "entered" not in shown
    assert names_in(shown) == ["Plum", "Kiri", "Matsu"]


def test_a_state_is_shown_where_it_differs() -> None:
    event, bots = an_event_of_three()
    Entry.objects.filter(tournament=event, player__bot=bots[1]).update(state="waitlisted")
    shown = list_of(event)
    assert shown.count("on the waiting list") == 1
    assert 'scope="col">State<' in shown
    assert "entered" not in shown


def test_without_seeds_the_best_rated_comes_first_and_the_head_of_the_column_says_so() -> None:
    event, bots = an_event_of_three()
    pool = a_pool(preset=event.stages.get().preset)
    for bot, mu in zip(bots, (10, 30, 20), strict=True):
        rated(pool, bot.pk, mu, 1, version=bot.active_version)
    shown = list_of(event)
    assert names_in(shown) == ["Kiri", "Matsu", "Plum"]
    assert shown.count('aria-sort="descending"') == 1
    Entry.objects.filter(tournament=event, player__bot=bots[0]).update(seed=1)
    shown = list_of(event)
    assert names_in(shown)[0] == "Plum", "seeds order them"
    assert "aria-sort" not in shown
    assert ">Seed<" in shown


def test_the_leaderboard_of_the_ratings_is_named() -> None:
    event, bots = an_event_of_three()
    here = Client()
    event.stages.update(seats_pref=4, seats_max=4)
    assert "<dt>Rating</dt>" not in here.get(f"/t/{event.slug}/entries/").content.decode(), "nobody has one"
    for sides, query, said in ((2, "seats=4&amp;sides=2", "4 seats (2 sides)"), (4, "seats=4", "4 seats")):
        pool = a_pool(seats=4, sides=sides)
        rated(pool, bots[0].pk, 20, 1, version=bots[0].active_version)
        page = here.get(f"/t/{event.slug}/entries/").content.decode()
        ((address, words),) = re.findall(r'<a href="(/ladder/[^"]+)">([^<]+)</a>', page)
        assert (address, " ".join(words.split())) == (f"/ladder/hawaii/?{query}", f"Hawaii, {said}")


def test_only_readers_with_an_entry_have_a_column_to_withdraw_it(client: Client) -> None:
    event, bots = an_event_of_three()
    has_column = [">Actions</span>" in client.get(f"/t/{event.slug}/entries/").content.decode()]
    for reader in (event.created_by, bots[0].owner, a.a_user()):
        client.force_login(reader)
        has_column.append(">Actions</span>" in client.get(f"/t/{event.slug}/entries/").content.decode())
    assert has_column == [False, True, True, False]


@pytest.mark.slow
def test_the_list_is_as_wide_as_the_card_above_it(page: Page, live_site: str, transactional_db: None) -> None:
    event, _bots = an_event_of_three()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{live_site}/t/{event.slug}/entries/")
    edges = "each => [each.getBoundingClientRect().left, each.getBoundingClientRect().right]"
    assert page.locator(".open-now").evaluate(edges) == page.locator("#entries table").evaluate(edges)


@pytest.mark.slow
def test_what_withdraws_an_entry_ends_its_row_or_stands_below_its_name(
    page: Page, live_site: str, transactional_db: None
) -> None:
    event, _bots = an_event_of_three()
    log_in(page.context, live_site, event.created_by)
    boxes = "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{live_site}/t/{event.slug}/entries/")
    ((sheet, *_rest), buttons) = (
        page.locator(each).evaluate_all(boxes) for each in ("#entries table", "#entries td button")
    )
    assert {round(sheet["right"] - box["right"]) for box in buttons} == {17}, "its border and padding"
    page.set_viewport_size({"width": 360, "height": 740})
    names, buttons = (
        page.locator(each).evaluate_all(boxes) for each in ("#entries th a[href^='/b/']", "#entries td button")
    )
    assert len(buttons) == 3
    assert {box["left"] for box in buttons} == {names[0]["left"]}
    assert all(name["bottom"] < box["top"] for name, box in zip(names, buttons, strict=True))
