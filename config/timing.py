"""`Server-Timing`: how long an answer took on the server and how often it asked the database, for measurements.

Only with HANAMI_SERVER_TIMING=1: a stranger learns nothing of a deployment from how long its pages take to make.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponseBase


@dataclass(slots=True)
class Asked:
    """Queries of one answer. seconds: wall clock of all queries together."""

    queries: int = 0
    seconds: float = 0.0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Run a query and measure it: Django calls this for every one."""
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.queries += 1
            self.seconds += time.perf_counter() - began


class ServerTiming:
    """Middleware that adds `app;dur=<ms>, db;dur=<ms>;desc="<number of queries>"` to every answer that is made here."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began, asked = time.perf_counter(), Asked()
        with connection.execute_wrapper(asked):
            response = self.get_response(request)
        whole = 1000 * (time.perf_counter() - began)
        response["Server-Timing"] = f'app;dur={whole:.2f}, db;dur={1000 * asked.seconds:.2f};desc="{asked.queries}"'
        return response
