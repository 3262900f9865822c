"""Who a request comes from: an account, or a guest whose session has an id and a name that they may choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from uuid import UUID, uuid4

from django.http import HttpRequest
from django.utils.translation import gettext as _

from core.printable import is_printable
from tables.actions.sitters import Sitter
from tables.errors import TableError
from tables.names import is_of_house, visible_part
from tables.pages.devices import address_mark_of, device_mark_of
from tables.receivers import SESSION_KEY
from web.page import viewer

NAME_KEY: Final = "table_name"
MIN_NAME: Final = 2
MAX_NAME: Final = 30


def sitter_of(request: HttpRequest) -> Sitter | None:
    """Return who asks; None for a stranger who has never sat down. No query beside the session's."""
    person, text = viewer(request), request.session.get(SESSION_KEY)
    guest = UUID(text) if text else None
    if person is None and guest is None:
        return None
    name = person.shown_name if person is not None else str(request.session.get(NAME_KEY, ""))
    return Sitter(name or _("Guest"), user=person, guest=guest)


def sitter_who_sits(request: HttpRequest) -> Sitter:
    """Return who asks, who is a guest from now on if they have no account. A name that was typed is theirs."""
    person = viewer(request)
    if person is None and SESSION_KEY not in request.session:
        request.session[SESSION_KEY] = str(uuid4())
    typed = request.POST.get("name", "").strip()[:MAX_NAME]
    if person is None and typed:
        request.session[NAME_KEY] = checked_name(typed)
    found = sitter_of(request)
    assert found is not None
    return replace(found, address_mark=address_mark_of(request), device_mark=device_mark_of(request))


def checked_name(name: str) -> str:
    """Return a name that others may see. Raises TableError "table.bad_name", "table.name_taken"."""
    if len(visible_part(name)) < MIN_NAME or not is_printable(name):
        message = _("Choose a name of 2 to %(most)s printable characters.")
        raise TableError(message % {"most": MAX_NAME}, code="table.bad_name", extra={"field": "name"})
    if is_of_house(name):
        message = _("A bot of the house is called “%(name)s”. Choose another name.")
        raise TableError(message % {"name": name}, code="table.name_taken", extra={"field": "name"})
    return name
