"""Errors of the API as problem documents (RFC 9457) with a stable `code`."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from engine.errors import DomainError

PROBLEM = "application/problem+json"
CODES = {
    400: "request.bad",
    401: "auth.needed",
    403: "access.denied",
    404: "not_found",
    405: "method.not_allowed",
    406: "accept.impossible",
    415: "media.unsupported",
    429: "rate.limited",
}
NEXT = {
    404: "See /api/docs/ for the addresses there are; private events are not in the API.",
    405: "This API only reads: use GET or HEAD.",
    406: "Ask for application/json.",
}


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """The problem document for an error; None for errors of ours, which Django answers with 500."""
    if isinstance(error, DomainError):
        return problem(400, error.code, str(error))
    answer = exception_handler(error, context)
    if answer is None:
        return None
    title = str(error) if isinstance(error, exceptions.APIException) else "Nothing has this address"
    found = problem(answer.status_code, CODES.get(answer.status_code, "request.bad"), title)
    if isinstance(error, Http404 | PermissionDenied):
        found.data["title"] = "Nothing has this address" if isinstance(error, Http404) else "Not allowed"
    for header, value in answer.items():
        if header.lower() not in ("content-type", "content-length"):
            found[header] = value
    return found


def problem(status: int, code: str, title: str) -> Response:
    """A problem document: what is wrong and, where it is known, what to do."""
    body = {"type": "about:blank", "status": status, "code": code, "title": title}
    if status in NEXT:
        body["detail"] = NEXT[status]
    return Response(body, status=status, content_type=PROBLEM)
