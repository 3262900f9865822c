"""The league that the tests of a module share: played once, inside a transaction that ends with the last of them.

A test whose own transactions are real would wait for that one for ever, so it ends before the first of them. None of
a module's other tests come after it: pytest-django runs those with real transactions last.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from bots.jobs.process import Process
from bots.runner.zygote import Zygote
from tests.builders.events import a_worker
from tests.builders.leagues import League, a_league

REAL = {"transactional_db", "live_server"}
"""Fixtures of tests whose transactions are real."""
_open = ExitStack()


@pytest.fixture(scope="module")
def played_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker, sandbox: Zygote) -> Iterator[League]:
    """Provide the league of a module, inside a transaction that is rolled back at its end; see `a_league`."""
    with django_db_blocker.unblock(), _open:
        _open.enter_context(transaction.atomic())
        _open.callback(transaction.set_rollback, True)
        yield a_league(lambda: Process(a_worker(), sandbox))


@pytest.hookimpl(tryfirst=True)  # before the fixtures of the test are made
def pytest_runtest_setup(item: pytest.Item) -> None:
    mark = item.get_closest_marker("django_db")
    is_real = mark is not None and mark.kwargs.get("transaction", False)
    if is_real or REAL & set(getattr(item, "fixturenames", ())):
        _open.close()
