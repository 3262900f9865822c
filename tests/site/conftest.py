"""Fixtures of the site's tests: a league really played, and a browser that looks for trouble on every page."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

import pytest
from django.db import transaction
from django.test import Client
from playwright.sync_api import Page
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from bots.jobs.process import Process
from bots.runner.zygote import Zygote
from tests.pipeline.builders import a_worker
from tests.pipeline.conftest import process, sandbox
from tests.site.leagues import League, a_league
from tests.site.looking import Trouble, log_in

__all__ = ["process", "sandbox"]


@pytest.fixture(scope="module")
def played_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker, sandbox: Zygote) -> Iterator[League]:
    """The league of a module, inside a transaction that is rolled back at its end; see `a_league`."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_league(lambda: Process(a_worker(), sandbox))
        transaction.set_rollback(True)


@pytest.fixture
def league(played_once: League, db: None) -> League:
    """Events in every state, a played league among them; see tests/site/leagues.py. What a test changes is undone."""
    return copy.deepcopy(played_once)


@pytest.fixture
def player(sandbox: Zygote, db: None) -> Process:
    """A worker process of ours inside the test's transaction."""
    return Process(a_worker(), sandbox)


@pytest.fixture
def live_league(process: Process, live_site: str) -> League:
    """The same league, committed, for tests with a browser."""
    return a_league(process)


@pytest.fixture
def as_user(client: Client) -> Callable[[User | None], Client]:
    """A test client as somebody, or as nobody."""

    def become(user: User | None) -> Client:
        client.logout()
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return become


@pytest.fixture
def visit(page: Page, live_site: str) -> Callable[..., Page]:
    """`visit("/t/", as_=user)`: the page in the browser, logged in if asked."""

    def go(path: str, *, as_: User | None = None) -> Page:
        if as_ is not None:
            log_in(page.context, live_site, as_)
        page.goto(live_site + path)
        return page

    return go


@pytest.fixture
def trouble(page: Page, live_site: str) -> Iterator[Trouble]:
    """Console errors, page errors and requests to other hosts; asserted to be none at the end of the test."""
    found = Trouble(live_site)
    found.watch(page)
    yield found
    assert found.seen == []
