"""Notifications in a real Chromium: the button, the worker, a message on the screen, the signal of an open page.

Without a way to Google's service `pushManager.subscribe` fails, which is shown below; what comes after it is driven
from both ends: the page by a form (`test_push_pages`), the worker by a message that the browser delivers to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser as PlaywrightBrowser
from playwright.sync_api import BrowserContext, BrowserType, CDPSession, Page, expect

from scripts.chromium import whole
from tests.builders import clubs
from tests.builders.browsers import Browser
from tests.services.waiting import wait_until
from tests.tournaments.entries.test_links import link_of
from tournaments.entries.links import link_token
from tournaments.models import EntryLink, PushMessage, Tournament
from tournaments.notifications import consumer
from tournaments.notifications.push.subscriptions import subscribe
from tournaments.notifications.push.texts import payload_of
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(180)]
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((each) =>
    ({title: each.title, body: each.body, tag: each.tag, lang: each.lang, data: each.data}))"""


@pytest.fixture(scope="module")
def browser(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[PlaywrightBrowser]:
    """The whole browser, for this module alone: the light one shows no notifications."""
    browser = browser_type.launch(**browser_type_launch_args | {"executable_path": whole()})
    yield browser
    browser.close()


def a_night() -> tuple[Tournament, EntryLink]:
    """A drawn night that is not called, and somebody's private link."""
    event = clubs.a_club_night()
    consumer.notice_news()
    start_tournament(tournament=event, by=event.created_by)
    return event, link_of(event, "Aiko")


def the_payload(event: Tournament, link: EntryLink) -> dict[str, Any]:
    """Return what the server would send when the table of this link is called."""
    subscribe(browser=Browser("https://push.example/1").keys, link=link)
    call_round(round_row=clubs.round_of(event, 1), by=event.created_by)
    consumer.notice_news()
    found = payload_of(PushMessage.objects.select_related("subscription").get(notice__kind="called"))
    assert found is not None
    return found


def worker_of(cdp: CDPSession) -> str:
    """Return the browser's number of our worker, once it is there."""
    known: list[str] = []
    cdp.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda said: known.extend(each["registrationId"] for each in said["registrations"] if not each["isDeleted"]),
    )
    cdp.send("ServiceWorker.enable")
    wait_until(lambda: cdp.send("ServiceWorker.enable") is not None and bool(known), 20, "the worker")
    return known[-1]


def opened(page: Page, context: BrowserContext, site: str, link: EntryLink) -> None:
    context.grant_permissions(["notifications"], origin=site)
    page.goto(f"{site}/e/{link_token(link)}/")


def test_the_button_asks_the_browser_and_says_when_its_service_is_away(
    page: Page, context: BrowserContext, live_site: str
) -> None:
    _event, link = a_night()
    opened(page, context, live_site, link)
    button = page.get_by_role("button", name="Notify me in this browser")
    expect(button).to_be_visible()
    expect(page.get_by_role("button", name="Stop notifications")).to_be_hidden()
    button.click()
    expect(page.locator("[data-push-state]")).to_have_text(
        "The browser could not reach its push service. Try again later."
    )
    expect(button).to_be_enabled()
    scripts = page.evaluate(
        "async () => (await navigator.serviceWorker.getRegistrations()).map((each) => each.active.scriptURL)"
    )
    assert scripts == [f"{live_site}/push-worker.js"]


def test_a_message_is_shown_once_and_a_newer_one_of_the_table_replaces_it(
    page: Page, context: BrowserContext, live_site: str
) -> None:
    event, link = a_night()
    opened(page, context, live_site, link)
    page.evaluate("navigator.serviceWorker.register('/push-worker.js', {scope: '/'})")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    cdp = context.new_cdp_session(page)
    number = worker_of(cdp)
    payload = the_payload(event, link)

    def deliver(message: dict[str, Any]) -> None:
        data = json.dumps(message, ensure_ascii=False)
        cdp.send("ServiceWorker.deliverPushMessage", {"origin": live_site, "registrationId": number, "data": data})

    def titles() -> list[str]:
        return [each["title"] for each in page.evaluate(SHOWN)]

    deliver(payload)
    wait_until(lambda: titles() == [payload["title"]], 20, "the notification")
    (shown,) = page.evaluate(SHOWN)
    assert shown["title"].startswith("Table ")
    assert shown["title"].endswith(", now")
    assert (shown["body"], shown["tag"]) == (payload["body"], payload["tag"])
    assert shown["data"]["url"] == payload["url"]
    deliver(payload)
    deliver({**payload, "id": "another", "title": "Table 9, now"})
    wait_until(lambda: titles() == ["Table 9, now"], 20, "the newer notification in its place")


def test_an_open_page_shows_the_call_in_its_title(page: Page, context: BrowserContext, live_site: str) -> None:
    event, link = a_night()
    opened(page, context, live_site, link)
    assert not page.title().startswith("Table")
    box = page.get_by_label("Sound and vibration when my table is called, while this page is open")
    box.check()
    # No reload: the stream says that something happened, and the page asks what.
    call_round(round_row=clubs.round_of(event, 1), by=event.created_by)
    expect(page).to_have_title(re.compile(r"^Table \d is called\. · Aiko · Club night"))
    page.reload()
    expect(box).to_be_checked()
    expect(page).to_have_title(re.compile(r"^Table \d is called\. · "))
