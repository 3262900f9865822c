"""The head of an event on a phone, and what its first page shows once it is over."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape

import pytest
from django.test import Client
from playwright.sync_api import FloatRect, Page

from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of
from tests.builders.seasons import a_finished_event
from tournaments.matches.report_bodies import Claim
from tournaments.models import Tournament
from tournaments.ranking.figures import Figure
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
BEGAN = datetime(2026, 5, 4, 12, tzinfo=UTC)


def overview(client: Client, event: Tournament) -> str:
    """Return the first page as its organiser reads it."""
    client.force_login(event.created_by)
    return client.get(f"/t/{event.slug}/").content.decode()


def ended(**fields: object) -> Tournament:
    """Return a finished event."""
    event = a.an_open_event(**fields)
    Tournament.objects.filter(pk=event.pk).update(state="finished", started_at=BEGAN, finished_at=BEGAN)
    event.refresh_from_db()
    return event


def test_an_event_that_is_over_offers_to_archive_it_in_one_line(client: Client) -> None:
    bar = overview(client, ended()).partition('id="next"')[2].partition('id="held"')[0]
    hint = bar.partition('<details class="hint">')[2].partition("</details>")[0]
    assert "All settled?" in hint
    assert "it becomes read-only" in hint
    assert "<details" not in bar.partition("</details>")[2], "no menu for the one link that is left"
    assert "/share/" in bar
    assert 'class="main"' not in bar, "it is not urgent, and the result has the red button"


def test_an_event_that_has_begun_says_when_and_not_that_no_time_is_set(client: Client) -> None:
    page = overview(client, ended())
    assert "<dt>Started</dt>" in page
    assert "<dt>Begins</dt>" not in page
    assert "not set yet" in overview(client, a.an_open_event(name="To come"))


def test_four_at_a_table_stand_two_and_two(client: Client) -> None:
    for seats, others in ((4, (20, 10, 0)), (3, (20, 10))):
        event = a_called_night(people=seats, seats=seats, kind="pods", name=f"Night of {seats}")
        (table,) = tables_of(event)
        submit_result(match=table, actor=Actor(user=event.created_by), claim=Claim(totals=(30, *others)))
        assert ("of-four" in overview(client, event)) == (seats == 4)


def test_the_long_name_of_a_figure_has_a_short_one_for_phones(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    event = a_called_night(people=4)
    (table, _other) = tables_of(event)
    submit_result(match=table, actor=Actor(user=event.created_by), claim=Claim(totals=(130, 110)))
    assert 'class="brief"' not in overview(client, event)
    figure = Figure("above_mean", "Points above the table's mean", 10)
    monkeypatch.setattr("tournaments.pages.events.event.figures_of", lambda *_args: [figure])
    client.cookies.clear()
    Tournament.objects.filter(pk=event.pk).update(name="Again")
    head = overview(client, event).partition('id="top"')[2].partition("</thead>")[0]
    assert re.search(r'<span class="full">Points above the table.*?mean</span>', head)
    assert '<span class="brief" aria-hidden="true">vs. mean</span>' in head


@pytest.mark.parametrize(
    ("which", "name", "values", "words"),
    [
        ("above_mean", "Points above the table's mean", (886, 503), "886 above the table's mean; 383 ahead of Ben."),
        ("above_mean", "Points above the table's mean", (-2, -5), "Points above the table's mean −2, 3 ahead of Ben."),
        ("points", "Points", (70, 66), "70 points; 4 ahead of Ben."),
        ("victories", "Victories", (12, 7), "12 victories; 5 ahead of Ben."),
        ("place", "Place score", (6, 4), "Place score 6, 2 ahead of Ben."),
    ],
)
def test_the_margin_of_the_winner_reads_as_a_sentence(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    which: str,
    name: str,
    values: tuple[int, int],
    words: str,
) -> None:
    event = a_finished_event(a.a_user(), {"Aiko": 1, "Ben": 2})
    figures = {1: [Figure(which, name, values[0])], 2: [Figure(which, name, values[1])]}
    monkeypatch.setattr("tournaments.pages.events.ending.figures_of", lambda _stage, row: figures[row.rank])
    assert words in unescape(client.get(f"/t/{event.slug}/").content.decode())


def test_who_shares_the_first_place_is_told_by_names_or_on_a_phone_by_number(client: Client) -> None:
    event = a_finished_event(a.a_user(), {"Aiko": 1, "Ben": 1, "Chiyo": 1})
    row = client.get("/t/").content.decode().partition(f'"/t/{event.slug}/"')[2].partition("</tr>")[0]
    names, number = row.partition('<span class="brief soft" aria-hidden="true">')[::2]
    told = " ".join(re.sub(r"<[^>]+>", " ", names.partition('class="tied">')[2]).split())
    assert told == "1= Aiko, Ben +1"
    assert "3 tied first" in number
    assert [len(re.findall(r"emblems[.\w]*svg#e", each)) for each in (names, number)] == [2, 2]


def box_of(page: Page, part: str) -> FloatRect:
    """Return where a part of the head is."""
    box = page.locator(f".head {part}").bounding_box()
    assert box is not None
    return box


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_on_a_phone_what_is_pressed_stands_beside_the_name(visit: Callable[..., Page]) -> None:
    for name in ("Moon", "The long league of the moon over the grasses"):
        event = ended(name=name)
        for path in ("", "ranking/"):
            page = visit(f"/t/{event.slug}/{path}", as_=event.created_by)
            page.set_viewport_size({"width": 360, "height": 740})
            title, acts, state = (box_of(page, each) for each in ("h1", ".acts", "#state-line"))
            assert acts["x"] + acts["width"] == 344
            assert acts["x"] >= title["x"] + title["width"]
            assert acts["y"] < title["y"] + title["height"]
            assert (state["x"], state["width"]) == (16, 328)
