"""Rounds of an event played on the site: tables open with the call, seats belong to players, the record confirms."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from core.errors import TournamentError
from tables.actions.leaving import leave
from tables.actions.opening import sit_down
from tables.actions.sitters import Sitter
from tables.errors import TableError
from tables.events.opened import call_off, follow_matches, open_for, reopen
from tables.events.seats import sit_reserved
from tables.jobs.sweep import sweep
from tables.models import LiveTable
from tables.play.shuffle import of_service
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, close_event, round_of, tables_of, totals
from tests.services.databases import on_both
from tests.tables.players import again, at_random, guest, play_on
from tournaments.events.plan_rows import plan_of
from tournaments.interchange.clone import clone_tournament
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, RatingEvent, ResultReport, Standing, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.progress import undo
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.ratings import pools
from tournaments.ratings.actions import rate_event
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, on_both]
SITE: dict[str, Any] = {"where": "site", "preset": "koikoi_nintendo", "seats": 2, "options": {"rounds": 2}}


def on_site(people: int = 2, **changes: Any) -> Tournament:
    """An event on the site, its first round called."""
    return a_called_night(people=people, **{**SITE, **changes})


def table_at(match: Match) -> LiveTable:
    return LiveTable.objects.get(uuid=match.uuid)


def sat(table: LiveTable) -> list[Sitter]:
    """Everybody at their seat; the cards are dealt."""
    people = [guest(str(index)) for index in range(table.seats_n)]
    for index, each in enumerate(people):
        sit_reserved(table, each, of_service(), [index])
    return people


def played(match: Match, captured: Any, seed: int = 1) -> LiveTable:
    """A whole match at its table."""
    with captured(execute=True):
        table = table_at(match)
        people = sat(table)
        play_on(table, people, at_random(seed))
    return again(table)


def code_of(act: Callable[[], object]) -> str:
    with pytest.raises((TableError, TournamentError)) as refused:
        act()
    return refused.value.code


@pytest.mark.thorough(keep=1)
def test_a_called_round_has_a_table_for_each_match() -> None:
    event = on_site(4)
    matches = tables_of(event)
    assert len(matches) == 2
    for match in matches:
        table = table_at(match)
        assert (table.state, table.clock, table.seats_n, table.seats.count()) == ("open", "live", 2, 0)
        assert table.stage_id == match.stage_id
    assert follow_matches(10) == 0, "nothing is missing"


@pytest.mark.thorough(keep=1)
def test_at_tables_of_a_hall_nothing_is_opened() -> None:
    a_called_night()
    assert not LiveTable.objects.exists()


@pytest.mark.thorough(keep=1)
def test_days_are_chosen_for_the_stage() -> None:
    (match,) = tables_of(on_site(site_clock="days"))
    assert table_at(match).clock == "days"


@pytest.mark.thorough
def test_a_round_is_played_from_the_deal_to_standings(django_capture_on_commit_callbacks: Any) -> None:
    event = on_site(4)
    one, other = tables_of(event)
    with django_capture_on_commit_callbacks(execute=True):
        people = sat(table_at(one))
    one.refresh_from_db()
    assert one.state == "playing"
    assert one.round is not None
    assert one.round.state == "playing"
    with django_capture_on_commit_callbacks(execute=True):
        play_on(table_at(one), people, at_random(1))
    table = table_at(one)
    one.refresh_from_db()
    report = ResultReport.objects.get(match=one)
    assert (one.state, report.source, report.state, table.match_id) == ("confirmed", "record", "confirmed", one.pk)
    assert report.record is not None
    assert [seat.place for seat in one.seats.order_by("index")] in ([1, 2], [2, 1], [1, 1])
    played(other, django_capture_on_commit_callbacks, seed=2)
    first = round_of(event, 1)
    assert first.state == "complete"
    rows = Standing.objects.filter(stage=first.stage, after_round=1)
    assert rows.count() == 4
    assert store.differences(first.stage) == []


@pytest.mark.thorough
def test_a_table_of_four_with_partners_who_change(django_capture_on_commit_callbacks: Any) -> None:
    event = on_site(4, preset="hawaii", seats=4, kind="rotation", options={"rounds": 1, "teams": "2x2"})
    (match,) = tables_of(event)
    played(match, django_capture_on_commit_callbacks)
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert {seat.side for seat in match.seats.all()} == {0, 1}


@pytest.mark.thorough
def test_who_leaves_has_lost_and_the_standings_say_so(django_capture_on_commit_callbacks: Any) -> None:
    (match,) = tables_of(on_site())
    with django_capture_on_commit_callbacks(execute=True):
        table = table_at(match)
        people = sat(table)
        leave(again(table), people[0])
    seats = list(match.seats.order_by("index"))
    assert [seat.outcome for seat in seats] == ["forfeit", "played"]
    assert [seat.place for seat in seats] == [2, 1]


@pytest.mark.thorough(keep=1)
def test_nobody_reports_and_nobody_else_sits_down() -> None:
    (match,) = tables_of(on_site())
    refused = code_of(lambda: submit_result(match=match, actor=Actor(side=0), claim=totals(3, 1)))
    assert refused == "report.on_site"
    table = table_at(match)
    assert code_of(lambda: sit_down(table, guest(), of_service())) == "table.reserved"
    assert code_of(lambda: sit_reserved(table, guest(), of_service(), [])) == "table.reserved"
    one = guest()
    sit_reserved(table, one, of_service(), [0])
    assert code_of(lambda: sit_reserved(table, one, of_service(), [1])) == "table.two_seats"


@pytest.mark.thorough
def test_a_player_goes_on_in_another_browser(django_capture_on_commit_callbacks: Any) -> None:
    (match,) = tables_of(on_site())
    table = table_at(match)
    people = sat(table)
    phone = guest("phone")
    sit_reserved(again(table), phone, of_service(), [0])
    with django_capture_on_commit_callbacks(execute=True):
        play_on(table, [phone, people[1]], at_random(3))
    match.refresh_from_db()
    assert match.state == "confirmed"
    names = match.seats.order_by("index").values_list("entry__player__name", flat=True)
    assert [seat.name for seat in table.seats.order_by("index")] == list(names)


@pytest.mark.thorough
def test_a_table_waits_for_its_players_as_long_as_the_organiser() -> None:
    (match,) = tables_of(on_site())
    table = table_at(match)
    one = guest()
    sit_reserved(table, one, of_service(), [0])
    leave(again(table), one)
    table = again(table)
    assert (table.state, table.deadline_at, table.seats.count()) == ("open", None, 0)
    assert sweep().due == 0


@pytest.mark.thorough(keep=1)
def test_a_no_show_is_entered_by_hand_and_the_table_goes() -> None:
    (match,) = tables_of(on_site())
    submit_result(match=match, actor=Actor(user=match.stage.tournament.created_by), claim=Claim(absent=(1,)))
    table = table_at(match)
    assert (table.state, table.reason) == ("aborted", "decided")
    match.refresh_from_db()
    assert match.state == "confirmed"


@pytest.mark.thorough
def test_a_cancelled_match_takes_its_table_along() -> None:
    (match,) = tables_of(on_site())
    sat(table_at(match))
    void_match(match=match, by=match.stage.tournament.created_by, reason="Power cut.")
    assert table_at(match).reason == "decided"


@pytest.mark.thorough
def test_an_organiser_calls_a_table_off_and_opens_it_again(django_capture_on_commit_callbacks: Any) -> None:
    (match,) = tables_of(on_site())
    table = table_at(match)
    people = sat(table)
    play_on(table, people, at_random(1), moves=3)
    call_off(again(table))
    assert (again(table).state, again(table).reason) == ("aborted", "called_off")
    assert follow_matches(10) == 0, "what was called off stays so"
    another = reopen(again(table))
    assert another.pk != table.pk
    assert another.uuid == match.uuid
    assert code_of(lambda: reopen(another)) == "table.wrong_state"
    played(match, django_capture_on_commit_callbacks, seed=4)
    match.refresh_from_db()
    assert match.state == "confirmed"


@pytest.mark.thorough
def test_a_record_that_comes_too_late_counts_for_nothing(django_capture_on_commit_callbacks: Any) -> None:
    (match,) = tables_of(on_site())
    table = table_at(match)
    people = sat(table)
    play_on(table, people, at_random(1))
    assert again(table).state == "finished"
    with django_capture_on_commit_callbacks(execute=True):
        submit_result(match=match, actor=Actor(user=match.stage.tournament.created_by), claim=totals(5, 0))
    sweep()
    assert (again(table).state, again(table).reason, again(table).match) == ("aborted", "decided", None)
    assert ResultReport.objects.get(match=match, state="confirmed").source == "people"


@pytest.mark.thorough
def test_a_call_that_is_undone_takes_its_tables_along() -> None:
    event = on_site()
    (match,) = tables_of(event)
    found = undo.last_undoable(event)
    assert found is not None
    undo.undo(tournament=event, by=event.created_by, seen=found.id)
    sweep()
    assert table_at(match).state == "aborted"
    call_round(round_row=round_of(event, 1), by=event.created_by)
    assert table_at(match).state == "open"


@pytest.mark.thorough
def test_what_a_process_has_missed_is_made_good() -> None:
    (match,) = tables_of(on_site())
    LiveTable.objects.all().delete()
    assert sweep().followed == 1
    assert table_at(match).state == "open"
    LiveTable.objects.all().delete()
    assert Client().get(f"/play/{match.uuid}/").status_code == 200
    assert open_for(match).pk == table_at(match).pk


@pytest.mark.thorough
def test_a_confirmed_record_is_corrected_like_any_result(django_capture_on_commit_callbacks: Any) -> None:
    (match,) = tables_of(on_site())
    played(match, django_capture_on_commit_callbacks)
    by = match.stage.tournament.created_by
    seen = preview_correction(match=match, by=by, claim=totals(9, 0)).hash
    correct_result(match=match, by=by, claim=totals(9, 0), reason="They agreed.", seen=seen)
    match.refresh_from_db()
    assert ResultReport.objects.get(match=match, state="confirmed").source == "people"
    assert match.seats.get(index=0).points == 9


@pytest.mark.thorough
def test_a_rated_event_moves_ratings(django_capture_on_commit_callbacks: Any) -> None:
    event = a_club_night(people=2, **SITE)
    rate_event(tournament=event, by=event.created_by, rated=True)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    (match,) = tables_of(event)
    played(match, django_capture_on_commit_callbacks)
    pools.fold_stale()
    assert RatingEvent.objects.filter(deal_set=match.pk).count() == 2


@pytest.mark.thorough
def test_files_keep_it(django_capture_on_commit_callbacks: Any) -> None:
    event = on_site(site_clock="days")
    (match,) = tables_of(event)
    played(match, django_capture_on_commit_callbacks)
    close_event(tournament=event, by=event.created_by)
    data = event_json(event)
    stage = json.loads(data)["stages"][0]
    assert (stage["where"], stage["site_clock"]) == ("site", "days")
    copy = importing.write(importing.validate_event(data), by=a.a_user("importer"), slug="copy")
    assert copy.stages.get().is_on_site
    assert event_json(copy) == data
    assert plan_of(clone_tournament(tournament=event, by=event.created_by)).where == "site"


@pytest.mark.thorough(keep=1)
def test_an_event_of_a_hall_says_nothing_of_it() -> None:
    (stage,) = json.loads(event_json(a_called_night()))["stages"]
    assert not {"where", "site_clock"} & set(stage)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"who": "bots"}, "tournament.bad_site"),
        ({"where": "moon"}, "tournament.bad_where"),
        ({"site_clock": "casual"}, "tournament.bad_site_clock"),
        ({"preset": "hawaii", "seats": 4, "options": {"teams": "2x2"}, "kind": "tables"}, "tournament.bad_site"),
    ],
)
def test_a_stage_that_cannot_be_played_here_is_refused(changes: dict[str, Any], code: str) -> None:
    assert code_of(lambda: a_club_night(**{**SITE, **changes})) == code
