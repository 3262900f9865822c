"""Values that `choose` may return."""

from __future__ import annotations

import numpy as np
import pytest

from bots.sdk import NO_SUCH_ACTION, index_of
from engine.action import Action

LEGAL: list[dict[str, object]] = [
    {"play": "03.3", "take": "03.1"},
    {"play": "03.3", "take": "03.2"},
    {"hiki": 6},
    {"draw_only": True},
]


@pytest.mark.parametrize("index", range(4))
def test_an_index_or_an_element_or_an_action(index: int) -> None:
    assert index_of(index, LEGAL) == index
    assert index_of(np.int64(index), LEGAL) == index
    assert index_of(dict(LEGAL[index]), LEGAL) == index
    assert index_of(Action.from_json(LEGAL[index]), LEGAL) == index


@pytest.mark.parametrize(
    "choice", [None, True, False, -1, 4, 10**30, 0.0, "0", [], {}, {"play": "03.3"}, {"hiki": 7}, LEGAL, object(), {1}]
)
def test_anything_else_is_no_action(choice: object) -> None:
    assert index_of(choice, LEGAL) == NO_SUCH_ACTION
