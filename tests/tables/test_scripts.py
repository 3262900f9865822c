"""The scripts and sheets of a live table, and the piece of the page that they take from the server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from bots.templatetags.modules import imports_of
from tests.browser.sheets import served_bytes
from tests.tables.test_pages import two_guests, view

STATIC = Path(__file__).parents[2] / "static"
SOURCE = re.compile(r'<script type="module" src="/static/([^"]+?)(?:\.[0-9a-f]{12})?(\.js)"')
PRELOADED = re.compile(r'<link rel="modulepreload" href="/static/([^"]+?)(?:\.[0-9a-f]{12})?(\.js)"')
AHEAD = re.compile(r'<link rel="prefetch" as="\w+" href="/static/([^"]+?)(?:\.[0-9a-f]{12})?(\.\w+)"')
IMPORT = re.compile(r'^import .*"(\.[^"]+)";$', re.MULTILINE)


def loaded(first: Path, found: set[Path]) -> set[Path]:
    """A script and everything that it imports."""
    if first not in found:
        found.add(first)
        for name in IMPORT.findall(first.read_text()):
            loaded((first.parent / name).resolve(), found)
    return found


@pytest.mark.django_db
def test_all_scripts_of_a_table_weigh_less_than_60_kb(django_capture_on_commit_callbacks: Any) -> None:
    table, clients = two_guests()
    html = clients[0].get(f"/play/{table.uuid}/").content.decode()
    found: set[Path] = set()
    for name, ending in SOURCE.findall(html):
        loaded(STATIC / f"{name}{ending}", found)
    assert STATIC / "table/play.js" in found
    preloaded = {STATIC / f"{name}{ending}" for name, ending in PRELOADED.findall(html)}
    own = {path for path in found if path.parent.name != "site"} - {STATIC / "table/play.js"}
    assert preloaded == own, "what is imported is fetched at once"
    assert sum(path.stat().st_size for path in found) < 60_000
    assert served_bytes("table/live.css") < 8_200
    assert served_bytes("site/live_wide.css") < 1_700
    assert len(html.encode()) < 60_000


def test_a_script_is_named_with_all_that_it_imports() -> None:
    found = {STATIC / name for name in imports_of("table/replay.js")}
    assert found == loaded(STATIC / "table" / "replay.js", set()) - {STATIC / "table" / "replay.js"}
    with pytest.raises(FileNotFoundError):
        imports_of("table/nowhere.js")


@pytest.mark.django_db
def test_the_lobby_fetches_what_a_table_needs() -> None:
    html = Client().get("/play/").content.decode()
    ahead = {STATIC / f"{name}{ending}" for name, ending in AHEAD.findall(html)}
    assert loaded(STATIC / "table" / "play.js", set()) <= ahead
    table_sheets = ("table/table.css", "table/phone.css", "table/seats.css", "table/ending.css")
    sheets = (*table_sheets, "table/live.css", "site/live_wide.css")
    assert {STATIC / name for name in sheets} <= ahead
    assert len(html.encode()) < 40_000


@pytest.mark.django_db
def test_a_view_brings_its_piece_of_the_page_only_where_it_is_asked_for() -> None:
    table, clients = two_guests()
    assert "part" not in view(clients[0], table)
    turn = view(clients[0], table)["turn"]["seat"]
    own, other = (view(clients[seat], table, part="1")["part"] for seat in (turn, 1 - turn))
    assert "Your turn:" in own["told"]
    assert own["body"].count('name="a"') == len(view(clients[turn], table)["turn"]["legal"])
    assert 'name="a"' not in other["body"]
    assert 'name="a"' not in view(Client(), table, part="1")["part"]["body"]


@pytest.mark.django_db
def test_every_choice_names_the_cards_that_it_is_made_with() -> None:
    table, clients = two_guests()
    turn = view(clients[0], table)["turn"]["seat"]
    found = view(clients[turn], table, part="1")
    named = re.findall(r'name="a" value="(\d+)" data-card="([^"]*)"\s+data-take="([^"]*)"', found["part"]["body"])
    wanted = [(str(each["i"]), each["card"] or "", each["take"] or "") for each in found["turn"]["legal"]]
    assert named == wanted
