"""Which program a request is for: the one that its token is bound to, the one it names, or its owner's only one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from bots.models import BotVersion
from tables.errors import TableError
from tables.models import Program
from tables.play.shuffle import Nonce, of_browser, of_service
from web.access import require, token_of

SCOPE: Final = "bot:play"
NAMED = OpenApiParameter(
    "program", OpenApiTypes.STR, description="the address of the program; left away: the one of the token"
)


def program_for(request: Request) -> Program:
    """Return the program for which a request acts. One query.

    Raises NotAuthenticated, ScopeMissing, BoundElsewhere; NotFound without such a program; TableError
    "program.not_named" for somebody with several.
    """
    token, named = token_of(request), request.query_params.get("program", "")
    of = ("bot", token.bound_to) if token is not None and token.bound_kind == "bot" and token.bound_to else None
    by = require(request, SCOPE, of=of)
    rows = Program.objects.filter(bot__owner=by).select_related("bot__owner", "version").order_by("pk")
    if of is not None:
        rows = rows.filter(bot__uuid=of[1])
    if named:
        rows = rows.filter(bot__slug=named)
    elif of is None:
        rows = rows.filter(version__state=BotVersion.State.REMOTE)
    found = list(rows[:2])
    if not found:
        raise NotFound(_("You have no such program. Register one first."))
    if len(found) > 1:
        message = _("You have several programs. Name one with ?program=, or use a token that is only for one.")
        raise TableError(message, code="program.not_named")
    return found[0]


def nonce_of(sent: str) -> Nonce:
    """Return the nonce of a program: announced by its hash, else drawn by the service. Raises TableError."""
    return of_browser(sent, "program") if sent else of_service()
