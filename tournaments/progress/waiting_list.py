"""The waiting list: who waits for a place moves up, first come first, as soon as one is free."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit
from tournaments.domain_events.entries import EntryPromoted
from tournaments.models import Entry, TeamPlace, Tournament
from tournaments.pairing.lineups_query import team_sizes

E, T = Entry.State, Tournament.State
BEFORE: Final = (T.DRAFT, T.PUBLISHED, T.REGISTRATION)
# A member of a team has a place, and the team none of its own.
WITH_PLACE: Final = (E.ENTERED, E.ACTIVE, E.PARTNERED)


def places(event: Tournament) -> int:
    """Return for how many there is room: people where they are entered, else bots."""
    return event.max_entries * (team_sizes(event)[-1] if event.partners else 1)


def taken(event: Tournament) -> int:
    """Return how many have a place, or have one held for them as a partner. One query, two with partners."""
    n = Entry.objects.filter(tournament=event, members=None, state__in=WITH_PLACE).count()
    return n + (TeamPlace.objects.filter(team__tournament=event, is_held=True).count() if event.partners else 0)


def promote(event: Tournament) -> list[Entry]:
    """Move entries up from the waiting list, first come first, while there is room. Needs the event's lock."""
    waiting = Entry.objects.filter(tournament=event, state=E.WAITLISTED).order_by("created_at", "id")
    room = places(event) - taken(event)
    moved = list(waiting.select_related("player")[: max(0, room)])
    Entry.objects.filter(pk__in=[entry.pk for entry in moved]).update(state=E.ENTERED)
    return moved


def promote_people(event: Tournament) -> list[Entry]:
    """Do the same in an event of people, until it starts: then tables are drawn without those who wait."""
    return promote(event) if event.state in BEFORE else []


def place_of(entry: Entry) -> int:
    """Return the place of an entry on the waiting list, from 1. One query."""
    waiting = Entry.objects.filter(tournament=entry.tournament_id, state=E.WAITLISTED)
    earlier = waiting.filter(created_at__lt=entry.created_at).count()
    return earlier + waiting.filter(created_at=entry.created_at, pk__lte=entry.pk).count()


def record(event: Tournament, moved: Sequence[Entry], *, by: User | None = None) -> list[DomainEvent]:
    """Write who moved up into the audit; return what is to be published of it. by: who made the room."""
    found: list[DomainEvent] = []
    for entry in moved:
        after = {"entry": str(entry.uuid), "name": entry.player.name}
        audit(EntryPromoted, f"entry:{entry.uuid}", actor=by, channel=event.channel, after=after)
        found.append(EntryPromoted(event.channel, **after))
    return found
