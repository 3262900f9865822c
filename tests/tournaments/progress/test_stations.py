"""Tables of the hall: matches of a bracket that flows are called one by one to tables that are free."""

from __future__ import annotations

import pytest

from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.clubs import a_club_night, totals
from tournaments.models import Match, RoundClock, Tournament
from tournaments.progress.round_clock import choose_minutes
from tournaments.progress.run import pause_tournament, resume_tournament, start_tournament
from tournaments.progress.stations import call_free, call_match, choose_tables, free_stations, waiting_matches
from tournaments.progress.undo import last_undoable, undo
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db(transaction=True)


def a_hall(tables: int | None = 2, *, alone: bool = False, people: int = 8, **changes: object) -> Tournament:
    """A double elimination of people that flows, drawn, in a hall of this many tables."""
    event = a_club_night(people=people, **{"kind": "double_elim", "rounds": 1, "flows": True, **changes})
    start_tournament(tournament=event, by=event.created_by)
    if tables is not None:
        choose_tables(tournament=event, by=event.created_by, tables=tables, calls_alone=alone)
    return event


def ended(match: Match) -> None:
    submit_result(match=match, actor=Actor(user=match.stage.tournament.created_by), claim=totals(80, 30))


def called() -> list[Match]:
    return list(Match.objects.filter(state="called").select_related("stage__tournament").order_by("station"))


def test_waiting_matches_are_called_to_the_tables_that_are_free() -> None:
    event = a_hall()
    assert [match.shown_table for match in waiting_matches(event)] == [None] * 4
    assert call_free(tournament=event, by=event.created_by) == 2
    assert [(match.station, match.table_no) for match in called()] == [(1, 1), (2, 2)]
    with pytest.raises(TournamentError) as refused:
        call_free(tournament=event, by=event.created_by)
    assert refused.value.code == "hall.full"
    ended(called()[1])
    assert free_stations(event) == [2]
    assert call_free(tournament=event, by=event.created_by) == 1
    assert [(match.station, match.table_no) for match in called()] == [(1, 1), (2, 3)]


def test_tables_are_filled_without_hands_to_the_end() -> None:
    a_hall(alone=True, people=7)
    most, played = 0, 0
    while matches := called():
        most = max(most, len(matches))
        assert len({match.station for match in matches}) == len(matches)
        ended(matches[-1])
        played += 1
    assert most == 2
    assert 12 <= played <= 13
    assert not Match.objects.exclude(state="confirmed").exists()


def test_one_match_is_called_to_a_table_of_choice() -> None:
    event = a_hall(tables=5)
    last = list(waiting_matches(event))[-1]
    call_match(match=last, by=event.created_by, station=4)
    last.refresh_from_db()
    assert (last.state, last.station, last.shown_table) == ("called", 4, 4)
    first = waiting_matches(event)[0]
    for station, code in ((4, "hall.taken"), (6, "hall.tables"), (0, "hall.tables")):
        with pytest.raises(TournamentError) as refused:
            call_match(match=first, by=event.created_by, station=station)
        assert refused.value.code == code
    with pytest.raises(TournamentError) as refused:
        call_match(match=last, by=event.created_by)
    assert refused.value.code == "match.already_called"
    with pytest.raises(TournamentError) as refused:
        call_match(match=first, by=a.a_user())
    assert refused.value.code == "tournament.not_organiser"


def test_without_a_number_of_tables_a_match_has_its_own() -> None:
    event = a_hall(tables=None)
    first = waiting_matches(event)[0]
    call_match(match=first, by=event.created_by)
    first.refresh_from_db()
    assert (first.station, first.shown_table) == (None, 1)
    with pytest.raises(TournamentError) as refused:
        choose_tables(tournament=event, by=event.created_by, tables=None, calls_alone=True)
    assert refused.value.code == "hall.count_first"


@pytest.mark.parametrize("tables", [0, 501])
def test_a_hall_has_a_sensible_number_of_tables(tables: int) -> None:
    event = a_hall()
    with pytest.raises(TournamentError) as refused:
        choose_tables(tournament=event, by=event.created_by, tables=tables)
    assert refused.value.code == "hall.tables"


def test_a_call_is_undone_and_nothing_is_called_again_at_once() -> None:
    event = a_hall()
    call_free(tournament=event, by=event.created_by)
    choose_tables(tournament=event, by=event.created_by, tables=2, calls_alone=True)
    ended(called()[0])
    assert len(called()) == 2
    note = last_undoable(event)
    assert note is not None
    undo(tournament=event, by=event.created_by, seen=note.id)
    assert [(match.station, match.table_no) for match in called()] == [(1, 1), (2, 2)]


def test_a_pause_calls_nobody() -> None:
    event = a_hall(alone=True)
    pause_tournament(tournament=event, by=event.created_by)
    ended(called()[0])
    assert len(called()) == 1
    event.refresh_from_db()
    resume_tournament(tournament=event, by=event.created_by)
    assert len(called()) == 2


def test_a_bracket_that_flows_has_no_clock_of_its_round() -> None:
    event = a_hall()
    choose_minutes(tournament=event, by=event.created_by, minutes=30)
    call_free(tournament=event, by=event.created_by)
    assert not RoundClock.objects.exists()
