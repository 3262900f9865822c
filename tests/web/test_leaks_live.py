"""Leaks that only the real server can show: the stream of events, its own refusals, and pages as they leave the
house.
"""

from __future__ import annotations

import http.client
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from django.test import Client

from accounts.models import User
from bots.jobs.process import Process
from tests.browser.crawling import examples, route_of
from tests.browser.guarded import World, a_world
from tests.browser.watching import insides, watch_of
from tournaments.sse import live_token

pytestmark = pytest.mark.django_db(transaction=True)
Ask = Callable[..., "Said"]


@dataclass(frozen=True, slots=True)
class Said:
    """Answer of the server: headers and body in one text."""

    status: int
    text: str


@pytest.fixture
def world(process: Process, live_site: str) -> World:
    """The world, committed, so that the server sees it."""
    return a_world(process)


@pytest.fixture
def ask(live_site: str) -> Ask:
    """`ask("/t/", as_=user)`: one request over a socket; of a stream its first part."""

    def once(path: str, *, as_: User | None = None, method: str = "GET", **headers: str) -> Said:
        wire = http.client.HTTPConnection(urlsplit(live_site).netloc, timeout=20)
        if as_ is not None:
            client = Client()
            client.force_login(as_, backend="django.contrib.auth.backends.ModelBackend")
            headers["Cookie"] = f"sessionid={client.cookies['sessionid'].value}"
        wire.request(method, path, headers=headers)
        answer = wire.getresponse()
        is_stream = answer.headers.get_content_type() == "text/event-stream"
        body = answer.read1(4096) if is_stream else answer.read()
        wire.close()
        return Said(answer.status, f"{answer.headers}\n{body.decode('utf-8', 'replace')}")

    return once


@pytest.mark.slow
def test_the_server_shows_no_more_than_the_views(world: World, ask: Ask) -> None:
    pages_show_no_more(world, ask)
    nobody_listens_to_what_they_may_not_see(world, ask)
    the_stream_carries_numbers_alone(world, ask)


def pages_show_no_more(world: World, ask: Ask) -> None:
    """One page of each kind, as a rival."""
    reader = world.people["ben"]
    watch = watch_of(world, reader)
    one_of_each = list({route_of(path): path for path in reversed(examples(world))}.values())
    for path in one_of_each:
        said = ask(path, as_=reader)
        assert said.status < 500, path
        assert watch.findings(path, said.text) == [], path


@pytest.mark.thorough
def test_the_servers_own_refusals_say_nothing_of_our_insides(ask: Ask) -> None:
    refused = [
        ask("/b/", Host="elsewhere.example"),
        ask("/b/%00/"),
        ask("/b/?q=%00"),
        ask("/static/../config/settings.py"),
        ask("/static/%2e%2e/config/settings.py"),
        ask("/.env"),
        ask("/signup/", method="POST"),
        ask("/b/new/", method="POST", **{"Content-Length": "99999999"}),
        ask("/login/", method="TRACE"),
    ]
    assert [said.status for said in refused if not 400 <= said.status < 500] == []
    for said in refused:
        assert not any(inside.search(said.text) for inside in insides()), said.text


def nobody_listens_to_what_they_may_not_see(world: World, ask: Ask) -> None:
    """A session opens no private channel; a token opens those it was made for."""
    private, draft = world.events["private"], world.events["draft"]
    hidden = private.stages.get().matches.all()[0]
    for channel in (private.channel, draft.channel, hidden.channel):
        for reader in (None, world.people["ben"], world.people["ann"]):
            assert ask(f"/events/?ch={channel}", as_=reader).status == 404  # a page's token opens it, not a session
        other = live_token([world.events["running"].channel])
        assert ask(f"/events/?ch={channel}&token={other}").status == 404
        assert ask(f"/events/?ch={channel}&token={live_token([channel])}x").status == 404
    said = ask(f"/events/?ch={private.channel}&token={live_token([private.channel])}")
    assert said.status == 200


def the_stream_carries_numbers_alone(world: World, ask: Ask) -> None:
    """Channels and versions, in any state."""
    watch = watch_of(world, None)
    plum, match = world.plums["ann"].bot, world.claimed
    channels = f"{world.events['running'].channel},{match.channel},b:{plum.slug},q:"
    said = ask(f"/events/?ch={channels}")
    assert said.status == 200
    assert watch.findings("", said.text) == []
    data = [line for line in said.text.splitlines() if line.startswith("data:")]
    assert all(set(each) <= set('data: {"chver",:}-_0123456789abcdefghijklmnopqrstuvwxyz') for each in data)
