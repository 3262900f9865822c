"""The filled page of the published decisions in a browser, and a file as a real server sends it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Browser

from tests.browser.looking import axe_violations, sideways
from tests.builders.leagues import League
from tournaments.dataset import catalogue
from tournaments.dataset.export import export
from tournaments.models import Match


@pytest.fixture
def files(live_league: League) -> Iterator[list[Path]]:
    """The files that the site publishes, of four days; afterwards there are none again."""
    for number, match in enumerate(Match.objects.filter(state="confirmed").order_by("pk")):
        Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(days=1 + number % 4))
    export(catalogue.folder())
    yield sorted(catalogue.folder().glob("*.parquet"))
    shutil.rmtree(catalogue.folder())


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible_and_its_files_arrive(
    files: list[Path], live_site: str, browser: Browser, scheme: str
) -> None:
    found = []
    for width, language in ((1280, "ja-JP"), (360, "fr-FR")):
        context = browser.new_context(
            viewport={"width": width, "height": 740},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=language,
        )
        page = context.new_page()
        page.goto(f"{live_site}/data/")
        assert page.locator("tbody a[href$='.parquet']").count() == len(files) == 4
        found += [f"{width} {each}" for each in axe_violations(page) + sideways(page)]
        for file in files:
            assert context.request.get(f"{live_site}/data/files/{file.name}").body() == file.read_bytes()
        context.close()
    assert found == []
