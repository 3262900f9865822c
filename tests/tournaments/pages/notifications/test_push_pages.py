"""The button of notifications: for whom it is, what it stores, and that nobody else reads or removes it."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.test import Client

from tests.builders import clubs
from tests.builders import events as a
from tests.builders.browsers import Browser
from tests.services.databases import on_sqlite
from tests.tournaments.entries.test_links import link_of
from tests.tournaments.pages.floor.test_my_day import a_phone, day_of
from tests.tournaments.pages.notifications.test_following import signed_in
from tournaments.models import Notice, NoticePlan, PushMessage, PushSubscription
from tournaments.notifications import consumer
from tournaments.notifications.plans_query import has_push
from tournaments.notifications.push.keys import server_key
from tournaments.people.own_data import own_data
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db


def a_browser(n: int = 1) -> Browser:
    return Browser(f"https://push.example/{n}")


def journey_of_a_phone() -> None:
    """A phone with a private link is subscribed, told of a call and unsubscribed."""
    event = clubs.a_club_night()
    consumer.notice_news()
    link, browser = link_of(event, "Aiko"), a_browser()
    phone = a_phone(event, "Aiko")
    day = day_of(event, "Aiko")
    assert f'data-key="{server_key()}"' in phone.get(day).content.decode()
    answer = phone.post(f"{day}push/on/", browser.form, follow=True)
    page = answer.content.decode()
    assert "This browser will notify you." in page
    row = PushSubscription.objects.get()
    assert (row.link, row.user, row.receiver) == (link, None, "push.example:443")
    assert row.endpoint_digest in page
    assert "push.example/1" not in page, "the address is a key to the browser"
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=clubs.round_of(event, 1), by=event.created_by)
    consumer.notice_news()
    assert list(Notice.objects.filter(link=link).values_list("what", flat=True)) == ["seated", "called"]
    assert PushMessage.objects.count() == 2
    assert "data-called" in phone.get(day).content.decode()
    page = phone.post(f"{day}push/off/", {"endpoint": browser.endpoint}, follow=True).content.decode()
    assert "no longer notifies you" in page
    assert not PushSubscription.objects.exists()


@pytest.mark.thorough
def test_a_phone_with_a_link_is_subscribed_told_and_unsubscribed() -> None:
    journey_of_a_phone()


@pytest.mark.thorough
@on_sqlite
def test_a_phone_with_a_link_is_subscribed_told_and_unsubscribed_on_sqlite(database: str) -> None:
    journey_of_a_phone()


def test_an_account_switches_a_browser_on_lists_it_and_stops_it_without_script() -> None:
    user = a.a_user()
    client = signed_in(user)
    client.post("/me/push/on/", a_browser().form)
    client.post("/me/push/on/", a_browser().form)
    row = PushSubscription.objects.get(user=user)
    page = client.get("/me/notices/").content.decode()
    assert "1 browser is notified" in page
    assert str(row.uuid) in page
    client.post("/me/push/off/", {"browser": str(row.uuid)})
    client.post("/me/push/off/", {"browser": "nonsense"})
    assert not PushSubscription.objects.exists()


def test_nobody_else_reaches_a_subscription() -> None:
    event, rival = clubs.a_club_night(), a.a_user()
    phone = a_phone(event, "Aiko")
    phone.post(f"{day_of(event, 'Aiko')}push/on/", a_browser().form)
    row = PushSubscription.objects.get()
    stranger, other = Client(), a_phone(event, "Ben")
    for client in (stranger, other):
        assert client.post(f"{day_of(event, 'Aiko')}push/off/", {"browser": str(row.uuid)}).status_code == 404
        assert client.post(f"{day_of(event, 'Aiko')}push/on/", a_browser(2).form).status_code == 404
    other.post(f"{day_of(event, 'Ben')}push/off/", {"browser": str(row.uuid)})
    signed_in(rival).post("/me/push/off/", {"browser": str(row.uuid), "endpoint": row.endpoint})
    assert PushSubscription.objects.get() == row
    assert stranger.post("/me/push/on/", a_browser(3).form).headers["Location"].startswith("/login/")
    assert row.endpoint_digest not in other.get(day_of(event, "Ben")).content.decode()
    assert phone.get(f"{day_of(event, 'Aiko')}push/on/").status_code == 405
    assert phone.post(f"{day_of(event, 'Aiko')}push/more/").status_code == 404


def test_a_lie_is_refused_with_words(client: Client) -> None:
    client = signed_in(a.a_user())
    form = {**a_browser().form, "endpoint": "https://127.0.0.1/admin"}
    page = client.post("/me/push/on/", form, follow=True).content.decode()
    assert "push.bad_endpoint" in page
    assert not PushSubscription.objects.exists()


def test_each_kind_is_chosen_for_browsers_as_for_mails() -> None:
    user = a.a_user()
    client = signed_in(user)
    page = client.get("/me/notices/").content.decode()
    assert 'name="push-called" checked' in page
    assert 'name="push-version">' in page
    client.post("/me/notices/", {"called": "instant", "said": "page", "push-said": "on"})
    plan = NoticePlan.objects.get(user=user)
    assert plan.push == {"called": False, "said": True}
    assert (has_push(plan.push, "called"), has_push(plan.push, "report")) == (False, True)


def test_the_copy_of_one_s_data_has_it_without_its_secrets() -> None:
    user = a.a_user()
    signed_in(user).post("/me/push/on/", a_browser().form)
    with zipfile.ZipFile(io.BytesIO(own_data(user=user))) as copy:
        (row,) = json.loads(copy.read("tournaments.pushsubscription.json"))
    assert row["endpoint"] == a_browser().endpoint
    assert "auth_secret" not in row


def test_the_worker_is_served_from_the_root_and_looked_at_again_each_time(client: Client) -> None:
    answer = client.get("/push-worker.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert b"notificationclick" in answer.content
    assert client.get("/push-icon.svg").headers["Content-Type"] == "image/svg+xml"
