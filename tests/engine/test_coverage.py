"""`make test-slow` holds the bar of `make coverage`."""

from __future__ import annotations

import pytest

from tests.engine import covered


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_tests_reach_98_percent_of_lines_and_branches() -> None:
    assert covered.main([]) == 0


def test_lines_and_branches_are_asked_for_apart() -> None:
    totals = {"covered_lines": 99, "num_statements": 100, "covered_branches": 49, "num_branches": 50}
    assert covered.shares(totals) == {"lines": 99.0, "branches": 98.0}
