"""A page for addresses that only take forms: a reload, a log in or another language opens them without one."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve

from tournaments.pages.site.errors import wants_json


class ExplainOnlyForms:
    """Fill the empty 405 that Django answers to those who open such an address. Stands where the reader is known."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = self.get_response(request)
        is_empty = isinstance(answer, HttpResponse) and not answer.content
        if answer.status_code != 405 or not is_empty or request.method not in ("GET", "HEAD") or wants_json(request):
            return answer
        page = render(request, "405.html", {"above": page_above(request.path)}, status=405)
        page["Allow"] = answer["Allow"]
        return page


def page_above(path: str) -> str:
    """Return the longest address that this one begins with and that is one of ours."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            resolve(path)
        except Resolver404:
            continue
        return path
    return "/"
