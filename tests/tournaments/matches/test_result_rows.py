"""Rows of a list of matches: who won, what decided, and below which age a match stands."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override

from tests.builders.matches_on_show import a_finished_match
from tournaments.matches.schedule import table_rows
from tournaments.models import Match, Seat, Stage
from tournaments.templatetags.results import age_of, result_of

pytestmark = pytest.mark.django_db


def level(kind: str) -> Match:
    """A match in which both won six deals, the second more points."""
    match = a_finished_match(seats=2, rounds=1)
    Stage.objects.filter(pk=match.stage_id).update(kind=kind, scoring=Stage.Scoring.ROUND_VICTORY)
    match.seats.update(victories=6, place=1, points=770)
    match.seats.filter(index=1).update(points=840)
    return Match.objects.select_related("stage").get(pk=match.pk)


def test_points_decide_between_two_where_somebody_advances() -> None:
    match = level("single_elim")
    result = result_of(match)
    assert [(side.points, side.won) for side in result.sides] == [(840, True), (770, False)]
    assert (result.figures, result.more) == (["6", "6"], "by 840 : 770 points")
    rows = table_rows(match.stage, (match,))
    assert [row.won for row in rows] == [False, True]
    assert result_of(match, rows).is_by_points


def test_who_forfeits_has_not_won_whatever_the_figures() -> None:
    match = level("single_elim")
    match.seats.filter(index=1).update(outcome=Seat.Outcome.FORFEIT, place=2)
    again = Match.objects.select_related("stage").get(pk=match.pk)
    assert [(side.points, side.won) for side in result_of(again).sides] == [(770, True), (840, False)]
    assert [row.won for row in table_rows(again.stage, (again,))] == [True, False]


def test_a_level_board_of_teams_is_won_by_nobody() -> None:
    match = level("single_elim")
    match.seats.update(board=1)
    again = Match.objects.select_related("stage").get(pk=match.pk)
    assert not any(side.won for side in result_of(again).sides)
    assert [row.won for row in table_rows(again.stage, (again,))] == [True, True], "a half each"


def test_elsewhere_nobody_won_what_is_level() -> None:
    result = result_of(level("swiss"))
    assert not any(side.won for side in result.sides)
    assert result.more == "770 : 840 pts"


def test_matches_stand_below_their_hour_then_their_day() -> None:
    match, now = a_finished_match(seats=2, rounds=1), timezone.now()
    said = []
    for hours in (0, 2, 30):
        match.finished_at = now - timedelta(hours=hours, minutes=1)
        said.append(age_of(match))
    assert said[:2] == ["less than an hour ago", "2\N{NO-BREAK SPACE}hours ago"]
    assert "ago" not in said[2]
    match.finished_at = now - timedelta(hours=2, minutes=1)
    with override("fr"):
        assert age_of(match) == "il y a 2\N{NO-BREAK SPACE}heures"
    match.state = Match.State.PLAYING
    assert age_of(match) == ""
