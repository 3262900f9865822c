"""`/healthz`: this process answers. `/readyz`: the service can do its work, part by part.

Answered by the first middleware, so that a probe needs no host name, no https, no session and no language.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils import timezone

from bots.models import Worker
from config.celery import SWEPT_AT, bell

WORKER_SILENCE: Final = timedelta(minutes=2)
SWEEPS_MISSED: Final = 4


@dataclass(frozen=True, slots=True)
class Part:
    """One thing the service needs: whether it works now, and a word for operators."""

    ok: bool
    note: str


def database() -> Part:
    """One round trip."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return Part(False, "no answer; start the database or check HANAMI_DATABASE_URL")
    return Part(True, connection.vendor)


def migrations() -> Part:
    """Whether the tables are those of this code."""
    try:
        executor = MigrationExecutor(connection)
        missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return Part(False, "unknown: no database")
    return Part(not missing, f"{missing} to apply; run `manage.py migrate`" if missing else "all applied")


def broker() -> Part:
    """One round trip."""
    try:
        with bell() as connected:
            connected.ping()
    except redis.RedisError:
        return Part(False, "no answer; start Redis or check HANAMI_REDIS_URL")
    return Part(True, "answers")


def sweep() -> Part:
    """How long ago the queue was swept. Without sweeps a lost doorbell is never rung again."""
    try:
        with bell() as connected:
            swept_at = connected.get(SWEPT_AT)
    except redis.RedisError:
        return Part(False, "unknown: no broker")
    if not isinstance(swept_at, bytes):
        return Part(False, "never yet; start beat and a worker")
    age = max(0, round(time.time() - float(swept_at)))
    return Part(age <= settings.SWEEP_S * SWEEPS_MISSED, f"{age} s ago")


def workers() -> Part:
    """Workers heard of lately, and whether each one's sandbox held when it probed it."""
    try:
        seen = list(
            Worker.objects.filter(seen_at__gte=timezone.now() - WORKER_SILENCE).values_list("probe_ok", flat=True)
        )
    except DatabaseError:
        return Part(False, "unknown: no database")
    held = sum(seen)
    if not seen:
        return Part(False, "none; start one with `celery -A config worker`")
    return Part(held > 0, f"{held} of {len(seen)} with a sandbox that holds")


PARTS: Final[dict[str, Callable[[], Part]]] = {
    "database": database,
    "migrations": migrations,
    "broker": broker,
    "sweep": sweep,
    "workers": workers,
}


def healthz() -> HttpResponse:
    """200 as long as the process answers at all."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz() -> HttpResponse:
    """200 when every part works, else 503; both with `{"ready": bool, "parts": {name: {"ok", "note"}}}`."""
    found = {name: look() for name, look in PARTS.items()}
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
