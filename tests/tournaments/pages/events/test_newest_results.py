"""The newest results of an event: the legs of a table are one line, and rounds of a bracket have its names."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.jobs.process import Process
from tests.builders import events as a
from tests.tournaments.pages.events.test_bracket_pages import a_bracket, call, enter
from tests.tournaments.progress.test_cascade import draw_next, tables
from tests.tournaments.standings.test_adjusting import play_all
from tournaments.models import Match, Seat, Stage, Tournament
from tournaments.pages.events.newest_results import match_lines, result_lines
from tournaments.progress import derive
from tournaments.progress.rounds import preview_next, waits_for_draw

HEADING: Final = re.compile(r'<li class="of-round small soft">\s*(.*?)\s*</li>')
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_legs_of_a_table_are_one_line_with_their_sum(process: Process, client: Client) -> None:
    event = a.a_running_event(bots=4, kind="single_elim", rounds=1, legs="cyclic")
    play_all(process)
    derive.derive_waiting()
    stage = event.stages.get()
    matches = match_lines(stage)
    lines = result_lines(stage, matches)
    assert len(matches) == 2 * len(lines) > 2
    for line in lines:
        for row in line.rows:
            seats = Seat.objects.filter(match__deal_set=line.match.deal_set, entry=row.entry)
            assert row.points == sum(seat.points or 0 for seat in seats)
    page = listed(client, event)
    assert HEADING.findall(page) == ["Semi-finals"]
    assert len(re.findall(r"<li>", page)) == len(lines)


def listed(client: Client, event: Tournament) -> str:
    """Return the list of matches on the first page."""
    return client.get(f"/t/{event.slug}/").content.decode().partition('id="lines"')[2].partition("</section>")[0]


def played_out(people: int, kind: str = "single_elim", **changes: Any) -> Stage:
    """Return a knock-out that is over, in which the better seed has won all matches."""
    stage, number = a_bracket(kind, people, **changes), 1
    event = stage.tournament
    while True:
        call(stage, number)
        for match in tables(stage, number):
            enter(stage, match)
        number += 1
        if not waits_for_draw(stage) or preview_next(stage=stage, by=event.created_by).plan is None:
            break
        draw_next(stage)
    Tournament.objects.filter(pk=event.pk).update(state="finished", started_at=event.created_at)
    return stage


@pytest.mark.parametrize(
    ("people", "kind", "changes", "headings"),
    [
        (8, "single_elim", {"third_place": True}, ["Final", "Third place", "Semi-finals", "Quarter-finals"]),
        (4, "double_elim", {}, ["Final", "Losers' final", "Winners' final", "Losers' round 1", "Winners' round 1"]),
        (6, "single_elim", {"groups": 2}, ["Final", "Semi-finals"]),
        (9, "single_elim", {"seats": 3}, ["Final", "Round 1"]),
    ],
)
def test_rounds_of_a_bracket_have_the_names_of_its_own_page(
    client: Client, people: int, kind: str, changes: dict[str, Any], headings: list[str]
) -> None:
    stage = played_out(people, kind, **changes)
    page = unescape(listed(client, stage.tournament))
    assert HEADING.findall(page) == headings
    bracket = unescape(client.get(f"/t/{stage.tournament.slug}/bracket/").content.decode())
    assert all(f">{heading}<" in bracket for heading in headings)
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/t/{stage.tournament.slug}/")
    assert len(queries) <= 10


def test_the_end_of_a_knock_out_says_by_how_much_its_final_was_won(client: Client) -> None:
    stage = played_out(4, third_place=True)
    page = client.get(f"/t/{stage.tournament.slug}/").content.decode()
    assert "Beat Player 002 100 : 80 in the final." in page
    steps = re.findall(r'<b>(\d+ : \d+)</b> <span class="unit">(.*?)</span></span>\s*<span>(.*?)</span>', page)
    assert steps == [
        ("100 : 80", "points", "Final"),
        ("80 : 100", "points", "Final"),
        ("100 : 80", "points", "Third place"),
    ]
    lost = Seat.objects.filter(match__stage=stage, entry__player__name="Player 002").latest("match__round__number")
    Seat.objects.filter(pk=lost.pk).update(outcome="forfeit")
    Tournament.objects.filter(pk=stage.tournament.pk).update(name="Again")
    client.cookies.clear()
    page = client.get(f"/t/{stage.tournament.slug}/").content.decode()
    assert "The standings are final." in page
    assert "in the final" not in page


@pytest.mark.parametrize(("won", "score"), [("22", '100 : 80</b> <span class="unit">points<'), ("31", "3 : 1</b>")])
def test_a_podium_shows_the_figures_that_decided_the_final(client: Client, won: str, score: str) -> None:
    stage = played_out(4)
    Stage.objects.filter(pk=stage.pk).update(scoring=Stage.Scoring.ROUND_VICTORY)
    final = Match.objects.filter(stage=stage).latest("round__number")
    for seat, n in zip(final.seats.order_by("-points"), won, strict=True):
        Seat.objects.filter(pk=seat.pk).update(victories=int(n), place=1 if won == "22" or n == "3" else 2)
    page = client.get(f"/t/{stage.tournament.slug}/").content.decode()
    assert f"<b>{score}" in page.partition('<ol class="podium">')[2].partition("</ol>")[0]


def test_legs_stay_apart_until_all_of_them_are_over(process: Process) -> None:
    event = a.a_running_event(bots=2, legs="cyclic")
    play_all(process)
    derive.derive_waiting()
    stage = event.stages.get()
    Match.objects.filter(stage=stage, leg=2).update(state=Match.State.CLAIMED)
    lines = result_lines(stage, match_lines(stage))
    assert {(line.leg, line.rows) for line in lines} == {(1, ()), (2, ())}


def test_rounds_and_the_list_of_matches_have_the_names_of_the_bracket(client: Client) -> None:
    event = played_out(4, third_place=True).tournament
    page = client.get(f"/t/{event.slug}/rounds/").content.decode()
    assert re.findall(r"<h2>\s*(.*?)\s*</h2>", page) == ["Final", "Third place", "Semi-finals"]
    assert re.findall(r'id="(round-[\d-]+)"', page)[::2] == ["round-2", "round-1"]
    listing = client.get(f"/m/?event={event.slug}").content.decode()
    assert HEADING.findall(listing) == ["Final", "Third place", "Semi-finals"]
