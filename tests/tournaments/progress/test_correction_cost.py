"""A correction of a signed stage folds what it changes: no report is read again, no row written that stays the same."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders.clubs import totals
from tests.tournaments.progress.test_cascade import tables
from tests.tournaments.progress.test_people_chains import a_night, by_strength, play_and_close
from tournaments.models import Standing, Tournament
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.standings import store

pytestmark = pytest.mark.django_db
REPORTS = 'FROM "tournaments_resultreport"'


def figures(event: Tournament) -> dict[int, tuple[object, ...]]:
    """Every stored row by its key."""
    rows = Standing.objects.filter(stage__tournament=event)
    listed = rows.values_list("pk", "after_round", "entry", "row", "rank", "key", "explanation")
    return {row[0]: tuple(row[1:]) for row in listed}


@pytest.mark.slow
def test_a_correction_in_a_signed_stage_writes_what_it_changes() -> None:
    event = a_night(people=8)
    stage = play_and_close(event, 1)
    match, by = tables(stage, 2)[0], event.created_by
    claim = totals(*reversed(by_strength(match)))
    before = figures(event)
    with CaptureQueriesContext(connection) as queries:
        seen = preview_correction(match=match, by=by, claim=claim)
        correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=seen.hash)
    after = figures(event)
    concerned = set(match.seats.values_list("entry", flat=True))
    gone = {(told[0], told[1]) for pk, told in before.items() if pk not in after}
    assert gone, "something changed"
    same_group = set(
        stage.stage_entries.filter(group__stage_entries__entry__in=concerned).values_list("entry", flat=True)
    )
    assert {entry for _round, entry in gone} <= same_group, "the other group's rows are as they were written"
    assert 1 not in {number for number, _entry in gone}, "round 1 was over before"
    # The image of the event, for the undo, reads every table once, in one union.
    of_reports = [each["sql"] for each in queries if REPORTS in each["sql"] and " UNION ALL " not in each["sql"]]
    asked = [sql.partition(" WHERE ")[2] for sql in of_reports]
    of_stage = [where for where in asked if '"tournaments_match"."stage_id" =' in where]
    assert [where for where in of_stage if '"uuid" IN' not in where] == [], "no result is read but this one"
    assert store.differences(stage) == []
