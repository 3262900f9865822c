"""Fixtures of the pipeline's tests: a worker process of our own, with the real sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bots.jobs.process import Process
from bots.runner.zygote import Zygote
from tests.pipeline.builders import a_worker


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Zygote]:
    """One fork server for all tests of this pytest process."""
    with Zygote.start() as zygote:
        yield zygote


@pytest.fixture
def process(transactional_db: None, sandbox: Zygote, redis_url: str) -> Process:
    """A worker process of ours: its row and the real sandbox. Nothing plays until a test calls a job."""
    return Process(a_worker(), sandbox)
