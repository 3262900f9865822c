"""A club night with people only: entered, checked in, drawn, reported, disputed, corrected, signed."""

from __future__ import annotations

import pytest

from accounts.models import User
from bots.models import AuditEvent
from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, close_event, person, round_of, tables_of, totals
from tournaments.entries.bots import enter_bot
from tournaments.entries.people import add_list, add_person, check_in, check_in_all, withdraw_person
from tournaments.events.roles import give_role, take_role
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, ResultReport, Role, Round, Stage, Standing, Tournament
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.draws import next_round
from tournaments.progress.rounds import (
    call_round,
    preview_next,
    publish_next,
    take_back_round,
)
from tournaments.progress.run import cancel_tournament, start_tournament
from tournaments.scores.actions import Actor, accept_result, dispute_result, rule_result, submit_result
from tournaments.scores.slips import read_slip, slip_token
from tournaments.standings import store

pytestmark = pytest.mark.django_db
M, S = Match.State, ResultReport.State


def refused(code: str) -> pytest.RaisesExc[DomainError]:
    """The refusal with this code."""
    return pytest.RaisesExc(DomainError, check=lambda error: error.code == code)


def stage_of(event: Tournament) -> Stage:
    """The event's stage, read again."""
    return event.stages.select_related("tournament", "ruleset").get()


def with_role(event: Tournament, role: str) -> User:
    """Return somebody with a role."""
    user = a.a_user()
    Role.objects.create(user=user, tournament=event, role=role)
    return user


def finish_round(event: Tournament, number: int = 1) -> None:
    """Enter a result at every open table of a round."""
    for match in tables_of(event, number):
        if match.state not in (M.CONFIRMED, M.VOID):
            submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))


def draw_next(event: Tournament) -> Round:
    """Preview and publish."""
    by, stage = event.created_by, stage_of(event)
    return publish_next(stage=stage, by=by, seen=preview_next(stage=stage, by=by).hash)


def states(match: Match) -> list[str]:
    """The states of its reports by version."""
    return list(match.reports.order_by("version").values_list("state", flat=True))


@pytest.mark.thorough
def test_a_whole_club_night_without_bots_and_workers() -> None:
    event = a_called_night(people=5)
    by = event.created_by
    assert [match.deal_set for match in tables_of(event)] == [None, None]
    finish_round(event)
    assert round_of(event, 1).state == Round.State.COMPLETE
    assert next_round.advance_waiting() == 0
    row = draw_next(event)
    assert (row.number, round_of(event, 1).state) == (2, Round.State.LOCKED)
    call_round(round_row=row, by=by)
    finish_round(event, 2)
    close_event(tournament=event, by=by)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert Standing.objects.filter(stage__tournament=event, after_round=0).count() == 5
    assert store.differences(stage_of(event)) == []


@pytest.mark.thorough
def test_who_is_not_there_is_not_drawn_and_may_come_late() -> None:
    event = a_club_night(people=5)
    by = event.created_by
    check_in(entry=person(event, "Emi"), by=by, is_here=False)
    start_tournament(tournament=event, by=by)
    call_round(round_row=round_of(event, 1), by=by)
    assert stage_of(event).stage_entries.count() == 4
    check_in(entry=person(event, "Emi"), by=by)
    add_person(tournament=event, by=by, name="Fumi", club="Lyon")
    withdraw_person(entry=person(event, "Aiko"), by=by)
    finish_round(event)
    seated = {entry for pod in draw_next(event).plan["pods"] for entry in pod["seats"]}
    byes = set(round_of(event, 2).plan["byes"])
    assert {str(person(event, name).uuid) for name in ("Ben", "Chiyo", "Dai", "Emi", "Fumi")} == seated | byes
    assert store.differences(stage_of(event)) == []


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"Aiko\n", "entry.duplicate"),
        (b"Gen\nGen\n", "csv.name_twice"),
        (b"", "csv.empty"),
        (b"\n".join(b"P%d" % n for n in range(80)), "entry.full"),
    ],
)
def test_a_list_is_taken_whole_or_not_at_all(data: bytes, code: str) -> None:
    event = a_club_night()
    with refused(code):
        add_list(tournament=event, by=event.created_by, data=data)
    assert event.entries.count() == 6


def test_a_list_with_clubs() -> None:
    event = a_club_night()
    entries = add_list(tournament=event, by=event.created_by, data="name;club\nGen;Kyōto\nHana;Lyon\n".encode())
    assert [(entry.player.name, entry.player.club) for entry in entries] == [("Gen", "Kyōto"), ("Hana", "Lyon")]
    assert check_in_all(tournament=event, by=event.created_by) == 2
    assert check_in_all(tournament=event, by=event.created_by) == 0


def test_only_organisers_write_people_down() -> None:
    event = a_club_night()
    scorer = with_role(event, "scorer")
    check_in(entry=person(event, "Ben"), by=scorer, is_here=False)
    check_in(entry=person(event, "Ben"), by=scorer, is_here=False)
    for by in (scorer, a.a_user()):
        with refused("tournament.not_organiser"):
            add_person(tournament=event, by=by, name="Gen")
        with refused("tournament.not_organiser"):
            withdraw_person(entry=person(event, "Ben"), by=by)
    with refused("entry.not_of_people"):
        bots = a.an_open_event()
        add_person(tournament=bots, by=bots.created_by, name="Gen")


@pytest.mark.thorough
def test_nobody_joins_a_round_robin_late_and_nobody_leaves_twice() -> None:
    event = a_called_night(people=4, kind="round_robin")
    with refused("entry.no_late_entry"):
        add_person(tournament=event, by=event.created_by, name="Gen")
    with refused("entry.plays"):
        swiss = a_called_night(name="Another")
        check_in(entry=person(swiss, "Ben"), by=swiss.created_by, is_here=False)
    withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    with refused("entry.already_withdrawn"):
        withdraw_person(entry=person(event, "Ben"), by=event.created_by)
    with refused("entry.gone"):
        check_in(entry=person(event, "Ben"), by=event.created_by)


@pytest.mark.thorough
def test_nobody_sits_at_two_tables_at_once() -> None:
    event = a_called_night(people=4, kind="round_robin")
    with refused("round.people_busy"):
        call_round(round_row=round_of(event, 2), by=event.created_by)
    finish_round(event)
    assert call_round(round_row=round_of(event, 2), by=event.created_by) == 2
    with refused("round.nothing_to_call"):
        call_round(round_row=round_of(event, 2), by=event.created_by)


@pytest.mark.thorough
def test_one_side_reports_and_the_other_confirms() -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    first = submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110), key="k1")
    again = submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110), key="k1")
    assert (first.pk, first.state) == (again.pk, S.SUBMITTED)
    with refused("report.own"):
        accept_result(match=match, actor=Actor(side=0))
    with refused("report.key_reused"):
        submit_result(match=match, actor=Actor(side=0), claim=totals(140, 100), key="k1")
    assert accept_result(match=match, actor=Actor(side=1)).state == S.CONFIRMED
    assert accept_result(match=match, actor=Actor(side=1)).version == 1
    match.refresh_from_db()
    assert (match.state, [seat.points for seat in match.seats.all()]) == (M.CONFIRMED, [130, 110])
    with refused("report.already_confirmed"):
        submit_result(match=match, actor=Actor(side=1), claim=totals(140, 100))
    assert store.differences(stage_of(event)) == []


@pytest.mark.thorough
def test_the_same_result_from_both_sides_confirms_it() -> None:
    match = tables_of(a_called_night())[0]
    submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
    assert submit_result(match=match, actor=Actor(side=1), claim=totals(130, 110)).state == S.CONFIRMED
    assert states(match) == [S.CONFIRMED]


@pytest.mark.thorough
def test_different_results_are_a_dispute_that_an_arbiter_rules() -> None:
    event = a_called_night()
    match, arbiter = tables_of(event)[0], with_role(event, "arbiter")
    submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
    submit_result(match=match, actor=Actor(side=1), claim=totals(110, 130))
    match.refresh_from_db()
    assert (match.state, states(match)) == (M.DISPUTED, [S.DISPUTED, S.DISPUTED])
    with refused("tournament.not_organiser"):
        rule_result(match=match, by=with_role(event, "scorer"), version=1, reason="I say so.")
    with refused("report.reason_needed"):
        rule_result(match=match, by=arbiter, version=1, reason=" ")
    with refused("report.no_version"):
        rule_result(match=match, by=arbiter, version=7, reason="Seen.")
    ruled = rule_result(match=match, by=arbiter, version=2, reason="Counted the cards again.")
    assert (ruled.body["score"], ruled.by, states(match)) == (
        [110, 130],
        arbiter,
        [S.REJECTED, S.REJECTED, S.CONFIRMED],
    )
    with refused("report.not_disputed"):
        rule_result(match=match, by=arbiter, version=1, reason="Again.")


@pytest.mark.thorough
def test_an_objection_without_figures() -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    with refused("report.nothing_reported"):
        dispute_result(match=match, actor=Actor(side=1))
    submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
    assert dispute_result(match=match, actor=Actor(side=1)).state == S.DISPUTED
    assert dispute_result(match=match, actor=Actor(side=1)).state == S.DISPUTED
    ruled = submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(120, 120))
    assert (ruled.state, states(match)) == (S.CONFIRMED, [S.REJECTED, S.CONFIRMED])


@pytest.mark.thorough
def test_a_scorer_enters_at_once_and_a_stranger_never() -> None:
    event = a_called_night()
    match, scorer = tables_of(event)[1], with_role(event, "scorer")
    with refused("tournament.not_organiser"):
        submit_result(match=match, actor=Actor(user=a.a_user()), claim=totals(130, 110))
    report = submit_result(match=match, actor=Actor(user=scorer), claim=totals(130, 110), key="k")
    assert submit_result(match=match, actor=Actor(user=scorer), claim=totals(130, 110), key="k") == report
    assert (report.state, report.by) == (S.CONFIRMED, scorer)
    with refused("report.already_confirmed"):
        submit_result(match=match, actor=Actor(user=scorer), claim=totals(110, 130))


@pytest.mark.thorough
def test_a_table_that_is_not_called_a_locked_round_and_a_void_match() -> None:
    event = a_club_night()
    start_tournament(tournament=event, by=event.created_by)
    match = tables_of(event)[0]
    with refused("report.not_called"):
        submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
    finish_round(event)
    draw_next(event)
    with refused("report.round_locked"):
        submit_result(match=match, actor=Actor(side=0), claim=totals(110, 130))
    cancel_tournament(tournament=event, by=event.created_by, reason="It rains.")
    with refused("report.not_running"):
        submit_result(match=tables_of(event, 2)[0], actor=Actor(side=0), claim=totals(130, 110))


def test_a_slip_says_which_side_and_cannot_be_made_up() -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    token = slip_token(match, 1)
    assert read_slip(token) == (match, 1)
    for forged in (token[:-1] + "x", token.replace(".1", ".0"), "", "no"):
        with refused("slip.unknown"):
            read_slip(forged)


@pytest.mark.thorough
def test_a_draw_is_taken_back_until_it_is_called() -> None:
    event = a_called_night()
    by = event.created_by
    with refused("round.not_complete"):
        preview_next(stage=stage_of(event), by=by)
    finish_round(event)
    first = preview_next(stage=stage_of(event), by=by)
    assert first.hash == preview_next(stage=stage_of(event), by=by).hash
    row = publish_next(stage=stage_of(event), by=by, seen=first.hash)
    token = slip_token(tables_of(event, 2)[0], 0)
    take_back_round(round_row=row, by=by)
    assert (stage_of(event).rounds.count(), round_of(event, 1).state) == (1, Round.State.COMPLETE)
    with refused("slip.old"):
        read_slip(token)
    withdraw_person(entry=person(event, "Aiko"), by=by)
    with refused("round.draw_changed"):
        publish_next(stage=stage_of(event), by=by, seen=first.hash)
    row = draw_next(event)
    call_round(round_row=row, by=by)
    with refused("round.started"):
        take_back_round(round_row=row, by=by)
    with refused("round.not_last"):
        take_back_round(round_row=round_of(event, 1), by=by)
    assert store.differences(stage_of(event)) == []


@pytest.mark.slow
def test_a_correction_after_the_next_draw_shows_what_follows_and_can_be_turned_back() -> None:
    event = a_called_night()
    by, match = event.created_by, tables_of(event)[0]
    finish_round(event)
    draw_next(event)
    before = list(Standing.objects.filter(stage=stage_of(event)).order_by("after_round", "row").values_list("key"))
    seen = preview_correction(match=match, by=by, claim=totals(-20, 210))
    assert len(seen.later) == 2
    assert any(move.changes for move in seen.moves)
    with refused("report.reason_needed"):
        correct_result(match=match, by=by, claim=totals(-20, 210), reason="", seen=seen.hash)
    report = correct_result(match=match, by=by, claim=totals(-20, 210), reason="Misread.", seen=seen.hash)
    shown = {move.name: move.rank_after for move in seen.moves}
    now = Standing.objects.filter(stage=stage_of(event), after_round=0)
    assert {row.entry.player.name: row.rank for row in now.select_related("entry__player")} == shown
    assert (report.version, states(match)) == (2, [S.SUPERSEDED, S.CONFIRMED])
    assert store.differences(stage_of(event)) == []
    with refused("report.moved"):
        correct_result(match=match, by=by, version=1, reason="Back.", seen=seen.hash)
    back = preview_correction(match=match, by=by, version=1)
    correct_result(match=match, by=by, version=1, reason="Back.", seen=back.hash)
    after = list(Standing.objects.filter(stage=stage_of(event)).order_by("after_round", "row").values_list("key"))
    assert after == before
    assert states(match) == [S.SUPERSEDED, S.SUPERSEDED, S.CONFIRMED]
    assert store.differences(stage_of(event)) == []


@pytest.mark.thorough
def test_what_cannot_be_corrected() -> None:
    event = a_called_night()
    by, match = event.created_by, tables_of(event)[0]
    with refused("report.not_confirmed"):
        preview_correction(match=match, by=by, claim=totals(130, 110))
    submit_result(match=match, actor=Actor(user=by), claim=totals(130, 110))
    with refused("report.same_result"):
        preview_correction(match=match, by=by, claim=totals(130, 110))
    with refused("tournament.not_organiser"):
        preview_correction(match=match, by=with_role(event, "scorer"), claim=totals(110, 130))


@pytest.mark.thorough
def test_who_does_not_come_loses() -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    submit_result(match=match, actor=Actor(user=event.created_by), claim=Claim(absent=(0,)))
    seats = [(seat.place, seat.points, seat.outcome) for seat in match.seats.order_by("index")]
    assert seats == [(2, 0, "forfeit"), (1, 0, "played")]
    assert store.differences(stage_of(event)) == []


@pytest.mark.thorough
def test_a_club_night_cannot_be_closed_early_or_twice() -> None:
    event = a_called_night()
    with refused("stage.not_complete"):
        close_event(tournament=event, by=event.created_by)
    with refused("tournament.not_organiser"):
        close_event(tournament=event, by=with_role(event, "scorer"))
    finish_round(event)
    close_event(tournament=event, by=event.created_by)
    with refused("stage.already_closed"):
        close_event(tournament=event, by=event.created_by)


def test_roles_are_given_and_taken_by_who_may() -> None:
    event = a_club_night()
    director, friend = with_role(event, "director"), a.a_user("friend")
    give_role(tournament=event, by=director, username="friend", role="scorer")
    with refused("role.has_already"):
        give_role(tournament=event, by=event.created_by, username="friend", role="scorer")
    for by, role, code in (
        (director, "owner", "tournament.not_organiser"),
        (friend, "scorer", "tournament.not_organiser"),
        (director, "emperor", "role.unknown"),
    ):
        with refused(code):
            give_role(tournament=event, by=by, username="friend", role=role)
    with refused("role.no_such_user"):
        give_role(tournament=event, by=director, username="nobody", role="scorer")
    take_role(tournament=event, by=director, username="friend", role="scorer")
    with refused("role.has_not"):
        take_role(tournament=event, by=director, username="friend", role="scorer")
    with refused("role.last_owner"):
        take_role(tournament=event, by=event.created_by, username=event.created_by.username, role="owner")
    assert AuditEvent.objects.filter(verb__in=("role.give", "role.take")).count() == 2


def test_an_event_of_people_deals_each_deal_once() -> None:
    with refused("tournament.bad_legs"):
        a_club_night(legs="cyclic")
    assert Entry.objects.count() == 0


def test_no_bot_is_entered_among_people() -> None:
    event, bot = a_club_night(), a.a_bot()
    with refused("entry.of_people"):
        enter_bot(tournament=event, bot=bot, by=bot.owner)
