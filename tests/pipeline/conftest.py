"""Fixtures of the pipeline's tests: a worker process of our own, with the real sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bots.jobs import process as processes
from bots.jobs.process import Process
from tests.pipeline.builders import a_worker


@pytest.fixture(scope="session")
def sandbox() -> Iterator[processes.Zygote]:
    """One fork server for all tests of this pytest process."""
    with processes.Zygote.start() as zygote:
        yield zygote


@pytest.fixture
def process(transactional_db: None, sandbox: processes.Zygote, redis_url: str) -> Process:
    """A worker process of ours: its row and the real sandbox. Nothing plays until a test calls a job."""
    return Process(a_worker(), sandbox)
