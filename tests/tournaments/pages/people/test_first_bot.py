"""The first bot: sign up, press one button, follow it to its first match."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from bots.models import Bot, BotVersion, Check, Lease
from bots.services.suspending import suspend_bot
from bots.views.uploading import FIRST_BOT
from tests.builders import events as a
from tournaments.models import Match, Seat

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
HERE = "/me/first-bot/"
FORM = {"username": "kimo", "password1": "plum-blossom-77", "password2": "plum-blossom-77"}


def read(client: Client) -> str:
    with CaptureQueriesContext(connection) as seen:
        answer = client.get(HERE)
    assert answer.status_code == 200
    assert len(seen) <= 10
    return " ".join(answer.content.decode().split())


def test_who_signs_up_is_led_to_the_two_lines_and_who_was_going_elsewhere_goes_there(client: Client) -> None:
    answer = client.post("/signup/", FORM)
    assert answer.headers["Location"] == HERE
    page = read(client)
    assert "Welcome, kimo" in page
    assert "obs[&quot;legal&quot;][0]" in page
    assert 'value="First bot of kimo"' in page
    assert "What the two lines do" in page.partition("</form>")[2]
    other = Client().post("/signup/", {**FORM, "username": "lani", "next": "/t/"})
    assert other.headers["Location"] == "/t/"
    assert Client().get(HERE).status_code == 302


def test_one_button_makes_a_bot_whose_check_is_queued_and_twice_is_once(as_user: Become) -> None:
    client = as_user(a.a_user("kimo"))
    for _click in range(2):
        assert client.post(HERE, {"name": "Plum", "source": FIRST_BOT}).headers["Location"] == HERE
    version = BotVersion.objects.get()
    assert (version.bot.name, version.state, version.plays) == ("Plum", "checking", ["hawaii", "paradise"])
    page = read(client)
    assert "It is next." in page
    assert f'data-live="b:{version.bot.slug}@' in page
    assert "Let it play" not in page


def test_what_cannot_be_taken_is_said_on_its_field_and_nothing_is_lost(as_user: Become) -> None:
    client = as_user(a.a_user("kimo"))
    answer = client.post(HERE, {"name": "", "source": "def choose(obs): return 1"})
    assert answer.status_code == 422
    assert "def choose(obs): return 1" in answer.content.decode()
    assert not Bot.objects.exists()
    operator = a.a_user(is_staff=True)
    client.post(HERE, {"name": "Plum", "source": FIRST_BOT})
    suspend_bot(bot=Bot.objects.get(), by=operator, reason="It floods.")
    refused = client.post(HERE, {"name": "Plum", "source": FIRST_BOT + "# more\n"})
    assert refused.status_code == 422
    assert "bot.suspended" in refused.content.decode()


@pytest.mark.thorough
def test_every_step_to_the_first_match_is_told(as_user: Become) -> None:
    event = a.an_open_event(name="Moon league")
    bots = [a.a_bot(ready=False), a.a_bot()]
    client = as_user(bots[0].owner)
    Check.objects.filter(version__bot=bots[0]).update(state="claimed")
    assert "It plays short matches against house bots." in read(client)
    version = bots[0].versions.get()
    BotVersion.objects.filter(pk=version.pk).update(state="ready")
    Bot.objects.filter(pk=bots[0].pk).update(active_version=version)
    assert "It joins the official ladders" in read(client)
    bots[0].refresh_from_db()
    a.entered(event, bots)
    assert "It is entered in 1 event." in read(client)
    match = Match.objects.create(stage=event.stages.get(), seats_n=2, state="queued", queued_at=timezone.now())
    entries = list(event.entries.order_by("pk"))
    for index, (bot, entry) in enumerate(zip(bots, entries, strict=True)):
        Seat.objects.create(match=match, index=index, side=index, entry=entry, bot_version=bot.active_version)
    assert "It is in the queue: <a" in read(client)
    lease = Lease.objects.create(worker=a.a_worker(), expires_at=timezone.now() + timedelta(minutes=1))
    Match.objects.filter(pk=match.pk).update(state="claimed", lease=lease, attempt=1)
    assert "It is being played: <a" in read(client)
    Match.objects.filter(pk=match.pk).update(state="confirmed", finished_at=timezone.now(), lease=None)
    Seat.objects.filter(match=match).update(outcome="played", place=1)
    page = read(client)
    assert f'<a class="btn main" href="/m/{match.uuid}/">' in page
    assert "data-live" not in page, "there is nothing more to wait for"


def test_a_check_that_failed_says_where_to_look(as_user: Become) -> None:
    client = as_user(a.a_user("kimo"))
    client.post(HERE, {"name": "Plum", "source": "import no_such_module\ndef choose(obs):\n    return 0\n"})
    page = read(client)
    assert "It stopped here." in page
    assert 'href="/b/plum/v/1/"' in page
