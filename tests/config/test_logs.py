"""What a log line holds, and what it must not."""

import json
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("log_format", ["console", "json"])
def test_an_error_shows_its_traceback_but_no_local_variable(log_format: str, tmp_path: Path) -> None:
    here = Project({"HANAMI_DATA_DIR": str(tmp_path), "HANAMI_LOG_FORMAT": log_format}, tmp_path)
    said = here.manage("shell", "--no-imports", "--command", PROGRAM)
    assert "deal.failed" in said
    assert "no card left" in said
    assert "the-hidden-hand" not in said


def test_a_json_line_is_one_object_with_its_facts(tmp_path: Path) -> None:
    here = Project({"HANAMI_DATA_DIR": str(tmp_path), "HANAMI_LOG_FORMAT": "json"}, tmp_path)
    said = here.manage("shell", "--no-imports", "--command", PROGRAM)
    line = json.loads(said.splitlines()[-1])
    assert (line["event"], line["seat"], line["level"], line["logger"]) == ("deal.failed", 3, "error", "engine.deal")
    assert line["timestamp"].endswith("Z")
