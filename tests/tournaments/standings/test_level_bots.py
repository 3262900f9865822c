"""Knock-out matches of bots that end level: extra deals, the best single deal, lots with their proof."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from uuid import UUID, uuid5

import pytest
from django.core.management import call_command
from django.test import Client

from bots.jobs.process import Process
from bots.models import AuditEvent
from core.interchange.errors import InterchangeError
from engine.deck import commitment, match_seed
from engine.game import Ruleset
from engine.match import Match as Play
from tests.builders import events as a
from tests.tournaments.progress.test_advancing import play_on
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.matches import play
from tournaments.matches.deal_sets import rules_of, seed_of_deals
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


@pytest.mark.slow
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


@pytest.mark.slow
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


LAST_OF_FEW = b"""
deals = 0


def start(hello):
    global deals
    deals = hello["ruleset"]["options"]["rounds"]


def choose(obs):
    return len(obs["legal"]) - 1 if deals > 1 and len(obs["legal"]) < 4 else 0
"""
"""Plays the match a little differently from MIRROR and mirrors it in extra deals, so those are level."""


def scores_of(rules: Ruleset, seed: bytes, odd_seat: int) -> list[Sequence[int]]:
    """The scores of a match's deals in which one seat plays like LAST_OF_FEW, the other like MIRROR."""
    match = Play(rules, 2, seed)
    while not match.is_over:
        legal = match.legal_actions()
        odd = match.seat_to_act == odd_seat and len(legal) < 4
        match.apply(legal[-1 if odd else 0])
    return [deal.outcome.score for deal in match.deals if deal.outcome is not None]


def best_extra_deal(stage: Stage, uuid: UUID) -> int:
    """The most that anyone makes in one of the extra deals of a deal set; as all play like MIRROR, both make it."""
    rules = rules_of(stage).one_deal()
    sets = [uuid5(uuid, f"extra/{number}") for number in range(1, level_matches.MAX_EXTRA + 1)]
    seeds = [match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), each.bytes) for each in sets]
    return max(max(score) for seed in seeds for score in scores_of(rules, seed, odd_seat=-1))


def level_with_one_best_deal(stage: Stage) -> tuple[UUID, bytes]:
    """A deal set, and its seed, whose two legs bring LAST_OF_FEW and MIRROR as many points, one of them in one deal."""
    for number in count():
        uuid = UUID(int=number)
        seed = match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), uuid.bytes)
        legs = [(odd, scores_of(rules_of(stage), seed, odd)) for odd in (0, 1)]
        odd, other = ([score[seat ^ change] for seat, deals in legs for score in deals] for change in (0, 1))
        if sum(odd) == sum(other) and max(odd) != max(other) and max(*odd, *other) > best_extra_deal(stage, uuid):
            return uuid, seed
    raise AssertionError


@pytest.mark.slow
def test_the_best_single_deal_decides_what_extra_deals_leave_level(process: Process) -> None:
    event = a.a_running_event(
        bots=2, sources=[MIRROR, LAST_OF_FEW], kind="single_elim", rounds=1, legs="cyclic", options={"rounds": 2}
    )
    stage = event.stages.get()
    uuid, seed = level_with_one_best_deal(stage)
    DealSet.objects.update(uuid=uuid, commit=commitment(seed))
    play_on(process)
    first = Match.objects.get(extra=0, leg=1)
    decided = ResultReport.objects.get(match=first, state="confirmed").body["decided"]
    assert decided["by"] == level_matches.BEST_DEAL
    assert Match.objects.filter(extra__gt=0).count() == 2 * level_matches.MAX_EXTRA
    best: dict[str, int] = {}
    for report in ResultReport.objects.filter(state="confirmed", record__isnull=False):
        assert report.record is not None
        entries = level_matches.entries_by_side(report.match)
        for deal in json.loads(report.record.data())["record"]["deals"]:
            for entry, points in zip(entries, deal["score"], strict=True):
                best[entry] = max(best.get(entry, points), points)
    sides = level_matches.entries_by_side(first)
    assert decided["best"] == [best[entry] for entry in sides]
    winner, loser = sorted(best, key=best.__getitem__, reverse=True)
    assert best[winner] > best[loser]
    assert decided["rank"] == [1 if entry == winner else 2 for entry in sides]
    assert str(Standing.objects.get(stage=stage, after_round=0, rank=1).entry.uuid) == winner
    assert store.differences(stage) == []
    call_command("verify_records")
    shown = Client().get(f"/m/{first.uuid}/").content.decode()
    assert "The best single deal" in shown


@pytest.mark.slow
def test_an_event_with_extra_deals_and_lots_comes_back_from_its_file(process: Process) -> None:
    level_event()
    play_on(process)
    event = Tournament.objects.get()
    data = event_json(event)
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
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
        import_event.write(import_event.validate_event(json.dumps(forged).encode()), by=a.a_user(), slug="forged")
    assert refused.value.code.startswith("event.")
