"""The projector: a name is one line, and the two ends of its head stand on the same baselines."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client
from playwright.sync_api import Page

import tests.builders.clubs
from tests.builders.clubs import a_called_night, a_club_night, tables_of, totals
from tournaments.models import Tournament
from tournaments.scores.actions import Actor, submit_result

NAMES = (
    "name,club",
    "Aiko Yamashiro,Lyon",
    "Leilani Kahale,Hilo",
    "Maximiliane Wallenstein-Oberhausen,Kyoto",
    "Jonas Weber,Hilo",
)
LINES = """() => [...document.querySelectorAll(".wall-tables .side > span")].map((each) =>
  Math.round(each.getBoundingClientRect().height / parseFloat(getComputedStyle(each).lineHeight)))"""
BOXES = "names => names.map((name) => document.querySelector(name).getBoundingClientRect().toJSON())"
BASELINES = """(names) => names.map((name) => {
  const mark = document.createElement("i");
  mark.style.display = "inline-block";
  document.querySelector(name).append(mark);
  const { bottom } = mark.getBoundingClientRect();
  mark.remove();
  return bottom;
})"""


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("width", [1280, 1920])
def test_names_are_lines_and_the_head_has_two_baselines(
    page: Page, live_site: str, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(tests.builders.clubs, "EVERYBODY", NAMES)
    event = a_called_night(people=len(NAMES))
    for table in tables_of(event):
        submit_result(match=table, actor=Actor(user=event.created_by), claim=totals(130, 110))
    page.set_viewport_size({"width": width, "height": width * 9 // 16})
    page.goto(f"{live_site}/t/{event.slug}/screen/")
    page.evaluate("document.fonts.ready")
    assert page.evaluate(LINES) == [1, 1, 1, 1]
    name, results, number, share = page.evaluate(
        BASELINES, [".wall-head h1", ".wall-done span", ".wall-head h2", ".wall-done strong"]
    )
    assert abs(name - results) < 1
    assert abs(number - share) < 1
    assert share > results
    rank, who = page.evaluate(BASELINES, ["#screen-top thead .rank", "#screen-top thead th:nth-child(2)"])
    assert abs(rank - who) < 1


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_figure_with_a_fraction_is_whole(page: Page, live_site: str) -> None:
    """Points above the mean of tables of different sizes."""
    event = a_called_night(people=len(NAMES))
    for table in tables_of(event):
        submit_result(match=table, actor=Actor(user=event.created_by), claim=totals(130, 110))
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{live_site}/t/{event.slug}/screen/")
    figure = page.locator("#screen-top tbody .num").first
    figure.evaluate("each => { each.textContent = '−394 9/14'; }")
    assert figure.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert figure.evaluate("each => each.clientHeight < 2 * parseFloat(getComputedStyle(each).lineHeight)")


@pytest.mark.django_db
def test_before_the_first_round_it_says_what_when_where_and_who_is_there(client: Client) -> None:
    event = a_club_night(people=3)
    starts = datetime(2026, 11, 28, 18, tzinfo=UTC)
    Tournament.objects.filter(pk=event.pk).update(venue="Maple hall", starts_at=starts)
    client.force_login(event.created_by)
    page = client.get(f"/t/{event.slug}/screen/").content.decode()
    welcome = page.partition('class="wall-welcome"')[2].partition("</section>")[0]
    assert "Maple hall" in welcome
    assert 'datetime="2026-11-28T18:00' in welcome
    assert "</strong>/3" in welcome
    assert '<svg class="card"' in welcome
    assert f"<b><span>testserver</span><span>/t/{event.slug}/</span></b>" in page
    assert ">28 Nov 2026</time>" in welcome
    assert ">18:00</time>" in welcome, "who stands in the hall needs no zone"
    Tournament.objects.filter(pk=event.pk).update(venue="")
    assert "18:00\N{NO-BREAK SPACE}UTC</time>" in client.get(f"/t/{event.slug}/screen/").content.decode()


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("width", [1280, 1920])
def test_before_the_first_round_all_stands_on_one_line(page: Page, live_site: str, width: int) -> None:
    event = a_club_night(people=3)
    Tournament.objects.filter(pk=event.pk).update(venue="Maple hall", starts_at=datetime(2026, 11, 28, 18, tzinfo=UTC))
    page.set_viewport_size({"width": width, "height": width * 9 // 16})
    page.goto(f"{live_site}/t/{event.slug}/screen/")
    card, code, address, name, game = page.evaluate(BOXES, [".sign .card", ".find .qr", ".find b", "h1", ".game"])
    assert abs(card["left"] + code["right"] - width) < width * 0.03, "in the middle"
    assert card["right"] < name["left"] < name["right"] < code["left"]
    assert name["left"] == game["left"]
    assert address["width"] <= code["width"]
    assert page.locator(".find b").evaluate("each => each.scrollWidth <= each.clientWidth")
