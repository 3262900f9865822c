"""Operators' page: what waits, who plays, what is held, what went wrong; and what is done about it.

For everybody else there is no such page, signed in or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from bots import services as bots_services
from bots.errors import BotError
from bots.models import Bot, Worker
from tournaments.operations.quarantine import requeue_quarantined
from tournaments.operations.queries import ops_page
from web.page import render_page, viewer
from web.refusals import refused


def operator(request: HttpRequest) -> User:
    """Return the operator who asks, or 404."""
    person = viewer(request)
    if person is None or not person.is_staff:
        # Not a 403, and no way to the log-in page: nobody learns that there is such a page.
        raise Http404
    return person


@require_safe
def ops(request: HttpRequest) -> HttpResponse:
    """Show state and action on one page."""
    page = ops_page(operator(request))
    return render_page(request, "pages/ops.html", {"ops": page, "channels": f"q:@{page.version}"})


@require_POST
def worker_do(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Drain a worker, or let it go on; a second click changes nothing."""
    by, worker = operator(request), Worker.objects.filter(pk=pk).first()
    if worker is None or verb not in ("drain", "go-on"):
        raise Http404(verb)
    if verb == "drain":
        bots_services.drain(worker=worker, by=by)
        message = _("%(worker)s takes no more matches; it finishes the match that it is playing.")
    else:
        bots_services.go_on(worker=worker, by=by)
        message = _("%(worker)s takes matches again.")
    messages.success(request, message % {"worker": worker.name})
    return _back()


@require_POST
def requeue(request: HttpRequest) -> HttpResponse:
    """Let everything that is held be played again."""
    done = requeue_quarantined(by=operator(request))
    message = ngettext("%(n)d is back in the queue.", "%(n)d are back in the queue.", done) % {"n": done}
    messages.success(request, message if done else _("Nothing was requeued: no held match may be played again."))
    return _back()


def _suspend(kind: str, name: str, reason: str, by: User) -> str:
    if kind == "person":
        bots_services.suspend_person(person=_person(name), by=by, reason=reason)
    else:
        bots_services.suspend_bot(bot=_bot(name), by=by, reason=reason)
    return _("%(name)s is suspended.") % {"name": name}


def _lift(kind: str, name: str, _reason: str, by: User) -> str:
    if kind == "person":
        bots_services.lift_person(person=_person(name), by=by)
    else:
        bots_services.lift_bot(bot=_bot(name), by=by)
    return _("%(name)s is no longer suspended.") % {"name": name}


ACTS: Final[Mapping[str, Callable[[str, str, str, User], str]]] = {"suspend": _suspend, "lift": _lift}


@require_POST
def suspension(request: HttpRequest, verb: str) -> HttpResponse:
    """Suspend a person or a bot for a reason, or lift it; a second click changes nothing."""
    by, act = operator(request), ACTS.get(verb)
    kind, name, reason = (request.POST.get(field, "").strip() for field in ("kind", "name", "reason"))
    if act is None or kind not in ("person", "bot"):
        raise Http404(verb)
    try:
        # 150 is the length of a user name in the database.
        messages.success(request, act(kind, name[:150], reason, by))
    except BotError as refusal:
        return refused(request, refusal, back=reverse("ops"))
    return _back()


def _person(name: str) -> User:
    found = User.objects.filter(username=name).first()
    if found is None:
        message = _("Nobody has the user name “%(name)s”. It is the last part of the address of their page.")
        raise BotError(message % {"name": name}, code="ops.unknown_person")
    return found


def _bot(slug: str) -> Bot:
    found = Bot.objects.filter(slug=slug).first()
    if found is None:
        message = _("No bot has the address “%(name)s”. It is the last part of the address of its page.")
        raise BotError(message % {"name": slug}, code="ops.unknown_bot")
    return found


def _back() -> HttpResponse:
    return HttpResponseRedirect(reverse("ops"))
