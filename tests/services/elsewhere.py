"""Django in this process on another database than the run's own: one that a test may restart, fill up or clone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import environ
from django.db import connections

from config import settings


@contextmanager
def connected_to(url: str) -> Iterator[None]:
    """Let `django.db.connection` be one to `url` until the end of the block, in threads begun meanwhile, too.

    url: as `HANAMI_DATABASE_URL` takes it. The run's own connection is kept and put back.
    """
    before, connection = connections.settings["default"], connections["default"]
    connections.settings["default"] = _configured(url)
    connections["default"] = connections.create_connection("default")
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"], connections["default"] = before, connection


def _configured(url: str) -> dict[str, Any]:
    if url.startswith("sqlite"):
        found = settings._sqlite(str(environ.Env.db_url_config(url)["NAME"]))
    else:
        found = settings._postgresql(url)
        found["OPTIONS"].pop("pool")
    configured: dict[str, Any] = connections.configure_settings({"default": found})["default"]
    return configured
