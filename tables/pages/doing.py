"""What people do at a table: each a post, answered with the page or, to a script that asks for it, with the view."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import wraps
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from engine.errors import DomainError
from tables.actions.answering import answer
from tables.actions.dealing import announce_nonce, show_nonce
from tables.actions.greeting import greet
from tables.actions.leaving import claim, leave
from tables.actions.opening import sit_down
from tables.actions.sitters import Sitter
from tables.errors import TableError
from tables.events.opened import call_off, reopen, table_for
from tables.events.seats import sit_reserved
from tables.models import LiveTable
from tables.pages.devices import keep_device
from tables.pages.event_seats import own_indexes, require_ruler, require_visible
from tables.pages.guests import sitter_of, sitter_who_sits
from tables.pages.looking import MUTE_KEY, answer_with_view, is_muted, load, look_at
from tables.play.shuffle import Nonce, of_browser, of_phrase
from tables.programs.challenges import rematch_against_programs
from tables.view.amounts import FIELD
from web.page import show_refusal
from web.rate_limits import mark_of, take_from
from web.refusals import with_wait
from web.statuses import status_of

Values = Mapping[str, Any]
View = Callable[..., HttpResponse]
GREETINGS_PER_HOUR: Final = 120
SEATS_PER_HOUR: Final = 240
"""Times that somebody at one address may sit down in an hour; a club is one address."""


def posted_from(page: str, *of: str) -> Callable[[View], View]:
    """Make a view answer posts, and send those who open its address to the page of the form. Other methods: 405.

    page: the name of that page's address; of: the arguments of the view that it takes. A refused form leaves its
    address in the browser, where a reload or another language opens it.
    """

    def decorate(view: View) -> View:
        answer_post: View = require_POST(view)

        @wraps(view)
        def answer_any(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method in ("GET", "HEAD"):
                return redirect(reverse(page, kwargs={name: kwargs[name] for name in of}))
            return answer_post(request, *args, **kwargs)

        return answer_any

    return decorate


@posted_from("live-table", "uuid")
@never_cache
def table_do(request: HttpRequest, uuid: UUID, verb: str) -> HttpResponse:
    """Do one of VERBS at a table."""
    table = table_for(uuid)
    if table is None or verb not in VERBS:
        raise Http404(verb)
    require_visible(request, table)
    try:
        table = VERBS[verb](request, table, values_of(request))
    except DomainError as refused:
        return refusal(request, uuid, refused)
    if wants_json(request):
        # An answer has read the table and its seats just now, and changes no seat.
        found = look_at(request, table, has_answered=True) if verb == "answer" else load(request, table.uuid)
        return keep_device(request, answer_with_view(request, *found))
    return keep_device(request, redirect("live-table", table.uuid))


def refusal(request: HttpRequest, uuid: UUID, refused: DomainError) -> HttpResponse:
    """Answer with a problem document, or with the page of the table, which says what is wrong."""
    if wants_json(request):
        return problem(refused)
    show_refusal(request, refused)
    return redirect("live-table", uuid)


def problem(refused: DomainError) -> HttpResponse:
    """Answer a script with the problem document of a refusal (RFC 9457)."""
    status = status_of(refused)
    body = {"type": "about:blank", "status": status, "code": refused.code, "title": str(refused), **refused.extra}
    return with_wait(JsonResponse(body, status=status, content_type="application/problem+json"), refused)


def wants_json(request: HttpRequest) -> bool:
    """Return whether a script asks, which shows the answer itself."""
    return "application/json" in request.headers.get("Accept", "")


def values_of(request: HttpRequest) -> Values:
    """Return the fields of a form or of a JSON object. Raises TableError "table.bad_request" for another body."""
    if request.content_type != "application/json":
        return {name: request.POST.get(name, "") for name in request.POST}
    try:
        found = json.loads(request.body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise TableError(_("The body must be one JSON object."), code="table.bad_request")
    return found


def number(values: Values, name: str, *, default: int | None = None) -> int:
    """Return a whole number. Raises TableError "table.bad_number"."""
    text = str(values.get(name, "")).strip()
    if text.isdecimal() and len(text) <= 6:
        return int(text)
    if default is not None and not text:
        return default
    message = _("“%(name)s” must be a whole number.")
    raise TableError(message % {"name": name}, code="table.bad_number", extra={"field": name})


def nonce_of(values: Values) -> Nonce:
    """Return the nonce that somebody sits down with: announced by a script, made of a phrase, or the service's."""
    sent = str(values.get("nonce_hash", ""))
    return of_browser(sent) if sent else of_phrase(str(values.get("phrase", "")))


def count_seat(request: HttpRequest) -> None:
    """Count somebody who sits down at this address. Raises TableError "table.rate" (extra: retry_after)."""
    mark = mark_of(str(request.META.get("REMOTE_ADDR", "")))
    taken = take_from("tables: ", mark, most=SEATS_PER_HOUR, within=timedelta(hours=1))
    if taken.is_over:
        message = _("People at your address sat down %(n)s times within an hour. Try again in %(minutes)s minutes.")
        shown = {"n": SEATS_PER_HOUR, "minutes": -(-taken.reset_s // 60)}
        raise TableError(message % shown, code="table.rate", extra={"retry_after": taken.reset_s})


def _own(request: HttpRequest) -> Sitter:
    found = sitter_of(request)
    if found is None:
        raise TableError(_("You have no seat at this table. Sit down first, or watch."), code="table.not_seated")
    return found


def _sit(request: HttpRequest, table: LiveTable, values: Values) -> LiveTable:
    count_seat(request)
    if table.stage_id is not None:
        return sit_reserved(table, sitter_who_sits(request), nonce_of(values), own_indexes(request, table))
    return sit_down(table, sitter_who_sits(request), nonce_of(values))


def _announce(request: HttpRequest, table: LiveTable, values: Values) -> LiveTable:
    return announce_nonce(table, _own(request), of_browser(str(values.get("nonce_hash", ""))))


def _nonce(request: HttpRequest, table: LiveTable, values: Values) -> LiveTable:
    return show_nonce(table, _own(request), str(values.get("nonce", "")))


def _answer(request: HttpRequest, table: LiveTable, values: Values) -> LiveTable:
    lag_ms = number(values, "lag_ms", default=0)
    chosen = str(values.get("a", ""))
    # The button of a field with numbers names the field (`_amount.html`), in which the index stands.
    index = number(values, chosen if chosen.startswith(FIELD) else "a")
    return answer(table, _own(request), number(values, "n"), index, lag_ms=lag_ms)


def _leave(request: HttpRequest, table: LiveTable, _values: Values) -> LiveTable:
    return leave(table, _own(request))


def _claim(request: HttpRequest, table: LiveTable, _values: Values) -> LiveTable:
    return claim(table, _own(request))


def _rematch(request: HttpRequest, table: LiveTable, values: Values) -> LiveTable:
    count_seat(request)
    return rematch_against_programs(table, sitter_who_sits(request), nonce_of(values))


def _call_off(request: HttpRequest, table: LiveTable, _values: Values) -> LiveTable:
    require_ruler(request, table)
    return call_off(table)


def _reopen(request: HttpRequest, table: LiveTable, _values: Values) -> LiveTable:
    require_ruler(request, table)
    return reopen(table)


def _greet(request: HttpRequest, table: LiveTable, values: Values) -> LiveTable:
    mark = mark_of(str(request.META.get("REMOTE_ADDR", "")))
    taken = take_from("greetings: ", mark, most=GREETINGS_PER_HOUR, within=timedelta(hours=1))
    if taken.is_over:
        message = _("Enough greetings for now. Play on.")
        raise TableError(message, code="table.rate", extra={"retry_after": taken.reset_s})
    return greet(table, _own(request), str(values.get("g", "")))


def _mute(request: HttpRequest, table: LiveTable, _values: Values) -> LiveTable:
    """Hide the greetings of others from this reader, or show them again."""
    request.session[MUTE_KEY] = not is_muted(request)
    return table


VERBS: Final[Mapping[str, Callable[[HttpRequest, LiveTable, Values], LiveTable]]] = {
    "sit": _sit,
    "announce": _announce,
    "nonce": _nonce,
    "answer": _answer,
    "leave": _leave,
    "claim": _claim,
    "rematch": _rematch,
    "call-off": _call_off,
    "reopen": _reopen,
    "greet": _greet,
    "mute": _mute,
}
