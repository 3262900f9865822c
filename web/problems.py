"""Errors of the API as problem documents (RFC 9457) with a stable `code`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.errors import AccountError
from engine.errors import DomainError
from web.statuses import is_busy, status_of

PROBLEM: Final = "application/problem+json"
SAFE: Final = ("GET", "HEAD", "OPTIONS")
CODES: Final = {
    400: "request.bad",
    401: "auth.needed",
    403: "access.denied",
    404: "not_found",
    405: "method.not_allowed",
    406: "accept.impossible",
    412: "request.outdated",
    413: "request.too_large",
    415: "media.unsupported",
    429: "rate.limited",
}
NEXT: Final = {
    404: "See /api/docs/ for the addresses there are; private things are not there for others.",
    405: "The header Allow names what this address takes.",
    406: "Ask for application/json.",
    429: "Wait as long as Retry-After says.",
}
ALIASES: Final = {"round.draw_changed": "draw.stale", "stage.draw_changed": "draw.stale"}
"""Codes that the API calls otherwise than pages do."""
STATUS: Final = {
    "idem.key_missing": 400,
    "idem.key_invalid": 400,
    "idem.key_reused": 409,
    "report.key_reused": 409,
}


WAIT: Final = (429, 503)


class Outdated(exceptions.APIException):
    """412: somebody changed it since it was read."""

    status_code = 412

    def __init__(self) -> None:
        super().__init__(_("The object has changed since you read it. Read it again, then change it."))


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem document for an error; None for errors of ours, which Django answers with 500."""
    if isinstance(error, DomainError):
        return refusal(error, method=context["request"].method)
    if isinstance(error, AccountError):
        return problem(422, error.code, str(error))
    if is_busy(error):
        return _busy()
    if isinstance(error, exceptions.ValidationError):
        return _invalid(error)
    # Django REST framework marks the transaction for rollback and sets WWW-Authenticate and Retry-After.
    answer = exception_handler(error, context)
    if answer is None:
        return None
    title = str(error) if isinstance(error, exceptions.APIException) else "There is nothing at this address"
    if isinstance(error, PermissionDenied):
        title = "Not allowed"
    code = getattr(error, "problem_code", CODES.get(answer.status_code, "request.bad"))
    if isinstance(error, Http404 | exceptions.NotFound):
        title = str(error) if isinstance(error, exceptions.NotFound) else "There is nothing at this address"
    found = problem(answer.status_code, code, title, extra=getattr(error, "problem_extra", None))
    for header, value in answer.items():
        # Its headers are kept, but the document is another one, of another type and length.
        if header.lower() not in ("content-type", "content-length"):
            found[header] = value
    return found


def refusal(error: DomainError, *, method: str | None = "POST") -> Response:
    """Return the problem document of a service's refusal. extra: its data for machines; `errors` points at the field to
    blame.
    """
    status = STATUS.get(error.code, status_of(error))
    # A reader cannot be in conflict with anything: what a GET sent is wrong, no matter what the service calls it.
    if method in SAFE and status not in WAIT:
        status = 400
    code = ALIASES.get(error.code, error.code)
    # RFC 9457 gives these members a meaning of their own; `field` becomes the pointer.
    extra = {key: value for key, value in error.extra.items() if key not in ("field", "status", "type", "title")}
    found = problem(status, code, str(error), extra=_plain(extra))
    pointer = _pointer_of(error)
    if pointer:
        found.data["errors"] = [{"pointer": pointer, "code": code, "detail": str(error)}]
    if "retry_after" in error.extra:
        found["Retry-After"] = str(error.extra["retry_after"])
    return found


def _pointer_of(error: DomainError) -> str:
    """Return the JSON pointer to the mistake in the body: the field that was named, or the one that the code is about;
    "" for none.
    """
    pointer = error.extra.get("pointer")
    if isinstance(pointer, str):
        return pointer
    named = error.extra.get("field")
    if isinstance(named, str):
        return f"/{named}"
    stem, _dot, last = error.code.partition(".")
    # `tournament.bad_<field>` names the field.
    if stem == "tournament" and last.startswith("bad_"):
        return f"/{last.removeprefix('bad_')}"
    return f"/{last.partition('_')[0]}" if last in ("name_invalid", "name_taken", "reason_needed") else ""


def _plain(extra: dict[str, object]) -> dict[str, Any]:
    """Return the values that can stand in a JSON document; others as text."""
    return {key: value if isinstance(value, int | list | bool) else str(value) for key, value in extra.items()}


def _busy() -> Response:
    """Return the answer when two requests stood in each other's way, or the database went away: nothing was written, it
    may be tried again.
    """
    found = problem(
        503, "server.busy", _("Another request did the same at the same moment. Nothing was done: try again.")
    )
    found["Retry-After"] = "1"
    return found


def _invalid(error: exceptions.ValidationError) -> Response:
    found = problem(400, "request.invalid", _("Some fields are invalid"))
    found.data["errors"] = list(_faults(error.detail, ""))
    return found


def _faults(detail: Any, pointer: str) -> Iterator[dict[str, str]]:
    """Yield every fault with its JSON pointer (RFC 6901)."""
    if isinstance(detail, dict):
        for name, part in detail.items():
            here = "" if name == "non_field_errors" else "/" + str(name).replace("~", "~0").replace("/", "~1")
            yield from _faults(part, pointer + here)
    elif isinstance(detail, list):
        for number, part in enumerate(detail):
            yield from _faults(part, pointer if isinstance(part, str) else f"{pointer}/{number}")
    else:
        yield {"pointer": pointer, "code": f"field.{getattr(detail, 'code', 'invalid')}", "detail": str(detail)}


def problem(status: int, code: str, title: str, *, extra: dict[str, Any] | None = None) -> Response:
    """Return a problem document: what is wrong and, where it is known, what to do."""
    body: dict[str, Any] = {"type": "about:blank", "status": status, "code": code, "title": title}
    if status in NEXT:
        body["detail"] = NEXT[status]
    body |= extra or {}
    return Response(body, status=status, content_type=PROBLEM)
