"""Builders for events of people: a club night with names, drawn and called, and results of its tables."""

from __future__ import annotations

from accounts.models import User
from tests.builders import events as a
from tournaments.entries.people import add_list, check_in_all
from tournaments.events.create import create_tournament
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, Round, Stage, Tournament
from tournaments.progress.rounds import call_round, close_stage
from tournaments.progress.run import open_registration, publish_tournament, start_tournament

NAMES = ("Aiko", "Ben", "Chiyo", "Dai", "Emi", "Fumi", "Goro", "Hana")
EVERYBODY = (*NAMES, "Ines", "Jonas", "Kei")


def a_club_night(*, people: int = 6, **changes: object) -> Tournament:
    """Make an event of people that takes entries, everybody entered and here."""
    by = a.a_user()
    plan = a.a_plan(**{"name": "Club night", "who": "people", "kind": "swiss", "rounds": 2, **changes})
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    add_list(tournament=event, by=by, data="\n".join(EVERYBODY[:people]).encode())
    check_in_all(tournament=event, by=by)
    return event


def a_called_night(*, people: int = 6, **changes: object) -> Tournament:
    """Make the same, started, round 1 called."""
    event = a_club_night(people=people, **changes)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    return event


def round_of(event: Tournament, number: int) -> Round:
    """Return a round of the event's stage."""
    return Round.objects.select_related("stage__tournament").get(stage__tournament=event, number=number)


def tables_of(event: Tournament, number: int = 1) -> list[Match]:
    """Return the tables of a round."""
    return list(Match.objects.filter(round=round_of(event, number)).order_by("table_no"))


def person(event: Tournament, name: str) -> Entry:
    """Return somebody's entry."""
    return Entry.objects.get(tournament=event, player__name=name)


def totals(*points: int) -> Claim:
    """Return a result as totals."""
    return Claim(totals=points)


def close_event(*, tournament: Tournament, by: User) -> Tournament:
    """Sign the first stage that is on; the last one if none is. Returns the event as it is then."""
    rows = list(tournament.stages.select_related("tournament").order_by("order"))
    close_stage(stage=next((row for row in rows if row.state == Stage.State.ACTIVE), rows[-1]), by=by)
    tournament.refresh_from_db()
    return tournament
