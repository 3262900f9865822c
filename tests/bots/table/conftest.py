"""One real fork server for the folder."""

from collections.abc import Iterator

import pytest

from bots.runner.zygote import Zygote


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote.start() as running:
        yield running
