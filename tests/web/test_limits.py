"""Too often, on pages: 429, how long to wait, and nothing lost of what was typed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from bots.models import Bot, Meter
from bots.services.uploading import TRIES_PER_HOUR
from tests.browser.looking import axe_violations, log_in
from tests.builders import events as a
from tournaments.events.create import PER_HOUR, create_tournament
from tournaments.models import Tournament

Become = Callable[[User | None], Client]
EVENT = {"name": "One more", "preset": "hawaii", "seats": 2, "rounds": 1, "legs": "single", "visibility": "public"}
EVENT |= {"min_entries": 2, "max_entries": 4, "entries_per_owner": 2, "clock": "standard"}


def tired(user: User) -> None:
    """Let this person have sent as many uploads as an hour allows."""
    Meter.objects.create(name=f"upload:{user.pk}", n=TRIES_PER_HOUR, began_at=timezone.now())


@pytest.mark.django_db
def test_one_upload_too_many_is_a_429_with_what_was_typed(as_user: Become) -> None:
    owner = a.a_user()
    tired(owner)
    answer = as_user(owner).post(
        "/b/new/", {"name": "Plum", "source": "def choose(obs): return 0", "plays": ["hawaii"]}
    )
    assert answer.status_code == 429
    assert 3500 < int(answer.headers["Retry-After"]) <= 3600
    page = answer.content.decode()
    assert "upload.rate" in page
    assert "def choose(obs): return 0" in page
    assert not Bot.objects.exists()


@pytest.mark.thorough
@pytest.mark.django_db
def test_one_event_too_many_is_a_429(as_user: Become) -> None:
    by = a.a_user()
    for _ in range(PER_HOUR):
        create_tournament(by=by, plan=a.a_plan())
    answer = as_user(by).post("/t/new/", EVENT)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 3600
    assert "tournament.rate" in answer.content.decode()
    assert not Tournament.objects.filter(name="One more").exists()


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_the_browser_shows_how_long_to_wait(page: Page, live_site: str, transactional_db: None) -> None:
    owner = a.a_user()
    tired(owner)
    log_in(page.context, live_site, owner)
    page.goto(f"{live_site}/b/new/")
    page.get_by_label("Name of the new bot").fill("Plum")
    page.get_by_label("Source code").fill("def choose(obs):\n    return 0\n")
    page.get_by_role("button", name="Upload and check").click()
    expect(
        page.get_by_text("You have reached the limit of 60 uploads an hour. Try again in 60 minutes.")
    ).to_be_visible()
    expect(page.get_by_label("Name of the new bot")).to_have_value("Plum")
    assert axe_violations(page) == []
