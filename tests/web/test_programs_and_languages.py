"""Journeys 19, 24 and 25: what programs do with tokens of a page, seen on pages; a leaderboard in Japanese."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from playwright.sync_api import Browser, Page, expect

from bots.models import BotVersion
from tests.browser.looking import axe_violations, log_in
from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of
from tests.builders.leagues import League
from tests.builders.matches_on_show import a_finished_match
from tests.builders.receivers import Receiver, a_receiver, told_and_sent
from tests.services.processes import ROOT, Project
from tournaments.models import Hook, Match, ResultReport
from tournaments.ratings import pools

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300), pytest.mark.slow]
Visit = Callable[..., Page]
FIGURE = re.compile(r"\d+(?:[.,]\d+)?")


def a_token(page: Page, site: str, *scopes: str) -> str:
    """Made on the page of tokens, where it is shown once."""
    page.goto(f"{site}/me/tokens/")
    page.get_by_label("What it is for").fill(f"For {' '.join(scopes)}")
    for box in page.get_by_role("checkbox").all():
        box.set_checked(box.get_attribute("value") in scopes)
    page.get_by_role("button", name="Create token").click()
    return page.locator("#key").inner_text()


def test_journey_19_a_bot_is_made_tested_and_sent_twice_and_its_page_has_one_version(
    visit: Visit, live_site: str, project: Project, tmp_path: Path
) -> None:
    owner = a.a_user("kimo")
    page = visit("/me/tokens/", as_=owner)
    key = a_token(page, live_site, "read", "bot:write")
    own = {"HANAMI_CONFIG": str(tmp_path / "config"), "HANAMI_SERVER": live_site, "HANAMI_TOKEN": key}

    def hanami(*words: str, folder: Path = tmp_path) -> str:
        """A command typed in a terminal of its own. Returns what it printed."""
        environment = {**os.environ, **own, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "kit", *words]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=200, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.decode()

    hanami("new", "plum")
    hanami("test", folder=tmp_path / "plum")
    project.worker()
    answers = [
        json.loads(hanami("submit", "-m", "first try", "--wait", "--json", folder=tmp_path / "plum").splitlines()[-1])
        for _sent in range(2)
    ]
    assert [(each["n"], each["state"]) for each in answers] == [(1, "ready")] * 2
    assert BotVersion.objects.filter(bot__owner=owner).count() == 1
    page.goto(answers[0]["url"])
    expect(page.get_by_text("It is active.")).to_be_visible()
    expect(page.locator("main")).to_contain_text("first try")
    page.get_by_role("link", name="plum", exact=True).first.click()
    page.get_by_role("link", name="Versions", exact=True).click()
    expect(page.get_by_role("link", name=re.compile(r"^v\d+$"))).to_have_text(["v1"])
    assert axe_violations(page) == []


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    """Somebody's program that takes hooks, on this machine: what sends (in this process) may reach it."""
    settings.HOOK_NETWORKS = ["127.0.0.0/8"]
    with a_receiver() as found:
        yield found


def a_hook_made(page: Page, site: str, receiver: Receiver) -> str:
    """Made on its page for confirmed results; returns the secret, which is shown once."""
    page.goto(f"{site}/me/hooks/")
    page.get_by_label("What it is for").fill("Our chat")
    page.get_by_label("Address", exact=True).fill("https://example.org/hanami")
    page.get_by_label("a result of a table counts from now on").check()
    page.get_by_role("button", name="Create webhook").click()
    secret = page.locator("#secret").inner_text()
    assert axe_violations(page) == []
    Hook.objects.update(url=receiver.url)  # the site itself reaches nothing of this machine
    return secret


def test_journey_25_scopes_and_keys_a_signed_hook_and_a_drained_worker(
    visit: Visit, live_site: str, browser: Browser, receiver: Receiver
) -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]
    told_and_sent()
    page = visit("/me/tokens/", as_=event.created_by)
    reader, reporter = a_token(page, live_site, "read"), a_token(page, live_site, "report:write")
    assert axe_violations(page) == []
    secret = a_hook_made(page, live_site, receiver)
    reported_once(browser, live_site, match, reader, reporter)
    assert told_and_sent() == 1
    (sent,) = receiver.sent
    assert sent.is_signed_with(secret)
    assert sent.body["what"]["match"] == str(match.uuid)
    page.get_by_role("link", name="Our chat").click()
    expect(page.get_by_role("row", name=re.compile("report.confirmed"))).to_contain_text("204")
    assert axe_violations(page) == []
    drained_in_the_queue(browser, live_site)


def drained_in_the_queue(browser: Browser, site: str) -> None:
    """An operator drains a worker with a button; a stranger's page of the queue says so on its own."""
    worker = a.a_worker("plum@host/1")
    stranger, operator = browser.new_page(), browser.new_page()
    log_in(operator.context, site, a.a_user("operator", is_staff=True))
    stranger.goto(f"{site}/queue/")
    expect(stranger.get_by_text("Live, updated")).to_be_visible()
    operator.goto(f"{site}/ops/")
    operator.get_by_role("button", name=f"Drain {worker.name}").click()
    expect(operator.get_by_role("button", name=f"Resume {worker.name}")).to_be_visible()
    expect(stranger.get_by_role("row", name=worker.name)).to_contain_text("drained: takes no match")
    assert axe_violations(stranger) == []
    stranger.close()
    operator.close()


def reported_once(browser: Browser, site: str, match: Match, reader: str, reporter: str) -> None:
    """Refused with the read token; with the other one key is one report."""
    program = browser.new_context().request
    place = f"{site}/api/v1/tables/{match.uuid}/reports"
    cards = {"totals": [145, 95], "yaku": [[["I"], []]]}

    def report(token: str, **more: str) -> Any:
        return program.post(place, data=cards, headers={"Authorization": f"Bearer {token}", **more})

    refused = report(reader, **{"Idempotency-Key": "k1"})
    assert (refused.status, refused.json()["code"]) == (403, "auth.scope_missing")
    assert not ResultReport.objects.exists()
    first, again = (report(reporter, **{"Idempotency-Key": "k2"}) for _sent in range(2))
    assert (first.status, first.json()) == (201, again.json())
    assert [each.body["score"] for each in ResultReport.objects.all()] == [[145, 45]]


def figures(page: Page, path: str) -> list[str]:
    """Return every number of the leaderboard as it is written, with any decimal mark."""
    page.goto(path)
    return [each.replace(",", ".") for each in FIGURE.findall(page.locator("#board table tbody").inner_text())]


def test_journey_24_the_leaderboard_in_japanese_has_the_same_figures_and_a_replay_says_pine(
    browser: Browser, live_league: League, live_site: str
) -> None:
    pools.fold_stale()
    path = f"{live_site}/ladder/hawaii/"
    english, japanese = browser.new_page(locale="en-GB"), browser.new_page(locale="ja")
    shown = figures(english, path)
    assert shown == figures(japanese, path) != []
    expect(japanese.locator("html")).to_have_attribute("lang", "ja")
    expect(japanese.get_by_role("heading", level=1)).to_be_visible()
    for page, name in ((english, "Pine: Crane"), (japanese, "松に鶴")):
        expect(page.get_by_role("img", name=name)).to_be_visible()
        expect(page.locator("figure.sign")).to_contain_text(name)
    assert axe_violations(japanese) == []
    match = a_finished_match(seats=2, rounds=1)
    for page, word in ((english, "Pine"), (japanese, "松")):
        page.goto(f"{live_site}/m/{match.uuid}/")
        expect(page.locator("main")).to_contain_text(word)
    assert axe_violations(japanese) == []
    english.close()
    japanese.close()
