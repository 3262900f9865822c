"""What organisers do with prizes, for the test that every act is written down."""

from __future__ import annotations

from typing import Final

from accounts.models import User
from tests.activity.invitation_acts import Deed, Example
from tests.builders import events as a
from tournaments.models import PrizeCategory
from tournaments.ranking.set_prizes import PrizePlan, mark_category, set_prizes


def _mark_category() -> tuple[User, Deed]:
    event = a.an_open_event()
    entry = a.entered(event, [a.a_bot()])[0]
    category = PrizeCategory.objects.create(tournament=event, position=1, name="Novice")
    return event.created_by, lambda: mark_category(category=category, by=event.created_by, entries=[str(entry.uuid)])


def _set_prizes() -> tuple[User, Deed]:
    event = a.an_open_event()
    by, fan = event.created_by, PrizePlan("A fan")
    return by, lambda: set_prizes(tournament=event, by=by, changes={}, categories=(), prizes=[fan])


PRIZE_ACTS: Final[dict[str, tuple[str, ...]]] = {"tournaments.ranking.set_prizes": ("mark_category", "set_prizes")}
PRIZE_EXAMPLES: Final[dict[str, Example]] = {
    "tournaments.mark_category": _mark_category,
    "tournaments.set_prizes": _set_prizes,
}
