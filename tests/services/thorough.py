"""The mark `thorough`: what `make test` leaves out and CI runs. With `keep` the first cases of a test stay quick."""

from collections import Counter

import pytest


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by `-m`
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("thorough")
        if mark is None or not mark.kwargs.get("keep"):
            continue
        # A case that is marked slow is not run beside those that are kept, so it is not counted among them.
        if item.get_closest_marker("slow") is not None:
            continue
        test = item.nodeid.partition("[")[0]
        seen[test] += 1
        if seen[test] <= mark.kwargs["keep"]:
            item.own_markers[:] = [each for each in item.own_markers if each.name != "thorough"]
