"""Tables of the hall: matches of a bracket that flows are called one by one to tables that are free."""

from __future__ import annotations

import pytest

from core.errors import TournamentError
from core.formats.model import Plan
from tests.builders import events as a
from tests.builders.clubs import a_club_night, person, round_of, totals
from tests.tournaments.progress.test_people import with_role
from tests.tournaments.progress.test_undo_races import at_once
from tournaments.entries.people import withdraw_person
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.actions import import_event
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, RoundClock, Tournament
from tournaments.pairing.constraints_actions import fix_table
from tournaments.progress.round_clock import choose_minutes
from tournaments.progress.rounds import call_round
from tournaments.progress.run import pause_tournament, resume_tournament, start_tournament
from tournaments.progress.stations import call_free, call_match, choose_tables, free_stations, in_order, waiting_matches
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


def label_of(match: Match) -> str:
    assert match.round is not None
    return next(pod.label for pod in Plan.from_json(match.round.plan).pods if pod.table == match.table_no)


def called() -> list[Match]:
    return list(Match.objects.filter(state="called").select_related("stage__tournament").order_by("station"))


@pytest.mark.thorough
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


@pytest.mark.thorough
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


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_without_a_number_of_tables_a_match_has_its_own() -> None:
    event = a_hall(tables=None)
    first = waiting_matches(event)[0]
    call_match(match=first, by=event.created_by)
    first.refresh_from_db()
    assert (first.station, first.shown_table) == (None, 1)
    with pytest.raises(TournamentError) as refused:
        choose_tables(tournament=event, by=event.created_by, tables=None, calls_alone=True)
    assert refused.value.code == "hall.count_first"


@pytest.mark.thorough
@pytest.mark.parametrize("tables", [0, 501])
def test_a_hall_has_a_sensible_number_of_tables(tables: int) -> None:
    event = a_hall()
    with pytest.raises(TournamentError) as refused:
        choose_tables(tournament=event, by=event.created_by, tables=tables)
    assert refused.value.code == "hall.tables"


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_a_pause_calls_nobody() -> None:
    event = a_hall(alone=True)
    pause_tournament(tournament=event, by=event.created_by)
    ended(called()[0])
    assert len(called()) == 1
    event.refresh_from_db()
    resume_tournament(tournament=event, by=event.created_by)
    assert len(called()) == 2


@pytest.mark.thorough
def test_a_bracket_that_flows_has_no_clock_of_its_round() -> None:
    event = a_hall()
    choose_minutes(tournament=event, by=event.created_by, minutes=30)
    call_free(tournament=event, by=event.created_by)
    assert not RoundClock.objects.exists()


@pytest.mark.thorough
def test_two_directors_call_to_the_last_free_table_at_once() -> None:
    event = a_hall(tables=1)
    one, other = list(waiting_matches(event))[:2]
    director = with_role(event, "director")
    codes = at_once(
        lambda: call_match(match=one, by=event.created_by, station=1),
        lambda: call_match(match=other, by=director, station=1),
    )
    assert codes == ["", "hall.taken"]
    assert [match.station for match in called()] == [1]


@pytest.mark.thorough
def test_a_double_click_calls_each_match_once() -> None:
    event = a_hall(tables=2)
    codes = at_once(*[lambda: call_free(tournament=event, by=event.created_by)] * 3)
    assert codes == ["", "hall.full", "hall.full"]
    assert [(match.station, match.table_no) for match in called()] == [(1, 1), (2, 2)]


@pytest.mark.thorough
def test_results_that_come_at_once_fill_each_table_once() -> None:
    a_hall(tables=4, alone=True)
    codes = at_once(*[lambda match=match: ended(match) for match in called()])
    assert codes == ["", "", "", ""]
    assert [match.station for match in called()] == [1, 2, 3, 4]
    people = [seat.entry_id for match in called() for seat in match.seats.all()]
    assert len(set(people)) == len(people) == 8


@pytest.mark.thorough
def test_while_one_calls_to_a_table_a_result_fills_no_other_match_into_it() -> None:
    event = a_hall(tables=2, alone=True)
    waits = waiting_matches(event)[0]
    first = called()[0]
    codes = at_once(lambda: ended(first), lambda: call_match(match=waits, by=event.created_by))
    assert codes[0] == ""
    assert codes[1] in ("", "hall.full", "match.already_called")
    assert [match.station for match in called()] == [1, 2]


@pytest.mark.thorough
def test_the_match_is_called_first_on_which_most_others_hang() -> None:
    event = a_hall(tables=8)
    call_free(tournament=event, by=event.created_by)
    for match in called():
        ended(match)
    # Round 2 has two of the losers' bracket and two of the winners' bracket; play the former, and half of the latter.
    call_free(tournament=event, by=event.created_by)
    two = {label_of(match): match for match in called()}
    for label in ("L1:1", "L1:2", "W2:1", "W2:2"):
        ended(two[label])
    *first, last = [label_of(match) for match in in_order(waiting_matches(event))]
    assert (sorted(first), last) == (["L2:1", "L2:2"], "W3:1")


@pytest.mark.thorough
def test_a_round_that_flows_is_called_to_the_tables_there_are() -> None:
    event = a_hall(tables=3)
    assert call_round(round_row=round_of(event, 1), by=event.created_by) == 3
    assert [match.station for match in called()] == [1, 2, 3]
    with pytest.raises(TournamentError) as refused:
        call_round(round_row=round_of(event, 1), by=event.created_by)
    assert refused.value.code == "hall.full"


@pytest.mark.thorough
def test_a_no_show_frees_the_table_for_the_next_match() -> None:
    event = a_hall(alone=True)
    first = called()[0]
    submit_result(match=first, actor=Actor(user=event.created_by), claim=Claim(absent=(1,)))
    assert [(match.station, match.table_no) for match in called()] == [(1, 3), (2, 2)]


@pytest.mark.thorough
def test_who_left_is_walked_over_and_the_match_after_it_is_called() -> None:
    event = a_hall(tables=2, people=4, kind="single_elim", alone=True)
    first, second = called()
    loser = first.seats.get(index=1).entry
    assert loser is not None
    ended(first)
    winner = first.seats.get(index=0).entry
    assert winner is not None
    withdraw_person(entry=person(event, winner.player.name), by=event.created_by)
    ended(second)
    # The final is a walk-over: nobody is called to it.
    assert called() == []


@pytest.mark.thorough
def test_a_draft_from_a_file_of_the_middle_flows_too() -> None:
    event = a_hall(tables=2, alone=True)
    ended(called()[0])
    draft = import_event(by=a.a_user(), checked=importing.validate_event(event_json(event)))
    assert draft.stages.get().flows


@pytest.mark.thorough
def test_a_table_that_somebody_needs_is_left_to_them() -> None:
    event = a_hall(tables=2)
    first, second, third, _fourth = waiting_matches(event)
    for match, table in ((second, 1), (third, 2)):
        entry = match.seats.get(index=0).entry
        assert entry is not None
        fix_table(entry=entry, by=event.created_by, table=table)
    assert call_free(tournament=event, by=event.created_by) == 2
    assert [(match.station, match.pk) for match in called()] == [(1, second.pk), (2, third.pk)]
    ended(called()[0])
    assert call_free(tournament=event, by=event.created_by) == 1
    assert called()[0].pk == first.pk
