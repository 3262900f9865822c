"""Request ids: in the answer (`X-Request-ID`), in the log lines written meanwhile, on a page that says 500.

The id is made here, never taken from outside: a client cannot write into the log. An error of ours is noted with it.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from typing import Any

import structlog
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponseBase

from activity import error_log

HEADER = "X-Request-ID"


class RequestIds:
    """Middleware that gives each request its id."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.META[HEADER] = secrets.token_hex(8)
        with structlog.contextvars.bound_contextvars(request=request.META[HEADER]):
            response = self.get_response(request)
        response[HEADER] = request.META[HEADER]
        return response


def record_error(request: HttpRequest | None = None, **_sent: Any) -> None:
    """Store an exception that nobody caught, for operators: a receiver of Django's signal."""
    error = sys.exc_info()[1]
    if request is None or error is None:
        return
    # The route, never the path: a path may hold a key.
    route = getattr(request.resolver_match, "route", "") or "?"
    number, kind = str(request.META.get(HEADER, "")), type(error).__name__
    error_log.record(number, method=str(request.method), route=route, kind=kind)


got_request_exception.connect(record_error, dispatch_uid="config.request_ids")
