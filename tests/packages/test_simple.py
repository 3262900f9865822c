"""The index that pip reads: both of its forms, hashes that are true, and nothing of ours from elsewhere."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
from django.test import Client

from packages.simple import HTML, JSON
from tests.packages.conftest import LINUX, AddWheel

pytestmark = pytest.mark.django_db
PIP = f"{JSON}, {HTML}; q=0.1, text/html; q=0.01"
"""What pip asks for."""


def test_the_list_names_the_projects_that_have_a_wheel(client: Client, add_wheel: AddWheel) -> None:
    add_wheel("hanafuda")
    answer = client.get("/kit/simple/", headers={"Accept": PIP})
    assert answer["Content-Type"] == JSON
    assert answer.json() == {"meta": {"api-version": "1.1"}, "projects": [{"name": "hanafuda"}]}
    page = client.get("/kit/simple/").content.decode()
    assert re.findall(r'<a href="([^"]+)">([^<]+)', page) == [("/kit/simple/hanafuda/", "hanafuda")]


@pytest.mark.usefixtures("wheels_there")
def test_a_project_in_json_has_what_pip_needs(client: Client, kit_dir: Path) -> None:
    answer = client.get("/kit/simple/hanafuda/", headers={"Accept": PIP})
    found = answer.json()
    assert (found["name"], found["versions"]) == ("hanafuda", ["0.1.0"])
    assert [each["filename"] for each in found["files"]] == [
        "hanafuda-0.1.0-py3-none-any.whl",
        f"hanafuda-0.1.0-{LINUX}.whl",
    ]
    for each in found["files"]:
        content = (kit_dir / each["filename"]).read_bytes()
        assert each["hashes"]["sha256"] == hashlib.sha256(content).hexdigest()
        assert (each["size"], each["requires-python"]) == (len(content), ">=3.11")
        sent = client.get(each["url"])
        assert sent.content == content
        assert "immutable" in sent["Cache-Control"]
        metadata = client.get(each["url"] + ".metadata").content
        assert hashlib.sha256(metadata).hexdigest() == each["core-metadata"]["sha256"]
        assert b"Name: hanafuda" in metadata


@pytest.mark.usefixtures("wheels_there")
def test_a_project_in_html_says_the_same(client: Client) -> None:
    whole = client.get("/kit/simple/hanami-kit/", headers={"Accept": PIP}).json()["files"][0]
    answer = client.get("/kit/simple/hanami-kit/")
    page = answer.content.decode()
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert f'href="{whole["url"]}#sha256={whole["hashes"]["sha256"]}"' in page
    assert 'data-requires-python="&gt;=3.11"' in page
    assert f'data-core-metadata="sha256={whole["core-metadata"]["sha256"]}"' in page
    assert client.get("/kit/simple/hanami-kit/", headers={"Accept": HTML})["Content-Type"] == HTML
    assert "Accept" in answer["Vary"]


@pytest.mark.usefixtures("wheels_there")
def test_the_index_is_asked_for_each_time_and_cheap(client: Client, add_wheel: AddWheel) -> None:
    first = client.get("/kit/simple/hanafuda/")
    assert "no-cache" in first["Cache-Control"]
    known = {"If-None-Match": first["ETag"]}
    assert client.get("/kit/simple/hanafuda/", headers=known).status_code == 304
    assert client.get("/kit/simple/hanafuda/", headers={**known, "Accept": PIP}).status_code == 200
    add_wheel("hanafuda", "0.2.0")
    assert client.get("/kit/simple/hanafuda/", headers=known).status_code == 200


def test_another_build_of_a_version_has_another_address(client: Client, add_wheel: AddWheel) -> None:
    add_wheel("hanafuda", says="1")
    before = client.get("/kit/simple/hanafuda/", headers={"Accept": JSON}).json()["files"][0]["url"]
    add_wheel("hanafuda", says="22")
    after = client.get("/kit/simple/hanafuda/", headers={"Accept": JSON}).json()["files"][0]["url"]
    assert before != after
    assert client.get(before).status_code == 404
    assert client.get(after).status_code == 200


def test_newer_versions_come_first(client: Client, add_wheel: AddWheel) -> None:
    for version in ("0.9.0", "0.10.0", "0.2.0"):
        add_wheel("hanafuda", version)
    found = client.get("/kit/simple/hanafuda/", headers={"Accept": JSON}).json()
    assert found["versions"] == ["0.10.0", "0.9.0", "0.2.0"]


def test_names_are_normalised_and_others_are_at_the_public_index(client: Client, add_wheel: AddWheel) -> None:
    add_wheel("hanami-kit")
    assert client.get("/kit/simple/Hanami_Kit/")["Location"] == "/kit/simple/hanami-kit/"
    assert client.get("/kit/simple/Typing.Extensions/")["Location"] == "https://pypi.org/simple/typing-extensions/"


@pytest.mark.usefixtures("kit_dir")
def test_our_own_names_never_lead_elsewhere(client: Client) -> None:
    """Nobody owns them there: anyone may publish something under them tomorrow."""
    for name in ("hanafuda", "hanami-kit", "hanami.kit", "HANAFUDA"):
        answer = client.get(f"/kit/simple/{name}/", follow=True)
        assert answer.status_code == 404
        assert all(not where.startswith("http") for where, _status in answer.redirect_chain)


@pytest.mark.parametrize(
    "name", ["hanafuda-0.1.0-py3-none-any.whl", "secret_key", "..%2fsecret_key", "other-1-py3-none-any.whl"]
)
def test_only_wheels_of_ours_are_sent(client: Client, kit_dir: Path, add_wheel: AddWheel, name: str) -> None:
    wheel = add_wheel("other", "1")
    (kit_dir / "secret_key").write_text("plum")
    (kit_dir / "hanafuda-0.1.0-py3-none-any.whl").write_bytes(b"no zip")
    part = hashlib.sha256(wheel.read_bytes()).hexdigest()[:16]
    assert client.get(f"/kit/files/{part}/{name}").status_code == 404
    assert json.loads(client.get("/kit/simple/", headers={"Accept": JSON}).content)["projects"] == []
