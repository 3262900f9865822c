"""Random deals of Koi-Koi under random options: what `random_deals` looks at, a thousand here, 100,000 when slow."""

from __future__ import annotations

from typing import Final

import pytest

from tests.engine.koikoi.random_deals import missing, play_deals

SHARDS: Final = 20
DEALS: Final = 100_000


@pytest.mark.thorough
def test_a_thousand_deals() -> None:
    assert missing(play_deals(1_000)) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("shard", range(1, SHARDS + 1))
def test_a_hundred_thousand_deals(shard: int) -> None:
    counts = play_deals(DEALS // SHARDS, shard=shard)
    assert missing(counts) == []
    assert min(counts.values()) > DEALS // SHARDS // 50, "every value of every option is played often"
