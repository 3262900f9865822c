"""Refusal of zero bytes in an address: PostgreSQL's text cannot hold one, and no page of ours sends any.

In the fields of forms they are refused field by field, with the words that belong there.
"""

from collections.abc import Callable

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase

from tournaments.pages.site.errors import bad_request


class RefuseZeroBytes:
    """Answer 400 to a path or a query with a zero byte. Stands where the reader's language is known."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        parts = [request.path, *request.GET, *(value for values in request.GET.lists() for value in values[1])]
        if any("\0" in part for part in parts):
            return bad_request(request, SuspiciousOperation("a zero byte in the address"))
        return self.get_response(request)
