"""The rule of each kind of readers: how those whom a row of the outbox concerns are found.

Nothing here knows a secret: of a round only its published tables are read, of a line-up nothing, of a bot only what
its own page shows; logs and findings are behind the link, whose page asks again who looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from activity.domain_events import Readers
from tournaments.notifications.rules import bots, entries, events, results, rounds, seasons, turns
from tournaments.notifications.rules.facts import Batch, News, NotifiableEvent

# Only rows of events ("t:"), bots ("b:"), seasons ("s:") and turns at tables of the site ("d:") are read.
RULES: Final[Mapping[Readers, Callable[[News, Batch], Iterator[NotifiableEvent]]]] = {
    Readers.EVENT: events.event_changed,
    Readers.ORGANISER: events.announced,
    Readers.PLACES: events.finished,
    Readers.SAID: events.announcement,
    Readers.ROUND: rounds.published,
    Readers.STAGE: rounds.stage_opened,
    Readers.DRAWN: rounds.drawn,
    Readers.CALLED: rounds.called,
    Readers.RESEATED: results.reseated,
    Readers.SWAPPED: rounds.swapped,
    Readers.RESULT: results.result,
    Readers.UNDONE: results.undone,
    Readers.MEDALS: bots.medals,
    Readers.COMPARISON: bots.decided,
    Readers.ENTERED: bots.entered,
    Readers.ACTIVATED: bots.activated,
    Readers.HELD: events.quarantined,
    Readers.CHECKED: bots.checked,
    Readers.FORKED: bots.forked,
    Readers.BENCHED: bots.suspended,
    Readers.INVITED: events.invited,
    Readers.AWAITED: results.awaited,
    Readers.DISPUTED: results.disputed,
    Readers.PERSON: entries.person,
    Readers.ORGANISERS: entries.organisers,
    Readers.ASKED_BY_SEASON: seasons.asked,
    Readers.SEASON_ANSWERED: seasons.answered,
    Readers.TURN: turns.waits,
}


def notifiable_events(news: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the facts of a row."""
    return RULES[news.notification.readers](news, batch)
