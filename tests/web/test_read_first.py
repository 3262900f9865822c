"""Changes while a page is being made: they are on it or are told again, never shown old and followed as new."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.jobs import checks, claims
from bots.models import Channel, Check
from tests.builders import events as a
from tests.builders.challenges import a_challenge
from tests.builders.clubs import a_called_night, tables_of, totals
from tests.tournaments.pages.floor.test_my_day import a_phone as phone_of_day
from tests.tournaments.pages.floor.test_my_day import day_of
from tournaments.comparisons.actions import stop_challenge
from tournaments.models import Challenge, Match, Player, Tournament
from tournaments.progress.run import pause_tournament, start_tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.scores.slips import slip_token

pytestmark = pytest.mark.django_db
FOLLOWED = re.compile(r'data-live="([^"]*)"')


@contextmanager
def happening(change: Callable[[], object], *, after: int) -> Any:
    """The change is made after that many queries of any code."""
    asked = 0

    def execute(run: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal asked
        answer = run(sql, params, many, context)
        asked += 1
        if asked == after:
            asked += 10_000  # the change asks too
            change()
        return answer

    with connection.execute_wrapper(execute):
        yield


def is_followed_as_old(text: str) -> bool:
    """Return whether a channel that the page follows is newer by now than the page says."""
    found = FOLLOWED.search(text)
    assert found is not None
    named = {name: int(version or 0) for name, _at, version in (each.partition("@") for each in found[1].split(","))}
    now = dict(Channel.objects.filter(name__in=named).values_list("name", "version"))
    return any(named[name] < version for name, version in now.items())


def assert_none_is_missed(reader: Client, path: str, change: Callable[[], object], shown: Callable[[str], str]) -> None:
    """A change at any moment. shown: of a page's text, what the change changes."""
    before = shown(reader.get(path).content.decode())
    with CaptureQueriesContext(connection) as asked:
        reader.get(path)
    queries, seen_old = len(asked), 0
    for after in range(1, queries + 1):
        with transaction.atomic():
            with happening(change, after=after):
                text = reader.get(path).content.decode()
            if shown(text) == before:
                seen_old += 1
                assert is_followed_as_old(text), f"{path}: a change after query {after} of {queries} is missed"
            transaction.set_rollback(True)
    assert seen_old > 0, "the change never came too late to be shown: what is looked at does not show it"


def a_table() -> tuple[Tournament, Match]:
    event = a_called_night(people=4)
    return event, tables_of(event)[0]


def reported(match: Match) -> Callable[[], object]:
    return lambda: submit_result(match=Match.objects.get(pk=match.pk), actor=Actor(side=1), claim=totals(130, 110))


@pytest.mark.slow
def test_the_slip_of_a_table() -> None:
    _event, match = a_table()
    phone = Client()
    phone.get(f"/e/{slip_token(match, 0)}/")
    assert_none_is_missed(phone, f"/x/{match.uuid}/", reported(match), lambda text: str(text.count("/same/")))


@pytest.mark.slow
def test_ones_day() -> None:
    event, match = a_table()
    name = Player.objects.get(entries__seats__match=match, entries__seats__side=0).name
    phone = phone_of_day(event, name)
    assert_none_is_missed(phone, day_of(event, name), reported(match), lambda text: str("same or different" in text))


@pytest.mark.slow
def test_the_page_of_a_match() -> None:
    _event, match = a_table()
    assert_none_is_missed(Client(), f"/m/{match.uuid}/", reported(match), lambda text: str("eported" in text))


@pytest.mark.slow
def test_a_comparison() -> None:
    challenge = a_challenge()

    def stop() -> None:
        stop_challenge(challenge=Challenge.objects.get(pk=challenge.pk), by=challenge.by)

    assert_none_is_missed(Client(), f"/c/{challenge.uuid}/", stop, lambda text: str("opped by" in text))


@pytest.mark.thorough
def test_the_check_of_an_upload() -> None:
    version = a.a_version(a.a_bot(), ready=False)
    (check,) = claims.claim(
        checks.queue(), rows=Check.objects.all(), worker=a.a_worker(), limit=1, on_claim=lambda _rows: None
    ).rows
    owner = Client()
    owner.force_login(version.bot.owner)

    def pass_it() -> None:
        checks.record(Check.objects.get(pk=check.pk), [])

    path = f"/b/{version.bot.slug}/v/{version.n}/"
    assert_none_is_missed(owner, path, pass_it, lambda text: str("data-live" in text))


@pytest.mark.thorough
def test_the_queue_and_the_front_page(django_capture_on_commit_callbacks: Callable[..., Any]) -> None:
    event = a.an_open_event(name="Here it is")
    a.entered(event, [a.a_bot(), a.a_bot()])

    def start() -> None:
        with django_capture_on_commit_callbacks(execute=True):
            start_tournament(tournament=Tournament.objects.get(pk=event.pk), by=event.created_by)

    assert_none_is_missed(Client(), "/queue/", start, lambda text: str(event.name in text))
    on = a.a_running_event(name="Already on")
    assert_none_is_missed(Client(), "/", lambda: pause_tournament(tournament=on, by=on.created_by), paused_on_home)


def paused_on_home(text: str) -> str:
    return str("paused" in text)
