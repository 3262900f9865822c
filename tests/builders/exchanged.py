"""Events that are over, for the tests of exchange: really played, with everything that can happen to one."""

from __future__ import annotations

from typing import Any

from bots.jobs.process import Process
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, round_of, tables_of, totals
from tests.tournaments.progress.test_advancing import GREEDY, play_on
from tests.tournaments.progress.test_people import draw_next, finish_round
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.matches import play
from tournaments.matches.report_bodies import Claim
from tournaments.models import Adjustment, Entry, Match, Rating, RatingPool, StageEntry, Tournament
from tournaments.progress import stages
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, rule_result, submit_result

LINES: Any = (
    ("round_robin", 3, {"legs": "cyclic", "tie_breaks": ("h2h", "sb", "lots")}),
    ("tables", 5, {"seats": 3, "rounds": 2, "scoring": "round_victory", "tie_breaks": ("decider", "perf", "lots")}),
    ("dutch", 5, {"rounds": 3, "scoring": "place", "tie_breaks": ("bh", "bhc1", "sb", "ps")}),
    ("pods", 7, {"rounds": 2, "seats": 3, "bye_policy": "full", "tie_breaks": ("seat_balance", "lots")}),
    ("single_elim", 5, {"third_place": True, "options": {"rounds": 3}}),
    ("double_elim", 4, {"options": {"rounds": 3}}),
    ("lives", 5, {"rounds": 2, "seats": 3}),
    (
        "round_robin",
        6,
        {
            "groups": 2,
            "min_entries": 6,
            "stage_name": "Pools",
            "then": (StagePlan(kind="single_elim", name="Knock-out", tie_breaks=("lots",)),),
            "ways": (AdvancementPlan(source=1, target=2, last=2, carry="half", by="draw"),),
        },
    ),
)
"""Kind, bots, and what else is asked for."""


def a_finished_event(process: Process, kind: str, bots: int, changes: dict[str, Any]) -> Tournament:
    """Play an event to its end by bots of which one crashes; somebody leaves, units are given, taken and given back."""
    sources = ([a.FIRST, GREEDY, a.CRASHES] * bots)[:bots]
    event = a.an_open_event(kind=kind, name=f"Plum {kind}", **changes)
    entered = a.entered(event, [a.a_bot(source=source) for source in sources])
    Entry.objects.filter(pk=entered[0].pk).update(nonce="plum blossom")
    if "perf" in changes.get("tie_breaks", ()):
        _rate(event, entered[0])
    start_tournament(tournament=event, by=event.created_by)
    _adjust(event)
    if kind in ("dutch", "pods"):
        process.seconds = 0.01
        play.play_batch(process)
        Entry.objects.filter(pk=entered[2].pk).update(state=Entry.State.WITHDRAWN)
        StageEntry.objects.filter(entry=entered[2]).update(left_round=2)
    play_on(process)
    while stages.begin_waiting():
        play_on(process)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    return event


def _rate(event: Tournament, entry: Entry) -> None:
    """Let somebody be known from other events."""
    stage = event.stages.get()
    pool = RatingPool.objects.create(preset=stage.preset, seats=stage.seats_pref, sides=stage.seats_pref)
    values = {"mu": 31.237, "sigma": 2, "value": 25.237, "settled_mu": 31.237, "settled_sigma": 2}
    Rating.objects.create(pool=pool, line=entry.player.bot_id or 0, n=1, **values)


def _adjust(event: Tournament) -> None:
    listed = StageEntry.objects.filter(stage__tournament=event).order_by("pk")
    by = event.created_by
    Adjustment.objects.create(stage_entry=listed[0], round_number=1, units="-5/2", reason="late", by=by)
    Adjustment.objects.create(stage_entry=listed[1], units="10", reason="kind to a beginner", by=by)
    Adjustment.objects.create(stage_entry=listed[2], units="35", counts_in="decider", reason="extra deal", by=by)
    Adjustment.objects.create(stage_entry=listed[1], units="99", reason="a mistake", by=by, revoked_by=by)


def a_finished_night() -> Tournament:
    """Play people's tables: one did not come, one result was disputed and ruled, one corrected after the next round."""
    event = a_called_night(people=7, name="Club night", tie_breaks=("bh", "lots"))
    by = event.created_by
    one, other, third = (match for match in tables_of(event) if match.state != Match.State.VOID)
    submit_result(match=one, actor=Actor(side=0), claim=totals(130, 110), key="phone")
    submit_result(match=one, actor=Actor(side=1), claim=totals(110, 130))
    rule_result(match=one, by=by, version=2, reason="Counted the cards again.")
    submit_result(match=other, actor=Actor(user=by), claim=Claim(absent=(1,)))
    submit_result(match=third, actor=Actor(user=by), claim=Claim(deals=((150, 90),), complete=True))
    draw_next(event)
    seen = preview_correction(match=third, by=by, claim=totals(90, 150))
    correct_result(match=third, by=by, claim=totals(90, 150), reason="Turned round.", seen=seen.hash)
    call_round(round_row=round_of(event, 2), by=by)
    finish_round(event, 2)
    close_event(tournament=event, by=by)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    return event
