"""Names of the fields of an audit event. The act itself is described by the class of its verb."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# The fields of what changed, as pages call them; others stand with spaces for their underscores.
FIELD_WORDS: Final[Mapping[str, str | Promise]] = {
    "state": _("state"),
    "score": _("result"),
    "version": _("report"),
    "reason": _("reason"),
    "name": _("name"),
    "names": _("names"),
    "round": _("round"),
    "stage": _("stage"),
    "table": _("table"),
    "side": _("side"),
    "role": _("role"),
    "text": _("text"),
    "zone": _("time zone"),
    "units": _("points"),
    "code": _("code"),
    "starts_at": _("begins"),
    "venue": _("where"),
    "description": _("description"),
    "visibility": _("visibility"),
    "min_entries": _("minimum entries"),
    "max_entries": _("maximum entries"),
    "entries_close_at": _("entries close"),
    "commitment": _("commitment"),
    "member": _("member"),
    "substitute": _("substitute"),
    "about": _("about"),
    "act": _("action"),
    "undone": _("undo record"),
    "is_on": _("People can register themselves"),
    "opens_at": _("Opens"),
    "needs_approval": _("I approve each registration"),
}
