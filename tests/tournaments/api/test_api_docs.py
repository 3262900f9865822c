"""The examples of the documentation page do what they say, in a shell and in Python, against a real server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.tokens import make_token
from tests.builders import events as a
from tests.builders.keys import ALL
from tournaments.api.schema.docs import FIRST, ME, SIGNED, groups
from tournaments.api.schema.examples import ANSWER, EXAMPLES, PYTHON_HEAD, SIGNED_ANSWER, filled
from tournaments.api.schema.subjects import ABOUT
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def values(live_site: str) -> dict[str, str]:
    """An event that takes entries, a bot that can be entered, and its owner's token."""
    owner = User.objects.create_user("ann", password="plum-blossom-77")
    event: Tournament = a.an_open_event()
    bot = a.a_bot(owner)
    return {
        "base": live_site,
        "token": make_token(user=owner, name="docs", scopes=ALL)[1],
        "event": event.slug,
        "bot": bot.slug,
    }


def run(command: list[str], folder: Path) -> str:
    """Return what a command prints; it succeeds."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.thorough
def test_every_example_does_what_it_says(values: dict[str, str], tmp_path: Path) -> None:
    for example in EXAMPLES:
        said = run(["sh", "-ec", filled(example.shell, **values)], tmp_path)
        assert filled(example.expected, **values) in said, (example.title, said)
        assert '"code"' not in said.replace('"code":null', ""), said
        said = run([sys.executable, "-c", filled(PYTHON_HEAD + example.python, **values)], tmp_path)
        assert filled(example.expected, **values) in said, (example.title, said)


@pytest.mark.thorough
def test_the_answer_on_the_page_is_one_of_the_service(values: dict[str, str], tmp_path: Path) -> None:
    shown = json.loads(filled(ANSWER, base=values["base"]))
    found = json.loads(run(["sh", "-ec", filled(FIRST, **values)], tmp_path))
    assert shown.keys() == found.keys()
    assert unlike(shown["items"][0], found["items"][0]) == set()


@pytest.mark.thorough
def test_the_answer_to_a_token_is_one_of_the_service(values: dict[str, str], tmp_path: Path) -> None:
    shown = json.loads(filled(SIGNED_ANSWER, base=values["base"]))
    found = json.loads(run(["sh", "-ec", filled(SIGNED.replace("{path}", ME), **values)], tmp_path))
    assert found["username"] == "ann"
    assert unlike(shown, found) == set()


def unlike(shown: dict[str, Any], found: dict[str, Any]) -> set[str]:
    """Return the fields shown that the service answers with another type; all of them are fields of its answer."""
    assert shown.keys() <= found.keys()
    # Sums of an event in which nothing is yet are null.
    return {name for name in shown if found[name] is not None and type(shown[name]) is not type(found[name])}


@pytest.mark.thorough
def test_what_belongs_to_one_tournament_is_listed_apart() -> None:
    apart = {each.id: each.title for each in groups() if each.is_in_event}
    assert apart["pair-rules"] == "Pair rules"
    assert {"entries", "standings", "invitations"} <= apart.keys()
    assert apart.keys().isdisjoint({"tournaments", "bots", "matches", "tables"})


def test_every_resource_says_what_it_is_and_no_other_is_described() -> None:
    assert sorted(ABOUT) == sorted(each.id for each in groups())
    assert all(each.about.endswith(".") and len(each.about) < 70 for each in groups())


@pytest.mark.django_db
def test_an_address_breaks_behind_its_slashes(client: Client) -> None:
    page = client.get("/api/docs/").content.decode()
    assert "/<wbr>api/<wbr>v1/<wbr>tournaments?limit=1" in page
    assert "/<wbr>api/<wbr>v1/<wbr>bots" in client.get("/api/docs/bots/").content.decode()


def test_the_two_first_requests_are_boxes_of_one_height(page: Page, live_site: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{live_site}/api/docs/")
    expect(page.locator(".api-start dl")).to_contain_text("Each address and field in one file: OpenAPI")
    address = page.locator(".api-start dd:has(button) code").bounding_box()
    assert address
    assert address["height"] < 30, "the address that all begin with stands in one line"
    forms = page.locator(".of-api :is(.api-start, .example[open]) button").evaluate_all(
        "all => all.map((each) => getComputedStyle(each)).map((s) => [s.backgroundColor, s.borderColor, s.font].join())"
    )
    assert len(forms) > 5
    assert len(set(forms)) == 1, "what copies looks the same everywhere"
    cut = page.locator(".api-start pre").evaluate_all("all => all.map((each) => each.scrollWidth - each.clientWidth)")
    assert set(cut) == {0}, "a long address breaks where its parts end: none goes on beyond the edge"
    for part in (".asked", ".answered"):
        boxes = page.locator(f".api-start {part}").evaluate_all(
            "all => all.map((each) => each.getBoundingClientRect())"
        )
        assert len({(round(box["top"]), round(box["bottom"])) for box in boxes}) == 1 < len(boxes), part


def test_the_sample_of_a_resource_is_one_of_its_addresses() -> None:
    samples = {each.id: filled(each.sample, base="") for each in groups() if each.sample}
    assert len(samples) > 30
    assert (samples["bots"], samples["entries"]) == ("/api/v1/bots", "/api/v1/tournaments/plum-league/entries")
    assert all(resolve(path) for path in samples.values())
