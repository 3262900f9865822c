"""Lists of the site with hundreds of rows: each asks the database as often as with a few."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks import crowd
from benchmarks.site import readers_of, visits_of
from tests.builders.challenges import a_challenge
from tests.builders.leagues import League
from tournaments.ratings import pools

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ROWS = 300
MAXIMUM = 10


def asked(sessions: dict[str, str], league: League) -> dict[tuple[str, str], int]:
    """Return how often each page asks, by reader."""
    found = {}
    for visit in visits_of(league):
        client = Client()
        if visit.reader:
            client.cookies["sessionid"] = sessions[visit.reader]
        with CaptureQueriesContext(connection) as seen:
            assert client.get(visit.path).status_code == 200, visit
        found[visit.path, visit.reader] = len(seen)
    return found


def test_no_page_asks_more_in_a_crowd(league: League) -> None:
    pools.fold_stale()
    a_challenge(reference=league.bot.versions.get(n=1))
    sessions = readers_of(league)
    crowd.grow(league, ROWS)
    asked(sessions, league)  # what is kept between requests
    before = asked(sessions, league)
    crowd.grow(league, 2 * ROWS)
    after = asked(sessions, league)
    assert {page: (before[page], n) for page, n in after.items() if n > before[page] or n > MAXIMUM} == {}
