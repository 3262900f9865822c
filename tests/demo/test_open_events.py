"""What a newcomer to the demo can enter: a cup for bots and a club night, which wait for others."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from bots.models import Bot, Check
from tests.builders import events as a
from tournaments.management.commands import seed_demo
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_the_demo_has_events_that_others_can_enter(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    monkeypatch.setattr(seed_demo, "LEAGUES", ())
    for _twice in range(2):
        call_command("seed_demo", size="full")
    cup, night = (Tournament.objects.get(name=league.plan.name) for league in seed_demo.OPEN)
    assert {cup.state, night.state} == {Tournament.State.REGISTRATION}
    assert (cup.entries.count(), night.entries.count()) == (3, 11)
    own = Bot.objects.get(owner__username="demo")
    assert not own.house
    assert own.versions.get().check_run.state == Check.State.QUEUED
    Bot.objects.filter(pk=own.pk).update(name="Renamed")
    call_command("seed_demo", size="full")
    assert Bot.objects.get(owner__username="demo").name == "Renamed", "no second one"
    page = client.get("/").content.decode()
    assert f"/t/{cup.slug}/" in page
    assert f"/t/{night.slug}/" in page
    assert cup.starts_at is None
    assert night.starts_at is not None
    assert timezone.localtime(night.starts_at).hour == 19
    client.force_login(a.a_user("newcomer"))
    assert "Enter a bot" in client.get(f"/t/{cup.slug}/").content.decode()
    assert "Register" in client.get(f"/t/{night.slug}/").content.decode()
