"""Remote programs in events on the site: entered like bots, called like people, rated with nobody."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bots.services import suspend_bot
from core.errors import TournamentError
from engine.errors import DomainError
from tables.actions.dealing import expire_dealing
from tables.actions.leaving import leave
from tables.actions.locking import locked
from tables.actions.sitters import Sitter
from tables.events.seats import sit_reserved
from tables.jobs.answering import answer_seat
from tables.jobs.levels import version_of_level
from tables.models import LiveTable, Program, TableChallenge
from tables.play.shuffle import of_browser, of_service
from tables.programs.calls import Calls
from tables.programs.challenges import accept, decline, state_of
from tables.programs.registry import sitter_for
from tables.programs.retiring import retire_program
from tests.builders import events as a
from tests.builders.clubs import close_event, round_of, tables_of
from tests.services.databases import on_both
from tests.tables.players import again, at_random, guest, play_on
from tests.tables.programs.building import a_program
from tournaments.entries.bots import enter_bot
from tournaments.entries.people import add_list, check_in_all
from tournaments.events.edit import edit_tournament
from tournaments.events.plan_rows import plan_of
from tournaments.events.set_up import preview_plan
from tournaments.interchange.clone import clone_tournament
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, RatingEvent, Standing, Tournament
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.ratings import pools
from tournaments.ratings.actions import rate_event
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, on_both]
SITE: dict[str, Any] = {
    "who": "both",
    "draws": "organiser",
    "kind": "round_robin",
    "where": "site",
    "admits_programs": True,
    "preset": "koikoi_nintendo",
    "seats": 2,
    "options": {"rounds": 2},
}
PODS_OF_3: dict[str, Any] = {
    "preset": "hawaii",
    "kind": "pods",
    "seats": 3,
    "seats_min": 3,
    "seats_max": 3,
    "options": {},
}
WAYS = (AdvancementPlan(source=1, target=2, last=2),)


def an_event(*programs: Program, people: str = "Aiko", **changes: Any) -> Tournament:
    """An event on the site that takes entries: these programs and people are in it."""
    event = a.an_open_event(**{**SITE, **changes})
    for program in programs:
        enter_bot(tournament=event, bot=program.bot, by=program.bot.owner)
    if people:
        add_list(tournament=event, by=event.created_by, data=people.encode())
        check_in_all(tournament=event, by=event.created_by)
    return event


def called(event: Tournament) -> list[Match]:
    """The matches of the first round, once it is called."""
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    return tables_of(event)


def table_at(match: Match) -> LiveTable:
    return LiveTable.objects.get(uuid=match.uuid)


def waiting_for(program: Program) -> TableChallenge:
    return TableChallenge.objects.select_related("table").get(program=program)


def seated(match: Match, program: Program) -> list[Sitter]:
    """Everybody at the table of a match: the program, and a guest at the other seat."""
    table = table_at(match)
    accept(waiting_for(program).uuid, program, of_service())
    people = []
    for seat in match.seats.order_by("index"):
        if seat.bot_version_id == program.version_id:
            people.append(sitter_for(program))
        else:
            people.append(guest())
            sit_reserved(table, people[-1], of_service(), [seat.index])
    return people


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(DomainError) as refused:
        act()
    return refused.value.code


def test_a_program_is_entered_and_pinned_at_once() -> None:
    plum = a_program()
    event = an_event(plum)
    entry = Entry.objects.get(tournament=event, player__bot=plum.bot)
    assert (entry.state, entry.bot_version_id) == ("entered", plum.version_id)
    edit_tournament(tournament=event, by=event.created_by, changes={"entries_close_at": None})
    entry.refresh_from_db()
    assert entry.bot_version_id == plum.version_id


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"admits_programs": False}, "entry.no_programs"),
        ({"who": "both", "where": "hall", "admits_programs": False}, "entry.no_programs"),
        ({"preset": "koikoi_fuda"}, "program.other_rules"),
        ({"preset": "hawaii", "seats": 4, "kind": "tables"}, "program.other_rules"),
        ({"site_clock": "days"}, "program.other_clock"),
    ],
)
def test_what_a_program_does_not_play_is_refused_when_it_is_entered(changes: dict[str, Any], code: str) -> None:
    plum = a_program(clocks=["live", "remote"])
    options = {} if "preset" in changes else SITE["options"]
    event = an_event(**{"options": options, **changes})
    assert refusal(lambda: enter_bot(tournament=event, bot=plum.bot, by=plum.bot.owner)) == code
    assert not Entry.objects.filter(player__bot=plum.bot).exists()


def test_who_owns_no_program_or_has_retired_it_enters_none() -> None:
    plum, crane, pine = a_program("Plum"), a_program("Crane"), a_program("Pine")
    event = an_event()
    assert refusal(lambda: enter_bot(tournament=event, bot=plum.bot, by=crane.bot.owner)) == "entry.not_owner"
    retire_program(program=crane, by=crane.bot.owner)
    assert refusal(lambda: enter_bot(tournament=event, bot=crane.bot, by=crane.bot.owner)) == "program.retired"
    suspend_bot(bot=pine.bot, by=a.a_user(is_staff=True), reason="Trial.")
    assert refusal(lambda: enter_bot(tournament=event, bot=pine.bot, by=pine.bot.owner)) == "program.suspended"


@pytest.mark.parametrize(
    "changes",
    [
        {"who": "people", "draws": ""},
        {"who": "bots", "draws": "", "where": "hall"},
        {"where": "hall"},
        {"then": (StagePlan(kind="single_elim", admits_programs=False),), "ways": WAYS},
    ],
)
def test_programs_are_admitted_only_where_they_can_play_to_the_end(changes: dict[str, Any]) -> None:
    assert refusal(lambda: an_event(people="", **changes)) == "tournament.bad_programs"


def test_a_later_stage_admits_them_as_the_event_does() -> None:
    event = an_event(people="", then=(StagePlan(kind="single_elim"),), ways=WAYS)
    assert [stage.takes_programs for stage in event.stages.all()] == [True, True]
    assert plan_of(event).then[0].admits_programs is None


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("made", "changes"),
    [
        ({}, {"admits_programs": False}),
        ({}, {"site_clock": "days"}),
        (PODS_OF_3, {"seats_max": 4}),
    ],
)
def test_what_programs_were_asked_about_stays_while_they_are_entered(
    made: dict[str, Any], changes: dict[str, Any]
) -> None:
    event = an_event(a_program(clocks=["live", "days", "remote"]), **made)
    changed = replace(plan_of(event), **changes)
    with pytest.raises(TournamentError) as refused:
        preview_plan(tournament=event, by=event.created_by, plan=changed)
    assert (refused.value.code, refused.value.extra) == ("tournament.entries_kept", {"field": "admits_programs"})


@pytest.mark.thorough
def test_a_round_with_a_program_is_played_to_standings(django_capture_on_commit_callbacks: Any) -> None:
    plum = a_program()
    event = an_event(plum)
    rate_event(tournament=event, by=event.created_by, rated=True)
    (match,) = called(event)
    assert match.deal_set is None, "no worker plays it"
    assert (table_at(match).clock, table_at(match).rated) == ("live", False)
    with django_capture_on_commit_callbacks(execute=True):
        people = seated(match, plum)
        play_on(table_at(match), people, at_random(1))
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert match.reports.get().source == "record"
    stage = match.stage
    assert Standing.objects.filter(stage=stage, after_round=1).count() == 2
    assert store.differences(stage) == []
    pools.fold_stale()
    assert not RatingEvent.objects.exists(), "people and programs never mix"


@pytest.mark.thorough
def test_a_program_and_a_house_bot_need_no_person(process: Any, django_capture_on_commit_callbacks: Any) -> None:
    plum = a_program()
    event = an_event(plum, people="")
    house = version_of_level("1").bot
    enter_bot(tournament=event, bot=house, by=event.created_by)
    with django_capture_on_commit_callbacks(execute=True):
        (match,) = called(event)
        accept(waiting_for(plum).uuid, plum, of_service())
    table, me = table_at(match), sitter_for(plum)
    for _each in range(200):
        table = again(table)
        if table.state != "playing":
            break
        with django_capture_on_commit_callbacks(execute=True):
            if table.bot_asked_at is None:
                play_on(table, [me, me], at_random(2), moves=1)
            else:
                answer_seat(table.uuid, table.answered, process.launcher())
    match.refresh_from_db()
    assert (table.state, match.state) == ("finished", "confirmed")


@pytest.mark.thorough(keep=1)
def test_the_stream_of_a_program_tells_of_its_match() -> None:
    plum = a_program()
    (match,) = called(an_event(plum))
    (line,) = Calls(plum).fresh()
    challenge = line.content["challenge"]
    assert line.type == "challenge"
    assert challenge["from"] == {"kind": "event", "name": match.stage.tournament.name, "program": None}
    assert (challenge["table"]["id"], challenge["expires_at"]) == (str(match.uuid), None)


@pytest.mark.thorough(keep=1)
def test_a_match_of_an_event_cannot_be_declined_and_waits() -> None:
    plum = a_program()
    (match,) = called(an_event(plum))
    row = waiting_for(plum)
    assert refusal(lambda: decline(row.uuid, plum)) == "challenge.of_event"
    table = table_at(match)
    assert (table.state, table.deadline_at) == ("open", None)


@pytest.mark.thorough(keep=1)
def test_a_program_that_stays_away_has_not_come() -> None:
    plum = a_program(is_here=False)
    event = an_event(plum)
    (match,) = called(event)
    index = match.seats.get(bot_version=plum.version_id).side
    submit_result(match=match, actor=Actor(user=event.created_by), claim=Claim(absent=(index,)))
    assert table_at(match).reason == "decided"
    assert state_of(waiting_for(plum)) == "cancelled"


@pytest.mark.thorough
def test_a_program_that_does_not_show_its_nonce_is_asked_again() -> None:
    plum = a_program()
    (match,) = called(an_event(plum))
    row = waiting_for(plum)
    accept(row.uuid, plum, of_browser(f"sha256:{'0' * 64}", "program"))
    sit_reserved(table_at(match), guest(), of_service(), [match.seats.get(bot_version=None).index])
    assert table_at(match).state == "dealing"
    stream = Calls(plum)
    assert [line.type for line in stream.fresh()] == ["table_start"]
    with locked(match.uuid) as at:
        expire_dealing(at)
        at.save()
    assert (table_at(match).state, state_of(waiting_for(plum))) == ("open", "open")
    assert "challenge" in [line.type for line in stream.fresh()]
    accept(row.uuid, plum, of_service())
    assert table_at(match).state == "playing"


@pytest.mark.thorough
def test_a_program_that_leaves_before_the_deal_may_come_back() -> None:
    plum = a_program()
    (match,) = called(an_event(plum))
    row, me = waiting_for(plum), sitter_for(plum)
    accept(row.uuid, plum, of_service())
    leave(table_at(match), me)
    assert state_of(waiting_for(plum)) == "open"
    accept(row.uuid, plum, of_service())
    assert table_at(match).seats.get().bot_version_id == plum.version_id


@pytest.mark.thorough
def test_a_program_whose_time_is_over_has_lost(django_capture_on_commit_callbacks: Any) -> None:
    plum = a_program()
    (match,) = called(an_event(plum))
    with django_capture_on_commit_callbacks(execute=True):
        people = seated(match, plum)
        me = next(person for person in people if person.program is not None)
        leave(table_at(match), me)
    match.refresh_from_db()
    assert match.state == "confirmed"
    assert match.seats.get(bot_version=plum.version_id).outcome == "forfeit"


@pytest.mark.thorough
def test_a_retired_program_is_not_drawn() -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    event = an_event(plum, crane)
    retire_program(program=plum, by=plum.bot.owner)
    (match,) = called(event)
    assert plum.version_id not in match.seats.values_list("bot_version", flat=True)
    assert Entry.objects.get(player__bot=plum.bot).state == "withdrawn"


@pytest.mark.thorough
def test_files_and_copies_keep_it(django_capture_on_commit_callbacks: Any) -> None:
    plum = a_program()
    event = an_event(plum)
    (match,) = called(event)
    with django_capture_on_commit_callbacks(execute=True):
        play_on(table_at(match), seated(match, plum), at_random(1))
    close_event(tournament=event, by=event.created_by)
    data = event_json(event)
    assert json.loads(data)["stages"][0]["admits_programs"] is True
    copy = importing.write(importing.validate_event(data), by=a.a_user("importer"), slug="copy")
    assert copy.stages.get().takes_programs
    assert event_json(copy) == data
    assert plan_of(clone_tournament(tournament=event, by=event.created_by)).admits_programs
