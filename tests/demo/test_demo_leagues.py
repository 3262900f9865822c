"""The main job on a laptop: `make run` seeds a league of every preset, real workers play them, all records verify."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.demo.running import Running
from tests.services.waiting import wait_until

pytestmark = pytest.mark.timeout(800)

MATCHES = {
    "hawaii-tables": 2 * 2,  # two rounds of two tables of four
    "paradise-duels": 4 * 3 // 2 * 2,  # four meet each other, each deal from both seats
    "french-pairs": 2 * 4,  # two rounds of four tables, an entry plays both seats of its pair
    "circle-of-six": 2,
    "oi-bana-evening": 2 * 2,
    "nuki-kan-league": 2 * 3,  # two tables of three and one of two
    "go-mon-sprint": 4 * 3 // 2,
    "san-mon-quickstep": 2 * 4,
    "koi-koi-year": 4 * 3 // 2,
    "koi-koi-many-calls": 2 * 4,
    "koi-koi-stakes": 2 * 4,
    "hawaii-swiss": 2 * 4,
    "paradise-knock-out": (3 + 1) * 2,
    "hawaii-ladder": 8,  # eight entries twice; one more if the last one lacks a match, and anyone who helps has three
}
"""Matches of each league in its short size; hawaii and paradise are dealt first."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """An installation on SQLite with the embedded broker, two workers, all leagues in their short size."""
    found = Running(
        tmp_path_factory.mktemp("demo"), {"HANAMI_DEMO": "short", "HANAMI_WORKERS": "2", "HANAMI_SWEEP_S": "2"}
    )
    try:
        found.start()
        yield found
    finally:
        found.end()  # a start that outlasted its deadline, too: its workers would share the machine with later tests


def status(demo: Running) -> dict[str, Any]:
    """Return what `demo_status` says of each event."""
    said = demo.project.manage("demo_status", "--json", extra={"HANAMI_LOG_LEVEL": "ERROR"})
    return dict(json.loads(said.splitlines()[-1]))


@pytest.mark.slow
def test_the_start_says_where_to_look_and_how_to_log_in(demo: Running) -> None:
    assert demo.run is not None
    assert re.search(r"Demo login +demo / \S{8,}", demo.run.log())
    assert "Ctrl-C" in demo.run.log()
    events = [path for path in re.findall(r"/t/[a-z0-9-]+/", demo.run.log()) if path]
    assert events == [f"/t/{slug}/" for slug in MATCHES]
    for path in ("/", "/t/", "/ladder/", "/rules/", "/login/", *events):
        assert "<title>" in demo.get(path)


@pytest.fixture(scope="module")
def played_out(demo: Running) -> dict[str, Any]:
    """The status of all leagues once every one of them is finished."""
    with closing(sqlite3.connect(demo.folder / "var" / "hanami.sqlite3", timeout=20)) as reader:
        unfinished = "SELECT count(*) FROM tournaments_tournament WHERE state != 'finished'"
        wait_until(lambda: reader.execute(unfinished).fetchone() == (0,), 400, "all leagues to finish", every_s=0.5)
    return status(demo)


@pytest.mark.slow
def test_a_league_of_every_preset_finishes_with_nothing_missing_or_doubled(played_out: dict[str, Any]) -> None:
    # A knock-out match that ends level goes on with extra deals, which are matches, too.
    played = {slug: event["matches"]["confirmed"] - event["extra_deals"] for slug, event in played_out.items()}
    assert played.pop("hawaii-ladder") in (8, 9)
    assert played == {slug: count for slug, count in MATCHES.items() if slug != "hawaii-ladder"}
    for event in played_out.values():
        assert set(event["matches"]) == {"confirmed"}
        assert (event["doubled"], event["missing"]) == (0, 0)
        assert event["confirmed_once"] == event["matches"]["confirmed"]


@pytest.mark.slow
def test_every_record_verifies(demo: Running, played_out: dict[str, Any]) -> None:
    total = sum(event["confirmed_once"] for event in played_out.values())
    assert f"{total} of {total} records verify" in demo.project.manage("verify_records")


@pytest.mark.slow
@pytest.mark.usefixtures("played_out")
def test_folding_anew_changes_no_number(demo: Running) -> None:
    pages = set(re.findall(r"/t/[a-z0-9-]+/", demo.get("/t/"))) - {"/t/new/"}
    standings = {path: numbers(demo.get(f"{path}standings/")) for path in pages}
    # The smallest has four entries: rank, name, score. A tie-break that no row has a figure for is left out.
    assert [path for path, cells in standings.items() if len(cells) < (4 + 1) * 3] == []
    assert {f"/t/{slug}/" for slug in MATCHES} <= set(standings)
    demo.project.manage("refold")
    assert {path: numbers(demo.get(f"{path}standings/")) for path in standings} == standings


def numbers(page: str) -> list[str]:
    """The text of all cells of the page's tables."""
    return [re.sub(r"<[^>]+>|\s+", " ", cell).strip() for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", page, re.S)]


@pytest.mark.slow
def test_a_second_start_keeps_the_leagues_and_ctrl_c_leaves_nothing(demo: Running, played_out: dict[str, Any]) -> None:
    demo.stop()
    demo.start()
    assert status(demo) == played_out
    demo.stop()
    assert not list(Path(demo.folder).glob("var/run/*.sock"))
