"""The collector leaves alone what is loaded at the start."""

import gc

import pytest

from config.memory import NET_OBJECTS, collect_seldom


@pytest.mark.thorough
def test_what_is_loaded_is_put_aside() -> None:
    before = gc.get_threshold()
    try:
        collect_seldom()
        assert gc.get_freeze_count() > NET_OBJECTS
        assert gc.get_threshold()[0] == NET_OBJECTS
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
