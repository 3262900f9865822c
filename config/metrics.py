"""`/metrics`: figures for Prometheus, asked of the database when they are scraped, so that every web process says the
same of the service. What is of this process alone (streams, errors, memory) says so in its help.

Only with HANAMI_METRICS_TOKEN, and only for anyone who sends it (`Authorization: Bearer ...`); to anybody else there
is no such page.
"""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.core.signals import got_request_exception
from django.db import DatabaseError
from django.db.models import Count, Min, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from activity import consumers
from activity.stuck import STANDINGS
from activity.wake_ups import BROKER_ERRORS
from bots.models import Check, Lease, Outbox, Worker
from bots.selectors.workers import SILENCE
from config import health
from tournaments import streams
from tournaments.models import Match, StuckNews
from tournaments.notifications.push import figures as push_figures
from tournaments.operations import steps
from tournaments.operations.queries import database_bytes
from tournaments.webhooks import figures as hook_figures

WAITING: Final = ("queued", "claimed", "quarantined")

registry: Final = CollectorRegistry()
errors: Final = Counter("hanami_errors", "requests that ended in an error of ours, in this process", registry=registry)


def _count_error(**_sent: Any) -> None:
    errors.inc()


got_request_exception.connect(_count_error, dispatch_uid="config.metrics")


class Service(Collector):
    """Figures of what the rows say now, group by group: a database that is away takes only its own figures with it."""

    def collect(self) -> Iterator[Metric]:
        parts = health.parts()
        yield _ready(parts)
        yield from _steps()
        # Without a database each group would wait for a connection: `hanami_ready{part="database"}` says what is wrong.
        for group in (_queue, _workers, _telling, _hooks, _push, _storage) if parts["database"].ok else ():
            try:
                yield from group()
            except DatabaseError:
                continue
        yield GaugeMetricFamily("hanami_streams_open", "live pages open in this process", streams.open_now())


def _ready(parts: Mapping[str, health.Part]) -> Metric:
    ready = GaugeMetricFamily("hanami_ready", "1 if the part works, as /readyz says", labels=["part"])
    for name, part in parts.items():
        ready.add_metric([name], float(part.ok))
    return ready


def _steps() -> Iterator[Metric]:
    try:
        broken = steps.broken()
    except BROKER_ERRORS:
        return
    family = GaugeMetricFamily(
        "hanami_step_broken", "steps of periodic work that failed the last time", labels=["step"]
    )
    for name in broken:
        family.add_metric([name], 1)
    yield family


def _queue() -> Iterator[Metric]:
    for name, model in (("matches", Match), ("checks", Check)):
        rows: Any = model
        counted = dict(rows.objects.filter(state__in=WAITING).order_by().values_list("state").annotate(Count("id")))
        family = GaugeMetricFamily(f"hanami_{name}", f"{name} that wait, are played, are held", labels=["state"])
        for state in WAITING:
            family.add_metric([state], counted.get(state, 0))
        yield family
    oldest = Match.objects.filter(state="queued").aggregate(at=Min("queued_at"))["at"]
    age = (timezone.now() - oldest).total_seconds() if oldest else 0.0
    yield GaugeMetricFamily("hanami_queue_oldest_seconds", "how long the match that waits longest has waited", age)


def _workers() -> Iterator[Metric]:
    seen = Worker.objects.filter(seen_at__gte=timezone.now() - SILENCE)
    counted = dict(seen.order_by().values_list("probe_ok").annotate(Count("id")))
    family = GaugeMetricFamily("hanami_workers", "worker processes heard of lately", labels=["sandbox"])
    family.add_metric(["held"], counted.get(True, 0))
    family.add_metric(["failed"], counted.get(False, 0))
    yield family
    pace = seen.aggregate(pace=Sum("per_hour"))["pace"] or 0
    yield GaugeMetricFamily("hanami_matches_per_hour", "matches an hour at the pace of the last hour", pace)
    yield GaugeMetricFamily("hanami_leases", "leases held by workers", Lease.objects.count())


def _telling() -> Iterator[Metric]:
    unsent = Outbox.objects.filter(sent_at=None)
    yield GaugeMetricFamily("hanami_outbox_unsent", "news that live pages were not told yet", unsent.count())
    stuck = GaugeMetricFamily("hanami_outbox_stuck", "news that a reader failed at, to be looked at", labels=["reader"])
    counted = dict(StuckNews.objects.order_by().values_list("reader").annotate(Count("pk")))
    for reader in (*(consumer.name for consumer in consumers.CONSUMERS), STANDINGS):
        stuck.add_metric([reader], counted.get(reader, 0))
    yield stuck


def _hooks() -> Iterator[Metric]:
    """Yield figures of the readers of the outbox, and of what they make for other machines."""
    unread = GaugeMetricFamily(
        "hanami_outbox_unread", "news that a reader has still to see, up to 500", labels=["reader"]
    )
    late = GaugeMetricFamily("hanami_outbox_unread_seconds", "age of the oldest of them", labels=["reader"])
    for name, (rows, age) in consumers.lag_by_consumer().items():
        unread.add_metric([name], rows)
        late.add_metric([name], age)
    yield from (unread, late)
    found = hook_figures.figures()
    hooks = GaugeMetricFamily("hanami_hooks", "web hooks by their state", labels=["state"])
    for state, number in found.hooks.items():
        hooks.add_metric([state], number)
    yield hooks
    tried = GaugeMetricFamily("hanami_hook_deliveries_hour", "deliveries tried within an hour", labels=["state"])
    for state, number in found.tried.items():
        tried.add_metric([state], number)
    yield tried
    yield GaugeMetricFamily("hanami_hook_deliveries_due", "deliveries whose time has come", found.due)
    yield GaugeMetricFamily("hanami_hook_due_seconds", "for how long the oldest of them is due", found.late_s)


def _push() -> Iterator[Metric]:
    """Yield figures of messages to browsers."""
    found = push_figures.figures()
    yield GaugeMetricFamily("hanami_push_browsers", "browsers that are notified", found.browsers)
    done = GaugeMetricFamily("hanami_push_messages_hour", "messages to browsers closed in an hour", labels=["state"])
    for state, number in found.done.items():
        done.add_metric([state], number)
    yield done
    yield GaugeMetricFamily("hanami_push_due", "messages to browsers whose time has come", found.due)
    yield GaugeMetricFamily("hanami_push_due_seconds", "for how long the oldest of them is due", found.late_s)


def _storage() -> Iterator[Metric]:
    yield GaugeMetricFamily("hanami_database_bytes", "size of the database", database_bytes())
    free = shutil.disk_usage(settings.DATA_DIR).free
    yield GaugeMetricFamily("hanami_disk_free_bytes", "room left where this process keeps its data", free)


registry.register(Service())
ProcessCollector(registry=registry)


class MetricsMiddleware:
    """Answers `/metrics` before hosts, https and sessions are looked at, and hands everything else on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info != "/metrics" or request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        response = metrics(request)
        response["Cache-Control"] = "no-store"
        return response


def metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures, in Prometheus' text format; 404 without the token."""
    wanted = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    # 404, not 403: a stranger does not learn that there are figures. In constant time: nobody guesses it letter by
    # letter.
    if not wanted or not secrets.compare_digest(given.encode(), wanted.encode()):
        return HttpResponse("There is no such page.\n", content_type="text/plain", status=404)
    began = time.perf_counter()
    # The time it takes is added below, in the same answer: Prometheus would show the last one's otherwise.
    body = generate_latest(registry)
    took = f"# TYPE hanami_scrape_seconds gauge\nhanami_scrape_seconds {time.perf_counter() - began:.6f}\n"
    return HttpResponse(body + took.encode(), content_type=CONTENT_TYPE_LATEST)
