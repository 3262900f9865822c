"""The collector leaves alone what is loaded at the start."""

import gc
import weakref

import pytest

from web.memory import NET_OBJECTS, collect_seldom, return_memory


@pytest.mark.parametrize("is_at_rest", [True, False])
def test_what_only_refers_to_itself_is_gone_when_memory_is_returned(*, is_at_rest: bool) -> None:
    class Ring:
        """Refers to itself."""

        def __init__(self) -> None:
            self.again = self

    ring = Ring()
    alive = weakref.ref(ring)
    del ring
    assert alive() is not None
    return_memory(is_at_rest=is_at_rest)
    assert alive() is None


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
