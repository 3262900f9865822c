"""`hanami replay --browser`: a record in the site's own viewer, from this machine alone, without a network."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Page, expect

from kit.browsing import serving, shelf
from kit.documents import load_record
from kit.viewing import Viewer, wanted
from tests.kit.conftest import Type
from tests.services.processes import ROOT, end

RECORDS = ROOT / "tests" / "data" / "records"
USED = re.compile(r'part\("(\w+)"\)|data-rp="(\w+)"|data-go="(\w+)"')
OFFERED = re.compile(r'data-(?:rp|go|do)="(\w+)"')
ONLY_FOR_OWNERS = {"log"}
SHEET = re.compile(r"(?:site|table)/\w+\.css")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hawaii-2", "hawaii-6-3x2-return", "oibana-4-forfeit"])
def test_the_page_and_all_it_needs_are_served_here(name: str) -> None:
    document = load_record(RECORDS / f"{name}.json")
    viewer, asked = Viewer(document), wanted("d1m2s1")
    with serving(shelf(viewer, document, viewer.place(asked), asked)) as address:
        html = requests.get(address, timeout=5)
        assert "default-src 'none'" in html.headers["Content-Security-Policy"]
        assert 'data-deal="1" data-move="2" data-view="1"' in html.text
        linked = set(re.findall(r'(?:href|src|data-record|data-words|data-sprite)="(/[^"]+)"', html.text))
        script = requests.get(f"{address}/table/replay.js", timeout=5).text
        for path in linked | {f"/table/{file}" for file in re.findall(r'from "\./(\w+\.js)"', script)}:
            assert requests.get(address + path, timeout=5).status_code == 200, path
        assert requests.get(f"{address}/record.json", timeout=5).json() == document
        assert requests.get(f"{address}/../pyproject.toml", timeout=5).status_code == 404


def test_the_page_has_every_part_that_the_viewer_looks_for() -> None:
    document = load_record(RECORDS / "hawaii-2.json")
    viewer = Viewer(document)
    things = shelf(viewer, document, viewer.place(wanted("")), wanted(""))
    offered = set(OFFERED.findall(things["/"][1].decode()))
    used = {name for found in USED.findall(things["/table/replay.js"][1].decode()) for name in found if name}
    assert used - ONLY_FOR_OWNERS <= offered
    parts = ("_replay", "_steps", "_score", "_keys")
    site = "".join((ROOT / "templates" / "matches" / f"{name}.html").read_text(encoding="utf-8") for name in parts)
    assert set(OFFERED.findall(site)) - ONLY_FOR_OWNERS == offered
    sheets = (ROOT / "templates" / "matches" / "_sheets.html").read_text(encoding="utf-8")
    framed = (ROOT / "templates" / "matches" / "embed.html").read_text(encoding="utf-8")
    framed = framed.replace('{% include "matches/_sheets.html" with later=True %}', sheets)
    assert SHEET.findall(things["/"][1].decode()) == SHEET.findall(framed), "the sheets of a frame on another site"
    (told,) = re.findall(
        r"const \{ ([\w, ]+) \} = this\.dataset;\n\s+this\.spot", things["/table/replay.js"][1].decode()
    )
    assert [name for name in told.split(", ") if f' data-{name}="' not in things["/"][1].decode()] == []


def test_what_is_no_file_here_is_said(type_in: Type) -> None:
    found = type_in("replay", "nothing.json", "--browser")
    assert (found.code, "There is no file nothing.json here" in found.err) == (2, True)


@pytest.mark.thorough
def test_a_kept_failure_is_looked_at(
    type_in: Type, my_bot: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(my_bot("def choose(obs):\n    return 99\n"))
    assert type_in("play", ".", "house:random", "--deals", "1").code == 1
    found = type_in("replay", "L1")
    assert (found.code, "forfeited in deal 1" in found.out) == (0, True), found.err


@pytest.mark.slow
def test_a_reader_steps_through_it_in_a_browser(at_home: Path, page: Page) -> None:
    words = ("replay", str(RECORDS / "hawaii-2.json"), "--browser", "--json")
    process = subprocess.Popen(
        [sys.executable, "-m", "kit", *words], cwd=at_home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "BROWSER": "true"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        asked: list[str] = []
        faults: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        page.goto(said["address"])
        expect(page.locator("hanami-replay")).to_have_attribute("data-state", "ready")
        before = page.locator('[data-rp="words"]').inner_text()
        page.keyboard.press("ArrowRight")
        expect(page.locator('[data-rp="words"]')).not_to_have_text(before)
        assert page.url.endswith("#d1m1")
        expect(page.locator(".rp-me .hc").first).to_be_visible()
        assert {url.split("/")[2] for url in asked} == {said["address"].split("/")[2]}
        assert faults == []
    finally:
        end(process)
        assert process.stdout is not None
        process.stdout.close()
