"""A whole service for a benchmark: PostgreSQL, Redis and the project on them, in a folder of its own."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import django
import psycopg

from tests.services.postgres import Postgres
from tests.services.processes import Project
from tests.services.redis_server import Redis


@dataclass(frozen=True, slots=True)
class Service:
    """project: starts its processes. pids: of PostgreSQL and Redis."""

    project: Project
    pids: list[int]


def a_service(stack: ExitStack, folder: Path, *, is_seen: bool = True, **settings: str) -> Service:
    """Start one with an empty, migrated database; this process is connected to it as well.

    is_seen: pages are looked at, so static files are there. settings: further variables (HANAMI_...).
    """
    folder.chmod(0o711)  # PostgreSQL runs as an ordinary account where this is started by root
    postgres, redis = Postgres(folder / "postgres"), Redis(folder / "redis")
    for server in (postgres, redis):
        server.start()
        stack.callback(server.stop)
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE hanami")
    environment = {
        "HANAMI_DATABASE_URL": postgres.url(),
        "HANAMI_REDIS_URL": redis.url(),
        "HANAMI_DATA_DIR": str(folder / "var"),
        "HANAMI_STATIC_DIR": str(folder / "static"),
        "HANAMI_LOG_LEVEL": "WARNING",
        **settings,
    }
    # Before django.setup(): settings are read once.
    os.environ.update(environment, DJANGO_SETTINGS_MODULE="config.settings")
    project = Project(environment, folder)
    stack.callback(project.stop)
    project.manage("migrate", "--verbosity", "0")
    if is_seen:
        project.manage("collectstatic", "--noinput", "--verbosity", "0")
    django.setup()
    return Service(project, [server.process.pid for server in (postgres, redis) if server.process is not None])
