"""No-shows: what a walk-over is worth, and who leaves after too many."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from django.test import Client

from accounts.models import User
from bots.models import AuditEvent
from tests.builders.clubs import a_called_night, a_club_night, person, round_of, tables_of, totals
from tests.tournaments.pages.floor.test_my_day import a_phone, day_of, text
from tests.tournaments.presence.test_returning import next_round
from tests.tournaments.presence.test_sitting_out import choose, terms_of
from tests.tournaments.progress.test_people import finish_round, stage_of
from tests.tournaments.progress.test_undo import undo_last
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, Tournament
from tournaments.presence.returning import bring_back
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
Become = Callable[[User | None], Client]


def table_with(event: Tournament, name: str, number: int) -> Match:
    """The table of somebody in a round."""
    return next(match for match in tables_of(event, number) if match.seats.filter(entry__player__name=name).exists())


def stay_away(event: Tournament, name: str, number: int) -> Match:
    """Enter that somebody did not come to their table."""
    match = table_with(event, name, number)
    side = match.seats.get(entry__player__name=name).side
    submit_result(match=match, actor=Actor(user=event.created_by), claim=Claim(absent=(side,)))
    return match


def test_after_so_many_no_shows_somebody_leaves_and_can_come_back(as_user: Become) -> None:
    event = a_called_night(people=8, rounds=4)
    choose(event, no_show_limit=2)
    stay_away(event, "Ben", 1)
    assert person(event, "Ben").state == Entry.State.ACTIVE
    finish_round(event)
    next_round(event)
    desk = as_user(event.created_by)
    match = table_with(event, "Ben", 2)
    page = text(desk.get(f"/m/{match.uuid}/result/"))
    assert "If Ben did not come, that is no-show 2 of 2: they leave the event." in page
    assert page.count("they leave the event") == 1
    stay_away(event, "Ben", 2)
    assert person(event, "Ben").state == Entry.State.WITHDRAWN
    assert AuditEvent.objects.filter(verb="entry.no_show").count() == 1
    assert "withdrawn after no-shows" in text(desk.get(f"/t/{event.slug}/feed/"))
    assert "You have left" in text(a_phone(event, "Ben").get(day_of(event, "Ben")))
    undo_last(event)
    assert person(event, "Ben").state == Entry.State.ACTIVE
    stay_away(event, "Ben", 2)
    bring_back(entry=person(event, "Ben"), by=event.created_by)
    assert person(event, "Ben").state == Entry.State.ACTIVE
    assert store.differences(stage_of(event)) == []


def test_without_a_limit_nobody_leaves(as_user: Become) -> None:
    event = a_called_night(people=4, rounds=3)
    match = stay_away(event, "Ben", 1)
    assert person(event, "Ben").state == Entry.State.ACTIVE
    other = next(each for each in tables_of(event) if each != match)
    assert "they leave the event" not in text(as_user(event.created_by).get(f"/m/{other.uuid}/result/"))


@pytest.mark.parametrize(
    ("scoring", "figure", "walkover", "amount"),
    [
        ("cumulative", "points", "mean", "120"),
        ("cumulative", "points", "full", "130"),
        ("cumulative", "points", "share", "52"),
        ("place", "place", "mean", "1"),
        ("place", "place", "full", "1"),
        ("place", "place", "share", "2/5"),
    ],
)
def test_a_walkover_is_worth_what_the_event_says(scoring: str, figure: str, walkover: str, amount: str) -> None:
    event = a_club_night(people=4, rounds=2, scoring=scoring)
    choose(event, walkover=walkover, walkover_share=40)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    match = stay_away(event, "Ben", 1)
    other = next(each for each in tables_of(event) if each != match)
    submit_result(match=other, actor=Actor(user=event.created_by), claim=totals(130, 110))
    came = match.seats.exclude(entry__player__name="Ben").get().entry
    assert came is not None
    name = came.player.name
    assert [Fraction(term[1]) for term in terms_of(event, name, figure)] == [Fraction(amount)]
    assert [Fraction(term[1]) for term in terms_of(event, "Ben", figure)] == [0]
    assert store.differences(stage_of(event)) == []
