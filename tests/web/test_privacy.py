"""The page on privacy: on a phone its table says once what its columns are."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

LEFTS = "all => all.map((each) => each.getBoundingClientRect().left)"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_on_a_phone_the_heads_stand_above_their_columns_and_stay_in_sight(page: Page, live_site: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_site}/privacy/")
    heads = page.locator(".stored thead th:not(:first-child)")
    columns = heads.evaluate_all(LEFTS)
    assert columns[0] < columns[1]
    rows = page.locator(".stored tbody tr").all()
    assert len(rows) > 10
    for row in rows:
        assert row.locator("td").evaluate_all(LEFTS) == columns
    hidden = "all => all.every((each) => getComputedStyle(each, '::before').clipPath !== 'none')"
    assert page.locator(".stored td").evaluate_all(hidden)
    rows[-2].evaluate("each => each.scrollIntoView({block: 'center', behavior: 'instant'})")
    assert 0 <= heads.first.evaluate("each => each.getBoundingClientRect().top") < 40
