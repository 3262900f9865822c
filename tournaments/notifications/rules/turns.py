"""The rule about turns at tables of the site: the event names the account whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import Tournament
from tournaments.notifications.rules.facts import KIND, Batch, News, NotifiableEvent, match_of, source_of
from tournaments.notifications.tables import By


def waits(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a turn that waits for somebody; of a table of an event with its match."""
    match = batch.tables.keys.get(match_of(row))
    event = Tournament.objects.filter(stages__matches=match).first() if match is not None else None
    yield NotifiableEvent(
        source_of(row),
        KIND.TURN,
        "turn_ends" if row.payload["reminder"] else "turn",
        row.created_at,
        {int(row.payload["user"]): By("own")},
        event,
        match=match,
        facts={name: row.payload[name] for name in ("table", "preset", "names")},
    )
