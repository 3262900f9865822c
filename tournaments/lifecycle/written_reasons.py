"""What people write when they call something off: everybody reads it, so it is short and printable."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.printable import is_printable

REASON_LENGTH: Final = 300


def written_reason(text: str, *, kind: str) -> str:
    """The reason as one line. kind: the first word of the codes ("tournament", "match").

    Raises TournamentError "<kind>.reason_needed", "<kind>.reason_invalid" (invisible characters),
    "<kind>.reason_too_long".
    """
    reason = " ".join(text.split())
    if not reason:
        message = _("Say why: everybody who entered or follows will read it.")
        raise TournamentError(message, code=f"{kind}.reason_needed")
    if not is_printable(reason):
        message = _("The reason holds invisible characters. Type it again.")
        raise TournamentError(message, code=f"{kind}.reason_invalid")
    if len(reason) > REASON_LENGTH:
        message = _("The reason may have %(most)s characters, and it has %(n)s. Shorten it.")
        raise TournamentError(message % {"most": REASON_LENGTH, "n": len(reason)}, code=f"{kind}.reason_too_long")
    return reason
