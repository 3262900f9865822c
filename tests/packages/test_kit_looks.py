"""The page of the kit in a browser: no violation, nothing sideways, and a button that copies the line."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.looking import axe_violations, sideways
from tests.packages.conftest import LINUX, wheel_in


@pytest.fixture
def offered(tmp_path: Path) -> Iterator[None]:
    """Wheels where the web server of the tests looks for them."""
    folder = Path(settings.KIT_DIR)
    folder.mkdir(exist_ok=True)
    for project, tag in (("hanafuda", "py3-none-any"), ("hanafuda", LINUX), ("hanami-kit", "py3-none-any")):
        wheel_in(folder, project, tag=tag)
    yield
    shutil.rmtree(folder)


@pytest.mark.thorough
@pytest.mark.usefixtures("offered", "trouble")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_on_a_phone_and_on_a_screen(visit: Callable[..., Page], scheme: Any) -> None:
    for width, height in ((1280, 900), (360, 740)):
        page = visit("/kit/")
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        assert axe_violations(page) == []
        assert sideways(page) == []
        expect(page.locator("table tbody tr")).to_have_count(3)
        expect(page.get_by_role("button", name="Copy", exact=True).first).to_be_visible()
