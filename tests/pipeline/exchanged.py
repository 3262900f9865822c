"""Events that are over, for the tests of exchange: really played, with everything that can happen to one."""

from __future__ import annotations

from typing import Any

from bots.jobs.process import Process
from tests.pipeline import builders as a
from tests.pipeline.test_advancing import GREEDY, play_on
from tournaments.jobs import playing
from tournaments.models import Adjustment, Entry, StageEntry, Tournament
from tournaments.services import start_tournament

LINES: Any = (
    ("round_robin", 3, {"legs": "cyclic", "tie_breaks": ("h2h", "sb", "lots")}),
    ("tables", 5, {"seats": 3, "rounds": 2, "scoring": "round_victory", "tie_breaks": ("lots",)}),
    ("dutch", 5, {"rounds": 3, "scoring": "place", "tie_breaks": ("bh", "bhc1", "sb", "ps")}),
    ("pods", 7, {"rounds": 2, "seats": 3, "bye_policy": "full", "tie_breaks": ("seat_balance", "lots")}),
    ("single_elim", 5, {"third_place": True, "options": {"rounds": 3}}),
    ("double_elim", 4, {"options": {"rounds": 3}}),
    ("lives", 5, {"rounds": 2, "seats": 3}),
)
"""Kind, bots, and what else is asked for."""


def a_finished_event(process: Process, kind: str, bots: int, changes: dict[str, Any]) -> Tournament:
    """Played to its end by bots of which one crashes; somebody leaves, units are given, taken and given back."""
    sources = ([a.FIRST, GREEDY, a.CRASHES] * bots)[:bots]
    event = a.an_open_event(kind=kind, name=f"Plum {kind}", **changes)
    entered = a.entered(event, [a.a_bot(source=source) for source in sources])
    Entry.objects.filter(pk=entered[0].pk).update(nonce="plum blossom")
    start_tournament(tournament=event, by=event.created_by)
    _adjust(event)
    if kind in ("dutch", "pods"):
        process.seconds = 0.01
        playing.play_batch(process)
        Entry.objects.filter(pk=entered[2].pk).update(state=Entry.State.WITHDRAWN)
        StageEntry.objects.filter(entry=entered[2]).update(left_round=2)
    play_on(process)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    return event


def _adjust(event: Tournament) -> None:
    listed = StageEntry.objects.filter(stage__tournament=event).order_by("pk")
    by = event.created_by
    Adjustment.objects.create(stage_entry=listed[0], round_number=1, units="-5/2", reason="late", by=by)
    Adjustment.objects.create(stage_entry=listed[1], units="10", reason="kind to a beginner", by=by)
    Adjustment.objects.create(stage_entry=listed[1], units="99", reason="a mistake", by=by, revoked_by=by)
