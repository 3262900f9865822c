"""One real fork server for the whole folder, and fresh ones for tests that break theirs."""

from collections.abc import Callable, Iterator

import pytest

from bots.runner.zygote import Zygote


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    with Zygote.start() as running:
        yield running


@pytest.fixture
def start_zygote() -> Iterator[Callable[..., Zygote]]:
    """`start_zygote(program=..., recycle_after=...)`: a fork server of this test alone."""
    started: list[Zygote] = []

    def start(kind: type[Zygote] = Zygote, **options: int) -> Zygote:
        started.append(kind.start(**options))
        return started[-1]

    yield start
    for each in started:
        each.close()
