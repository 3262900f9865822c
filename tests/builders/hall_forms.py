"""Forms of the desk about a round: its call, its clock, announcements, a swap of seats."""

from __future__ import annotations

from collections.abc import Callable

from tests.builders.clubs import round_of, tables_of
from tournaments.floor.announcements import announce
from tournaments.models import Match, Stage, Tournament
from tournaments.progress.draws.swaps import preview_swap
from tournaments.progress.round_clock import choose_minutes, stop_clock
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament


def started(event: Tournament) -> dict[str, str]:
    """Draw round 1. Returns the fields of a form about it."""
    start_tournament(tournament=event, by=event.created_by)
    return {"round": "1"}


def timed(event: Tournament) -> dict[str, str]:
    """Call round 1, which starts its clock. Returns the fields of a form that adds minutes."""
    choose_minutes(tournament=event, by=event.created_by, minutes=40)
    called = started(event)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    return {**called, "minutes": "5", "seen": "40"}


def halted(event: Tournament) -> dict[str, str]:
    """Stop the clock of round 1. Returns the fields of a form about it."""
    called = timed(event)
    stop_clock(round_row=round_of(event, 1), by=event.created_by)
    return called


def announced(event: Tournament) -> dict[str, str]:
    """Announce something. Returns the fields of a form about it."""
    return {"n": str(announce(tournament=event, by=event.created_by, text="Dinner at seven.").number)}


def two(event: Tournament) -> dict[str, str]:
    """Return two people of round 1, and what was shown of their swap."""
    called = started(event)
    names = [match.seats.get(index=0).entry for match in tables_of(event)[:2]]
    form = dict(zip(("one", "other"), (str(each.uuid) for each in names if each is not None), strict=True))
    return {**called, **form, "seen": preview_swap(round_row=round_of(event, 1), by=event.created_by, **form).hash}


def flowing(event: Tournament) -> dict[str, str]:
    """A bracket that flows, drawn; its first match waits."""
    Stage.objects.filter(tournament=event).update(kind="single_elim", flows=True)
    event.refresh_from_db()
    start_tournament(tournament=event, by=event.created_by)
    return {"match": str(Match.objects.order_by("table_no")[0].uuid)}


# Forms of brackets that flow, each with who may send it.
OF_FLOWS: dict[str, tuple[Callable[[Tournament], dict[str, str]], frozenset[str]]] = {
    "tables": (lambda _event: {"tables": "4"}, frozenset({"owner", "director"})),
    "call-free": (flowing, frozenset({"owner", "director"})),
    "call-match": (flowing, frozenset({"owner", "director"})),
}
