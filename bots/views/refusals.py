"""A refusal as a page of its own: what is wrong, what to do, its stable code, a status that says whose turn it is."""

from typing import Final

from django.http import HttpRequest, HttpResponse

from bots.views.page import render_page
from engine.errors import DomainError

FORBIDDEN: Final = ("not_organiser", "not_owner", "not_operator")
# fmt: off
CONFLICT: Final = ("wrong_state", "clock_frozen", "changed", "draw_changed", "moved", "not_held", "kept", "never",
                   "nothing")
# fmt: on


def status_of(refusal: DomainError) -> int:
    """403: somebody else's to do. 409: not in this state (any more). 429: too often. 422: what was sent cannot be."""
    last = refusal.code.rpartition(".")[2]
    if last in FORBIDDEN:
        return 403
    if last in CONFLICT or last.startswith("already_"):
        return 409
    return 429 if "retry_after" in refusal.extra else 422


def refused(request: HttpRequest, refusal: DomainError, *, back: str) -> HttpResponse:
    """The page of a refusal. back: where to look at how things are now."""
    status = status_of(refusal)
    context = {"refusal": str(refusal), "code": refusal.code, "back": back, "status": status}
    return with_wait(render_page(request, "refused.html", context, status=status), refusal)


def with_wait(response: HttpResponse, refusal: DomainError | None) -> HttpResponse:
    """The same response; one for something done too often is a 429 and says when to try again."""
    if refusal is not None and "retry_after" in refusal.extra:
        response.status_code = 429
        response["Retry-After"] = str(refusal.extra["retry_after"])
    return response
