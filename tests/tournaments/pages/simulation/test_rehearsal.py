"""The rehearsal's page: asked for by organisers, followed, read; what it says when something is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from activity import wake_ups
from tests.builders import events as a
from tests.builders.clubs import a_club_night
from tournaments.events.create import create_tournament
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.models import Stage, Tournament
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


def a_chain() -> Tournament:
    """A planned event of people: two groups, then an elimination."""
    then, way = StagePlan(kind="single_elim", name="Final"), AdvancementPlan(source=1, target=2, last=2)
    plan = a.a_plan(name="Plum cup", who="people", groups=2, min_entries=8, then=(then,), ways=(way,))
    return create_tournament(by=a.a_user(), plan=plan)


@pytest.mark.slow
def test_an_organiser_rehearses_and_reads(as_user: Become) -> None:
    event = a_chain()
    client, here = as_user(event.created_by), f"/t/{event.slug}/rehearsal/"
    assert here in client.get(f"/t/{event.slug}/").content.decode()
    first = client.get(here).content.decode()
    assert "What you will see" in first
    assert '<details class="more">' in first, "what may be left as it is, is folded"
    assert client.post(here, {"entries": "12", "match_minutes": "30", "tables": "3"}).status_code == 302
    assert "Waiting for a worker" in client.get(here).content.decode()
    assert rehearsing.work_off()
    page = client.get(here).content.decode()
    assert "12 entries, 200 runs" in page
    assert "Final" in page
    assert "Seed 1" in page
    line = page.partition('class="timeline"')[2].partition("</figure>")[0]
    drawn = re.findall(r'<svg width="([\d.]+)%".*?class="for">(\d+)<', line, re.DOTALL)
    widths, minutes = [float(width) for width, _long in drawn], [int(long) for _width, long in drawn]
    assert len(drawn) > 2
    assert sum(widths) == pytest.approx(100, abs=0.05 * len(widths))
    share = [100 * each / sum(minutes) for each in minutes]
    assert widths == pytest.approx(share, abs=1), "every round as wide as it is long, but for whole minutes"
    assert line.count('class="even"') == 2, "the final, beside the groups"
    assert "The event has changed" not in page
    Stage.objects.filter(tournament=event, order=2).update(kind="double_elim")
    assert "The event has changed" in client.get(here).content.decode()


@pytest.mark.thorough
def test_only_organisers_and_only_before_it_begins(as_user: Become) -> None:
    event = a_club_night()
    here = f"/t/{event.slug}/rehearsal/"
    assert as_user(a.a_user()).get(here).status_code == 404
    assert as_user(a.a_user()).post(here).status_code == 404
    assert as_user(None).get(here).status_code == 302
    start_tournament(tournament=event, by=event.created_by)
    answer = as_user(event.created_by).post(here, {"entries": "6"})
    assert answer.status_code == 422
    assert "rehearsal.started" in answer.content.decode()
    assert rehearsals.waiting() == []


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "rehearsal.too_few"),
        ({"entries": "1"}, "greater than or equal to 2"),
        ({"entries": "many"}, "whole number"),
        ({"entries": "8", "match_minutes": "-4"}, "greater than or equal to"),
    ],
)
def test_what_cannot_be_rehearsed_is_said_at_once(sent: dict[str, str], said: str, as_user: Become) -> None:
    event = a_chain()
    answer = as_user(event.created_by).post(f"/t/{event.slug}/rehearsal/", sent)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert rehearsals.waiting() == []


def test_the_number_is_that_of_the_entries_once_they_are_enough(as_user: Become) -> None:
    event = a.an_open_event(min_entries=2, max_entries=24)
    client, here = as_user(event.created_by), f"/t/{event.slug}/rehearsal/"
    assert client.get(here).context["form"]["entries"].value() == 24, "before that, all the places"
    a.entered(event, [a.a_bot() for _ in range(3)])
    page = client.get(here)
    assert page.context["form"]["entries"].value() == 3
    assert "3 entries so far; there are places for 24." in page.content.decode()
    asked = page.content.decode().partition('<form method="post" class="fields"')[2].partition("</form")[0]
    assert "<details" not in asked, "bots need no tables and no minutes"


def test_a_plan_that_the_planners_refuse_is_said_on_the_page(as_user: Become) -> None:
    event = a_chain()
    client, here = as_user(event.created_by), f"/t/{event.slug}/rehearsal/"
    client.post(here, {"entries": "2"})
    assert rehearsing.work_off()
    assert "This event cannot be rehearsed." in client.get(here).content.decode()
    assert rehearsals.waiting() == []


def test_the_page_asks_few_questions(as_user: Become) -> None:
    event = a_chain()
    client = as_user(event.created_by)
    client.get(f"/t/{event.slug}/rehearsal/")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        client.get(f"/t/{event.slug}/rehearsal/")
    assert len(asked) <= 10, [each["sql"] for each in asked]


def test_the_command_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    event = a_chain()
    call_command("rehearse", event.slug, "--entries", "12", "--runs", "3", "--match-minutes", "30")
    printed = capsys.readouterr().out
    assert "Plum cup: 12 entries, 3 runs" in printed
    assert "stage 1: 12 entries, rounds 5, 30 matches" in printed
    assert "stage 2: 4 entries, rounds 2, 3 matches" in printed
    with pytest.raises(CommandError, match="too_few"):
        call_command("rehearse", event.slug)
    with pytest.raises(CommandError, match="no event"):
        call_command("rehearse", "nowhere")
