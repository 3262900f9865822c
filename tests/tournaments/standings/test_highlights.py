"""Highlights of a finished event, against the records counted once more; and the ranks that the chart draws."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from django.core.cache import cache
from django.db.models import F

from tests.builders.leagues import League
from tournaments.models import Match, ResultReport, Seat, Standing, Tournament
from tournaments.people.event_lists import with_winner
from tournaments.standings.explanations import waiting_among
from tournaments.standings.highlights import highlights_of
from tournaments.standings.queries import Line
from tournaments.standings.rank_chart import ROW, TOP, rank_chart

pytestmark = pytest.mark.django_db


def test_they_are_what_the_records_say(league: League) -> None:
    cache.clear()
    event = league.finished
    best, yaku = 0, Counter[int]()
    for report in ResultReport.objects.filter(match__stage__tournament=event, state="confirmed"):
        assert report.record is not None
        document = json.loads(report.record.data())
        owner = {seat.side: seat.entry_id for seat in Seat.objects.filter(match=report.match_id)}
        for deal, view in zip(document["record"]["deals"], document["view"]["deals"], strict=True):
            best = max(best, *deal["score"])
            made = {(line.get("by", line["side"]), line["yaku"]) for line in view["lines"] if line.get("yaku")}
            yaku.update(owner[side] or 0 for side, _name in made)
    found = highlights_of(event, 1, ())
    assert found.best is not None
    assert found.best.points == best
    assert (found.yaku.count if found.yaku else 0) == max(yaku.values(), default=0)
    assert set(found.yaku.entries if found.yaku else ()) == {one for one, n in yaku.items() if n == max(yaku.values())}


def test_the_deal_that_is_named_is_the_best_of_its_side(league: League) -> None:
    cache.clear()
    best = highlights_of(league.finished, 1, ()).best
    assert best is not None
    report = ResultReport.objects.get(match__uuid=best.match, state="confirmed")
    assert report.record is not None
    score = json.loads(report.record.data())["record"]["deals"][best.number - 1]["score"]
    sides = Seat.objects.filter(match__uuid=best.match, entry__in=best.entries).values_list("side", flat=True)
    assert {score[side] for side in sides} == {best.points}


def test_the_deciding_match_is_the_last_one_of_the_first_two(league: League) -> None:
    cache.clear()
    first = list(Standing.objects.filter(stage__tournament=league.finished, after_round=0).order_by("row")[:2])
    pair = [row.entry_id for row in first]
    met = [
        match
        for match in Match.objects.filter(stage__tournament=league.finished, state="confirmed").order_by("pk")
        if set(pair) <= set(match.seats.values_list("entry", flat=True))
    ]
    assert highlights_of(league.finished, 1, pair).deciding == str(met[-1].uuid)
    cache.clear()
    assert highlights_of(league.finished, 1, ()).deciding == ""


def test_a_new_version_of_the_event_makes_others_and_nothing_else_reads_the_records_again(league: League) -> None:
    cache.clear()
    known = highlights_of(league.finished, 1, ())
    Seat.objects.filter(match__stage__tournament=league.finished).update(entry=None)
    assert highlights_of(league.finished, 1, ()) == known
    assert highlights_of(league.finished, 2, ()).best is None


def test_the_chart_draws_the_stored_ranks(league: League) -> None:
    event = league.finished
    stage = event.stages.get()
    rounds = sorted({row for row in Standing.objects.filter(stage=stage).values_list("after_round", flat=True) if row})
    rows = Standing.objects.filter(stage=stage, after_round=0).select_related("entry__player").order_by("row")
    chart = rank_chart(stage, rounds, [Line(row, False, (), 0, None) for row in rows])
    if len(rounds) < 3:
        assert chart is None
        return
    assert chart is not None
    for row, run in zip(rows, chart.lines, strict=True):
        stored = Standing.objects.filter(stage=stage, entry=row.entry, after_round__in=rounds).order_by("after_round")
        assert [(y - TOP) // ROW + 1 for _x, y in run.dots] == list(stored.values_list("row", flat=True))
        assert run.owner == (row.entry.player.bot.owner_id if row.entry.player.bot else None)


def test_who_has_no_result_in_a_running_round_waits() -> None:
    rows = [
        Standing(entry_id=entry, explanation=[{"terms": [{"round": n} for n in range(1, last + 1)]}])
        for entry, last in ((1, 3), (2, 2), (3, 0))
    ]
    assert waiting_among(rows, 2) == {2, 3}
    assert waiting_among(rows, 3) == frozenset()  # a correction: nobody has a result since then


def test_lists_of_events_name_who_shares_the_first_rank(league: League) -> None:
    rows = Standing.objects.filter(stage__tournament=league.finished, after_round=0).order_by("row")
    names = list(rows.values_list("entry__player__name", flat=True))
    listed = with_winner(Tournament.objects.filter(pk=league.finished.pk))
    rows.update(rank=F("row"))  # the cards of a run may make two end level
    first = vars(listed.get())["first"]
    assert (first["name"], first["second"], first["n"]) == (names[0], None, 1)
    rows.update(rank=1)
    first = vars(listed.get())["first"]
    assert (first["name"], first["second"]["name"], first["n"]) == (names[0], names[1], len(names))
