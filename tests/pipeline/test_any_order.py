"""Any sequence of acts of organisers and phones keeps every invariant; undo of the last one restores the event.

A few examples of each format here; many and long ones by `make test-slow`.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.pipeline.any_order import SHAPES, AnyOrder

pytestmark = pytest.mark.django_db
QUICK = settings(
    max_examples=2,
    stateful_step_count=6,
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
LONG = settings(QUICK, max_examples=4, stateful_step_count=25)


QUICK_SHAPES = [shape for shape in SHAPES if shape not in ("dutch", "tables")]
"""The others go the same ways as Swiss and round robin; the long run has them all."""


def of_shape(shape: str) -> type[AnyOrder]:
    """The machine of one format."""
    return type(f"AnyOrder_{shape}", (AnyOrder,), {"shape": shape})


@pytest.mark.parametrize("shape", QUICK_SHAPES)
def test_any_order_of_acts_keeps_an_event_sound_and_each_can_be_undone(shape: str) -> None:
    run_state_machine_as_test(of_shape(shape), settings=QUICK)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("shape", SHAPES)
def test_long_orders_of_acts(shape: str) -> None:
    run_state_machine_as_test(of_shape(shape), settings=LONG)
