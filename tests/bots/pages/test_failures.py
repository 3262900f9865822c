"""Failures of a bot on its owner's pages: alike ones together, each with what it was asked; journey 18."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from bots.jobs.process import Process
from bots.models import Blob, Bot, Check
from bots.services import upload_version
from tests.builders import events as a
from tests.builders.keys import Caller
from tests.builders.leagues import check_all, play
from tournaments.models import Match, Seat, Tournament
from tournaments.operations import failing
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
TIRED = b"""
import json

def choose(obs):
    if obs["deal"] == 2:
        print("asked " + json.dumps(obs))
        raise ValueError("I am <tired>.")
    return 0
"""
NEVER_LOADS = b"import hanami\nraise RuntimeError('not today')\n\n\ndef choose(obs):\n    return 0\n"


@pytest.fixture
def ann(db: None) -> User:
    return a.a_user("ann")


@pytest.fixture
def tired(player: Process, ann: User) -> Bot:
    """A bot of ann's that crashed in every match of an event."""
    bot = a.a_bot(ann, name="Tired", source=TIRED)
    event = a.an_open_event(options={"rounds": 3})
    a.entered(event, [bot, a.a_bot(), a.a_bot()])
    start_tournament(tournament=event, by=event.created_by)
    play(player)
    return bot


def text_of(page: Any) -> str:
    """The words of a page."""
    return unescape(re.sub(r"<[^>]+>", " ", page.content.decode()))


@pytest.mark.thorough
def test_a_crashing_bot_journey_18(tired: Bot, ann: User, as_user: Become) -> None:
    client = as_user(ann)
    here = f"/b/{tired.slug}/failures/"
    ids = [row["id"] for row in Caller(ann, "bot:logs").get(f"/api/v1/bots/{tired.slug}/failures").json()["items"]]
    assert len(ids) >= 2
    front = client.get(f"/b/{tired.slug}/").content.decode()
    assert f"{len(ids)} failures since v1." in front
    assert f'href="{here}{ids[0]}/"' in front
    page = client.get(here).content.decode()
    assert page.count("<tr data-row>") == 1
    assert "<code>ValueError: I am &lt;tired&gt;.</code>" in page
    assert "bot.py:7, choose" in page
    assert all(f'href="{here}{name}/"' in page for name in ids)
    for name in ids:
        found = client.get(f"{here}{name}/")
        words = text_of(found)
        assert found.status_code == 200
        assert f"hanami repro {name}" in words
        assert "Traceback (most recent call last)" in words
        seat = Seat.objects.select_related("match").get(pk=name[1:])
        assert seat.fault is not None
        place = f"#d2m{seat.fault['move'] - 1}"  # what the bot saw, before the move that was made in its place
        assert re.search(rf'href="/m/{seat.match.uuid}/[^"]*{place}', found.content.decode())
        asked = json.loads(re.search(r"\basked (\{.*\})", words)[1])  # type: ignore[index]  # it is there
        shown = json.loads(re.search(r"<code>(\{.*?\})</code></pre>", unescape(found.content.decode()), re.S)[1])  # type: ignore[index]  # it is there
        assert abs(asked.pop("ms_left") - shown.pop("ms_left")) <= 5
        assert shown == asked
        assert words.count('{"play"') >= len(asked["legal"])
    for other in (a.a_user("rival"), None):
        for path in (here, *(f"{here}{name}/" for name in ids)):
            assert as_user(other).get(path).status_code == 404, (other, path)
        assert "/failures/" not in as_user(other).get(f"/b/{tired.slug}/").content.decode()


@pytest.mark.thorough
def test_an_operator_sees_where_and_nothing_that_was_printed(tired: Bot, as_user: Become) -> None:
    client = as_user(a.a_user("operator", is_staff=True))
    page = client.get(f"/b/{tired.slug}/failures/")
    assert "its program crashed" in text_of(page).lower()
    name = f"F{Seat.objects.filter(fault__isnull=False).values_list('pk', flat=True)[0]}"
    found = client.get(f"/b/{tired.slug}/failures/{name}/")
    assert found.status_code == 200
    assert "Legal answers" in text_of(found)
    for answer in (page, found):
        assert "tired>" not in text_of(answer)
        assert "Traceback (most" not in text_of(answer)
    Tournament.objects.update(visibility=Tournament.Visibility.PRIVATE)
    assert client.get(f"/b/{tired.slug}/failures/{name}/").status_code == 404
    assert "No failure in its last 2 matches." in text_of(client.get(f"/b/{tired.slug}/failures/"))


@pytest.mark.thorough
def test_a_failed_check_is_there_with_its_question(player: Process, ann: User, as_user: Become) -> None:
    version = upload_version(owner=ann, filename="bot.py", data=TIRED, name="Plum", plays=["hawaii"])
    upload_version(owner=ann, bot=version.bot, filename="bot.py", data=NEVER_LOADS)
    broken = upload_version(owner=ann, bot=version.bot, filename="bot.py", data=b"def choose(obs:\n")
    check_all(player)
    client, here = as_user(ann), f"/b/{version.bot.slug}/failures/"
    page = client.get(here).content.decode()
    assert page.count("<tr data-row>") == 3
    name = f"C{Check.objects.get(version=version).pk}"
    found = client.get(f"{here}{name}/")
    assert "I am <tired>." in text_of(found)
    assert f"hanami repro {name}" in text_of(found)
    assert "Legal answers" in text_of(found)
    loaded = client.get(f"{here}C{Check.objects.get(version__n=2).pk}/")
    assert "it failed while loading" in text_of(loaded)
    source = f"/b/{version.bot.slug}/v/{broken.n}/"
    assert f'href="{source}"' in client.get(f"{here}?kind=static").content.decode()
    assert f'href="{here}{name}/"' in client.get(f"/b/{version.bot.slug}/v/1/").content.decode()
    assert client.get(f"{here}C{broken.check_run.pk}/").status_code == 404
    assert page != client.get(f"{here}?kind=memory").content.decode()
    assert "No failure found." in client.get(f"{here}?kind=memory").content.decode()
    assert client.get(f"{here}?kind=crash").content.decode().count("<tr data-row>") == 2
    assert client.get(f"{here}?version=2&kind=crash").content.decode().count("<tr data-row>") == 1
    assert as_user(a.a_user(is_staff=True)).get(f"{here}{name}/").status_code == 404


@pytest.mark.thorough
def test_a_bot_without_failures_says_so(player: Process, ann: User, as_user: Become) -> None:
    bot = a.a_bot(ann)
    here = f"/b/{bot.slug}/failures/"
    assert "it has not played a match yet" in as_user(ann).get(here).content.decode()
    event = a.an_open_event(options={"rounds": 1})
    a.entered(event, [bot, a.a_bot()])
    start_tournament(tournament=event, by=event.created_by)
    play(player)
    assert "No failure in its only match." in as_user(ann).get(here).content.decode()
    assert "failures since" not in as_user(ann).get(f"/b/{bot.slug}/").content.decode()
    for wrong in ("x", "F", "F1x", "C0", "F999999999999999999", "L3"):
        assert as_user(ann).get(f"{here}{wrong}/").status_code == 404


@pytest.mark.slow
def test_many_failures_are_paged_and_cost_no_more(tired: Bot, ann: User, as_user: Become) -> None:
    client, here = as_user(ann), f"/b/{tired.slug}/failures/"
    paths = (here, f"{here}?version=1", f"/b/{tired.slug}/")

    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get(path).status_code == 200
        return len(seen)

    before = {path: queries(path) for path in paths}
    assert max(before.values()) <= 10, before
    one = Seat.objects.filter(fault__isnull=False).select_related("match")[0]
    for number in range(130):
        said = f'Traceback (most recent call last):\n  File "bot.py", line {number}\nKeyError: {number}\n'
        match = Match.objects.create(
            stage=one.match.stage,
            round=one.match.round,
            seats_n=2,
            state=Match.State.CONFIRMED,
            finished_at=timezone.now(),
        )
        fault = {"code": "crash", "deal": 1, "move": 2}
        who = {"entry": one.entry, "player": one.player, "bot_version": one.bot_version}
        seat = Seat(match=match, index=0, side=0, outcome=Seat.Outcome.FORFEIT, fault=fault, **who)
        seat.log = Blob.objects.put(said.encode())
        seat.save()
    assert {path: queries(path) for path in paths} == before
    first, second = client.get(here).content.decode(), client.get(f"{here}?page=2").content.decode()
    assert first.count("<tr data-row>") == failing.SIZE
    assert "Failures 1 to 100 of 132" in first
    assert len(first) < 60_000
    assert "Failures 101 to 132 of 132" in second
    assert "More than 100 failures since v1." in client.get(f"/b/{tired.slug}/").content.decode()
