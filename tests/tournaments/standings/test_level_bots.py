"""Knock-out matches of bots that end level: extra deals, the best single deal, lots with their proof."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command

from bots.jobs.process import Process
from bots.models import AuditEvent
from core.interchange.errors import InterchangeError
from tests.builders import events as a
from tests.tournaments.progress.test_advancing import play_on
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.matches import play
from tournaments.matches.deal_sets import seed_of_deals
from tournaments.models import DealSet, Match, ResultReport, Round, Stage, Standing, Tournament
from tournaments.progress import derive
from tournaments.standings import level_matches, store

pytestmark = pytest.mark.django_db(transaction=True)
MIRROR = b"def choose(obs):\n    return 0\n"
"""Twice at a table that is played from both seats it is tied, no matter what the cards are."""


def level_event(**changes: object) -> Tournament:
    return a.a_running_event(bots=2, sources=[MIRROR, MIRROR], kind="single_elim", rounds=1, legs="cyclic", **changes)


@pytest.mark.slow
def test_bots_that_stay_level_play_four_extra_deals_and_then_lots_are_shown(process: Process) -> None:
    level_event()
    play_on(process)
    stage = Stage.objects.get()
    assert (Tournament.objects.get().state, stage.state) == ("finished", "closed")
    extras = Match.objects.exclude(extra=0).order_by("extra", "leg")
    assert [(match.extra, match.leg) for match in extras] == [(n, leg) for n in (1, 2, 3, 4) for leg in (1, 2)]
    assert set(Match.objects.values_list("state", flat=True)) == {"confirmed"}
    first = Match.objects.get(extra=0, leg=1)
    report = ResultReport.objects.get(match=first, state="confirmed")
    assert (report.version, report.source) == (2, "record")
    decided = report.body["decided"]
    assert first.deal_set is not None
    assert decided["by"] == "lots"
    assert decided["seed"] == seed_of_deals(stage, first.deal_set).hex()
    entries = level_matches.entries_by_side(first)
    lots = {entry: level_matches.lot_of(decided["seed"], entry) for entry in entries}
    winner = min(entries, key=lots.__getitem__)
    assert decided["rank"] == [1 if entry == winner else 2 for entry in entries]
    champion = Standing.objects.get(stage=stage, after_round=0, rank=1)
    assert str(champion.entry.uuid) == winner
    assert len(set(Standing.objects.filter(stage=stage, after_round=0).values_list("key__1", flat=True))) == 1
    assert store.differences(stage) == []
    assert DealSet.objects.filter(revealed_at=None).count() == 0
    call_command("verify_records")
    assert AuditEvent.objects.filter(verb="match.extra_deal").count() == 4
    assert AuditEvent.objects.filter(verb="match.decide").count() == 1


def test_a_round_waits_while_an_extra_deal_is_played(process: Process) -> None:
    level_event()
    process.seconds = 0.1
    while not Match.objects.filter(extra=1).exists():
        assert play.play_batch(process)
        derive.derive_waiting()
    assert Round.objects.get().state == "playing"
    extra = Match.objects.filter(extra=1)
    assert set(extra.values_list("state", flat=True)) == {"queued"}
    derive.derive_waiting()
    derive.derive_waiting()
    assert extra.count() == 2
    assert not Match.objects.filter(extra__gt=1).exists()
    best = Standing.objects.filter(after_round=0).values_list("key__0", flat=True)
    assert set(best) == {"1"}  # nobody is out yet


TWO_FACED = b"""
deals = 0


def start(hello):
    global deals
    deals = hello["ruleset"]["options"]["rounds"]


def choose(obs):
    return 0 if deals > 1 else len(obs["legal"]) - 1
"""
"""Mirrors MIRROR in the match, and plays extra deals, which are of one deal, its own way."""


def test_the_first_extra_deal_that_is_not_level_decides(process: Process) -> None:
    event = a.a_running_event(
        bots=2, sources=[MIRROR, TWO_FACED], kind="single_elim", rounds=1, legs="cyclic", options={"rounds": 2}
    )
    play_on(process)
    assert Tournament.objects.get().state == "finished"
    points: dict[int, dict[str, int]] = {}
    for match in Match.objects.filter(stage__tournament=event):
        for seat in match.seats.all():
            assert seat.entry is not None
            own = points.setdefault(match.extra, {})
            own[str(seat.entry.uuid)] = own.get(str(seat.entry.uuid), 0) + (seat.points or 0)
    level_in = [extra for extra, own in points.items() if len(set(own.values())) == 1]
    assert level_in == list(range(len(points) - 1)), "all but the last are level"
    winner = max(points[len(points) - 1], key=points[len(points) - 1].__getitem__)
    champion = Standing.objects.get(stage__tournament=event, after_round=0, rank=1)
    assert str(champion.entry.uuid) == winner
    assert not ResultReport.objects.filter(body__has_key="decided").exists()
    totals = Standing.objects.filter(stage__tournament=event, after_round=0).values_list("key__1", flat=True)
    assert len(set(totals)) == 1, "what an extra deal brings is in no total"
    assert store.differences(Stage.objects.get()) == []
    call_command("verify_records")


@pytest.mark.slow
def test_an_event_with_extra_deals_and_lots_comes_back_from_its_file(process: Process) -> None:
    level_event()
    play_on(process)
    event = Tournament.objects.get()
    data = event_json(event)
    copy = import_event.write(import_event.judge(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    assert Match.objects.filter(stage__tournament=copy, extra__gt=0).count() == 8
    tables = [
        list(Standing.objects.filter(stage__tournament=each, after_round=0).order_by("row").values_list("rank", "key"))
        for each in (event, copy)
    ]
    assert tables[0] == tables[1]
    forged = json.loads(data)
    report = next(
        report
        for match in forged["stages"][0]["matches"]
        for report in match["reports"]
        if "decided" in report["body"] and report["state"] == "confirmed"
    )
    report["body"]["decided"]["rank"].reverse()
    with pytest.raises(InterchangeError) as refused:
        import_event.write(import_event.judge(json.dumps(forged).encode()), by=a.a_user(), slug="forged")
    assert refused.value.code.startswith("event.")
