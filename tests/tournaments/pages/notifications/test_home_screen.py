"""Pages on the home screen: manifests of the site and of one's day, icons, and what an iPhone is told in a tab."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.looking import axe_violations, sideways
from tests.builders import clubs
from tests.builders import events as a
from tests.services.databases import on_sqlite
from tests.tournaments.entries.test_links import link_of
from tournaments.entries.links import link_token, renew_link
from tournaments.models import EntryLink, Tournament

pytestmark = pytest.mark.django_db
A_SAFARI_TAB = """
delete window.PushManager;
Object.defineProperty(Navigator.prototype, 'standalone', {get: () => false, configurable: true});
"""
"""What Safari of an iPhone has and has not in a tab."""


def a_day() -> tuple[Tournament, EntryLink, Client]:
    """An event, somebody's private link, and the phone that opened it."""
    event = clubs.a_club_night()
    link, phone = link_of(event, "Aiko"), Client()
    assert phone.get(f"/e/{link_token(link)}/").status_code == 302
    return event, link, phone


def test_the_site_names_its_manifest_and_the_manifest_its_icons(client: Client) -> None:
    page = client.get("/").content.decode()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    assert 'rel="apple-touch-icon"' in page
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    found = answer.json()
    assert {name: found[name] for name in ("id", "start_url", "scope", "display")} == {
        "id": "/", "start_url": "/", "scope": "/", "display": "standalone",
    }  # fmt: skip
    assert {"any", "maskable"} == {icon["purpose"] for icon in found["icons"]}
    for icon in found["icons"]:
        path = finders.find(icon["src"].removeprefix("/static/"))
        with Image.open(str(path)) as picture:
            assert f"{picture.width}x{picture.height}" == icon["sizes"]
            assert picture.get_format_mimetype() == icon["type"]


@on_sqlite
def test_a_day_on_the_home_screen_opens_by_its_own_link_because_nothing_else_is_known_there() -> None:
    event, link, phone = a_day()
    here = f"/e/my/{link.entry.uuid}/manifest.webmanifest"
    page = phone.get(f"/e/my/{link.entry.uuid}/").content.decode()
    assert f'<link rel="manifest" href="{here}" crossorigin="use-credentials">' in page
    answer = phone.get(here)
    assert "no-store" in answer["Cache-Control"]
    found = answer.json()
    assert (found["name"], found["short_name"]) == ("Club night · Aiko", "Club night")
    home_screen = Client()
    opened = home_screen.get(found["start_url"], follow=True)
    assert opened.redirect_chain[-1][0] == f"/e/my/{link.entry.uuid}/"
    assert opened.status_code == 200
    for other in (Client(), a_client_of(event)):
        assert other.get(here).status_code == 404
    renew_link(entry=link.entry, by=event.created_by)
    assert phone.get(here).status_code == 404
    assert home_screen.get(found["start_url"], follow=True).status_code == 404


def a_client_of(event: Tournament) -> Client:
    client = Client()
    client.force_login(event.created_by, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_iphone_is_told_how_to_add_the_page_to_its_home_screen(
    page: Page, live_site: str, visit: Callable[..., Page], scheme: Any
) -> None:
    page.add_init_script(A_SAFARI_TAB)
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme=scheme)
    link = link_of(clubs.a_club_night(), "Aiko")
    page.goto(f"{live_site}/e/{link_token(link)}/")
    steps = page.locator("[data-push-install]")
    expect(steps).to_contain_text("Add to Home Screen")
    expect(steps).to_contain_text("it knows you already")
    expect(page.get_by_role("button", name="Notify me in this browser")).to_be_hidden()
    assert axe_violations(page) + sideways(page) == []
    visit("/me/notices/", as_=a.a_user())
    expect(steps).to_contain_text("log in there")
    assert axe_violations(page) + sideways(page) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_browser_accepts_both_manifests_with_their_icons(page: Page, context: BrowserContext, live_site: str) -> None:
    link = link_of(clubs.a_club_night(), "Aiko")
    cdp = context.new_cdp_session(page)
    for path, name in (("/", "Hanami"), (f"/e/{link_token(link)}/", "Club night · Aiko")):
        page.goto(live_site + path)
        found = cdp.send("Page.getAppManifest")
        assert found["errors"] == []
        manifest = json.loads(found["data"])
        assert manifest["name"] == name
        for icon in manifest["icons"]:
            answer = page.request.get(live_site + icon["src"])
            assert answer.ok
            assert "immutable" in answer.headers["cache-control"], "its name changes with its content"
            Image.open(io.BytesIO(answer.body())).verify()
