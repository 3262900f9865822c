"""Figures for Prometheus: of the rows as they are, for the holder of the operator's token, no matter what is broken."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as project_settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from prometheus_client.parser import text_string_to_metric_families

from bots.jobs.process import Process
from tests.builders import events as a
from tests.builders.leagues import play
from tournaments.models import Hook, Match
from tournaments.webhooks import consumer as hooking
from tournaments.webhooks.actions import HookPlan, make_hook, send_test
from tournaments.webhooks.event_types import webhook_kinds

TOKEN = "maple-and-deer-in-the-tenth-month"


@pytest.fixture
def told(settings: Any, transactional_db: None) -> Client:
    """A client that sends the token."""
    settings.METRICS_TOKEN = TOKEN
    return Client(headers={"Authorization": f"Bearer {TOKEN}"})


def figures(client: Client) -> dict[tuple[str, str], float]:
    """Return every sample by its name and its one label."""
    answer = client.get("/metrics", HTTP_HOST="10.1.2.3")
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {(s.name, "".join(s.labels.values())): s.value for family in families for s in family.samples}


def test_without_the_token_there_is_no_such_page(settings: Any, transactional_db: None) -> None:
    assert project_settings.METRICS_TOKEN == ""
    assert Client().get("/metrics").status_code == 404
    assert Client(headers={"Authorization": "Bearer "}).get("/metrics").status_code == 404
    settings.METRICS_TOKEN = TOKEN
    for said in ("", f"Bearer {TOKEN}x", "Bearer é", TOKEN[:-1]):
        with CaptureQueriesContext(connection) as seen:
            assert Client(headers={"Authorization": said}).get("/metrics").status_code == 404
        assert len(seen) == 0


@pytest.mark.slow
def test_the_queue_and_the_workers_are_those_of_the_rows(told: Client, process: Process) -> None:
    a.a_running_event()
    waiting = Match.objects.filter(state="queued").count()
    before = figures(told)
    assert before["hanami_matches", "queued"] == waiting > 0
    assert before["hanami_workers", "held"] == 1
    assert before["hanami_ready", "database"] == 1
    assert before["hanami_database_bytes", ""] > 100_000
    play(process)
    after = figures(told)
    assert after["hanami_matches", "queued"] == after["hanami_matches", "claimed"] == 0
    assert after["hanami_queue_oldest_seconds", ""] == 0


def test_an_error_of_ours_is_counted(told: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from tournaments.matches import schedule

    told.raise_request_exception = False
    before = figures(told)["hanami_errors_total", ""]
    monkeypatch.setattr(schedule, "fresh_replays", lambda: 1 / 0)
    assert told.get("/").status_code == 500
    assert figures(told)["hanami_errors_total", ""] == before + 1


@pytest.mark.thorough
def test_a_scrape_asks_no_more_for_more_rows(told: Client) -> None:
    counts = []
    for _round in range(2):
        a.a_running_event()
        with CaptureQueriesContext(connection) as seen:
            figures(told)
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_hooks_and_readers_of_the_outbox_have_figures(told: Client) -> None:
    hooking.enqueue_deliveries()
    user = a.a_user()
    plan = HookPlan("x", "https://example.org/", tuple(webhook_kinds()))
    hook, _secret = make_hook(user=user, plan=plan)
    make_hook(user=user, plan=plan)
    Hook.objects.filter(pk=hook.pk).update(failing_since=hook.created_at)
    send_test(hook=hook, by=user)
    a.an_open_event()
    found = figures(told)
    assert (found["hanami_hooks", "active"], found["hanami_hooks", "failing"]) == (1, 1)
    assert found["hanami_hook_deliveries_due", ""] == 1
    assert found["hanami_outbox_unread", "hooks"] > 0
    assert found["hanami_outbox_unread_seconds", "hooks"] > 0
    hooking.enqueue_deliveries()
    assert figures(told)["hanami_outbox_unread", "hooks"] == 0
