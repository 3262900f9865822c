"""A ladder in a file: its copy has the same ratings, table and bytes; a forged one is refused; a draft goes on."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from bots.jobs.process import Process
from core.interchange.errors import InterchangeError
from tests.builders import events as a
from tests.builders.ladders import a_ladder, play_on, stage_of
from tests.tournaments.progress.test_advancing import GREEDY
from tournaments.events.validation import entry_bounds
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.actions import import_event
from tournaments.models import Entry, Rating, RatingEvent, RatingPool, Standing, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def over(process: Process) -> Tournament:
    """Played to its end, one bot with two versions."""
    event = a_ladder(sources=[a.FIRST, GREEDY, a.FIRST], rounds=3)
    bot = Entry.objects.order_by("pk")[1].player.bot
    assert bot is not None
    bot.active_version = a.a_version(bot, GREEDY)
    bot.save()
    play_on(process)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    return event


def rated(event: Tournament) -> list[tuple[object, ...]]:
    columns = ("line", "n", "mu", "sigma", "events", "pending")
    return list(Rating.objects.filter(pool__stage=stage_of(event)).order_by("line", "n").values_list(*columns))


@pytest.mark.slow
def test_a_copy_has_the_same_ratings_and_gives_the_same_file(over: Tournament) -> None:
    data = event_json(over)
    boards = RatingPool.objects.filter(stage=None).count()
    copy = importing.write(importing.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    assert rated(copy) == rated(over)
    assert RatingEvent.objects.filter(pool__stage=stage_of(copy)).exists()
    table = ("row", "rank", "key", "input_hash")
    tables = [
        list(Standing.objects.filter(stage=stage_of(each)).order_by("row").values_list(*table)) for each in (over, copy)
    ]
    assert tables[0] == tables[1]
    assert RatingPool.objects.filter(stage=None).count() == boards


@pytest.mark.thorough
def test_a_table_that_its_results_do_not_give_is_refused(over: Tournament) -> None:
    document = json.loads(event_json(over))
    rows = document["stages"][0]["standings"][0]["rows"]
    rows[0]["entry"], rows[1]["entry"] = rows[1]["entry"], rows[0]["entry"]
    with pytest.raises(InterchangeError) as refused:
        importing.write(importing.validate_event(json.dumps(document).encode()), by=a.a_user(), slug="forged")
    assert refused.value.code == "event.standings"


def test_what_is_not_over_becomes_a_draft_with_an_end() -> None:
    event = a.an_open_event(kind="ladder", rounds=0, ends_at=timezone.now() + timedelta(days=3))
    draft = import_event(by=a.a_user(), checked=importing.validate_event(event_json(event)))
    assert stage_of(draft).ends_at == stage_of(event).ends_at
    assert stage_of(draft).kind == "ladder"


def test_an_official_ladder_that_is_not_over_becomes_a_draft_with_as_many_places_as_one_may_ask_for() -> None:
    event = a.an_open_event(kind="ladder", rounds=0, ends_at=timezone.now() + timedelta(days=3))
    Tournament.objects.filter(pk=event.pk).update(max_entries=32_000)
    event.refresh_from_db()
    draft = import_event(by=a.a_user(), checked=importing.validate_event(event_json(event)))
    assert draft.max_entries == entry_bounds(is_open_ended=True)["max_entries"][1] < 32_000
