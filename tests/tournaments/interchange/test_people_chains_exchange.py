"""A chain of people with wishes, a corrected bracket and a match played again: out as a file and back, bit for bit."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.tournaments.progress.test_cascade import draw_next, finish, seated, tables, turned
from tests.tournaments.progress.test_people_chains import KNOCK_OUT, a_night, enter_round, play_and_close, stage_no
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.lifecycle.event_plan import AdvancementPlan
from tournaments.models import Match, Tournament
from tournaments.pairing.constraints_actions import fix_table, separate_clubs
from tournaments.progress.run import start_tournament
from tournaments.progress.stage_actions import draw_stage

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
CLUBS = "name,club\n" + "".join(f"Player {n:02},{'Kyoto' if n % 2 else 'Lyon'}\n" for n in range(1, 9))


def test_export_import_export_is_the_same_after_a_match_was_played_again() -> None:
    way = (AdvancementPlan(source=1, target=2, last=4),)
    event = a_night(listed=CLUBS, start=False, min_entries=8, then=(KNOCK_OUT,), ways=way)
    by = event.created_by
    separate_clubs(tournament=event, by=by, apart=True)
    fix_table(entry=event.entries.select_related("player", "tournament").order_by("pk")[0], by=by, table=11)
    start_tournament(tournament=event, by=by)
    play_and_close(event, 1)
    draw_stage(tournament=event, by=by, order=2)
    bracket = stage_no(event, 2)
    enter_round(bracket, 1)
    draw_next(bracket)
    enter_round(bracket, 2)
    turned(tables(bracket, 1)[0], "redo")
    assert Match.objects.filter(stage=bracket, state=Match.State.VOID).count() == 1
    finish(bracket)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert 11 in [match.table_no for match in Match.objects.filter(stage=stage_no(event, 1)) if seated(match)]
    data = event_json(event)
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
