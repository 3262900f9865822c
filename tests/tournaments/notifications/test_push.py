"""Web Push: who is told what in which words, once; what becomes of browsers that are gone and services that fail."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone
from py_vapid import Vapid02

from accounts.models import User
from bots.models import AuditEvent
from core.errors import TournamentError
from tests.builders import clubs
from tests.builders import events as a
from tests.builders.browsers import Browser, PushService, pushes_due_now, told_and_pushed
from tests.services.names import names
from tests.tournaments.entries.test_links import link_of
from tournaments.entries.links import renew_link
from tournaments.floor import announcements
from tournaments.models import EntryLink, Notice, PushMessage, PushSubscription, Tournament
from tournaments.notifications import consumer
from tournaments.notifications.follow import mark_read
from tournaments.notifications.plans import choose_notices
from tournaments.notifications.push import queue, sender
from tournaments.notifications.push.figures import figures
from tournaments.notifications.push.subscriptions import subscribe, unsubscribe
from tournaments.operations import purge
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.webhooks.http import Outcome
from tournaments.webhooks.sender import Wire

__all__ = ["names"]
pytestmark = pytest.mark.django_db
State = PushMessage.State


@pytest.fixture(autouse=True)
def begun(db: None) -> None:
    """The reader of the outbox has begun: it reads what is told from now on."""
    consumer.notice_news()


def playing(event: Tournament, name: str) -> User:
    """An account that says that it is this person of the event."""
    user = a.a_user()
    player = clubs.person(event, name).player
    player.user = user
    player.save()
    return user


def a_night_with(service: PushService, name: str = "Aiko") -> tuple[Tournament, EntryLink, Browser]:
    """A drawn night that is not called, and the phone of somebody with a private link who wants to be told."""
    event = clubs.a_club_night()
    link, browser = link_of(event, name), service.browser()
    subscribe(browser=browser.keys, link=link)
    start_tournament(tournament=event, by=event.created_by)
    return event, link, browser


def call(event: Tournament) -> None:
    call_round(round_row=clubs.round_of(event, 1), by=event.created_by)


def the_message() -> PushMessage:
    return PushMessage.objects.get(notice__kind="called")


@pytest.mark.thorough
def test_a_phone_without_an_account_is_told_its_table_now(push_service: PushService) -> None:
    event, link, browser = a_night_with(push_service)
    told_and_pushed()
    call(event)
    told_and_pushed()
    drawn, called = push_service.messages(browser)
    table = next(each for each in clubs.tables_of(event) if each.seats.filter(entry=link.entry).exists())
    names = [str(seat.entry) for seat in table.seats.order_by("index")]
    assert drawn["title"] == "Club night"
    assert drawn["body"].startswith(f"Club night, round 1: you sit at table {table.table_no} (")
    assert called["title"] == f"Table {table.table_no}, now"
    assert called["body"] == f"Club night, round 1: table {table.table_no} is called now ({names[0]}, {names[1]})."
    assert called["url"] == f"/e/my/{link.entry.uuid}/table/{table.uuid}/"
    assert called["pages"] == [f"/x/{table.uuid}/", f"/e/my/{link.entry.uuid}/"]
    assert drawn["tag"] == called["tag"], "the newer one takes the place of the older one on the screen"
    headers = push_service.pushed[-1].headers
    assert (headers["content-encoding"], headers["urgency"]) == ("aes128gcm", "high")
    assert 800 < int(headers["ttl"]) <= 900
    assert headers["topic"] == the_message().uuid.hex


@pytest.mark.thorough
def test_it_is_signed_for_the_push_service_under_the_key_that_pages_show(push_service: PushService) -> None:
    event, _link, _browser = a_night_with(push_service)
    call(event)
    told_and_pushed()
    signed = push_service.pushed[-1].headers["authorization"]
    assert Vapid02.verify(signed)
    parts = dict(each.split("=", 1) for each in signed.removeprefix("vapid ").split(","))
    assert parts["k"] == PushSubscription.objects.get().server_key
    body = parts["t"].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    assert claims["aud"] == push_service.url.removesuffix("/push")
    assert claims["exp"] > timezone.now().timestamp()


@pytest.mark.thorough
def test_a_call_is_told_once_in_the_language_of_its_reader(push_service: PushService) -> None:
    event = clubs.a_club_night()
    user, browser = playing(event, "Ben"), push_service.browser()
    user.language = "fr"
    user.save()
    subscribe(browser=browser.keys, user=user)
    start_tournament(tournament=event, by=event.created_by)
    call(event)
    told_and_pushed()
    told_and_pushed()
    # The seating is not worth a message any more once the table is called.
    (only,) = push_service.messages(browser)
    assert only["lang"] == "fr"
    notice = Notice.objects.get(reader=user, kind="called")
    assert only["url"] == f"/me/follow/{notice.pk}/"


@pytest.mark.thorough
def test_who_reads_the_page_first_or_chose_otherwise_is_not_disturbed(push_service: PushService) -> None:
    event = clubs.a_club_night()
    ben, chiyo, mail_only = (playing(event, name) for name in ("Ben", "Chiyo", "Dai"))
    for user in (ben, chiyo, mail_only):
        subscribe(browser=push_service.browser().keys, user=user)
    choose_notices(user=mail_only, choices={"called": "instant"}, push={"called": False, "table": False})
    start_tournament(tournament=event, by=event.created_by)
    call(event)
    consumer.notice_news()
    mark_read(user=ben)
    sender.send_waiting()
    assert len(push_service.pushed) == 1
    sent = PushMessage.objects.filter(state=State.SENT)
    assert list(sent.values_list("subscription__user", "notice__kind")) == [(chiyo.pk, "called")]
    assert not PushMessage.objects.filter(subscription__user=mail_only).exists()


@pytest.mark.thorough
def test_a_browser_with_an_account_and_a_link_hears_of_a_table_once(push_service: PushService) -> None:
    event, link, browser = a_night_with(push_service)
    subscribe(browser=browser.keys, user=playing(event, link.entry.player.name))
    call(event)
    told_and_pushed()
    assert [each["title"] for each in push_service.messages(browser)] == [the_message_title(event, link)]


def the_message_title(event: Tournament, link: EntryLink) -> str:
    table = next(each for each in clubs.tables_of(event) if each.seats.filter(entry=link.entry).exists())
    return f"Table {table.table_no}, now"


@pytest.mark.thorough
def test_an_announcement_reaches_everybody_with_a_link_and_no_withdrawn_one(push_service: PushService) -> None:
    event, _link, browser = a_night_with(push_service)
    told_and_pushed()
    said = announcements.announce(tournament=event, by=event.created_by, text="Tea is ready.")
    told_and_pushed()
    assert push_service.messages(browser)[-1]["body"] == "Club night: “Tea is ready.”"
    gone = announcements.announce(tournament=event, by=event.created_by, text="Wrong room.")
    consumer.notice_news()
    announcements.withdraw_announcement(tournament=event, by=event.created_by, number=gone.number)
    assert said.number != gone.number
    sender.send_waiting()
    assert len(push_service.pushed) == 2
    assert PushMessage.objects.filter(state=State.DROPPED, error="not.wanted").count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_removed_with_all_that_waits(push_service: PushService, status: int) -> None:
    event, _link, _browser = a_night_with(push_service)
    call(event)
    push_service.answer = lambda _pushed: (status, {})
    told_and_pushed()
    assert not PushSubscription.objects.exists()
    assert not PushMessage.objects.exists()
    assert AuditEvent.objects.get(verb="push.end").after == {"reason": "ended"}


@pytest.mark.thorough
def test_a_service_that_asks_for_time_gets_it(push_service: PushService) -> None:
    event, _link, browser = a_night_with(push_service)
    call(event)
    push_service.answer = lambda _pushed: (429, {"Retry-After": "120"})
    told_and_pushed()
    waits = the_message()
    assert (waits.state, waits.status, waits.attempts) == (State.OPEN, 429, 1)
    assert timedelta(seconds=110) < waits.due_at - timezone.now() <= timedelta(seconds=120)
    assert sender.send_waiting() == 0, "not before its time"
    pushes_due_now()
    push_service.answer = lambda _pushed: (201, {})
    sender.send_waiting()
    first, second = push_service.pushed
    assert first.headers["topic"] == second.headers["topic"]
    assert browser.read(first.raw)["id"] == browser.read(second.raw)["id"]
    assert the_message().state == State.SENT


@pytest.mark.thorough
def test_a_service_that_fails_is_tried_again_and_given_up_before_the_call_is_stale(
    push_service: PushService, caplog: pytest.LogCaptureFixture
) -> None:
    event, _link, _browser = a_night_with(push_service)
    call(event)
    push_service.answer = lambda _pushed: (500, {})
    consumer.notice_news()
    for _try in range(8):
        pushes_due_now()
        sender.send_waiting()
    message, row = the_message(), PushSubscription.objects.get()
    assert (message.state, message.status, row.failures) == (State.FAILED, 500, 1)
    assert 3 <= len(push_service.pushed) <= len(queue.BACK_OFF_S) + 1
    assert figures().done == {"sent": 0, "failed": 1, "dropped": 1}
    assert any("push.given_up" in each.getMessage() for each in caplog.records)


@pytest.mark.thorough
def test_what_fails_for_days_is_removed(push_service: PushService) -> None:
    event, _link, _browser = a_night_with(push_service)
    call(event)
    PushSubscription.objects.update(failing_since=timezone.now() - timedelta(days=4), failures=9)
    push_service.answer = lambda _pushed: (403, {})
    told_and_pushed()
    assert not PushSubscription.objects.exists()
    assert AuditEvent.objects.get(verb="push.end").after == {"reason": "failing"}


@pytest.mark.thorough
def test_a_sender_that_dies_leaves_its_claim_to_the_next_and_its_copy_replaces_the_first(
    push_service: PushService,
) -> None:
    event, _link, browser = a_night_with(push_service)
    call(event)
    consumer.notice_news()
    PushMessage.objects.exclude(notice__kind="called").delete()
    (dead,) = queue.claim(16, set())
    assert queue.claim(16, set()) == []
    prepared = sender._prepared(dead)
    assert prepared is not None
    with Wire() as wire:  # it was taken, and then the sender died
        assert wire.send(*prepared).result().is_taken
    pushes_due_now()  # its claim has run out
    assert sender.send_waiting() == 1
    sender.record(dead, Outcome(None, "connection.failed", 5))
    first, second = push_service.pushed
    assert first.headers["topic"] == second.headers["topic"], "one topic: the service replaces what it has not given"
    assert browser.read(first.raw)["id"] == browser.read(second.raw)["id"], "one id: the browser shows it once"
    assert (the_message().state, the_message().attempts) == (State.SENT, 2)


@pytest.mark.parametrize(
    ("endpoint", "networks"),
    [
        ("http://127.0.0.1:8080/push", ["127.0.0.0/8"]),
        ("https://127.0.0.1:8443/push", []),
        ("https://169.254.169.254/latest", []),
        ("https://name:word@push.example/x", []),
        ("https://push.example:5432/x", []),
        ("javascript:alert(1)", []),
        ("https://push.example/" + "x" * 500, []),
        ("", []),
    ],
)
def test_only_https_on_the_public_internet_is_an_endpoint(
    endpoint: str, networks: list[str], settings: LazySettings
) -> None:
    settings.HOOK_NETWORKS = networks
    with pytest.raises(TournamentError) as refused:
        subscribe(browser=Browser(endpoint).keys, user=a.a_user())
    assert refused.value.code == "push.bad_endpoint"


@pytest.mark.thorough
def test_a_name_that_leads_inside_is_never_connected_to(
    push_service: PushService, settings: LazySettings, names: Callable[..., list[str]]
) -> None:
    event, _link, _browser = a_night_with(push_service)
    names("inside.example", ["127.0.0.1"])
    PushSubscription.objects.update(endpoint=push_service.url.replace("127.0.0.1", "inside.example"))
    settings.HOOK_NETWORKS = []
    call(event)
    told_and_pushed()
    assert push_service.pushed == []
    assert the_message().error == "address.refused"


@pytest.mark.thorough
def test_a_redirect_is_not_followed(push_service: PushService) -> None:
    event, _link, _browser = a_night_with(push_service)
    call(event)
    push_service.answer = lambda pushed: (307, {"Location": f"{push_service.url}/elsewhere"})
    told_and_pushed()
    assert len(push_service.pushed) == 1
    assert (the_message().state, the_message().error) == (State.FAILED, "answer.redirect")


@pytest.mark.parametrize("keys", [{"public_key": "AAAA"}, {"auth_secret": "AAAA"}, {"public_key": "no base64 ☃"}])
def test_keys_that_cannot_encrypt_are_refused(keys: dict[str, str]) -> None:
    with pytest.raises(TournamentError) as refused:
        subscribe(browser=replace(Browser("https://push.example/x").keys, **keys), user=a.a_user())
    assert refused.value.code == "push.bad_key"


def test_an_account_has_ten_browsers_and_a_second_press_changes_nothing() -> None:
    user = a.a_user()
    for n in range(10):
        subscribe(browser=Browser(f"https://push.example/{n}").keys, user=user)
    again = subscribe(browser=Browser("https://push.example/3").keys, user=user)
    assert PushSubscription.objects.filter(user=user).count() == 10
    with pytest.raises(TournamentError) as refused:
        subscribe(browser=Browser("https://push.example/more").keys, user=user)
    assert refused.value.code == "push.too_many"
    unsubscribe(row=again, by=user)
    unsubscribe(row=again, by=user)
    verbs = AuditEvent.objects.filter(actor=user, verb__startswith="push.").values_list("verb", flat=True)
    assert (len(verbs), list(verbs).count("push.unsubscribe")) == (11, 1)


@pytest.mark.thorough
def test_a_renewed_link_and_another_key_of_the_service_end_it(
    push_service: PushService, settings: LazySettings
) -> None:
    event, link, _browser = a_night_with(push_service)
    renew_link(entry=link.entry, by=event.created_by)
    call(event)
    told_and_pushed()
    assert push_service.pushed == []
    other = push_service.browser()
    subscribe(browser=other.keys, link=link_of(event, "Ben"))
    announcements.announce(tournament=event, by=event.created_by, text="Tea.")
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another key of the server" * 3
    settings.SECRET_KEY_FALLBACKS = [old]
    told_and_pushed()
    assert len(push_service.messages(other)) == 1, "a key among the fallbacks still signs"
    settings.SECRET_KEY_FALLBACKS = []
    announcements.announce(tournament=event, by=event.created_by, text="Cake.")
    told_and_pushed()
    assert len(push_service.pushed) == 1
    assert AuditEvent.objects.get(verb="push.end").after == {"reason": "key"}


@pytest.mark.thorough
def test_tidying_drops_messages_of_a_week_ago(push_service: PushService) -> None:
    event, _link, _browser = a_night_with(push_service)
    call(event)
    told_and_pushed()
    PushMessage.objects.update(made_at=timezone.now() - timedelta(days=8))
    assert purge.tidy()["pushes"] == PushMessage.objects.count() + 2
    assert not PushMessage.objects.exists()
