"""The address on a table's slip: signed, for one side of one match, so whoever sits there needs no account."""

from __future__ import annotations

from typing import Final

from django.core import signing
from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.models import Match

SALT: Final = "hanami.table"
_SIGNER: Final = signing.Signer(salt=SALT)


def slip_token(match: Match, side: int) -> str:
    """What the slip's address carries: the match, the side, and a signature."""
    return _SIGNER.sign(f"{match.uuid.hex}.{side}")


def read_slip(token: str) -> tuple[Match, int]:
    """The match and the side. Raises TournamentError "slip.unknown" (not ours) or "slip.old" (the draw is gone)."""
    try:
        uuid, _dot, side = _SIGNER.unsign(token).rpartition(".")
    except signing.BadSignature as forged:
        message = _("This address belongs to no table. Scan the code of your slip again, or ask the organiser.")
        raise TournamentError(message, code="slip.unknown") from forged
    match = Match.objects.filter(uuid=uuid).select_related("stage__tournament", "round").first()
    if match is None:
        message = _("This slip is of a draw that was taken back. Ask the organiser for the new one.")
        raise TournamentError(message, code="slip.old")
    return match, int(side)
