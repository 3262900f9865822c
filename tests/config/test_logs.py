"""Content of log lines, and what must not be in them."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from config import logs
from tests.services.processes import Project

PROGRAM = """
import structlog
log = structlog.get_logger("engine.deal")
def deal(hand):
    raise ValueError("no card left")
try:
    deal(hand="-".join(("the", "hidden", "hand")))
except ValueError:
    log.exception("deal.failed", seat=3)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("log_format", ["console", "json"])
def test_an_error_shows_its_traceback_but_no_local_variable(log_format: str, tmp_path: Path) -> None:
    here = Project({"HANAMI_DATA_DIR": str(tmp_path), "HANAMI_LOG_FORMAT": log_format}, tmp_path)
    said = here.manage("shell", "--no-imports", "--command", PROGRAM)
    assert "deal.failed" in said
    assert "no card left" in said
    assert "the-hidden-hand" not in said


@pytest.mark.thorough
def test_a_json_line_is_one_object_with_its_facts(tmp_path: Path) -> None:
    here = Project({"HANAMI_DATA_DIR": str(tmp_path), "HANAMI_LOG_FORMAT": "json"}, tmp_path)
    said = here.manage("shell", "--no-imports", "--command", PROGRAM)
    line = json.loads(said.splitlines()[-1])
    assert (line["event"], line["seat"], line["level"], line["logger"]) == ("deal.failed", 3, "error", "engine.deal")
    assert line["timestamp"].endswith("Z")


@pytest.fixture
def written(db: None, request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Return what is written in the format of the test, by the handler that a web process has."""
    root, stream = logging.getLogger(), io.StringIO()
    kept = root.handlers[:]
    logs.configure(level="INFO", log_format=request.param)
    (ours,) = root.handlers
    assert isinstance(ours, logging.StreamHandler)
    ours.setStream(stream)
    yield stream
    root.handlers[:] = kept


@pytest.mark.parametrize("written", ["console", "json"], indirect=True)
def test_a_line_about_a_request_names_its_route_and_no_key_in_its_path(
    written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise ValueError("ours")

    monkeypatch.setattr("tournaments.pages.floor.player_page.read_link", broken)
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    assert client.get("/e/secret-of-a-link/").status_code == 500
    assert client.post("/me/mail/confirm/secret-of-a-mail/").status_code == 403
    said = written.getvalue()
    assert "ours" in said
    assert "Internal Server Error: /^e/" in said
    assert "/me/mail/confirm/<str:token>/" in said
    assert "secret-of-a" not in said
