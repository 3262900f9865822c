"""Whole leagues through real Celery worker processes on Redis and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from django.db import connection

from activity import wake_ups
from bots.models import Check, Worker
from bots.services import upload_version
from tests.builders import events as a
from tests.services.commands import said
from tests.services.processes import Project
from tournaments.lifecycle.transitions import TRANSITIONS
from tournaments.models import Match, ResultReport, Round, Stage, Standing, Tournament

pytestmark = pytest.mark.timeout(300)
WATCHED = {Tournament: "tournaments_tournament", Stage: "tournaments_stage", Round: "tournaments_round"}
WATCHED |= {Match: "tournaments_match"}


@pytest.fixture
def state_changes(transactional_db: None) -> Iterator[Callable[[], set[tuple[str, str, str]]]]:
    """Every change of state that any process makes from now on: (table, old, new), noted by the database itself."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE state_changes (named text, old text, new text)")
        cursor.execute("GRANT INSERT ON state_changes TO PUBLIC")  # workers have an account of their own
        cursor.execute(
            "CREATE FUNCTION note_state() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "IF OLD.state <> NEW.state THEN "
            "INSERT INTO state_changes VALUES (TG_TABLE_NAME, OLD.state, NEW.state); END IF; RETURN NEW; END $$"
        )
        for table in WATCHED.values():
            cursor.execute(
                f"CREATE TRIGGER note_state AFTER UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION note_state()"
            )

    def noted() -> set[tuple[str, str, str]]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT named, old, new FROM state_changes")
            return set(cursor.fetchall())

    yield noted
    with connection.cursor() as cursor:
        cursor.execute("DROP FUNCTION note_state() CASCADE")
        cursor.execute("DROP TABLE state_changes")


def allowed() -> set[tuple[str, str, str]]:
    return {
        (WATCHED[model], str(source), str(found.target))
        for model, found_all in TRANSITIONS.items()
        for found in found_all
        for source in found.sources
    }


@pytest.mark.slow
def test_a_whole_league_through_two_worker_processes(
    project: Project, wait_until: Callable[..., Any], state_changes: Callable[[], set[tuple[str, str, str]]]
) -> None:
    project.worker(concurrency=2)
    wait_until(lambda: Worker.objects.filter(probe_ok=True).count() == 2, 60, "both sandboxes held")
    event = a.a_running_event(bots=4, legs="cyclic", options={"rounds": 2})
    wait_until(lambda: Tournament.objects.get().state == "finished", 60, "the league finished")
    assert Match.objects.filter(state="confirmed").count() == ResultReport.objects.count() == 12
    assert not Match.objects.exclude(attempt=1).exists()
    assert Standing.objects.filter(after_round=0).count() == 4
    assert set(Round.objects.values_list("state", flat=True)) == {"locked"}
    changes = state_changes()
    assert changes <= allowed(), changes - allowed()
    assert ("tournaments_match", "claimed", "confirmed") in changes
    assert "12 of 12 records verify (12 with their revealed seed)" in said("verify_records")
    assert "1 stages recalculated, 0 tables differed" in said("refold", "--check")
    assert event.slug in said("demo_status")


@pytest.mark.slow
def test_an_upload_is_checked_beside_matches_and_activated(project: Project, wait_until: Callable[..., Any]) -> None:
    owner = a.a_user()
    good = upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Plum")
    bad = upload_version(owner=owner, filename="bot.py", data=a.CRASHES, name="Crash")
    a.a_running_event(bots=4)
    project.worker()
    project.beat()
    wait_until(lambda: Tournament.objects.get().state == "finished", 60, "the league finished")
    wait_until(lambda: not Check.objects.exclude(state=Check.State.DONE).exists(), 60, "both are checked")
    for version in (good, bad):
        version.refresh_from_db()
        version.bot.refresh_from_db()
    assert (good.state, good.bot.active_version) == ("ready", good)
    assert (bad.state, bad.bot.active_version) == ("failed", None)
    assert good.check_run.result["ok"] is True
    failed = bad.check_run.result["steps"][-1]
    assert (failed["id"], failed["code"]) == ("smoke.hawaii", "crash")
    assert bad.check_run.log is not None
    assert b"ValueError: no idea" in bad.check_run.log.data()


@pytest.mark.slow
def test_a_worker_that_is_asked_to_end_finishes_its_match_and_loses_nothing(
    project: Project, wait_until: Callable[..., Any]
) -> None:
    worker = project.worker()
    a.a_running_event(bots=4, options={"rounds": 12})
    wait_until(lambda: ResultReport.objects.exists(), 60, "a first result")
    worker.stop(grace_s=30)
    assert worker.process.returncode == 0
    assert set(Match.objects.values_list("state", "faults")) <= {("confirmed", 0), ("queued", 0)}
    project.worker()
    project.beat()
    wait_until(lambda: Tournament.objects.get().state == "finished", 60, "the league finished")
    assert ResultReport.objects.count() == 6


def test_a_bell_rings_in_its_own_queue_only(redis_url: str) -> None:
    wake_ups.notify_workers("play", times=3)
    wake_ups.notify_workers("derive")
    with redis.Redis.from_url(redis_url) as broker:
        assert (broker.llen("play"), broker.llen("derive")) == (3, 1)


def test_a_lost_broker_costs_nobody_their_request(settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    wake_ups.redis_client.cache_clear()
    assert wake_ups.wake_listeners() is False
    wake_ups.redis_client.cache_clear()
