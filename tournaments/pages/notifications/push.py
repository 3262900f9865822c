"""Notifications in the browser: switched on and off by a button, for an account or by a private link."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from engine.errors import DomainError
from tournaments.models import EntryLink, PushSubscription
from tournaments.notifications.push.keys import server_key
from tournaments.notifications.push.subscriptions import BrowserKeys, digest_of, of_person, subscribe, unsubscribe
from tournaments.pages.entries.guest_access import link_of
from web.page import show_refusal, signed_in

VERBS: Final = ("on", "off")
STATIC: Final = settings.BASE_DIR / "static" / "site"


@require_safe
# Browsers look for a newer worker themselves; a name with a hash would be another worker each time.
@cache_control(no_cache=True)
def worker(_request: HttpRequest) -> HttpResponseBase:
    """Serve the service worker from the root, so that it may open every page."""
    return HttpResponse((STATIC / "push_worker.js").read_bytes(), content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(max_age=86_400, public=True)
def icon(_request: HttpRequest) -> HttpResponseBase:
    """Serve the picture of a notification, whose address a worker cannot look up."""
    return HttpResponse((STATIC / "icon.svg").read_bytes(), content_type="image/svg+xml")


def context_of(*, user: User | None = None, link: EntryLink | None = None) -> dict[str, Any]:
    """Return what `notices/_push.html` needs. One query."""
    rows = list(of_person(user=user, link=link))
    addresses = {verb: _address(link, verb) for verb in VERBS}
    known = " ".join(row.endpoint_digest for row in rows)
    return {"rows": rows, "known": known, "key": server_key(), "needs_login": link is None, **addresses}


def _address(link: EntryLink | None, verb: str) -> str:
    return reverse("push-do", args=[verb]) if link is None else reverse("my-push-do", args=[link.entry.uuid, verb])


@require_POST
@login_required
def push_do(request: HttpRequest, verb: str) -> HttpResponse:
    """Switch notifications of one's account on or off for a browser."""
    _do(request, verb, user=signed_in(request))
    return redirect(reverse("notice-plan") + "#push")


@require_POST
def my_push_do(request: HttpRequest, uuid: UUID, verb: str) -> HttpResponse:
    """Switch notifications of one's day on or off for a browser; 404 without its private link."""
    link, _was_open = link_of(request, str(uuid))
    if link is None:
        raise Http404(str(uuid))
    _do(request, verb, link=link)
    return redirect(reverse("my-day", args=[uuid]) + "#push")


def _do(request: HttpRequest, verb: str, *, user: User | None = None, link: EntryLink | None = None) -> None:
    if verb not in VERBS:
        raise Http404(verb)
    try:
        if verb == "on":
            subscribe(browser=_browser(request), user=user, link=link)
            messages.success(request, _("This browser will notify you."))
            return
        for row in _named(request, of_person(user=user, link=link)):
            unsubscribe(row=row, by=user)
        messages.success(request, _("That browser no longer notifies you."))
    except DomainError as refusal:
        show_refusal(request, refusal)


def _browser(request: HttpRequest) -> BrowserKeys:
    endpoint, public_key, auth_secret = (request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    return BrowserKeys(endpoint, public_key, auth_secret)


def _named(request: HttpRequest, mine: Any) -> list[PushSubscription]:
    """Return the browser that a form names, by its endpoint or its number; none once it is gone, or somebody else's."""
    if endpoint := request.POST.get("endpoint", ""):
        return list(mine.filter(endpoint_digest=digest_of(endpoint)))
    try:
        return list(mine.filter(uuid=UUID(request.POST.get("browser", ""))))
    except ValueError:
        return []
