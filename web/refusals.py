"""A refusal as a page of its own: what is wrong, what to do, its stable code, a status that says whose turn it is."""

from django.http import HttpRequest, HttpResponse

from engine.errors import DomainError
from web.page import render_page
from web.statuses import status_of

__all__ = ["refused", "status_of", "with_wait"]


def refused(request: HttpRequest, refusal: DomainError, *, back: str) -> HttpResponse:
    """Return the page of a refusal. back: the address that shows how things are now."""
    status = status_of(refusal)
    context = {"refusal": str(refusal), "code": refusal.code, "back": back, "status": status}
    return with_wait(render_page(request, "refused.html", context, status=status), refusal)


def with_wait(response: HttpResponse, refusal: DomainError | None) -> HttpResponse:
    """Return the response with the time to wait: for what was done too often (429) or when all were busy (503)."""
    if refusal is not None and "retry_after" in refusal.extra:
        response.status_code = 503 if status_of(refusal) == 503 else 429
        response["Retry-After"] = str(refusal.extra["retry_after"])
    return response
