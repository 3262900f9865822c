"""Fixtures of the pipeline's tests: a worker process of our own, with the real sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from bots.jobs.process import Process
from bots.runner.zygote import Zygote
from tests.pipeline.builders import a_worker
from tests.pipeline.receivers import Receiver, a_receiver


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Zygote]:
    """One fork server for all tests of this pytest process."""
    with Zygote.start() as zygote:
        yield zygote


@pytest.fixture
def process(transactional_db: None, sandbox: Zygote, redis_url: str) -> Process:
    """A worker process of ours: its row and the real sandbox. Nothing plays until a test calls a job."""
    return Process(a_worker(), sandbox)


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    """A receiver of hooks on this machine, which hooks may reach in this test."""
    settings.HOOK_NETWORKS = ["127.0.0.0/8"]
    with a_receiver() as found:
        yield found
