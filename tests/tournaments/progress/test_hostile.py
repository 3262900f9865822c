"""Races and odd moments that a hostile or an unlucky person can bring about."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from activity.journal import publish
from bots.jobs.process import Process
from bots.models import Blob, Check
from bots.runner.seat import SeatReading
from bots.services import activate, create_bot, retire, upload_version
from core.errors import TournamentError
from tests.builders import events as a
from tests.services.locks import waits_for_us
from tests.services.looping import run_async
from tests.web.test_live import Client as Stream
from tournaments.domain_events.matches import MatchConfirmed
from tournaments.domain_events.tournaments import TournamentPaused
from tournaments.entries.bots import enter_bot, withdraw_entry
from tournaments.events.create import create_tournament
from tournaments.matches import play
from tournaments.matches.records import record
from tournaments.models import Entry, Match, Role, Seat, Standing, Tournament
from tournaments.operations import sweep
from tournaments.progress import derive
from tournaments.progress.run import cancel_tournament, start_tournament

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(pool: ThreadPoolExecutor, work: Callable[[], object]) -> Future[object]:
    def run() -> object:
        try:
            return work()
        finally:
            connection.close()

    return pool.submit(run)


def test_calling_off_while_a_result_is_written_does_not_deadlock(wait_until: Callable[..., object]) -> None:
    event = a.a_running_event(bots=2)
    match = Match.objects.get()
    Match.objects.update(state="claimed")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Match.objects.filter(pk=match.pk).update(state="confirmed")  # a worker records: row first, listeners last
            off = in_thread(pool, lambda: cancel_tournament(tournament=event, by=event.created_by, reason="No hall."))
            wait_until(waits_for_us, 60)
            publish(MatchConfirmed(event.channel))
        off.result(20)
    event.refresh_from_db()
    match.refresh_from_db()
    assert (event.state, match.state) == ("cancelled", "confirmed")


@pytest.mark.thorough
def test_pausing_while_the_last_result_is_folded_does_not_deadlock(
    process: Process, wait_until: Callable[..., object]
) -> None:
    event = a.a_running_event(bots=2)
    play.play_batch(process)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Tournament.objects.filter(pk=event.pk).update(row_version=99)  # what `act` does first
            fold = in_thread(pool, derive.derive_waiting)
            wait_until(waits_for_us, 60)
            publish(TournamentPaused(event.channel, state="paused"))
        fold.result(20)
    event.refresh_from_db()
    assert event.state == "finished"


@pytest.mark.thorough
def test_one_event_that_cannot_be_folded_does_not_hold_up_the_others(process: Process) -> None:
    broken, sound = a.a_running_event(name="A league"), a.a_running_event(name="B league")
    while play.play_batch(process):
        pass
    stage = broken.stages.get()
    stage.scoring = "of another time"
    stage.save()
    with pytest.raises(KeyError, match="of another time"):
        derive.derive_waiting()
    sound.refresh_from_db()
    assert sound.state == "finished"
    assert Standing.objects.filter(stage__tournament=sound).exists()


@pytest.mark.thorough
def test_an_event_that_is_called_off_reveals_the_decks_that_were_played(process: Process) -> None:
    event = a.a_running_event(legs="cyclic")
    process.seconds = 5.0
    play.play_batch(process)
    derive.derive_waiting()
    cancel_tournament(tournament=event, by=event.created_by, reason="No hall.")
    derive.derive_waiting()
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


@pytest.mark.slow
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
                start_tournament(tournament=event, by=by)
                matches = Match.objects.filter(stage__tournament=event)
                assert all(match.seats.count() == match.seats_n for match in matches)
                drawn.append(entries)
                transaction.set_rollback(True)
        except TournamentError as refusal:
            refused[entries] = refusal.code
        event.refresh_from_db()
    assert drawn == list(range(max(2, seats - 1), 2 * seats + 3))
    assert refused == dict.fromkeys(range(2, seats - 1), "entries.too_few")


def test_a_version_activated_after_entries_closed_does_not_play() -> None:
    closes = timezone.now() + timedelta(hours=1)
    event = a.an_open_event(entries_close_at=closes)
    first, second = a.a_bot(), a.a_bot()
    a.entered(event, [first, second])
    assert first.active_version is not None
    closed_with = first.active_version.pk
    Tournament.objects.update(entries_close_at=timezone.now() - timedelta(seconds=1))
    sweep.sweep()
    activate(version=a.a_version(first, a.CRASHES), by=first.owner)
    start_tournament(tournament=event, by=event.created_by)
    played = set(Seat.objects.filter(entry__player__bot=first).values_list("bot_version", flat=True))
    assert played == {closed_with}


def test_while_entries_are_open_no_version_is_pinned() -> None:
    event = a.an_open_event(entries_close_at=timezone.now() + timedelta(hours=1))
    other = a.an_open_event(name="No hour named")
    bot = a.a_bot()
    for each in (event, other):
        a.entered(each, [bot])
    sweep.sweep()
    assert not Entry.objects.exclude(bot_version=None).exists()


def test_two_bots_of_one_name_of_two_people_at_once() -> None:
    gate = threading.Barrier(4)

    def make(owner: User) -> str:
        gate.wait(10)
        return create_bot(owner=owner, name="Plum").slug

    owners = [a.a_user() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        made = [in_thread(pool, partial(make, owner)) for owner in owners]
        slugs = {work.result(20) for work in made}
    assert len(slugs) == 4


def test_one_name_signed_up_twice_at_once_is_one_account() -> None:
    form = {"username": "kiri", "password1": "plum-blossom-77", "password2": "plum-blossom-77"}
    gate = threading.Barrier(4)

    def post() -> int:
        gate.wait(10)
        return Client().post("/signup/", form).status_code

    with ThreadPoolExecutor(4) as pool:
        made = [in_thread(pool, post) for _ in range(4)]
        statuses = sorted(int(str(work.result(30))) for work in made)
    assert statuses == [302, 422, 422, 422]
    assert User.objects.filter(username="kiri").count() == 1


def test_two_results_with_the_same_logs_crosswise_do_not_deadlock(wait_until: Callable[..., object]) -> None:
    """Duplicate legs: the same bots print the same words from other seats, and two workers record at once."""

    def keep() -> int:
        with transaction.atomic():
            return len(record.store_logs([SeatReading(log, (), 1.0, None) for log in (b"ume", b"matsu", b"")]))

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Blob.objects.put(b"matsu")
            other = in_thread(pool, keep)
            wait_until(waits_for_us, 60)
            Blob.objects.put(b"ume")
        assert other.result(20) == 2
    assert Blob.objects.count() == 2


def test_a_channel_that_is_no_uuid_is_refused_politely() -> None:
    async def scene() -> None:
        for query in ("ch=m:" + "-" * 36, "ch=m:" + "0" * 36, "ch=t:%00", "ch=q:%00", "ch=m:a&token=%00"):
            assert await Stream(query).answered() in (400, 404)

    run_async(scene)


def test_a_disqualified_bot_does_not_enter_again_and_a_scorer_withdraws_nobody() -> None:
    event = a.an_open_event()
    entry, other = a.entered(event, [a.a_bot(), a.a_bot()])
    Entry.objects.filter(pk=entry.pk).update(state=Entry.State.DISQUALIFIED)
    bot = entry.player.bot
    assert bot is not None
    with pytest.raises(TournamentError) as refused:
        enter_bot(tournament=event, bot=bot, by=bot.owner)
    assert refused.value.code == "entry.disqualified"
    scorer = a.a_user()
    Role.objects.create(user=scorer, tournament=event, role=Role.Kind.SCORER)
    with pytest.raises(TournamentError) as refused:
        withdraw_entry(entry=other, by=scorer)
    assert refused.value.code == "entry.not_owner"
