"""The schedule of an event: the round that is on first, older ones folded where there are many tables."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.builders import clubs
from tests.builders import events as a
from tournaments.matches.report_bodies import Claim
from tournaments.matches.schedule import RoundBlock, TableBlock, TableRow
from tournaments.models import Match, Round, Tournament
from tournaments.pages.events import rounds as page_of_rounds
from tournaments.progress.rounds import preview_next, publish_next
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
HEAD = re.compile(r'<section id="round-(\d+)" class="round" data-part>\s*<(\w+)')


def order(event: Tournament) -> list[tuple[str, str]]:
    """Return the rounds as they stand on the page, with the first element of each."""
    return HEAD.findall(Client().get(f"/t/{event.slug}/rounds/").content.decode())


def test_a_round_that_was_just_drawn_is_first() -> None:
    night = clubs.a_called_night(people=4)
    for table in clubs.tables_of(night):
        submit_result(match=table, actor=Actor(user=night.created_by), claim=Claim(totals=(140, 100)))
    stage = night.stages.get()
    seen = preview_next(stage=stage, by=night.created_by)
    publish_next(stage=stage, by=night.created_by, seen=seen.hash)
    assert order(night) == [("2", "h2"), ("1", "h2")]


def test_of_rounds_drawn_at_once_the_one_that_is_played_is_first(monkeypatch: pytest.MonkeyPatch) -> None:
    event = a.a_running_event(bots=4, kind="round_robin", seats=2)
    numbers = list(Round.objects.filter(stage__tournament=event).order_by("number").values_list("number", flat=True))
    assert numbers[:3] == [1, 2, 3]
    Match.objects.filter(round__stage__tournament=event, round__number=2).update(state=Match.State.CLAIMED)
    assert [number for number, _tag in order(event)] == ["2", "1", *map(str, numbers[2:])]
    monkeypatch.setattr(page_of_rounds, "FEW", 2)
    assert [tag for _number, tag in order(event)] == ["h2", *["details"] * (len(numbers) - 1)]


def test_tables_of_a_round_have_one_form_where_one_seats_more_than_two() -> None:
    row = TableRow(None, (), 0, 0, won=False)
    duel, alone, three = (TableBlock(n, "", (), (row,) * seats) for n, seats in ((1, 2), (2, 1), (3, 3)))
    plain, mixed = RoundBlock(Round(), (duel, alone)), RoundBlock(Round(), (duel, three))
    assert (plain.pairs, plain.others) == ((duel,), (alone,))
    assert (mixed.pairs, mixed.others) == ((), (duel, three))


def test_a_column_that_is_the_same_in_every_row_is_left_out_of_the_standings() -> None:
    night = clubs.a_called_night(people=4)
    tables = clubs.tables_of(night)
    head = "How many results count"
    for table, shown in zip(tables, (True, False), strict=True):
        submit_result(match=table, actor=Actor(user=night.created_by), claim=Claim(totals=(140, 100)))
        assert (head in Client().get(f"/t/{night.slug}/standings/").content.decode()) is shown
