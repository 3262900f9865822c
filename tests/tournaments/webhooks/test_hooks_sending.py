"""Sending of webhooks: tries, pace, claims; the cases in which the receiver does not take it."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import redis
from django.conf import LazySettings
from django.db import connection
from django.utils import timezone

from activity import consumers
from tests.builders import events as a
from tests.builders.clubs import a_called_night
from tests.builders.receivers import OK, Receiver, a_hook, a_receiver, due_now, reported, the_delivery, told_and_sent
from tournaments.models import Delivery, Hook, HookSecret
from tournaments.operations import purge, sweep
from tournaments.webhooks import actions as services
from tournaments.webhooks import consumer as hooking
from tournaments.webhooks import deliveries, sender
from tournaments.webhooks.addresses import read_url
from tournaments.webhooks.http import Outcome

pytestmark = pytest.mark.django_db
State = Delivery.State


@pytest.mark.thorough
def test_what_is_not_taken_is_tried_again_with_the_same_id_and_success_heals(receiver: Receiver) -> None:
    event = a_called_night()
    hook, _secret = a_hook(event.created_by, receiver.url, "match.finished")
    reported(event)
    receiver.answer = lambda _sent: (500, {}, b"<h1>no\x00</h1>")
    told_and_sent()
    delivery, hook = the_delivery(), Hook.objects.get()
    assert (delivery.state, delivery.status, delivery.error, delivery.tries) == (State.OPEN, 500, "answer.refused", 1)
    assert delivery.answer == "<h1>no </h1>"
    assert timedelta(seconds=5) < delivery.due_at - timezone.now() < timedelta(seconds=12)
    assert (hook.shown_state, hook.failures) == ("failing", 1)
    assert sender.send_waiting() == 0, "not before its time"
    due_now()
    receiver.answer = lambda _sent: OK
    assert sender.send_waiting() == 1
    first, second = receiver.sent
    assert first.body == second.body
    assert (first.headers["hf-try"], second.headers["hf-try"]) == ("1", "2")
    assert (the_delivery().state, Hook.objects.get().shown_state) == (State.DELIVERED, "active")


@pytest.mark.slow
def test_after_eight_more_tries_it_is_given_up_and_can_be_sent_again(receiver: Receiver) -> None:
    event = a_called_night()
    hook, _secret = a_hook(event.created_by, receiver.url, "match.finished")
    reported(event)
    receiver.answer = lambda _sent: (503, {}, b"")
    hooking.enqueue_deliveries()
    for _try in range(12):
        due_now()
        sender.send_waiting()
    assert len(receiver.sent) == 9
    assert the_delivery().state == State.FAILED
    receiver.answer = lambda _sent: OK
    services.send_again(delivery=the_delivery(), by=hook.user)
    sender.send_waiting()
    assert (the_delivery().state, the_delivery().tries, len(receiver.sent)) == (State.DELIVERED, 1, 10)
    assert len({each.body["id"] for each in receiver.sent}) == 1


@pytest.mark.thorough
def test_a_hook_that_fails_for_days_is_switched_off_and_says_so(receiver: Receiver) -> None:
    event = a_called_night()
    hook, _secret = a_hook(event.created_by, receiver.url, "match.finished")
    reported(event)
    reported(event, 1)
    hooking.enqueue_deliveries()
    receiver.answer = lambda _sent: (404, {}, b"gone")
    Hook.objects.update(failing_since=timezone.now() - timedelta(days=4), failures=30)
    sender.send_waiting()
    hook.refresh_from_db()
    assert (hook.state, hook.reason, len(receiver.sent)) == ("stopped", "failing", 1)
    assert set(Delivery.objects.values_list("state", flat=True)) == {State.DROPPED}
    services.switch_hook(hook=hook, by=hook.user, on=True)
    assert (hook.shown_state, hook.failures, hook.reason) == ("active", 0, "")


@pytest.mark.thorough
def test_a_redirect_is_not_followed_and_of_a_long_answer_only_the_beginning_is_read(receiver: Receiver) -> None:
    event = a_called_night()
    with a_receiver() as elsewhere:
        receiver.answer = lambda _sent: (302, {"Location": elsewhere.url}, b"x" * 5_000_000)
        a_hook(event.created_by, receiver.url, "match.finished")
        reported(event)
        told_and_sent()
        assert not elsewhere.sent
    delivery = the_delivery()
    assert (delivery.status, delivery.error, delivery.answer) == (302, "answer.redirect", "x" * 300)


@pytest.mark.slow
def test_a_slow_receiver_does_not_hold_up_others(receiver: Receiver) -> None:
    """The slow one answers only after three others are served: it would run into its deadline if they waited for it."""
    event = a_called_night()
    served = threading.Semaphore(0)
    receiver.answer = lambda _sent: OK if all(served.acquire(timeout=9) for _ in range(3)) else (500, {}, b"")
    a_hook(event.created_by, receiver.url, "match.finished")
    with a_receiver() as quick:

        def count(_sent: object) -> Any:
            served.release()
            return OK

        quick.answer = count
        a_hook(event.created_by, quick.url, "match.finished")
        for table in range(3):
            reported(event, table)
        hooking.enqueue_deliveries()
        Delivery.objects.exclude(hook__url=quick.url).exclude(
            pk=Delivery.objects.exclude(hook__url=quick.url).order_by("pk")[0].pk
        ).delete()
        assert sender.send_waiting() == 4
    assert set(Delivery.objects.values_list("state", flat=True)) == {State.DELIVERED}


@pytest.mark.slow
def test_the_pace_to_one_receiver_is_kept(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "PACE", 2)
    event = a_called_night()
    a_hook(event.created_by, receiver.url, "match.finished")
    for table in range(3):
        reported(event, table)
    assert told_and_sent() == 2
    left = Delivery.objects.get(state=State.OPEN)
    assert (left.tries, left.due_at > timezone.now()) == (0, True)


@pytest.mark.thorough
def test_a_hook_that_does_not_keep_up_keeps_so_many_and_counts_the_rest(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooking, "MAX_WAITING", 2)
    event = a_called_night()
    hook, _secret = a_hook(event.created_by, receiver.url, "match.finished")
    for table in range(3):
        reported(event, table)
    hooking.enqueue_deliveries()
    hook.refresh_from_db()
    assert (Delivery.objects.count(), hook.left_out) == (2, 1)


@pytest.mark.thorough
def test_a_sender_that_dies_leaves_its_claim_to_the_next_and_a_late_one_writes_nothing(receiver: Receiver) -> None:
    event = a_called_night()
    a_hook(event.created_by, receiver.url, "match.finished")
    reported(event)
    hooking.enqueue_deliveries()
    (dead,) = deliveries.claim(16, 8, set())
    assert deliveries.claim(16, 8, set()) == []
    due_now()  # its claim has run out
    assert sender.send_waiting() == 1
    assert not deliveries.record(dead, Outcome(None, "connection.failed", 5))
    delivery = the_delivery()
    assert (delivery.state, delivery.claims, delivery.error) == (State.DELIVERED, 2, "")


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_tidying_rings_for_what_is_due_and_for_what_is_unread(redis_url: str, receiver: Receiver) -> None:
    hook, _secret = a_hook(a.a_user(), receiver.url)
    sweep.sweep()  # makes what every service has: that is news, too

    def rung() -> int:
        with redis.Redis.from_url(redis_url) as broker:
            broker.flushdb()
            purge.tidy()
            return int(broker.llen("send"))

    def all_read() -> None:
        for tail in consumers.CONSUMERS:
            while consumers.advance(tail, lambda _rows: None):
                pass

    all_read()
    assert rung() == 0
    services.send_test(hook=hook, by=hook.user)
    assert rung() == 1
    sender.send_waiting()
    a.an_open_event()
    assert rung() == 1
    all_read()
    assert rung() == 0


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_senders_at_once_send_everything_once(receiver: Receiver) -> None:
    event = a_called_night()
    for n in range(4):
        a_hook(event.created_by, f"{receiver.url.replace('127.0.0.1', f'127.0.0.{n + 1}')}", "match.finished")
    for table in range(3):
        reported(event, table)
    hooking.enqueue_deliveries()
    Hook.objects.exclude(url=receiver.url).update(url=receiver.url)  # four paces, one machine
    start = threading.Barrier(3)

    def run(_number: int) -> int:
        try:
            start.wait(20)
            return sender.send_waiting()
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(run, range(3))) == 12
    ids = [each.body["id"] for each in receiver.sent]
    assert len(ids) == len(set(ids)) == 12


def test_old_deliveries_and_ended_secrets_are_forgotten(receiver: Receiver, settings: LazySettings) -> None:
    hook, _secret = a_hook(a.a_user(), receiver.url)
    services.send_test(hook=hook, by=hook.user)
    services.rotate_secret(hook=hook, by=hook.user)
    HookSecret.objects.filter(ends_at__isnull=False).update(ends_at=timezone.now() - timedelta(seconds=1))
    Delivery.objects.update(made_at=timezone.now() - timedelta(days=settings.HOOK_DELIVERIES_KEPT_DAYS + 1))
    assert hooking.purge_expired_deliveries() == 0, "it waits yet"
    assert HookSecret.objects.count() == 1
    sender.send_waiting()
    assert hooking.purge_expired_deliveries() == 1


def test_names_that_nobody_answers_for_keep_no_other_name_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resolver may be silent for longer than a sending may take."""
    look_up, go = socket.getaddrinfo, threading.Event()

    def slow(host: str, *args: Any, **kwargs: Any) -> Any:
        if host == "silent.example":
            go.wait(60)
        return look_up("127.0.0.1" if host.endswith(".example") else host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    try:
        with sender.Wire() as wire:
            silent = [wire.send(read_url("https://silent.example/"), {}, b"") for _ in range(sender.MAX_CONCURRENT)]
            assert wire.send(read_url("https://quick.example/"), {}, b"").result(8).error == "address.refused"
            assert not any(each.done() for each in silent)
    finally:
        go.set()
