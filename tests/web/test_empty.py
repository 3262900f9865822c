"""A site without anything yet."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.builders import events as a

pytestmark = pytest.mark.django_db


def test_an_empty_site_says_why_and_what_to_do(client: Client) -> None:
    for path in ("/", "/t/", "/b/", "/ladder/", "/ladder/hawaii/", "/queue/", "/seasons/", "/clubs/", "/data/"):
        page = client.get(path).content.decode()
        assert any(each in page for each in ('class="empty"', 'class="box beginning"', "No worker is running")), path
    assert "No match has been played yet" in client.get("/").content.decode()


def test_what_a_person_has_none_of_is_on_their_own_page_alone(client: Client) -> None:
    person = a.a_user("kimo")
    page = client.get("/u/kimo/").content.decode()
    assert page.count('class="empty"') == 1
    assert "No bots yet." not in page
    client.force_login(person)
    own = client.get("/u/kimo/").content.decode()
    assert own.count('class="empty"') == 3
    assert all(f'href="{way}' in own for way in ("/b/new/", "/t/?when=soon", "/t/new/"))
    organiser = a.an_open_event().created_by
    client.force_login(organiser)
    assert 'class="empty"' not in client.get(f"/u/{organiser.username}/").content.decode()


def test_a_list_without_any_row_has_no_filter_and_says_once_what_to_do(client: Client) -> None:
    client.force_login(a.a_user("kimo"))
    ways = {
        "/b/?mine=1": "/b/new/",
        "/programs/": "/me/programs/",
        "/c/new/": "/b/new/",
        "/me/follow/": "/t/",
        "/me/follow/list/": "/t/",
    }
    for path, way in ways.items():
        page = client.get(path).content.decode()
        assert 'class="box beginning"' in page, path
        assert 'class="filter' not in page, path
        assert page.count(f'class="btn main" href="{way}"') == 1, path
