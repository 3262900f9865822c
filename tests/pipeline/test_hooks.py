"""Web hooks: who hears of what, how it is signed and sent, what happens when the receiver does not take it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import LazySettings
from django.db import connection, transaction
from django.utils import timezone

from accounts import backup
from accounts.models import User
from bots.jobs.process import Process
from bots.services import hide
from tests.pipeline import builders as a
from tests.pipeline.challenges import a_bot_of_two_versions, a_challenge
from tests.pipeline.clubs import a_called_night, tables_of, totals
from tests.pipeline.receivers import OK, Receiver, a_hook, a_receiver, told_and_sent
from tests.pipeline.test_playing import all_played
from tournaments.api.receiver import RECEIVER
from tournaments.errors import TournamentError
from tournaments.jobs import hooking, hooking_claims, hooking_sending, sweeping, tailing
from tournaments.jobs.hooking_addresses import read_url
from tournaments.jobs.hooking_wire import Outcome
from tournaments.models import Delivery, Follow, Hook, HookSecret, Role, Tournament
from tournaments.services import follow, stop_challenge, undoing
from tournaments.services import hooks as services
from tournaments.services.correcting import correct_result, preview_correction
from tournaments.services.reporting import Hand, submit_result

pytestmark = pytest.mark.django_db
State = Delivery.State


@pytest.fixture(autouse=True)
def opened(settings: LazySettings) -> None:
    """The receivers of these tests are on this machine."""
    settings.HOOK_NETWORKS = ["127.0.0.0/8"]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with a_receiver() as found:
        yield found


def reported(event: Tournament, table: int = 0, *points: int) -> None:
    """A scorer's result of a table."""
    submit_result(match=tables_of(event)[table], hand=Hand(user=event.created_by), claim=totals(*points or (120, 90)))


def due_now() -> None:
    """The wait between two tries is over."""
    Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))


def the_delivery() -> Delivery:
    return Delivery.objects.select_related("hook").get()


# --- what is told ---


def test_a_result_of_a_club_night_is_told_signed_and_once(receiver: Receiver) -> None:
    event = a_called_night()
    hook, secret = a_hook(event.created_by, receiver.url)
    reported(event)
    assert told_and_sent() == 2
    assert sorted(receiver.kinds) == ["match.finished", "report.confirmed"]
    assert told_and_sent() == 0
    for sent in receiver.sent:
        assert sent.is_signed_with(secret)
        assert not sent.is_signed_with(secret + "x")
        assert sent.headers["hf-id"] == sent.body["id"]
        assert sent.headers["content-type"].startswith("application/json")
    finished = next(sent.body for sent in receiver.sent if sent.body["kind"] == "match.finished")
    match = tables_of(event)[0]
    assert finished["url"].endswith(f"/api/v1/matches/{match.uuid}")
    what = finished["what"]
    assert (what["event"], what["table"], what["state"]) == (event.slug, 1, "confirmed")
    assert sorted(seat["points"] for seat in what["seats"]) == [90, 120]
    found = Delivery.objects.filter(hook=hook)
    assert {(row.state, row.status, row.tries) for row in found} == {(State.DELIVERED, 204, 1)}


def test_a_correction_and_an_undo_take_back_what_was_told(receiver: Receiver) -> None:
    event = a_called_night()
    a_hook(event.created_by, receiver.url, "report.confirmed", "report.undone")
    reported(event)
    match = tables_of(event)[0]
    seen = preview_correction(match=match, by=event.created_by, claim=totals(90, 120)).hash
    correct_result(match=match, by=event.created_by, claim=totals(90, 120), reason="turned", seen=seen)
    found = undoing.preview(tournament=event, by=event.created_by).undoable
    undoing.undo(tournament=event, by=event.created_by, seen=found.id)
    told_and_sent()
    told = sorted((each.body["at"], each.body["kind"], each.body["what"].get("why")) for each in receiver.sent)
    kinds = [(kind, why) for _at, kind, why in told]
    assert kinds.count(("report.undone", "corrected")) == 1
    assert kinds.count(("report.undone", "undone")) == 1
    assert kinds.count(("report.confirmed", None)) == 2
    undone = next(each.body["what"] for each in receiver.sent if each.body["what"].get("why") == "undone")
    assert undone["counts"] == 1, "the first report counts again"


def test_a_round_is_told_when_it_is_drawn_and_when_it_is_called(receiver: Receiver) -> None:
    user = a.a_user("organiser")
    a_hook(user, receiver.url, "round.published")
    event = a_called_night()
    Role.objects.create(user=user, tournament=event, role=Role.Kind.DIRECTOR)
    told_and_sent()
    told = [(each.body["what"]["rounds"], each.body["what"]["called"]) for each in receiver.sent]
    assert sorted(told) == [([1], False), ([1], True)]
    assert {each.body["what"]["tables"] for each in receiver.sent} == {3}


@pytest.mark.django_db(transaction=True)
def test_a_bot_that_forfeits_is_told_to_its_owner_and_a_decided_comparison_to_both(
    process: Process, receiver: Receiver
) -> None:
    event = a.a_running_event(sources=[a.CRASHES, a.FIRST])
    loser, winner = (entry.player.bot for entry in event.entries.order_by("id").select_related("player__bot__owner"))
    assert loser is not None
    a_hook(loser.owner, receiver.url, "bot.failed", watch="bot", thing=loser)
    follow(user=(fan := a.a_user("fan")), bot=winner)
    a_hook(fan, receiver.url + "?fan", "match.finished", "bot.failed", watch="followed")
    assert all_played(process)
    challenge = a_challenge()
    a_hook(challenge.by, receiver.url + "?c", "challenge.decided")
    stop_challenge(challenge=challenge, by=challenge.by)
    told_and_sent()
    told = {each.path.partition("?")[2]: each.body for each in receiver.sent}
    assert told[""]["what"] | {"bot": loser.slug, "why": "forfeit", "code": "crash"} == told[""]["what"]
    assert {each.body["kind"] for each in receiver.sent if "fan" in each.path} == {"match.finished"}
    assert told["c"]["what"] | {"state": "inconclusive", "reason": "stopped"} == told["c"]["what"]
    assert told["c"]["url"].endswith(f"/api/v1/challenges/{challenge.uuid}")


# --- who may hear of it, when it is sent ---


def give_away(event: Tournament) -> None:
    Role.objects.filter(tournament=event).delete()


def deactivate(event: Tournament) -> None:
    User.objects.filter(pk=event.created_by_id).update(is_active=False)


def switch_off(event: Tournament) -> None:
    hook = Hook.objects.get()
    services.switch_hook(hook=hook, by=hook.user, on=False)


@pytest.mark.parametrize(
    ("losing", "why"), [(give_away, "right.lost"), (deactivate, "right.lost"), (switch_off, "hook.off")]
)
def test_whoever_loses_the_right_before_it_is_sent_is_not_told(
    receiver: Receiver, losing: Callable[[Tournament], None], why: str
) -> None:
    event = a_called_night()
    a_hook(event.created_by, receiver.url, "match.finished", watch="event", thing=event)
    reported(event)
    hooking.tell_hooks()
    losing(event)
    assert hooking_sending.send_waiting() == 0
    assert not receiver.sent
    delivery = the_delivery()
    assert (delivery.state, delivery.error) == (State.DROPPED, why)


@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
def test_followers_hear_of_an_event_as_long_as_they_may_open_it(receiver: Receiver, visibility: str) -> None:
    event, fan = a_called_night(), a.a_user("fan")
    follow(user=fan, tournament=event)
    a_hook(fan, receiver.url, "match.finished", watch="followed")
    reported(event)
    hooking.tell_hooks()
    Tournament.objects.filter(pk=event.pk).update(visibility=visibility)
    hooking_sending.send_waiting()
    assert len(receiver.sent) == (visibility != "private")
    Follow.objects.all().delete()
    reported(event, 1)
    told_and_sent()
    assert len(receiver.sent) == (visibility != "private")


def test_the_number_of_a_hidden_version_is_told_to_its_owner_alone(receiver: Receiver) -> None:
    bot = a_bot_of_two_versions()
    rival = a.a_bot()
    event = a.an_open_event()
    a.entered(event, [bot, rival])
    challenge = a_challenge(bot)
    hooking.tell_hooks()
    hide(version=challenge.candidate, by=bot.owner, reason="not yet")
    a_hook(bot.owner, receiver.url, "challenge.decided")
    staff = a.a_user("watcher")
    hook, _secret = a_hook(staff, receiver.url + "?w", "challenge.decided")
    stop_challenge(challenge=challenge, by=challenge.by)
    told_and_sent()
    assert [each.body["what"]["candidate"]["version"] for each in receiver.sent] == [challenge.candidate.n]
    assert not Delivery.objects.filter(hook=hook).exists(), "somebody's own test is nobody else's"


def test_a_hook_for_one_thing_hears_of_nothing_else_and_only_of_ones_own(receiver: Receiver) -> None:
    event, other = a_called_night(), a_called_night()
    a_hook(event.created_by, receiver.url, "match.finished", watch="event", thing=event)
    reported(other)
    assert told_and_sent() == 0
    for thing in (other, a.a_bot()):
        watch = "event" if isinstance(thing, Tournament) else "bot"
        with pytest.raises(TournamentError) as refused:
            a_hook(event.created_by, receiver.url, watch=watch, thing=thing)
        assert refused.value.code == "hook.not_yours"


# --- how it is sent ---


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
    assert hooking_sending.send_waiting() == 0, "not before its time"
    due_now()
    receiver.answer = lambda _sent: OK
    assert hooking_sending.send_waiting() == 1
    first, second = receiver.sent
    assert first.body == second.body
    assert (first.headers["hf-try"], second.headers["hf-try"]) == ("1", "2")
    assert (the_delivery().state, Hook.objects.get().shown_state) == (State.DELIVERED, "active")


def test_after_eight_more_tries_it_is_given_up_and_can_be_sent_again(receiver: Receiver) -> None:
    event = a_called_night()
    hook, _secret = a_hook(event.created_by, receiver.url, "match.finished")
    reported(event)
    receiver.answer = lambda _sent: (503, {}, b"")
    hooking.tell_hooks()
    for _try in range(12):
        due_now()
        hooking_sending.send_waiting()
    assert len(receiver.sent) == 9
    assert the_delivery().state == State.FAILED
    receiver.answer = lambda _sent: OK
    services.send_again(delivery=the_delivery(), by=hook.user)
    hooking_sending.send_waiting()
    assert (the_delivery().state, the_delivery().tries, len(receiver.sent)) == (State.DELIVERED, 1, 10)
    assert len({each.body["id"] for each in receiver.sent}) == 1


def test_a_hook_that_fails_for_days_is_switched_off_and_says_so(receiver: Receiver) -> None:
    event = a_called_night()
    hook, _secret = a_hook(event.created_by, receiver.url, "match.finished")
    reported(event)
    reported(event, 1)
    hooking.tell_hooks()
    receiver.answer = lambda _sent: (404, {}, b"gone")
    Hook.objects.update(failing_since=timezone.now() - timedelta(days=4), failures=30)
    hooking_sending.send_waiting()
    hook.refresh_from_db()
    assert (hook.state, hook.reason, len(receiver.sent)) == ("stopped", "failing", 1)
    assert set(Delivery.objects.values_list("state", flat=True)) == {State.DROPPED}
    services.switch_hook(hook=hook, by=hook.user, on=True)
    assert (hook.shown_state, hook.failures, hook.reason) == ("active", 0, "")


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
        hooking.tell_hooks()
        Delivery.objects.exclude(hook__url=quick.url).exclude(
            pk=Delivery.objects.exclude(hook__url=quick.url).order_by("pk")[0].pk
        ).delete()
        assert hooking_sending.send_waiting() == 4
    assert set(Delivery.objects.values_list("state", flat=True)) == {State.DELIVERED}


def test_the_pace_to_one_receiver_is_kept(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooking_claims, "PACE", 2)
    event = a_called_night()
    a_hook(event.created_by, receiver.url, "match.finished")
    for table in range(3):
        reported(event, table)
    assert told_and_sent() == 2
    left = Delivery.objects.get(state=State.OPEN)
    assert (left.tries, left.due_at > timezone.now()) == (0, True)


def test_a_hook_that_does_not_keep_up_keeps_so_many_and_counts_the_rest(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooking, "MOST_WAITING", 2)
    event = a_called_night()
    hook, _secret = a_hook(event.created_by, receiver.url, "match.finished")
    for table in range(3):
        reported(event, table)
    hooking.tell_hooks()
    hook.refresh_from_db()
    assert (Delivery.objects.count(), hook.left_out) == (2, 1)


# --- claims ---


def test_a_sender_that_dies_leaves_its_claim_to_the_next_and_a_late_one_writes_nothing(receiver: Receiver) -> None:
    event = a_called_night()
    a_hook(event.created_by, receiver.url, "match.finished")
    reported(event)
    hooking.tell_hooks()
    (dead,) = hooking_claims.claim(16, 8, set())
    assert hooking_claims.claim(16, 8, set()) == []
    due_now()  # its claim has run out
    assert hooking_sending.send_waiting() == 1
    assert not hooking_claims.record(dead, Outcome(None, "connection.failed", 5))
    delivery = the_delivery()
    assert (delivery.state, delivery.claims, delivery.error) == (State.DELIVERED, 2, "")


@pytest.mark.django_db(transaction=True)
def test_the_sweep_rings_for_what_is_due_and_for_what_is_unread(redis_url: str, receiver: Receiver) -> None:
    hook, _secret = a_hook(a.a_user(), receiver.url)
    sweeping.sweep()  # makes what every service has: that is news, too

    def rung() -> int:
        with redis.Redis.from_url(redis_url) as broker:
            broker.flushdb()
            sweeping.sweep()
            return int(broker.llen("send"))

    def all_read() -> None:
        for tail in tailing.TAILS:
            while tailing.advance(tail, lambda _rows: None):
                pass

    all_read()
    assert rung() == 0
    services.send_test(hook=hook, by=hook.user)
    assert rung() == 1
    hooking_sending.send_waiting()
    a.an_open_event()
    assert rung() == 1
    all_read()
    assert rung() == 0


@pytest.mark.django_db(transaction=True)
def test_senders_at_once_send_everything_once(receiver: Receiver) -> None:
    event = a_called_night()
    for n in range(4):
        a_hook(event.created_by, f"{receiver.url.replace('127.0.0.1', f'127.0.0.{n + 1}')}", "match.finished")
    for table in range(3):
        reported(event, table)
    hooking.tell_hooks()
    Hook.objects.exclude(url=receiver.url).update(url=receiver.url)  # four paces, one machine
    start = threading.Barrier(3)

    def run(_number: int) -> int:
        try:
            start.wait(20)
            return hooking_sending.send_waiting()
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
    assert hooking.forget_deliveries() == 0, "it waits yet"
    assert HookSecret.objects.count() == 1
    hooking_sending.send_waiting()
    assert hooking.forget_deliveries() == 1


# --- secrets ---


def test_two_secrets_sign_until_the_old_one_ends(receiver: Receiver) -> None:
    hook, first = a_hook(a.a_user(), receiver.url)
    second = services.rotate_secret(hook=hook, by=hook.user)
    third = services.rotate_secret(hook=hook, by=hook.user)

    def tried() -> list[bool]:
        services.send_test(hook=hook, by=hook.user)
        hooking_sending.send_waiting()
        return [receiver.sent[-1].is_signed_with(secret) for secret in (first, second, third)]

    assert tried() == [False, True, True]
    assert services.end_old_secret(hook=hook, by=hook.user) == 1
    assert tried() == [False, False, True]
    assert receiver.kinds == ["ping", "ping"]


def test_under_another_key_of_the_service_nothing_is_sent_and_the_hook_says_so(
    receiver: Receiver, settings: LazySettings
) -> None:
    hook, _secret = a_hook(a.a_user(), receiver.url)
    settings.SECRET_KEY = "another-" * 8
    services.send_test(hook=hook, by=hook.user)
    assert hooking_sending.send_waiting() == 0
    hook.refresh_from_db()
    assert (hook.state, hook.reason) == ("stopped", "secret")
    secret = services.rotate_secret(hook=hook, by=hook.user, keep_hours=0)
    hook.refresh_from_db()
    services.send_test(hook=hook, by=hook.user)
    hooking_sending.send_waiting()
    assert receiver.sent[-1].is_signed_with(secret)


@pytest.mark.django_db(transaction=True)
def test_a_backup_has_the_hook_and_not_its_secret(receiver: Receiver, tmp_path: Path) -> None:
    _hook, secret = a_hook(a.a_user(), receiver.url)
    summary = backup.write(tmp_path / "all.zst")
    rows = {name: n for name, n in summary.rows.items() if name.startswith("tournaments.hook")}
    assert rows == {"tournaments.hook": 1, "tournaments.hooksecret": 1}
    plain = b"".join(line for model in backup.kept_models() for line in backup._lines(model))
    assert HookSecret.objects.get().nonce.encode() in plain
    assert secret[4:].encode() not in plain


def test_the_receiver_of_the_documentation_takes_what_we_send_and_nothing_else(receiver: Receiver) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    hook, secret = a_hook(a.a_user(), f"http://127.0.0.1:{port}/")
    environment = {**os.environ, "HOOK_SECRET": secret, "PORT": str(port)}
    running = subprocess.Popen([sys.executable, "-c", RECEIVER], env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)  # fmt: skip
    try:
        assert running.stdout is not None
        for _try in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            running.poll()
            threading.Event().wait(0.05)
        services.send_test(hook=hook, by=hook.user)
        hooking_sending.send_waiting()
        assert the_delivery().status == 204
        assert running.stdout.readline().startswith("ping ")
        services.rotate_secret(hook=hook, by=hook.user, keep_hours=0)
        services.send_test(hook=hook, by=hook.user)
        hooking_sending.send_waiting()
        assert Delivery.objects.order_by("-pk")[0].status == 400, "signed with a secret it does not know"
    finally:
        running.send_signal(signal.SIGKILL)
        running.communicate()


# --- where to ---

REFUSED = """
http://127.0.0.1/ http://[::1]/ http://10.1.2.3/ http://192.168.1.1/ http://172.16.0.1/ http://169.254.169.254/latest/
http://100.64.0.1/ http://0.0.0.0/ http://[::]/ http://[fe80::1]/ http://[fd00::1]/ http://[::ffff:127.0.0.1]/
http://[::ffff:8.8.8.8]/ http://[64:ff9b::7f00:1]/ http://[64:ff9b:1::1]/ http://[2002:7f00:1::]/ http://[2001:0:1::1]/
http://224.0.0.1/ http://255.255.255.255/ http://198.18.0.1/ http://192.0.2.1/ http://[ff02::1]/ http://[2001:db8::1]/
ftp://example.org/ file:///etc/passwd javascript:alert(1) //example.org/ example.org https:///path https://user@example.org/
https://user:pw@example.org/ https://example.org/#part https://example.org:22/ https://example.org:6379/
https://example.org:25/ https://example.org:99999/ https://example.org:0/ https://exa\tmple.org/ https://ex%61mple.org/
"""


@pytest.mark.parametrize("url", [*REFUSED.split(" "), "https://example.org/" + "x" * 500, "", "https://[::1"])
def test_an_address_that_cannot_be_is_refused_when_it_is_typed(url: str, settings: LazySettings) -> None:
    settings.HOOK_NETWORKS = []
    for one in url.split("\n") or [""]:
        if one or not url:
            with pytest.raises(TournamentError) as refused:
                read_url(one)
            assert refused.value.code == "hook.bad_url"


@pytest.mark.parametrize(
    ("url", "receiver"),
    [
        ("https://Example.org/x?y=1", "example.org:443"),
        ("http://8.8.8.8:8080/", "8.8.8.8:8080"),
        ("https://[2606:4700::1111]/", "[2606:4700::1111]:443"),
    ],
)
def test_an_address_of_the_public_internet_is_taken(url: str, receiver: str) -> None:
    assert read_url(url).receiver == receiver


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """`names("a.example", ["127.0.0.2"], ["127.0.0.1"])`: what the name means the first time, the second time, .."""
    real = socket.getaddrinfo

    def mean(name: str, *answers: list[str]) -> list[str]:
        asked: list[str] = []

        def look_up(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
            if host != name:
                return real(host, port, *rest, **more)
            asked.append(name)
            found = answers[min(len(asked), len(answers)) - 1]
            family = {True: socket.AF_INET6, False: socket.AF_INET}
            return [(family[":" in ip], socket.SOCK_STREAM, 6, "", (ip, port)) for ip in found]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return asked

    return mean


@pytest.mark.parametrize(
    "found",
    [
        ["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"], ["100.100.100.200"], ["::1"],
        ["::ffff:10.0.0.1"], ["64:ff9b::a00:1"], ["2002:a00:1::1"], ["fe80::1%eth0"], ["fd12::1"], ["0.0.0.0"],
    ],
)  # fmt: skip
def test_a_name_that_means_a_machine_of_our_own_is_refused_at_every_sending(
    names: Callable[..., list[str]], settings: LazySettings, found: list[str]
) -> None:
    settings.HOOK_NETWORKS = []
    names("inside.example", found)
    hook, _secret = a_hook(a.a_user(), "http://inside.example:8080/")
    services.send_test(hook=hook, by=hook.user)
    hooking_sending.send_waiting()
    assert (the_delivery().state, the_delivery().error, the_delivery().status) == (
        State.FAILED,
        "address.refused",
        None,
    )


def test_a_name_that_means_another_machine_the_next_time_gains_nothing(
    names: Callable[..., list[str]], settings: LazySettings, receiver: Receiver
) -> None:
    """The name is asked for once, and the connection goes to the very address that was judged, under its own name."""
    port = int(receiver.url.rpartition(":")[2].partition("/")[0])
    settings.HOOK_NETWORKS = ["127.0.0.2/32"]
    with a_receiver("127.0.0.2", port) as allowed:
        asked = names("turns.example", ["127.0.0.2"], ["127.0.0.1"])
        hook, _secret = a_hook(a.a_user(), f"http://turns.example:{port}/in?x=1")
        services.send_test(hook=hook, by=hook.user)
        hooking_sending.send_waiting()
        assert len(asked) == 1
        assert not receiver.sent
        (sent,) = allowed.sent
        assert (sent.headers["host"], sent.path) == (f"turns.example:{port}", "/in?x=1")
        services.send_test(hook=hook, by=hook.user)
        hooking_sending.send_waiting()
    assert not receiver.sent, "the second time it means 127.0.0.1, which is not opened"
    assert Delivery.objects.order_by("-pk")[0].error == "address.refused"


def test_a_certificate_is_asked_for_by_name_and_has_to_be_good(names: Callable[..., list[str]], tmp_path: Path) -> None:
    """A machine with a certificate of nobody's: the name is sent (SNI), the certificate refused."""
    import ssl

    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=own.example", "-days", "2",
         "-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")],
        capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("no openssl on this machine")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    asked: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked.append(name)
    with socket.create_server(("127.0.0.1", 0)) as server:
        names("own.example", ["127.0.0.1"])
        hook, _secret = a_hook(a.a_user(), f"https://own.example:{server.getsockname()[1]}/")
        services.send_test(hook=hook, by=hook.user)

        def take() -> None:
            taken, _peer = server.accept()
            try:
                context.wrap_socket(taken, server_side=True).close()
            except OSError:
                taken.close()

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        hooking_sending.send_waiting()
        thread.join(10)
    assert asked == ["own.example"]
    assert (the_delivery().state, the_delivery().error) == (State.FAILED, "tls.failed")


def test_nothing_that_is_told_of_a_sending_names_its_address(
    receiver: Receiver, capsys: pytest.CaptureFixture[str]
) -> None:
    """An address may hold a key of the receiver's: neither the log nor the audit has it."""
    from bots.models import AuditEvent

    hook, _secret = a_hook(a.a_user(), f"{receiver.url}?key=plum-key-17")
    services.send_test(hook=hook, by=hook.user)
    hooking_sending.send_waiting()
    services.delete_hook(hook=hook, by=hook.user)
    said = capsys.readouterr()
    assert "plum-key-17" not in said.out + said.err + str(list(AuditEvent.objects.values_list("after", flat=True)))
    assert re.search(r"hook\.sent", said.out + said.err) is None or "state" in said.out + said.err


def test_there_is_a_limit_and_deleting_makes_room(receiver: Receiver) -> None:
    user = a.a_user()
    made = [a_hook(user, receiver.url)[0] for _ in range(services.MOST_HOOKS)]
    with pytest.raises(TournamentError) as refused:
        a_hook(user, receiver.url)
    assert refused.value.code == "hook.limit"
    services.delete_hook(hook=made[0], by=user)
    with transaction.atomic():
        a_hook(user, receiver.url)
