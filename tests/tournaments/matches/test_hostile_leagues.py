"""Odd leagues played to their end: teams, tables that do not divide, everybody forfeits, duplicate legs."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from bots.jobs.process import Process
from tests.builders import events as a
from tournaments.entries.bots import enter_bot
from tournaments.matches import play
from tournaments.models import DealSet, Match, Seat, Standing, Tournament
from tournaments.progress import derive
from tournaments.progress.run import start_tournament
from tournaments.standings import store

pytestmark = pytest.mark.django_db(transaction=True)

LEAGUES: dict[str, tuple[int, dict[str, object]]] = {
    "two by two": (4, {"seats": 4, "options": {"rounds": 2, "teams": "2x2"}, "legs": "cyclic"}),
    "three by two, five entries": (
        5,
        {"seats": 6, "kind": "tables", "rounds": 3, "options": {"rounds": 1, "teams": "3x2"}, "legs": "cyclic"},
    ),
    "two by three, odd": (3, {"seats": 6, "options": {"rounds": 1, "teams": "2x3"}, "legs": "cyclic"}),
    "tables of four, seven entries": (7, {"seats": 4, "kind": "tables", "rounds": 2, "legs": "cyclic"}),
    "tables of seven, eight entries": (8, {"seats": 7, "kind": "tables", "rounds": 2}),
    "tables of three, place": (5, {"seats": 3, "kind": "tables", "rounds": 2, "scoring": "place"}),
    "victories of five": (6, {"seats": 5, "kind": "tables", "rounds": 2, "preset": "paradise"}),
}


def play_out(process: Process, event: Tournament) -> None:
    while play.play_batch(process):
        pass
    derive.derive_waiting()
    event.refresh_from_db()


def sources(n: int, crashing: Sequence[int]) -> list[bytes]:
    return [a.CRASHES if index in crashing else a.FIRST for index in range(n)]


def check_rows(event: Tournament) -> None:
    """Every standing equals what its own terms say, every seat is settled, every entry ranked once."""
    stage = event.stages.get()
    rows = list(Standing.objects.filter(stage=stage, after_round=0).select_related("entry"))
    assert len(rows) == event.entries.filter(state="active").count()
    assert store.differences(stage) == []
    for row in rows:
        for line in row.explanation[:2]:
            amounts = [Fraction(str(term["amount"])) for term in line["terms"] if term.get("counted", True)]
            assert Fraction(str(line["value"])) == sum(amounts), (row.entry, line)
    assert not Seat.objects.filter(match__stage=stage, place=None).exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAGUES)
@pytest.mark.parametrize("crashing", [(), (0,), tuple(range(9))], ids=["sound", "one crashes", "all crash"])
def test_an_odd_league_is_played_to_its_end(process: Process, name: str, crashing: tuple[int, ...]) -> None:
    entries, changes = LEAGUES[name]
    bots = [a.a_bot(source=source) for source in sources(entries, crashing)]
    event = a.an_open_event(max_entries=16, **changes)
    a.entered(event, bots)
    start_tournament(tournament=event, by=event.created_by)
    play_out(process, event)
    assert event.state == "finished"
    assert not Match.objects.exclude(state="confirmed").exists()
    check_rows(event)
    for deal_set in DealSet.objects.prefetch_related("matches__seats"):
        assert deal_set.revealed_at is not None
        legs = list(deal_set.matches.all())
        seated = Counter((seat.entry_id, seat.index) for leg in legs for seat in leg.seats.all())
        assert set(seated.values()) == {1}, "nobody sits in one seat twice"


@pytest.mark.thorough
def test_seeds_are_those_of_the_design(process: Process) -> None:
    """tournaments.md section 11, worked out here from its words alone."""
    event = a.an_open_event(max_entries=8)
    for nonce, bot in (("zebra", a.a_bot()), ("", a.a_bot()), ("apple", a.a_bot())):
        enter_bot(tournament=event, bot=bot, by=bot.owner, nonce=nonce)

    start_tournament(tournament=event, by=event.created_by)
    stage = event.stages.get()
    lines = sorted(f"{entry.uuid} {entry.nonce}\n" for entry in event.entries.exclude(nonce=""))
    mix = hashlib.sha256("".join(lines).encode()).digest()
    secret = bytes(stage.secret or b"")
    assert bytes(stage.mix or b"") == mix
    assert stage.commitment == "sha256:" + hashlib.sha256(secret).hexdigest()
    seeds = {}
    for deal_set in DealSet.objects.all():
        seeds[deal_set.pk] = hmac.new(secret, b"match/1\0" + mix + deal_set.uuid.bytes, hashlib.sha256).digest()
        assert deal_set.commit == "sha256:" + hashlib.sha256(seeds[deal_set.pk]).hexdigest()
    play_out(process, event)
    for match in Match.objects.select_related("deal_set"):
        blob = match.reports.get().record
        assert blob is not None
        assert match.deal_set is not None
        assert json.loads(blob.data())["record"]["fair"]["commit"] == match.deal_set.commit
