"""The dashboard of an event of bots: the steps to its start, one of them next; how far it is once it runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from activity import wake_ups
from tests.builders import events as a
from tournaments.events.create import create_tournament
from tournaments.models import Tournament
from tournaments.pages.floor.league_steps import FACES
from tournaments.progress.run import start_tournament
from tournaments.simulation import inputs as rehearsing
from tournaments.simulation import jobs as rehearsals

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


@pytest.fixture(autouse=True)
def _nothing_waits(redis_url: str) -> Iterator[None]:
    """Redis is this process's own, and what other tests asked for is gone."""
    wake_ups.redis_client().delete(rehearsals.WAITING)
    yield
    wake_ups.redis_client().delete(rehearsals.WAITING)


def steps(client: Client, event: Tournament) -> list[str]:
    """Return the steps of the dashboard."""
    page = client.get(f"/t/{event.slug}/desk/").content.decode()
    return re.split(r"<li(?= aria-current=\"step\"|>\s*<div>)", page.partition('<ol class="road')[2])[1:]


def next_of(found: list[str]) -> list[int]:
    """Return the numbers of the steps that are marked as next."""
    return [number for number, step in enumerate(found, 1) if 'aria-current="step"' in step]


def test_a_draft_is_announced_first(as_user: Become) -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan())
    found = steps(as_user(event.created_by), event)
    assert next_of(found) == [1]
    assert "/do/publish/" in found[0]
    assert "/do/start/" not in found[2]


def test_entries_come_first_then_a_rehearsal_then_the_start(as_user: Become) -> None:
    event = a.an_open_event(min_entries=2, max_entries=16)
    client = as_user(event.created_by)
    found = steps(client, event)
    assert next_of(found) == [1]
    assert "2 more entries are needed first." in found[0]
    assert "disabled" in found[2]
    a.entered(event, [a.a_bot(name="Crane"), a.a_bot(name="Heron")])
    found = steps(client, event)
    assert next_of(found) == [2]
    assert "2 of 16" in found[0]
    assert [name in found[0] for name in ("Crane", "Heron")] == [True, True]
    assert found[0].count('class="em"') == 2
    assert '<button class="main">' not in found[2], "what cannot be undone is not what is offered first"
    client.post(f"/t/{event.slug}/rehearsal/", {"entries": "4"})
    assert rehearsing.work_off()
    found = steps(client, event)
    assert next_of(found) == [3]
    assert "4 entries, 200 runs" in " ".join(found[1].split())
    assert '<button class="main">' in found[2]


def test_of_many_entries_the_first_are_shown_in_as_many_queries(as_user: Become) -> None:
    event = a.an_open_event(max_entries=32)
    client = as_user(event.created_by)
    a.entered(event, [a.a_bot() for _ in range(2)])
    counts = []
    for more in (0, FACES + 1):
        a.entered(event, [a.a_bot() for _ in range(more)])
        client.get(f"/t/{event.slug}/desk/")
        with CaptureQueriesContext(connection) as asked:
            found = steps(client, event)
        counts.append(len(asked))
    assert found[0].count('class="em"') == FACES
    assert "3 more" in found[0]
    assert counts[0] == counts[1]


def test_a_ladder_has_no_rehearsal(as_user: Become) -> None:
    event = a.an_open_event(kind="ladder", rounds=8)
    found = steps(as_user(event.created_by), event)
    assert len(found) == 2
    assert "/rehearsal/" not in "".join(found)


def test_once_it_runs_its_matches_are_a_bar_and_no_bar_of_words_is_empty(as_user: Become) -> None:
    event = a.an_open_event(kind="round_robin")
    a.entered(event, [a.a_bot() for _ in range(4)])
    start_tournament(tournament=event, by=event.created_by)
    client = as_user(event.created_by)
    assert steps(client, event) == []
    page = client.get(f"/t/{event.slug}/desk/").content.decode()
    progress = page.partition('id="progress"')[2].partition("</section>")[0]
    assert "0 of 6 matches finished" in " ".join(progress.split())
    assert re.search(r'<progress class="bar" value="0" max="6"', progress)
    assert "<p>" not in page.partition('id="next"')[2].partition('<div class="acts">')[0]
