"""Pages of programs in a real browser: nothing breaks a rule of accessibility, nothing scrolls sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.looking import log_in
from tests.browser.program_looks import programs
from tests.web.test_looks import WHOLE, wrong

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.thorough
def test_pages_of_programs_are_accessible_wide_and_on_a_phone(browser: Browser, live_site: str) -> None:
    found = []
    for reader, paths in programs():
        context = browser.new_context(reduced_motion="reduce")
        if reader is not None:
            log_in(context, live_site, reader)
        page = context.new_page()
        found += [each for path in paths for each in wrong(page, live_site, path, WHOLE)]
        context.close()
    assert found == []
