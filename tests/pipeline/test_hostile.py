"""Races and odd moments that a hostile or an unlucky person can bring about."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from bots.jobs.process import Process
from bots.journal import Note, tell
from bots.models import Check
from bots.services import retire, upload_version
from tests.pipeline import builders as a
from tournaments import services
from tournaments.errors import TournamentError
from tournaments.jobs import deriving, playing
from tournaments.models import Match, Standing, Tournament
from tournaments.services import cancel_tournament, create_tournament

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(pool: ThreadPoolExecutor, work: Callable[[], object]) -> Future[object]:
    def run() -> object:
        try:
            return work()
        finally:
            connection.close()

    return pool.submit(run)


def waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT wait_event_type FROM pg_stat_activity WHERE datname = current_database()")
        return ("Lock",) in cursor.fetchall()


def test_calling_off_while_a_result_is_written_does_not_deadlock(wait_until: Callable[..., object]) -> None:
    event = a.a_running_event(bots=2)
    match = Match.objects.get()
    Match.objects.update(state="claimed")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Match.objects.filter(pk=match.pk).update(state="confirmed")  # a worker records: row first, listeners last
            off = in_thread(pool, lambda: cancel_tournament(tournament=event, by=event.created_by, reason="No hall."))
            wait_until(waits_for_a_lock, 10)
            tell(Note(event.channel, "match.confirm"))
        off.result(20)
    event.refresh_from_db()
    match.refresh_from_db()
    assert (event.state, match.state) == ("cancelled", "confirmed")


def test_pausing_while_the_last_result_is_folded_does_not_deadlock(
    process: Process, wait_until: Callable[..., object]
) -> None:
    event = a.a_running_event(bots=2)
    playing.play_batch(process)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Tournament.objects.filter(pk=event.pk).update(row_version=99)  # what `act` does first
            fold = in_thread(pool, deriving.derive_waiting)
            wait_until(waits_for_a_lock, 10)
            tell(Note(event.channel, "tournament.pause"))
        fold.result(20)
    event.refresh_from_db()
    assert event.state == "finished"


def test_one_event_that_cannot_be_folded_does_not_hold_up_the_others(process: Process) -> None:
    broken, sound = a.a_running_event(name="A league"), a.a_running_event(name="B league")
    while playing.play_batch(process):
        pass
    stage = broken.stages.get()
    stage.scoring = "of another time"
    stage.save()
    with pytest.raises(KeyError, match="of another time"):
        deriving.derive_waiting()
    sound.refresh_from_db()
    assert sound.state == "finished"
    assert Standing.objects.filter(stage__tournament=sound).exists()


def test_an_event_that_is_called_off_reveals_the_decks_that_were_played(process: Process) -> None:
    event = a.a_running_event(legs="cyclic")
    process.seconds = 5.0
    playing.play_batch(process)
    deriving.derive_waiting()
    cancel_tournament(tournament=event, by=event.created_by, reason="No hall.")
    deriving.derive_waiting()
    played = Match.objects.get(state="confirmed")
    assert played.deal_set is not None
    assert played.deal_set.revealed_at is not None


def test_two_events_of_one_name_made_at_once_both_exist() -> None:
    by = a.a_user()
    gate = threading.Barrier(4)

    def make() -> str:
        gate.wait(10)
        return create_tournament(by=by, plan=a.a_plan(name="Plum evening")).slug

    with ThreadPoolExecutor(4) as pool:
        slugs = [work.result(20) for work in [in_thread(pool, make) for _ in range(4)]]
    assert len(set(slugs)) == 4


def test_a_held_check_is_no_dead_end_for_the_owner() -> None:

    owner = a.a_user()
    version = upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Plum")
    Check.objects.update(state="quarantined", faults=4)
    again = upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Plum")
    assert again.pk == version.pk
    assert Check.objects.get().state == "queued"
    Check.objects.update(state="quarantined", faults=4)
    assert retire(version=version, by=owner).state == "retired"


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_every_number_of_entries_is_drawn_or_refused_by_code(seats: int) -> None:
    event = a.an_open_event(seats=seats, kind="tables", rounds=2, legs="cyclic", entries_per_owner=20)
    by = event.created_by
    drawn: list[int] = []
    refused: dict[int, str] = {}
    for entries in range(2, 2 * seats + 3):
        a.entered(event, [a.a_bot() for _ in range(entries - event.entries.count())])
        try:
            with transaction.atomic():
                services.start_tournament(tournament=event, by=by)
                matches = Match.objects.filter(stage__tournament=event)
                assert all(match.seats.count() == match.seats_n for match in matches)
                drawn.append(entries)
                transaction.set_rollback(True)
        except TournamentError as refusal:
            refused[entries] = refusal.code
        event.refresh_from_db()
    assert drawn == list(range(max(2, seats - 1), 2 * seats + 3))
    assert refused == dict.fromkeys(range(2, seats - 1), "entries.too_few")
