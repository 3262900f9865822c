"""A table longer than a page: its pages hold every row once, tell ties across their edges, and cost the same."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks import crowd
from tests.builders.leagues import League
from tournaments.models import Standing
from tournaments.standings.queries import ROWS_AT_ONCE, standings_table

ENTRIES = 2 * ROWS_AT_ONCE + 7
NAME = re.compile(r'<th scope="row">.*?<a href="/b/([a-z0-9-]+)/"', re.DOTALL)


@pytest.fixture
def long_league(league: League) -> League:
    """The finished event has two pages and seven rows; from row 150 on, three are level."""
    crowd.bots(league, ENTRIES)
    crowd.entries(league, ENTRIES)
    rows = Standing.objects.filter(stage__tournament=league.finished, after_round=0)
    rows.filter(row__range=(ROWS_AT_ONCE, ROWS_AT_ONCE + 2)).update(rank=ROWS_AT_ONCE)
    return league


@pytest.mark.thorough
def test_every_row_is_on_one_page(long_league: League, client: Client) -> None:
    place, seen = f"/t/{long_league.finished.slug}/standings/", []
    for number in (1, 2, 3):
        text = client.get(place, {"page": number}).content.decode()
        assert f"Page {number} of 3" in text
        seen.append(NAME.findall(text))
    assert [len(each) for each in seen] == [
        ROWS_AT_ONCE,
        ROWS_AT_ONCE,
        long_league.finished.entries.count() - 2 * ROWS_AT_ONCE,
    ]
    names = [name for each in seen for name in each]
    assert len(names) == len(set(names)) == long_league.finished.entries.count()
    assert NAME.findall(client.get(place, {"page": "99"}).content.decode()) == seen[2]


def test_who_is_level_with_somebody_on_another_page_says_so(long_league: League) -> None:
    stage = long_league.finished.stages.get()
    first, second = (standings_table(stage, page=number).lines for number in (1, 2))
    assert (first[-1].standing.rank, first[-1].shared) == (ROWS_AT_ONCE, True)
    assert [(line.standing.rank, line.shared) for line in second[:3]] == [
        (ROWS_AT_ONCE, True), (ROWS_AT_ONCE, True), (ROWS_AT_ONCE + 3, False)
    ]  # fmt: skip


def test_one_row_is_found_wherever_it_is(long_league: League, client: Client) -> None:
    row = Standing.objects.get(stage__tournament=long_league.finished, after_round=0, row=ENTRIES - 3)
    text = client.get(f"/t/{long_league.finished.slug}/standings/", {"explain": str(row.entry.uuid)}).content.decode()
    bot = row.entry.player.bot
    assert bot is not None
    assert bot.slug in NAME.findall(text)
    assert len(NAME.findall(text)) == long_league.finished.entries.count() - 2 * ROWS_AT_ONCE, "the page of its row"
    assert re.findall(r'<details class="why" id="why-(\d+)-[a-z0-9]+" open>', text) == [str(row.row)]
    for nobody in ("0", "plum", "00000000-0000-0000-0000-000000000000"):
        answer = client.get(f"/t/{long_league.finished.slug}/standings/", {"explain": nobody})
        assert answer.status_code == 404


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("tab", ["standings/", "crosstable/"])
def test_a_long_table_asks_no_more_than_a_page(league: League, client: Client, tab: str) -> None:
    counts = []
    for more in (ROWS_AT_ONCE + 10, ENTRIES):
        crowd.bots(league, more)
        crowd.entries(league, more)
        crowd.matches(league, more, "confirmed", league.finished)
        with CaptureQueriesContext(connection) as seen:
            assert client.get(f"/t/{league.finished.slug}/{tab}").status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 10
