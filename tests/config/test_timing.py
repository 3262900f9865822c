"""Server-Timing: said only where it was asked for, and rightly."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db


def test_by_default_nobody_is_told() -> None:
    assert "Server-Timing" not in Client().get("/t/").headers


def test_an_answer_says_how_long_it_took_and_how_often_it_asked(settings: Any) -> None:
    settings.MIDDLEWARE = ["config.timing.ServerTiming", *settings.MIDDLEWARE]
    with CaptureQueriesContext(connection) as seen:
        said = Client().get("/t/").headers["Server-Timing"]
    found = re.fullmatch(r'app;dur=(\d+\.\d+), db;dur=(\d+\.\d+);desc="(\d+)"', said)
    assert found is not None
    whole, asked = float(found[1]), float(found[2])
    assert int(found[3]) == len(seen) > 0
    assert 0 < asked < whole
