"""Points given and taken in a ladder count in its table and in no rating; leaving a ladder can be undone."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from bots.jobs.process import Process
from tests.builders import events as a
from tests.builders.ladders import a_ladder, differences, play_on, stage_of
from tests.builders.normal_form import form_of
from tests.tournaments.progress.test_people import refused
from tournaments.entries.bots import withdraw_entry
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.matches import play
from tournaments.models import Adjustment, Entry, Rating, StageEntry, Standing, Tournament
from tournaments.progress import derive, undo
from tournaments.progress.corrections.adjustments import adjust, preview_adjustment, preview_revocation, revoke
from tournaments.ratings.ladders import ladder

pytestmark = pytest.mark.django_db(transaction=True)


def give(event: Tournament, entry: Entry, units: str) -> Adjustment:
    wanted = {"stage": stage_of(event), "entry": entry, "by": event.created_by, "units": units, "reason": "Late."}
    seen = preview_adjustment(**wanted).hash  # type: ignore[arg-type]  # a test's own words
    return adjust(**wanted, seen=seen)  # type: ignore[arg-type]  # a test's own words


def values(event: Tournament) -> dict[int, Decimal]:
    rows = Standing.objects.filter(stage__tournament=event).order_by("row")
    return {row.entry_id: Decimal(row.key[0]) for row in rows}


@pytest.mark.thorough
def test_what_is_given_moves_the_table_and_no_rating(process: Process, client: Client) -> None:
    event = a_ladder(bots=4, rounds=3)
    play_on(process)
    before, ratings = values(event), list(Rating.objects.order_by("pk").values_list("mu", "sigma", "value"))
    last = Entry.objects.get(standings__row=4)
    row = give(event, last, "100")
    give(event, last, "-1/3")
    after = values(event)
    assert after[last.pk] == before[last.pk] + Decimal("99.67")
    assert next(iter(after)) == last.pk
    assert Standing.objects.get(entry=last).rank == 1
    assert list(Rating.objects.order_by("pk").values_list("mu", "sigma", "value")) == ratings
    assert differences(stage_of(event)) == []
    page = client.get(f"/t/{event.slug}/standings/?explain={last.uuid}").content.decode()
    assert "Late." in page
    assert "99.67" in client.get(f"/t/{event.slug}/standings/").content.decode()
    event.refresh_from_db()
    data = event_json(event)
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    by = event.created_by
    seen = preview_revocation(adjustment=row, by=by, reason="Mild.").hash
    revoke(adjustment=row, by=by, reason="Mild.", seen=seen)
    assert values(event)[last.pk] == before[last.pk] - Decimal("0.33")
    assert ladder.fold(stage_of(event), everything=True) is False


@pytest.mark.slow
def test_a_preview_holds_while_results_come_and_anybody_else_may_not(process: Process) -> None:
    event = a_ladder(bots=3, rounds=6)
    stage, by = stage_of(event), event.created_by
    process.seconds = 0.3
    play.play_batch(process)
    derive.derive_waiting()
    entry = Entry.objects.order_by("pk")[0]
    seen = preview_adjustment(stage=stage, entry=entry, by=by, units="-2", reason="Slow.").hash
    play.play_batch(process)
    derive.derive_waiting()
    adjust(stage=stage, entry=entry, by=by, units="-2", reason="Slow.", seen=seen)
    assert Adjustment.objects.count() == 1
    with refused("tournament.not_organiser"):
        preview_adjustment(stage=stage, entry=entry, by=a.a_user(), units="-2", reason="Slow.")
    with refused("adjust.no_round"):
        preview_adjustment(stage=stage, entry=entry, by=by, units="-2", reason="Slow.", round_number=1)


@pytest.mark.slow
def test_leaving_a_ladder_that_runs_is_undone(process: Process) -> None:
    """Anyone who waits moves up and goes back; the entry is drawn again, its rating and its results as they were."""
    event = a_ladder(bots=3, rounds=0, max_entries=3, ends_at=timezone.now() + timedelta(days=1))
    process.seconds = 0.3
    play.play_batch(process)
    derive.derive_waiting()
    gone, by = Entry.objects.order_by("pk")[0], event.created_by
    before = form_of(event)
    withdraw_entry(entry=gone, by=by)
    assert StageEntry.objects.get(entry=gone).left_round == 1
    assert gone.pk not in {each.entry.pk for each in _contenders(event)}
    found = undo.last_undoable(event)
    assert found is not None
    undo.undo(tournament=event, by=by, seen=found.id)
    assert form_of(event) == before
    assert gone.pk in {each.entry.pk for each in _contenders(event)}
    assert differences(stage_of(event)) == []


def _contenders(event: Tournament) -> list[ladder.Contender]:
    stage = stage_of(event)
    return ladder.contenders_of(stage, ladder.pool_of(stage))
