"""Error pages: a stable code and what to do next. The API answers problem JSON (RFC 9457) instead."""

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.utils.translation import gettext as _

from web.statuses import is_busy

PROBLEM = "application/problem+json"


def problem(status: int, code: str, title: str, detail: str = "") -> JsonResponse:
    """Return a problem document of the API."""
    body = {"type": "about:blank", "status": status, "code": code, "title": title}
    if detail:
        body["detail"] = detail
    return JsonResponse(body, status=status, content_type=PROBLEM)


def wants_json(request: HttpRequest) -> bool:
    """Return whether a program asks, which reads no pages."""
    return request.path.startswith("/api/v1/") or request.path == "/api/schema"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400: not understood."""
    if wants_json(request):
        return problem(400, "request.bad", _("The request could not be read"))
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403: somebody else's."""
    if wants_json(request):
        return problem(403, "access.denied", _("Not allowed"))
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404: no such page, or none that this reader may know of."""
    if wants_json(request):
        detail = _("See /api/docs/ for the available addresses.")
        return problem(404, "not_found", _("There is nothing at this address"), detail)
    return render(request, "404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer 500: our fault; or 503: the database has no time. Needs no database, no session, no user."""
    if is_busy(sys.exc_info()[1]):  # Django calls this while it handles the error
        return _busy(request)
    if wants_json(request):
        return problem(500, "server.error", "Our fault; it is written down. Try again in a minute.")
    request_id = request.META.get("X-Request-ID", "")
    # Without the request: its context processors would read the session and the user, which may be what broke.
    return HttpResponse(loader.get_template("500.html").render({"request_id": request_id}), status=500)


def _busy(request: HttpRequest) -> HttpResponse:
    """Answer 503: no connection to the database became free, or it went. What was sent is not saved."""
    if wants_json(request):
        answer: HttpResponse = problem(503, "server.busy", _("The service is too busy. Nothing was done: try again."))
    else:
        answer = HttpResponse(loader.get_template("503.html").render(), status=503)
    answer["Retry-After"] = "10"
    return answer


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403: a form that did not come from a page of ours, or came too late. Nothing was changed."""
    if wants_json(request):
        return problem(403, "csrf.failed", _("The request did not come from a page of this site"))
    return render(request, "403_csrf.html", status=403)
