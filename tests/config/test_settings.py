"""Settings whose loss nobody would notice until something breaks."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from config import settings as project_settings
from config.celery import app
from tests.services.processes import Project

LOOK_AT_SQLITE = """
import json
from django.db import connection, transaction
found = {}
with connection.cursor() as cursor:
    for pragma in ("journal_mode", "synchronous", "foreign_keys"):
        cursor.execute(f"PRAGMA {pragma}")
        found[pragma] = cursor.fetchone()[0]
found["mode"] = connection.settings_dict["OPTIONS"]["transaction_mode"]
found["timeout"] = connection.settings_dict["OPTIONS"]["timeout"]
print(json.dumps(found))
"""
LOOK_AT_POSTGRESQL = """
import json
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT 1")
print(json.dumps({"pool": connection.pool.max_size, "age": connection.settings_dict["CONN_MAX_AGE"]}))
connection.close()
connection.close_pool()
"""


@pytest.mark.thorough
def test_sqlite_waits_for_its_one_writer(embedded_project: Project) -> None:
    said = json.loads(embedded_project.manage("shell", "--no-imports", "--command", LOOK_AT_SQLITE))
    assert said == {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "mode": "IMMEDIATE", "timeout": 20}


@pytest.mark.thorough
def test_postgresql_is_reached_through_a_pool(project: Project) -> None:
    said = json.loads(project.manage("shell", "--no-imports", "--command", LOOK_AT_POSTGRESQL))
    assert said == {"pool": 4, "age": 0}


REMOTE = "postgresql://hanami:pass@db:5432/hanami"


@pytest.mark.parametrize(
    "url", [REMOTE, "postgresql:///hanami?host=db.example.org", "postgresql:///hanami?hostaddr=192.0.2.7"]
)
def test_a_database_host_or_a_client_that_vanishes_is_given_up(url: str) -> None:
    options = project_settings._postgresql(url)["OPTIONS"]
    client = {"connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"}
    assert all(0 < options[name] <= 30_000 for name in client)
    server = dict(each.split("=") for each in options["options"].replace("-c ", "").split())
    assert server == {name: str(value) for name, value in project_settings.SERVER_KEEPALIVES.items()}


def test_what_the_address_of_the_database_says_wins() -> None:
    chosen = "connect_timeout=9&keepalives_idle=77&options=-c%20tcp_user_timeout%3D5000%20-c%20work_mem%3D8MB"
    options = project_settings._postgresql(f"{REMOTE}?{chosen}")["OPTIONS"]
    assert (options["connect_timeout"], options["keepalives_idle"]) == (9, 77)
    assert options["options"].endswith(" -c tcp_user_timeout=5000 -c work_mem=8MB"), "the last one counts"


@pytest.mark.parametrize("url", ["postgresql:///hanami", "postgresql:///hanami?host=/run/postgresql&user=hanami"])
def test_a_socket_of_this_machine_gets_no_timeout(url: str) -> None:
    options = project_settings._postgresql(url)["OPTIONS"]
    assert not options.keys() & {*project_settings.KEEPALIVES, "options"}


def test_celery_loses_no_bell_and_keeps_no_result() -> None:
    conf = app.conf
    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.task_ignore_result
    assert not conf.result_backend
    assert conf.worker_prefetch_multiplier == 1
    assert conf.broker_connection_retry_on_startup
    assert conf.task_soft_time_limit < conf.task_time_limit < conf.broker_transport_options["visibility_timeout"]
    assert conf.broker_transport_options["unacked_restore_interval"] == 5
    assert conf.broker_transport_options["unacked_restore_throttle"] == 1
    assert conf.accept_content == ["json"]


def test_beat_sweeps_and_every_scheduled_task_exists() -> None:
    app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    tournaments = {f"tournaments.tasks.{name}" for name in ("sweep", "tidy", "export_dataset")}
    assert scheduled == {"tables.tasks.sweep", *tournaments}
    assert scheduled <= set(app.tasks)


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused() -> None:
    assert Client(enforce_csrf_checks=True).post("/login/", {"username": "a", "password": "b"}).status_code == 403


@pytest.mark.thorough
@pytest.mark.django_db
def test_pages_speak_the_visitors_language(client: Client) -> None:
    for language in ("en", "ja", "fr"):
        assert f'<html lang="{language}"' in client.get("/", HTTP_ACCEPT_LANGUAGE=language).content.decode()


def test_every_module_is_served_under_a_hashed_name(collected_static: Path) -> None:
    """An import inside a module must name a file that is there, or the page's script dies in production only."""
    named: dict[str, str] = json.loads((collected_static / "staticfiles.json").read_text(encoding="utf-8"))["paths"]
    modules = [
        hashed for name, hashed in named.items() if name.endswith(".js") and name.split("/")[0] in ("site", "replay")
    ]
    assert modules
    for hashed in modules:
        source = (collected_static / hashed).read_text(encoding="utf-8")
        for line in source.splitlines():
            if line.startswith(("import ", "export ")) and " from " in line:
                wanted = line.rpartition(" from ")[2].strip(" ;\"'")
                assert ((collected_static / hashed).parent / wanted).exists(), f"{hashed}: {line}"


def test_sessions_and_cookies_are_not_readable_by_scripts() -> None:
    assert settings.SESSION_COOKIE_HTTPONLY
    assert settings.SESSION_COOKIE_SAMESITE == "Lax"
