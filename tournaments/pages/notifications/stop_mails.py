"""Unsubscribing link of a mail: its reader gets no more mail, without signing in (RFC 8058)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from tournaments.notifications.letters import read_token
from tournaments.notifications.plans import stop_mails, take_back_stop
from tournaments.pages.notifications.pages import context_of_stop
from web.page import render_page


# The POST of a mail program has neither cookie nor token of a form; the signed address stands in for both.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask on GET, since programs open links on their own; act on POST, also on the one that mail programs send.

    The signed token gives the right: it comes from the mail alone, so no cookie is looked at, and none can be abused.
    """
    found = read_token(token)
    if found is None:
        raise Http404(token)
    user, kind = found
    # RFC 8058: a POST that says nothing else means "no more mail".
    act = request.POST.get("act", "all") if request.method == "POST" else ""
    if act == "back":
        take_back_stop(user=user)
    elif act:
        stop_mails(user=user, kind=kind if act == "kind" else "")
    context = {"person": user, "token": token, "done": act, **context_of_stop(kind)}
    response = render_page(request, "notices/stop.html", context)
    # The address is a key to somebody's settings.
    response["Referrer-Policy"] = "no-referrer"
    patch_cache_control(response, no_store=True)
    return response
