"""Pages: each opens, is light, asks the database little however much there is, and holds no inline code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from bots.jobs.process import Process
from tests.browser.crawling import route_of, routes
from tests.browser.every_page import NO_PAGES, OTHER_PAGES
from tests.browser.sheets import served_bytes
from tests.builders import events as a
from tests.builders.leagues import League, own_paths, play, public_paths
from tournaments.events.create import create_tournament
from tournaments.models import Tournament
from tournaments.progress.run import open_registration, publish_tournament, start_tournament

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
MAX_HTML = 60_000
MAX_QUERIES = 10
Become = Callable[[User | None], Client]


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as seen:
        assert client.get(path).status_code == 200, path
    return len(seen)


@pytest.mark.thorough
def test_every_page_opens_and_is_light_and_holds_no_inline_code(league: League, as_user: Become) -> None:
    for reader in (None, league.rival, league.owner, league.organiser):
        client = as_user(reader)
        paths = public_paths(league) + (own_paths(league) if reader else [])
        for path in paths:
            answer = client.get(path, follow=reader is not None)
            page = answer.content.decode()
            assert answer.status_code == 200, (reader, path)
            assert len(answer.content) < MAX_HTML, (reader, path, len(answer.content))
            assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|javascript:", page), path
            assert "unsafe" not in answer.headers["Content-Security-Policy"], path
            assert re.search(r"<html lang=\"en\"", page), path
            assert page.count("<h1") == 1, path
            assert (
                "X-Fragment" in answer.headers.get("Vary", "") or "accounts" in path or path[1:3] in ("lo", "si", "me")
            )


def test_every_address_is_a_page_that_is_looked_at_or_says_why_not(league: League) -> None:
    """The lists that axe walks (test_looks) hold every address there is; what they leave out has its reason."""
    shown = [*public_paths(league), *own_paths(league), f"/t/{league.draft.slug}/"]
    looked_at = {route_of(path) for path in shown} | OTHER_PAGES
    others = {route for route in routes() if route.startswith(("admin/", "api/v1"))}  # Django's own; programs' answers
    assert set(routes()) - looked_at - set(NO_PAGES) - others == set(), "give it a look in tests/browser/every_page.py"
    assert (OTHER_PAGES | set(NO_PAGES)) - set(routes()) == set()
    assert OTHER_PAGES & set(NO_PAGES) == set()


@pytest.mark.slow
def test_every_page_asks_little_of_the_database(league: League, as_user: Become) -> None:
    for reader in (None, league.owner, league.organiser):
        client = as_user(reader)
        for path in public_paths(league) + (own_paths(league) if reader else []):
            if reader and path in ("/login/", "/signup/"):
                continue
            assert queries(client, path) <= MAX_QUERIES, (reader, path)


@pytest.mark.slow
def test_queries_do_not_grow_with_rows(league: League, player: Process, as_user: Become) -> None:
    client = as_user(league.organiser)
    paths = [path for path in public_paths(league) if path not in ("/login/", "/signup/")]
    play(player)  # the same states before and after; only rows are added
    before = {path: queries(client, path) for path in paths}
    more = [a.a_bot(league.owner) for _ in range(4)]
    for name in ("One more", "And another"):
        event = create_tournament(by=league.organiser, plan=a.a_plan(name=name, entries_per_owner=8))
        publish_tournament(tournament=event, by=league.organiser)
        open_registration(tournament=event, by=league.organiser)
        a.entered(event, more)
        start_tournament(tournament=event, by=league.organiser)
    a.entered(league.open, more[:3])
    play(player)
    grown = {path: queries(client, path) for path in paths}
    assert {path: (before[path], grown[path]) for path in paths if grown[path] > before[path]} == {}


def test_a_fragment_is_the_page_without_its_frame_and_is_not_sent_twice(league: League, client: Client) -> None:
    path = f"/t/{league.running.slug}/standings/"
    whole, part = client.get(path), client.get(path, headers={"X-Fragment": "true"})
    assert b"<html" in whole.content
    assert b"<html" not in part.content
    assert b'id="standings"' in part.content
    again = client.get(path, headers={"X-Fragment": "true", "If-None-Match": part.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.thorough
def test_the_etag_of_a_fragment_changes_with_a_result_and_with_the_reader(
    league: League, player: Process, as_user: Become
) -> None:
    path = f"/t/{league.running.slug}/rounds/"
    before = as_user(None).get(path, headers={"X-Fragment": "true"}).headers["ETag"]
    other = as_user(league.owner).get(path, headers={"X-Fragment": "true"}).headers["ETag"]
    play(player)
    after = as_user(None).get(path, headers={"X-Fragment": "true"}).headers["ETag"]
    assert len({before, other, after}) == 3


def test_every_picture_a_page_names_is_in_its_sheet(league: League, client: Client) -> None:
    sheets = {name: (ROOT / "static" / name).read_text() for name in ("cards/classic.svg", "site/icons.svg")}
    used = set()
    for path in ("/", "/rules/", "/rules/hawaii/", f"/t/{league.running.slug}/rounds/", "/queue/"):
        page = client.get(path).content.decode()
        used |= set(re.findall(r'<use href="[^"]*/(cards/classic|site/icons)[^"#]*#([^"]+)"', page))
    assert {name for name, _ in used} == {"cards/classic", "site/icons"}
    assert [(name, mark) for name, mark in used if f'id="{mark}"' not in sheets[f"{name}.svg"]] == []


def test_style_and_scripts_are_light() -> None:
    scripts = {file.name: file.stat().st_size for file in (ROOT / "static/site").glob("*.js")}
    worker = scripts.pop("push_worker.js")  # no page loads it: browsers run it beside pages
    assert served_bytes("site/site.css") < 30_000
    assert sum(scripts.values()) < 45_000
    assert worker < 2_000


@pytest.mark.thorough
def test_lists_filter_and_page(league: League, client: Client) -> None:
    assert "Spring league" in client.get("/t/?when=past").content.decode()
    assert "Spring league" not in client.get("/t/?when=live").content.decode()
    assert "Hawaii tables" in client.get("/t/?q=hawaii&seats=3").content.decode()
    assert "No tournament found" in client.get("/t/?preset=french").content.decode()
    for n in range(25):
        Tournament.objects.create(
            slug=f"more-{n}", name=f"More {n}", state="published", created_by=league.organiser, visibility="public"
        )
    page = client.get("/t/?q=more&page=2").content.decode()
    assert "q=more&amp;page=1" in page
    assert page.count('class="tile coming"') == 5
    assert client.get("/t/?page=nonsense").status_code == 200


def test_a_schedule_with_many_matches_shows_one_round_at_a_time(
    league: League, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.matches.schedule.BATCH_SIZE", 2)
    page = client.get(f"/t/{league.finished.slug}/rounds/").content.decode()
    assert page.count('<section id="round-') == 1
    assert 'id="round-2"' in client.get(f"/t/{league.finished.slug}/rounds/?round=2").content.decode()
    assert client.get(f"/t/{league.finished.slug}/rounds/?round=99").status_code == 404
