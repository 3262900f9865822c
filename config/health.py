"""Health probes. `/healthz`: this process answers. `/readyz`: the service can do its work, part by part.

Answered by the first middleware, so that a probe needs no host name, no https, no session and no language.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from threading import Thread
from typing import Any, Final

import psycopg
import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils import timezone

from bots.models import Worker
from config.celery import SWEPT_AT, wake_up_redis

PROBE_S: Final = 1.5
"""Seconds that the database has to answer a probe: a health check gives up after 4, and reads no note then."""
OF_DJANGO: Final = frozenset({"pool", "context", "cursor_factory", "prepare_threshold"})
"""Parameters that Django adds to those of libpq."""
WORKER_SILENCE: Final = timedelta(minutes=2)
# A sweep may be late behind a long task; four in a row that are missing are no chance.
SWEEPS_MISSED: Final = 4


@dataclass(frozen=True, slots=True)
class Part:
    """One thing the service needs: whether it works now, and a word for operators."""

    ok: bool
    note: str


def database() -> Part:
    """Check the database by one round trip, on a connection of its own: the pool would wait 10 s for one that is
    away.
    """
    silent = Part(False, "no answer; start the database or check HANAMI_DATABASE_URL")
    if connection.vendor == "postgresql" and not _answers(connection.get_connection_params()):
        return silent
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return silent
    return Part(True, connection.vendor)


def _answers(where: Mapping[str, Any]) -> bool:
    """Return whether PostgreSQL answers in time. where: as Django connects to it.

    In a thread of its own, for nothing else bounds all of it: libpq's timeout is for each address of a host and ends
    with the connection, and a name server that is away, or a server that took the connection and died, hold longer.
    """
    asked = {name: value for name, value in where.items() if name not in OF_DJANGO}
    answers: list[bool] = []

    def ask() -> None:
        try:
            with closing(psycopg.connect(**{**asked, "connect_timeout": 2}, autocommit=True)) as own:
                answers.append(own.execute("SELECT 1").fetchone() is not None)
        except psycopg.Error:
            answers.append(False)

    # A daemon: a probe that hangs must not keep the process from ending.
    asking = Thread(target=ask, name="probe of the database", daemon=True)
    asking.start()
    asking.join(PROBE_S)
    return answers == [True]


def migrations() -> Part:
    """Check that the tables are those of this code."""
    try:
        executor = MigrationExecutor(connection)
        missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return Part(False, "unknown: no database")
    return Part(not missing, f"{missing} to apply; run `manage.py migrate`" if missing else "all applied")


def broker() -> Part:
    """Check the broker by one round trip."""
    try:
        with wake_up_redis() as connected:
            connected.ping()
    except redis.RedisError:
        return Part(False, "no answer; start Redis or check HANAMI_REDIS_URL")
    return Part(True, "answers")


def sweep() -> Part:
    """Check how long ago the queue was swept. Without sweeps a lost wake-up is never repeated."""
    try:
        with wake_up_redis() as connected:
            swept_at = connected.get(SWEPT_AT)
    except redis.RedisError:
        return Part(False, "unknown: no broker")
    if not isinstance(swept_at, bytes):
        return Part(False, "never yet; start beat and a worker")
    # Wall clocks of two machines: never less than 0.
    age = max(0, round(time.time() - float(swept_at)))
    return Part(age <= settings.SWEEP_S * SWEEPS_MISSED, f"{age} s ago")


def workers() -> Part:
    """Check that workers were heard of lately, and that each one's sandbox held when it probed it."""
    try:
        seen = list(
            Worker.objects.filter(seen_at__gte=timezone.now() - WORKER_SILENCE).values_list("probe_ok", flat=True)
        )
    except DatabaseError:
        return Part(False, "unknown: no database")
    sandboxed = sum(seen)
    if not seen:
        return Part(False, "none; start one with `celery -A config worker`")
    return Part(sandboxed > 0, f"{sandboxed} of {len(seen)} with a sandbox that holds")


def parts() -> dict[str, Part]:
    """Return every part by its name. A part in a service that is away is not asked for: each question would wait
    again.
    """
    found: dict[str, Part] = {}
    for name, look in PARTS.items():
        service = LIES_IN.get(name)
        is_unknown = service is not None and not found[service].ok
        found[name] = Part(False, f"unknown: no {service}") if is_unknown else look()
    return found


LIES_IN: Final[Mapping[str, str]] = {"migrations": "database", "sweep": "broker", "workers": "database"}
# In this order: a service is looked at before what lies in it.
PARTS: Final[dict[str, Callable[[], Part]]] = {
    "database": database,
    "migrations": migrations,
    "broker": broker,
    "sweep": sweep,
    "workers": workers,
}


def healthz() -> HttpResponse:
    """Answer 200 as long as the process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz() -> HttpResponse:
    """Answer 200 when every part works, else 503; both with `{"ready": bool, "parts": {name: {"ok", "note"}}}`."""
    found = parts()
    ready = all(part.ok for part in found.values())
    body = {"ready": ready, "parts": {name: {"ok": part.ok, "note": part.note} for name, part in found.items()}}
    return JsonResponse(body, status=200 if ready else 503)


PROBES: Final[dict[str, Callable[[], HttpResponse]]] = {"/healthz": healthz, "/readyz": readyz}


class HealthMiddleware:
    """Answers the two probe addresses and hands everything else on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        probe = PROBES.get(request.path_info)
        if probe is None or request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        response = probe()
        response["Cache-Control"] = "no-store"
        return response
