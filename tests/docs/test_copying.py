"""Buttons that copy the blocks of code of a guide: one for each, and none where there is no script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_code_is_copied_as_it_stands(browser: Browser, live_site: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{live_site}/docs/watch-and-check-a-match/")
    block = page.locator(".code-block").filter(has_text="hanami verify")
    block.get_by_role("button", name="Copy").click()
    expect(block.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "hanami verify record.json\n"
    assert page.get_by_role("button", name="Copy").count() == page.locator(".code-block").count() - 1
    context.close()
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(f"{live_site}/docs/watch-and-check-a-match/")
    assert page.locator(".code-block").count() > 3
    assert page.locator(".code-block button").count() == 0
    plain.close()
