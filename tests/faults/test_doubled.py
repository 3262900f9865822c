"""Every message delivered three times, every result handed in twice, every sweep and fold done by two at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots.models import AuditEvent, Check, Outbox
from bots.services import upload_version
from tests.builders import events as a
from tests.faults.echo import Echo
from tests.faults.leagues import check_the_league, finished
from tests.services.processes import Project
from tournaments.models import Match, Standing

pytestmark = pytest.mark.timeout(300)
TWICE = ("--include", "tests.faults.twice")


@pytest.mark.slow
def test_nothing_is_done_twice_however_often_it_is_asked_for(
    project: Project, redis_url: str, wait_until: Callable[..., Any]
) -> None:
    with Echo(redis_url) as echo:
        workers = [project.worker(options=TWICE) for _ in range(2)]
        project.beat()
        upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name="Plum")
        event = a.a_running_event(bots=6, options={"rounds": 2})
        wait_until(finished, 90, "the league finished")
        wait_until(lambda: not Check.objects.exclude(state="done").exists(), 60, "the upload was checked")
    assert echo.doubled["play"] >= 2
    assert echo.doubled["derive"] >= 2
    check_the_league(15)
    assert set(Match.objects.values_list("attempt", "faults")) == {(1, 0)}
    assert Standing.objects.filter(after_round=0).count() == 6
    told = list(Outbox.objects.filter(channel=event.channel).order_by("version").values_list("version", flat=True))
    assert told == list(range(told[0], told[0] + len(told)))
    confirmed = AuditEvent.objects.filter(verb="match.confirm").values_list("subject", flat=True)
    assert len(confirmed) == len(set(confirmed)) == 15
    for verb in ("version.checked", "version.activate", "stage.close", "tournament.finish"):
        assert AuditEvent.objects.filter(verb=verb).count() == 1, verb
    said = "".join(worker.log() for worker in workers)
    assert said.count("twice.result") == 15
    assert "first=confirmed second=repeated" in said
    assert said.count("twice.check") == 1
    assert "Traceback" not in said
