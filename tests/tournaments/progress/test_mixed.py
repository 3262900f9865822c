"""People and bots in one field: whose tables workers play, who confirms, what follows on its own, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from bots.jobs.process import Process
from bots.models import BotVersion
from tests.builders import events as a
from tests.builders.clubs import close_event, person, round_of, totals
from tests.builders.mixed import (
    a_mixed_event,
    a_running_mixed_event,
    at_tables,
    call_all,
    enter_called,
    of_workers,
    result_of,
    to_the_end,
)
from tests.tournaments.progress.test_advancing import play_on
from tests.tournaments.progress.test_people import refused, stage_of
from tournaments.entries.bots import enter_bot, withdraw_entry
from tournaments.entries.people import add_person, check_in, check_in_all, withdraw_person
from tournaments.events.create import create_tournament
from tournaments.interchange.export import document_of, event_json
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.actions import import_event
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.matches.report_bodies import Claim
from tournaments.models import DealSet, Entry, Match, ResultReport, Round, Seat, Stage, Standing, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.progress import undo
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.draws import next_round
from tournaments.progress.rounds import (
    call_round,
    preview_next,
    publish_next,
    take_back_round,
    waits_for_draw,
)
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, accept_result, submit_result
from tournaments.scores.slips import has_slip, read_slip, slip_token
from tournaments.standings import store
from tournaments.undo import row_images

pytestmark = pytest.mark.django_db(transaction=True)
M = Match.State
POOLS: Any = {
    "kind": "round_robin",
    "rounds": 1,
    "groups": 2,
    "min_entries": 6,
    "then": (StagePlan(kind="single_elim", name="Final"),),
    "ways": (AdvancementPlan(source=1, target=2, last=2),),
}
CASES: Any = {
    "round_robin": {"kind": "round_robin", "rounds": 1},
    "tables": {"kind": "tables", "rounds": 2, "seats": 3},
    "swiss": {"kind": "swiss", "rounds": 3},
    "dutch": {"kind": "dutch", "rounds": 3},
    "pods": {"kind": "pods", "rounds": 2, "seats": 3},
    "single_elim": {"kind": "single_elim", "rounds": 1},
    "double_elim": {"kind": "double_elim", "rounds": 1},
    "lives": {"kind": "lives", "rounds": 1, "seats": 3},
    "pools and a final": POOLS,
}


OFTEN = ("pools and a final",)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if case in OFTEN else pytest.mark.slow) for case in CASES]
)
def test_every_format_to_its_end(case: str, process: Process) -> None:
    event = a_running_mixed_event(people=3, bots=3, **CASES[case])
    to_the_end(event, process)
    last = event.stages.order_by("-order")[0]
    assert event.state == Tournament.State.RUNNING
    assert last.state == Stage.State.ACTIVE  # where people play, the end is signed
    close_event(tournament=event, by=event.created_by)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    for match in a.matches_of(event):
        bots = [seat.entry is not None and seat.entry.player.bot_id is not None for seat in match.seats.all()]
        assert (match.deal_set_id is not None) == all(bots)
        source = ResultReport.Source.RECORD if all(bots) else ResultReport.Source.PEOPLE
        assert match.reports.get(state="confirmed").source == source
    for stage in event.stages.select_related("tournament", "ruleset"):
        assert store.differences(stage) == []
        assert set(stage.rounds.values_list("state", flat=True)) == {Round.State.LOCKED}


@pytest.mark.thorough
def test_only_tables_without_a_person_are_queued() -> None:
    event = a_running_mixed_event(kind="round_robin", rounds=1)
    assert {match.state for match in of_workers(event)} == {M.QUEUED}
    assert {match.state for match in at_tables(event)} == {M.READY}
    assert (len(of_workers(event)), len(at_tables(event))) == (3, 12)
    assert DealSet.objects.count() == 3
    assert call_round(round_row=round_of(event, 1), by=event.created_by) >= 1
    assert {match.state for match in of_workers(event)} == {M.QUEUED}


@pytest.mark.thorough
def test_bots_come_first_come_first_and_people_by_check_in() -> None:
    event = a_mixed_event(people=3, bots=2, max_entries=5, min_entries=2)
    by = event.created_by
    late = enter_bot(tournament=event, bot=(bot := a.a_bot()), by=bot.owner)
    assert late.state == Entry.State.WAITLISTED
    with refused("entry.full"):
        add_person(tournament=event, by=by, name="Goro")
    with refused("entry.of_bot"):
        check_in(entry=Entry.objects.filter(player__bot__isnull=False)[0], by=by)
    check_in(entry=person(event, "Aiko"), by=by, is_here=False)
    assert check_in_all(tournament=event, by=by) == 1
    check_in(entry=person(event, "Aiko"), by=by, is_here=False)
    start_tournament(tournament=event, by=by)
    playing = Entry.objects.filter(state=Entry.State.ACTIVE)
    assert playing.filter(player__bot=None).count() == 2
    assert playing.filter(bot_version__isnull=False).count() == 3  # who waited moved in for her
    assert person(event, "Aiko").state == Entry.State.ENTERED


@pytest.mark.thorough
def test_a_bot_may_be_withdrawn_by_its_owner_and_leave_later() -> None:
    event = a_mixed_event(people=3, bots=3)
    bots = Entry.objects.filter(tournament=event, player__bot__isnull=False).select_related("player__bot__owner")
    first = bots[0]
    assert first.player.bot is not None
    withdraw_entry(entry=first, by=first.player.bot.owner)
    start_tournament(tournament=event, by=event.created_by)
    withdraw_person(entry=bots.filter(state=Entry.State.ACTIVE)[0], by=event.created_by)
    assert stage_of(event).stage_entries.filter(left_round=2).count() == 1


def a_lonely_table(event: Tournament) -> tuple[Match, int, int]:
    """A table of one person and one bot, the person's side and the bot's."""
    for match in at_tables(event):
        sides = {seat.entry.player.bot_id is None: seat.side for seat in match.seats.all() if seat.entry is not None}
        if len(sides) == 2:
            return match, sides[True], sides[False]
    raise AssertionError("nobody sits alone with a bot")


@pytest.mark.thorough
def test_who_sits_alone_with_a_bot_is_confirmed_by_a_scorer() -> None:
    event = a_running_mixed_event(people=1, bots=3)
    call_all(event)
    match, own, bots = a_lonely_table(event)
    assert (has_slip(match, own), has_slip(match, bots)) == (True, False)
    assert read_slip(slip_token(match, own)) == (match, own)
    with refused("slip.of_bot"):
        read_slip(slip_token(match, bots))
    submit_result(match=match, actor=Actor(side=own), claim=totals(130, 110))
    with refused("report.own"):
        accept_result(match=match, actor=Actor(side=own))
    accept_result(match=match, actor=Actor(user=event.created_by))
    match.refresh_from_db()
    assert match.state == M.CONFIRMED


@pytest.mark.thorough
def test_workers_tables_take_no_result_from_people() -> None:
    event = a_running_mixed_event(people=2, bots=4, kind="round_robin", rounds=1)
    match = of_workers(event)[0]
    assert not has_slip(match, 0)
    for actor in (Actor(side=0), Actor(user=event.created_by)):
        with refused("report.of_bots"):
            submit_result(match=match, actor=actor, claim=totals(130, 110))


@pytest.mark.thorough
def test_a_bot_that_nobody_plays_for_is_absent_and_not_benched() -> None:
    event = a_running_mixed_event(people=1, bots=3)
    call_all(event)
    match, own, bots = a_lonely_table(event)
    submit_result(match=match, actor=Actor(user=event.created_by), claim=Claim(absent=(bots,)))
    seats = {seat.side: seat for seat in match.seats.all()}
    assert (seats[own].place, seats[own].outcome) == (1, Seat.Outcome.PLAYED)
    assert seats[bots].outcome == Seat.Outcome.FORFEIT
    assert not BotVersion.objects.filter(forfeits_in_a_row__gt=0).exists()


@pytest.mark.slow
def test_a_benched_bot_is_not_drawn_any_more_and_counts_as_absent(process: Process) -> None:
    event = a_running_mixed_event(people=2, bots=4, rounds=2)
    entry = Entry.objects.filter(tournament=event, player__bot__isnull=False)[0]
    BotVersion.objects.filter(entries=entry).update(benched_at=event.started_at)
    to_the_end(event, process)
    second = round_of(event, 2)
    assert not Seat.objects.filter(match__round=second, entry=entry).exists()
    assert Seat.objects.filter(match__round__number=1, entry=entry).exists()
    row = Standing.objects.get(after_round=0, entry=entry)
    assert "absent" in str(row.explanation)


@pytest.mark.slow
def test_our_own_faults_are_charged_to_nobody(process: Process) -> None:
    event = a_running_mixed_event(people=2, bots=4, rounds=1)
    held = of_workers(event)[0]
    Match.objects.filter(pk=held.pk).update(state=M.QUARANTINED, faults=4)
    to_the_end(event, process)
    assert round_of(event, 1).state == Round.State.PLAYING
    with refused("stage.not_complete"):
        close_event(tournament=event, by=event.created_by)
    void_match(match=held, by=event.created_by, reason="The machine broke.")
    assert not Seat.objects.filter(outcome=Seat.Outcome.FORFEIT).exists()
    close_event(tournament=event, by=event.created_by)
    assert event.state == Tournament.State.FINISHED


@pytest.mark.thorough
def test_the_next_round_follows_by_itself_once_every_table_is_done(process: Process) -> None:
    event = a_running_mixed_event(people=3, bots=3, rounds=2)
    play_on(process)
    assert next_round.advance_waiting() == 0
    call_all(event)
    enter_called(event)
    assert next_round.advance_waiting() == 1
    row = round_of(event, 2)
    assert row.state == Round.State.PUBLISHED
    states = {match.deal_set_id is not None: match.state for match in row.matches.all()}
    assert states.get(True, M.QUEUED) == M.QUEUED
    assert states.get(False, M.READY) == M.READY


@pytest.mark.slow
def test_an_organiser_who_wants_to_look_draws(process: Process) -> None:
    event = a_running_mixed_event(people=2, bots=4, rounds=2, draws="organiser")
    by, stage = event.created_by, stage_of(event)
    to_the_end(event, process)
    assert Round.objects.count() == 1
    assert waits_for_draw(stage)
    row = publish_next(stage=stage, by=by, seen=preview_next(stage=stage, by=by).hash)
    queued = row.matches.filter(deal_set__isnull=False)
    assert {match.state for match in queued} <= {M.QUEUED}
    take_back_round(round_row=row, by=by)
    assert DealSet.objects.count() == Match.objects.filter(deal_set__isnull=False).count()
    row = publish_next(stage=stage, by=by, seen=preview_next(stage=stage, by=by).hash)
    to_the_end(event, process)
    with refused("round.started"):
        take_back_round(round_row=row, by=by)
    close_event(tournament=event, by=by)
    assert event.state == Tournament.State.FINISHED


@pytest.mark.thorough
def test_undo_leaves_what_workers_did(process: Process) -> None:
    event = a_running_mixed_event(people=2, bots=4, rounds=2, draws="organiser")
    by = event.created_by
    call_all(event)
    match = at_tables(event)[0]
    submit_result(match=match, actor=Actor(user=by), claim=result_of(2))
    play_on(process)
    note = undo.last_undoable(event)
    assert note is not None
    undo.undo(tournament=event, by=by, seen=note.id)
    match.refresh_from_db()
    assert match.state == M.CALLED
    assert {each.state for each in of_workers(event)} == {M.CONFIRMED}
    assert set(row_images.read(event)["Match"]) == {each.pk for each in at_tables(event)}  # what acts are noted by
    assert store.differences(stage_of(event)) == []


@pytest.mark.slow
def test_a_round_that_followed_by_itself_stands_against_undo(process: Process) -> None:
    event = a_running_mixed_event(people=2, bots=4, rounds=2)
    play_on(process)
    call_all(event)
    enter_called(event)
    assert next_round.advance_waiting() == 1
    note = undo.last_undoable(event)
    assert note is not None
    with refused("undo.moved"):
        undo.undo(tournament=event, by=event.created_by, seen=note.id)


@pytest.mark.slow
@pytest.mark.parametrize("then", ["keep", "redo"])
def test_a_correction_after_the_next_round_followed_by_itself(then: str, process: Process) -> None:
    event = a_running_mixed_event(people=4, bots=4, kind="single_elim", rounds=1)
    by = event.created_by
    play_on(process)
    call_all(event)
    enter_called(event)
    assert next_round.advance_waiting() == 1
    match = next(each for each in at_tables(event) if each.state == M.CONFIRMED)
    seen = preview_correction(match=match, by=by, claim=totals(110, 130), then=then)
    correct_result(match=match, by=by, claim=totals(110, 130), reason="Turned round.", seen=seen.hash, then=then)
    to_the_end(event, process)
    assert not Match.objects.filter(stage__tournament=event).exclude(state__in=(M.CONFIRMED, M.VOID)).exists()
    close_event(tournament=event, by=by)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    stage = stage_of(event)
    assert store.differences(stage) == []
    lost = [seat.entry_id for seat in match.seats.all() if seat.place == 2]
    later = Match.objects.filter(stage=stage, round__number__gt=1, state=M.CONFIRMED)
    assert not Seat.objects.filter(match__in=later, entry__in=lost).exists()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"seats": 4, "options": {"rounds": 1, "teams": "2x2"}}, "tournament.mixed_teams"),
        ({"legs": "cyclic"}, "tournament.bad_legs"),
        ({"who": "bots", "draws": "organiser"}, "tournament.bad_draws"),
        ({"draws": "nobody"}, "tournament.bad_draws"),
        ({"who": "cats"}, "tournament.bad_who"),
    ],
)
def test_what_cannot_be_mixed_is_refused(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        create_tournament(by=a.a_user(), plan=a.a_plan(**{"who": "both", **changes}))
    assert not Tournament.objects.exists()


@pytest.mark.slow
def policies_in(event: Tournament) -> dict[str, Any]:
    return document_of(event, matches=False).tournament.policies


@pytest.mark.thorough
def test_a_mixed_event_comes_back_from_its_file(process: Process) -> None:
    event = a_running_mixed_event(people=3, bots=4, rounds=2, draws="organiser")
    draft = import_event(by=a.a_user(), checked=importing.validate_event(event_json(event)))
    assert policies_in(draft) == policies_in(event)
    to_the_end(event, process)
    stage = stage_of(event)
    row = publish_next(stage=stage, by=event.created_by, seen=preview_next(stage=stage, by=event.created_by).hash)
    assert row.number == 2
    to_the_end(event, process)
    close_event(tournament=event, by=event.created_by)
    event.refresh_from_db()
    data = event_json(event)
    copy = importing.write(importing.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    assert {match.deal_set_id is None for match in a.matches_of(copy)} == {True, False}
