"""Builders for events in which people share a side."""

from __future__ import annotations

from tests.builders import events as a
from tests.builders.clubs import person
from tournaments.entries.partners import draw_partners
from tournaments.entries.people import add_list, check_in_all
from tournaments.events.create import create_tournament
from tournaments.models import Entry, Tournament
from tournaments.progress.run import open_registration, publish_tournament


def a_pairs_night(
    *, names: str = "Aiko\nBen\nChiyo\nDai\nEmi\nFumi\nGoro\nHana", teams: str = "2x2", **changes: object
) -> Tournament:
    """Make an event of people that takes entries, whose partners are drawn, everybody entered and here."""
    by = a.a_user()
    asked = {"name": "Pairs night", "who": "people", "partners": "drawn", "kind": "round_robin", "seats": 4}
    plan = a.a_plan(**{**asked, "options": {"teams": teams}, **changes})
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    if names:
        add_list(tournament=event, by=by, data=names.encode())
        check_in_all(tournament=event, by=by)
    return event


def a_drawn_night(**changes: object) -> Tournament:
    """Make the same, partners drawn."""
    event = a_pairs_night(**changes)  # type: ignore[arg-type]  # by name, as the builder has them
    draw_partners(tournament=event, by=event.created_by, seen=1)
    return event


def called(entry: Entry) -> list[str]:
    """Return the names of who plays for a team now, the captain first."""
    rows = entry.members.filter(until_round=None).order_by("number")
    return list(rows.values_list("person__player__name", flat=True))


def teams(event: Tournament) -> dict[str, Entry]:
    """Return the event's teams by name."""
    rows = Entry.objects.filter(tournament=event, members__isnull=False).distinct().select_related("player")
    return {row.player.name: row for row in rows.order_by("pk")}


__all__ = ["a_drawn_night", "a_pairs_night", "called", "person", "teams"]
