"""The viewer in a frame: the one kind of page that other sites may show, the same for all, no cookies (journey 24)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Browser, expect

from tests.browser.looking import axe_violations, sideways
from tests.builders.matches_on_show import a_finished_match, a_match, a_stage
from tournaments.models import Tournament

READY = 'hanami-replay[data-state="ready"]'


@contextmanager
def another_site(folder: Path, html: str) -> Iterator[str]:
    """A site of somebody else with one page."""
    (folder / "index.html").write_text(html, encoding="utf-8")
    server = ThreadingHTTPServer(("localhost", 0), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.thorough
@pytest.mark.django_db
def test_only_the_embedded_viewer_may_be_framed(client: Client) -> None:
    match = a_finished_match(rounds=1)
    framed = client.get(f"/m/{match.uuid}/embed/")
    assert framed.status_code == 200
    assert "X-Frame-Options" not in framed
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "default-src 'self'" in framed["Content-Security-Policy"]
    others = [
        f"/m/{match.uuid}/",
        f"/m/{match.uuid}/verify/",
        "/",
        "/fairness/",
        "/login/",
        f"/m/{match.uuid}/record.json",
    ]
    gone = "/m/00000000-0000-0000-0000-000000000000/embed/"
    for path in (*others, gone):
        answer = client.get(path)
        assert answer["X-Frame-Options"] == "DENY", path
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], path
    assert client.get(gone).status_code == 404


@pytest.mark.django_db
def test_it_sets_no_cookie_and_asks_little(client: Client, django_assert_max_num_queries: object) -> None:
    match = a_finished_match(seats=7, rounds=2)
    with django_assert_max_num_queries(10):  # type: ignore[operator]  # the fixture's type is not published
        answer = client.get(f"/m/{match.uuid}/embed/?d=2&m=3")
    assert not answer.cookies
    html = answer.content.decode()
    assert "csrf" not in html
    assert '<form method="post"' not in html
    assert len(html.encode()) < 60_000


@pytest.mark.django_db
def test_place_seat_and_language_come_from_the_address_and_stay(client: Client) -> None:
    match = a_finished_match(seats=3, rounds=3)
    plain = client.get(f"/m/{match.uuid}/?d=3&m=5&s=2").content.decode()
    said = re.compile(r'data-rp="words">([^<]*)<')
    framed = client.get(f"/m/{match.uuid}/embed/?d=3&m=5&s=2")
    found, expected = said.search(framed.content.decode()), said.search(plain)
    assert found is not None
    assert expected is not None
    assert found[1] == expected[1]
    japanese = client.get(f"/m/{match.uuid}/embed/?lang=ja&text&d=3&m=5", headers={"Accept-Language": "fr"})
    html = japanese.content.decode()
    assert japanese["Content-Language"] == "ja"
    assert '<html lang="ja">' in html
    assert "?lang=ja&amp;text=1&amp;d=3&amp;m=6#replay" in html
    assert '<details class="rp-fold" id="rp-text" open>' in html
    assert '<html lang="en">' in client.get(f"/m/{match.uuid}/embed/?lang=xx").content.decode()


@pytest.mark.django_db
def test_private_matches_are_framed_for_nobody(client: Client) -> None:
    match = a_finished_match(rounds=1)
    event = match.stage.tournament
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    assert client.get(f"/m/{match.uuid}/embed/").status_code == 404
    client.force_login(event.created_by, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/m/{match.uuid}/embed/").status_code == 404
    assert "iframe" not in client.get(f"/m/{match.uuid}/").content.decode()


@pytest.mark.django_db
def test_what_is_not_played_yet_says_so_and_follows(client: Client) -> None:
    match = a_match(a_stage())
    html = client.get(f"/m/{match.uuid}/embed/").content.decode()
    assert "This match waits for a free worker" in html
    assert f'data-live="m:{match.uuid}@0"' in html
    assert "hanami-replay" not in html


@pytest.mark.slow
def test_journey_24_a_frame_on_another_site_plays_by_keyboard(
    live_site: str, browser: Browser, client: Client, tmp_path: Path
) -> None:
    match = a_finished_match(seats=4, rounds=2)
    page = client.get(f"/m/{match.uuid}/", headers={"Host": urlsplit(live_site).netloc}).content.decode()
    (lines,) = re.findall(r"&lt;iframe.*?&lt;/iframe&gt;", page)
    snippet = lines.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
    snippet = snippet.replace("/embed/", "/embed/?lang=ja&text&d=2&m=1").replace(' loading="lazy"', "")
    html = f"<!doctype html><html lang='en'><title>A blog</title><main><h1>A blog</h1>{snippet}<p>End</p></main></html>"
    with another_site(tmp_path, html) as address:
        context = browser.new_context(viewport={"width": 900, "height": 1000})
        blog = context.new_page()
        blog.goto(address)
        (frame,) = [each for each in blog.frames if "/embed/" in each.url]
        frame.wait_for_selector(READY)
        while not frame.evaluate(
            "document.hasFocus() && document.querySelector('hanami-replay').contains(document.activeElement)"
        ):
            blog.keyboard.press("Tab")
        said = frame.locator('[data-rp="words"]').inner_text()
        blog.keyboard.press("ArrowRight")
        expect(frame.locator('[data-rp="where"]')).to_contain_text("2")
        assert frame.locator('[data-rp="words"]').inner_text() != said
        assert frame.evaluate("location.search + location.hash") == "?lang=ja#d2m2"
        blog.keyboard.press("2")
        frame.wait_for_url(re.compile("#d2m2s2$"))  # what a seat knows is loaded first
        blog.keyboard.press("t")
        expect(frame.locator("#rp-text")).not_to_have_attribute("open", "")
        assert frame.evaluate("document.documentElement.lang") == "ja"
        assert context.cookies() == []
        assert frame.get_by_role("link", name="Hanami").first.get_attribute("target") == "_blank"
        top = context.new_page()
        top.goto(frame.url)
        top.wait_for_selector(READY)
        assert axe_violations(top) == []
        top.set_viewport_size({"width": 360, "height": 740})
        assert sideways(top) == []
        context.close()


@pytest.mark.django_db
def test_the_lines_to_embed_stand_below_the_result_and_not_in_the_proof(client: Client) -> None:
    page = client.get(f"/m/{a_finished_match(rounds=1).uuid}/").content.decode()
    assert page.index('id="match-result"') < page.index('id="embed"') < page.index('id="match-proof"')
    assert page.count("How decks are made and checked") == 1
