"""The clock of a stage: chosen, judged, changed until the start, frozen, played with, written down."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from bots.jobs.process import Process
from bots.models import AuditEvent
from bots.runner.spec import CLOCKS, Clock
from tests.builders import events as a
from tests.tournaments.events.test_services import refused
from tournaments.events.clocks import choose_clock
from tournaments.events.create import create_tournament
from tournaments.lifecycle.time_limits import NAMES, REASONS, clock_of, clock_text, duration
from tournaments.matches import play
from tournaments.models import Match, ResultReport, Stage
from tournaments.progress.run import start_tournament

BURNS = b"""
import time
def choose(obs):
    end = time.process_time() + 0.06
    while time.process_time() < end:
        pass
    return 0
"""


@pytest.mark.django_db
def test_a_stage_keeps_the_figures_of_its_named_clock() -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan(clock="slow"))
    stage = event.stages.get()
    assert (stage.clock, clock_of(stage)) == ("slow", CLOCKS["slow"])
    assert stage.clock_figures["move_ms"] == 500


@pytest.mark.django_db
def test_a_stage_from_before_has_the_named_clock_as_it_is() -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan())
    Stage.objects.update(clock_figures={})
    assert clock_of(event.stages.get()) == CLOCKS["standard"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("tournament.bad_clock", {"clock": "bullet"}),
        ("tournament.bad_clock", {"clock": "quick", "figures": {"move_ms": 30}}),
        ("tournament.bad_clock", {"clock": "custom", "figures": {"speed": 1}}),
        ("tournament.bad_move_ms", {"clock": "custom", "figures": {"move_ms": 4}}),
        ("tournament.bad_move_ms", {"clock": "custom", "figures": {"move_ms": "30"}}),
        ("tournament.bad_move_ms", {"clock": "custom", "figures": {"move_ms": True}}),
        ("tournament.bad_bank_ms", {"clock": "custom", "figures": {"bank_ms": 5001}}),
        ("tournament.bad_load_ms", {"clock": "custom", "figures": {"load_ms": 10}}),
        ("tournament.bad_memory_mib", {"clock": "custom", "figures": {"memory_mib": 4096}}),
        ("tournament.bad_match_ms", {"clock": "custom", "figures": {"move_ms": 1500, "match_ms": 2000}}),
    ],
)
def test_a_clock_that_cannot_be_is_refused(code: str, changes: dict[str, object]) -> None:
    by = a.a_user()
    wrong = refused(code, lambda: create_tournament(by=by, plan=a.a_plan(**changes)))
    assert wrong.extra["field"] == code.removeprefix("tournament.bad_")
    assert wrong.extra["allowed"]


@pytest.mark.django_db
def test_a_custom_clock_takes_what_is_left_out_from_the_standard_one() -> None:
    plan = a.a_plan(clock="custom", figures={"move_ms": 250, "bank_ms": 0})
    stage = create_tournament(by=a.a_user(), plan=plan).stages.get()
    assert clock_of(stage) == Clock("custom", move_ms=250, bank_ms=0)


@pytest.mark.django_db
def test_the_clock_is_changed_until_the_event_starts_and_then_fixed() -> None:
    event = a.an_open_event()
    by = event.created_by
    a.entered(event, [a.a_bot(), a.a_bot()])
    refused("tournament.not_organiser", lambda: choose_clock(tournament=event, by=a.a_user(), clock="quick"))
    refused("tournament.bad_clock", lambda: choose_clock(tournament=event, by=by, clock="bullet"))
    stage = choose_clock(tournament=event, by=by, clock="quick")
    assert clock_of(stage) == CLOCKS["quick"]
    told = AuditEvent.objects.get(verb="stage.clock")
    assert (told.actor, told.channel, told.before["clock"], told.after["clock"]) == (
        by,
        event.channel,
        "standard",
        "quick",
    )
    choose_clock(tournament=event, by=by, clock="quick")  # a double click
    assert AuditEvent.objects.filter(verb="stage.clock").count() == 1
    start_tournament(tournament=event, by=by)
    refused("stage.clock_frozen", lambda: choose_clock(tournament=event, by=by, clock="deep"))
    assert clock_of(event.stages.get()) == CLOCKS["quick"]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_the_table_plays_with_the_clock_of_the_stage(process: Process) -> None:
    event = a.an_open_event(clock="custom", figures={"move_ms": 20, "bank_ms": 30})
    a.entered(event, [a.a_bot(source=BURNS), a.a_bot()])
    start_tournament(tournament=event, by=event.created_by)
    while play.play_batch(process):
        pass
    match = Match.objects.get()
    fault = match.seats.get(outcome="forfeit").fault
    assert fault is not None
    assert fault["code"] == "timeout.cpu"
    blob = ResultReport.objects.get().record
    assert blob is not None
    view = json.loads(blob.data())["view"]
    assert view["clock"] == asdict(Clock("custom", move_ms=20, bank_ms=30))
    assert [seat["ms"] for seat in view["cpu"]] == [seat.cpu_ms for seat in match.seats.order_by("index")]


def test_every_clock_has_a_name_a_reason_and_a_sentence() -> None:
    assert {*CLOCKS, "custom"} == NAMES.keys() == REASONS.keys()
    assert clock_text(CLOCKS["standard"]) == "100 ms per move, bank of 1 s per deal, 60 s per match (CPU time)"
    assert clock_text(CLOCKS["deep"]) == "2 s per move, bank of 5 s per deal, 3 min per match (CPU time)"
    assert [duration(ms) for ms in (0, 999, 1000, 1500, 1234, 90_000, 120_000)] == [
        "0 ms",
        "999 ms",
        "1 s",
        "1.5 s",
        "1.234 s",
        "90 s",
        "2 min",
    ]
