"""Ratings of programs: moved by their tables, never mixed with those of uploaded bots or of people."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tables.actions.leaving import leave
from tables.models import LiveTable
from tables.programs.registry import sitter_for
from tests.services.databases import on_both
from tests.tables.players import at_random, play_on
from tests.tables.programs.building import a_program, a_table_of
from tournaments.models import Rating, RatingPool
from tournaments.ratings import fold, pools
from tournaments.ratings.queries import boards

pytestmark = [pytest.mark.django_db, on_both]


@pytest.mark.thorough
def test_a_rated_match_of_programs_moves_their_ratings_alone(django_capture_on_commit_callbacks: Any) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    with django_capture_on_commit_callbacks(execute=True):
        table = a_table_of(plum, crane, rated=True)
    with django_capture_on_commit_callbacks(execute=True):
        table = play_on(table, [sitter_for(plum), sitter_for(crane)], at_random("rated"))
    assert table.state == LiveTable.State.FINISHED
    pool = RatingPool.objects.get()
    assert (pool.who, pool.preset, pool.seats, pool.sides) == ("remote", "koikoi_nintendo", 2, 2)
    assert pools.fold_stale() == 1
    rows = {row.version_id: row for row in Rating.objects.filter(pool=pool)}
    assert set(rows) == {plum.version_id, crane.version_id}
    assert all(row.events == 1 for row in rows.values())
    assert fold.differences(pool) == []
    assert boards() == [], "the leaderboards of uploaded bots know nothing of it"
    shown = Client().get("/api/v1/programs/plum-remote").json()["ratings"]
    assert [(each["preset"], each["matches"]) for each in shown] == [("koikoi_nintendo", 1)]
    assert shown[0]["mean"] == rows[plum.version_id].mu
    pools.rebuild(pool.pk)
    assert {row.version_id: row.mu for row in Rating.objects.filter(pool=pool)} == {
        version: row.mu for version, row in rows.items()
    }


def test_a_match_that_is_not_rated_moves_nothing(django_capture_on_commit_callbacks: Any) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    with django_capture_on_commit_callbacks(execute=True):
        table = a_table_of(plum, crane)
    with django_capture_on_commit_callbacks(execute=True):
        leave(table, sitter_for(plum))
    assert LiveTable.objects.get(pk=table.pk).match is not None
    assert not RatingPool.objects.exists()


def test_who_leaves_a_rated_match_loses_it(django_capture_on_commit_callbacks: Any) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    with django_capture_on_commit_callbacks(execute=True):
        table = a_table_of(plum, crane, rated=True)
    with django_capture_on_commit_callbacks(execute=True):
        leave(table, sitter_for(plum))
    pools.fold_stale()
    mu = dict(Rating.objects.values_list("version", "mu"))
    assert mu[crane.version_id] > mu[plum.version_id]
