"""A site without anything yet."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_an_empty_site_says_why_and_what_to_do(client: Client) -> None:
    for path in ("/", "/t/", "/b/", "/ladder/", "/ladder/hawaii/", "/queue/", "/seasons/", "/clubs/", "/data/"):
        page = client.get(path).content.decode()
        assert 'class="empty"' in page or "No worker is running" in page, path
    assert "No match has been played yet" in client.get("/").content.decode()
