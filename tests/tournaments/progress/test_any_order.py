"""Any sequence of acts of organisers and phones keeps every invariant; undo of the last one restores the event.

Some long sequences for each format; they take minutes.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.builders.any_order import AnyOrder
from tests.builders.any_order_shapes import SHAPES
from tests.builders.any_order_teams import TEAM_SHAPES, TeamsInAnyOrder

pytestmark = pytest.mark.django_db
LONG = settings(
    max_examples=4,
    stateful_step_count=25,
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


def of_shape(shape: str) -> type[AnyOrder]:
    """The machine of one format."""
    return type(f"AnyOrder_{shape}", (AnyOrder,), {"shape": shape})


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("shape", SHAPES)
def test_long_orders_of_acts(shape: str) -> None:
    run_state_machine_as_test(of_shape(shape), settings=LONG)


def of_team_shape(shape: str) -> type[AnyOrder]:
    """The machine of one format, of people who share a side."""
    return type(f"TeamsInAnyOrder_{shape}", (TeamsInAnyOrder,), {"shape": shape})


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("shape", TEAM_SHAPES)
def test_long_orders_of_acts_with_teams(shape: str) -> None:
    run_state_machine_as_test(of_team_shape(shape), settings=LONG)
