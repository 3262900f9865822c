"""The head of an event on a phone, and what its first page shows once it is over."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client
from playwright.sync_api import FloatRect, Page

from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of
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
