"""Acts of bots, invitations, prizes and seasons together, for the test of the audit."""

from __future__ import annotations

from typing import Final

from tests.activity import invitation_acts as invitations
from tests.activity.bot_acts import BOT_EXAMPLES
from tests.activity.invitation_acts import Deed, Example
from tests.activity.prize_acts import PRIZE_ACTS, PRIZE_EXAMPLES
from tests.activity.season_acts import SEASON_ACTS, SEASON_EXAMPLES, SEASONS_UNWRITTEN

__all__ = ["FURTHER_ACTS", "FURTHER_EXAMPLES", "NOT_AUDITED", "Deed", "Example"]

FURTHER_ACTS: Final = {**invitations.INVITATION_ACTS, **PRIZE_ACTS, **SEASON_ACTS}
FURTHER_EXAMPLES: Final[dict[str, Example]] = {
    **BOT_EXAMPLES,
    **invitations.INVITATION_EXAMPLES,
    **PRIZE_EXAMPLES,
    **SEASON_EXAMPLES,
}
NOT_AUDITED: Final = {**invitations.NOT_AUDITED, **SEASONS_UNWRITTEN}
