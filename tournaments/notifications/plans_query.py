"""Choices of how people are notified: their own, else the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from accounts.models import User
from tournaments.models import Notice, NoticePlan

HOW: Final = Notice.How
KIND: Final = Notice.Kind
# The default of each kind. Mail goes to confirmed addresses alone, so without one everything is on the page.
USUAL: Final[Mapping[str, str]] = {
    KIND.TABLE: HOW.INSTANT,
    KIND.RESULT: HOW.PAGE,
    KIND.ROUND: HOW.PAGE,
    KIND.EVENT: HOW.DIGEST,
    KIND.SAID: HOW.DIGEST,
    KIND.VERSION: HOW.PAGE,
    KIND.FAULT: HOW.DIGEST,
    KIND.CHALLENGE: HOW.DIGEST,
    KIND.BOT: HOW.PAGE,
    KIND.HELD: HOW.INSTANT,
    KIND.INVITED: HOW.INSTANT,
    KIND.CALLED: HOW.PAGE,
    KIND.REPORT: HOW.PAGE,
    KIND.PLACE: HOW.PAGE,
    KIND.RUN: HOW.PAGE,
    KIND.SEASON: HOW.INSTANT,
    KIND.TURN: HOW.INSTANT,
}
# The kinds of which the browsers are told that somebody has switched on, and people by their private link.
PUSHED: Final = frozenset(
    {
        KIND.CALLED,
        KIND.TABLE,
        KIND.REPORT,
        KIND.RESULT,
        KIND.ROUND,
        KIND.SAID,
        KIND.EVENT,
        KIND.PLACE,
        KIND.HELD,
        KIND.TURN,
    }
)
# Of them what is no reason to take a phone out of a pocket, unless somebody chose the kind: the page shows it.
QUIET: Final = frozenset({"confirmed", "announced", "opened", "started"})


def how_of(choices: Mapping[str, object], kind: str) -> str:
    """Return how a kind is notified to anyone who made these choices."""
    chosen = str(choices.get(kind, ""))
    return chosen if chosen in HOW.values else str(USUAL[kind])


def has_push(choices: Mapping[str, object], kind: str, what: str = "") -> bool:
    """Return whether browsers are told of a kind, and of this fact of it (`Notice.what`), after these choices."""
    chosen = choices.get(kind)
    return chosen if isinstance(chosen, bool) else kind in PUSHED and what not in QUIET


def plan_of(user: User) -> NoticePlan:
    """Return a person's choices; a row that is not saved if they have made none. One query."""
    return NoticePlan.objects.filter(user=user).first() or NoticePlan(user=user)
