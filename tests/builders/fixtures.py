"""Fixtures of what is played: a worker process of ours, a league in every state, readers and browsers of it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client
from playwright.sync_api import Page

from accounts.models import User
from bots.jobs.process import Process
from bots.runner.zygote import Zygote
from tests.browser.looking import Trouble, log_in
from tests.builders.browsers import PushService, a_certificate, a_push_service
from tests.builders.events import a_worker
from tests.builders.leagues import League, a_league
from tests.builders.receivers import Receiver, a_receiver
from tournaments.webhooks import http


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Zygote]:
    """Provide one fork server for all tests of this pytest process."""
    with Zygote.start() as zygote:
        yield zygote


@pytest.fixture
def process(transactional_db: None, sandbox: Zygote, redis_url: str) -> Process:
    """Provide a worker process of ours: its row and the real sandbox. Nothing plays until a test calls a job."""
    return Process(a_worker(), sandbox)


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    """Provide a receiver of hooks on this machine, which hooks may reach in this test."""
    settings.HOOK_NETWORKS = ["127.0.0.0/8"]
    with a_receiver() as found:
        yield found


@pytest.fixture(scope="session")
def push_certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide the certificate of push services of these tests, made once."""
    return a_certificate(tmp_path_factory.mktemp("push"))


@pytest.fixture
def push_service(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, push_certificate: Path
) -> Iterator[PushService]:
    """Provide a push service on this machine, which messages may reach, and whose certificate is trusted, in this
    test.
    """
    settings.HOOK_NETWORKS = ["127.0.0.0/8"]
    monkeypatch.setenv("SSL_CERT_FILE", str(push_certificate))
    http._tls.cache_clear()
    with a_push_service(push_certificate) as found:
        yield found
    http._tls.cache_clear()


@pytest.fixture
def league(played_once: League, db: None) -> League:
    """Provide events in every state, a played league among them; see `leagues`. What a test changes is undone."""
    return copy.deepcopy(played_once)


@pytest.fixture
def player(sandbox: Zygote, db: None) -> Process:
    """Provide a worker process of ours inside the test's transaction."""
    return Process(a_worker(), sandbox)


@pytest.fixture
def live_league(process: Process, live_site: str) -> League:
    """Provide the same league, committed, for tests with a browser."""
    return a_league(process)


@pytest.fixture
def as_user(client: Client) -> Callable[[User | None], Client]:
    """Provide a test client as somebody, or as nobody."""

    def become(user: User | None) -> Client:
        client.logout()
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return become


@pytest.fixture
def visit(page: Page, live_site: str) -> Callable[..., Page]:
    """Provide `visit("/t/", as_=user)`: the page in the browser, logged in if asked."""

    def go(path: str, *, as_: User | None = None) -> Page:
        if as_ is not None:
            log_in(page.context, live_site, as_)
        page.goto(live_site + path)
        return page

    return go


@pytest.fixture
def trouble(page: Page, live_site: str) -> Iterator[Trouble]:
    """Collect console errors, page errors and requests to other hosts; asserted to be none at the end of the test."""
    found = Trouble(live_site)
    found.watch(page)
    yield found
    assert found.seen == []
