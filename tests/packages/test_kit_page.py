"""`/kit/`: the line to type, the files with their hashes, and what stands there before anything was built."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from config.embedded import wheels_mark
from guides.reading import EXAMPLE
from packages.wheels import wheels
from scripts.serve import announce_wheels
from tests.packages.conftest import LINUX, AddWheel

pytestmark = pytest.mark.django_db
INSTALL = re.compile(r"pip install [^<]*")


def lines(page: str) -> list[str]:
    return INSTALL.findall(page)


@pytest.mark.usefixtures("wheels_there")
def test_the_first_line_installs_the_kit_from_here(client: Client, settings: Any) -> None:
    page = client.get("/kit/", secure=True, headers={"Host": "localhost"}).content.decode()
    index = "https://localhost/kit/simple/"
    assert lines(page)[:2] == [
        f"pip install --index-url {index} hanami-kit",
        f"pip install --index-url {index} hanafuda",
    ]
    for wheel in wheels():
        assert wheel.name in page
        assert wheel.sha256 in page
    assert "CPython 3.11 on Linux (x86_64, glibc 2.17 or newer), in machine code" in page
    assert "nobody vouches" not in page
    extras = page.partition('aria-labelledby="extras"')[2].partition("</section>")[0]
    assert ">Extras</h3>" in extras
    assert re.findall(r"hanafuda\[(\w+)\]", extras) == ["rl", "spiel", "data"]


@pytest.mark.usefixtures("wheels_there")
def test_without_https_pip_is_told_to_trust_another_machine(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["plum.example.org", "127.0.0.1"]
    page = client.get("/kit/", headers={"Host": "plum.example.org:8000"}).content.decode()
    index = "http://plum.example.org:8000/kit/simple/"
    assert lines(page)[0] == f"pip install --trusted-host plum.example.org --index-url {index} hanami-kit"
    assert "nobody vouches" in page
    here = client.get("/kit/", headers={"Host": "127.0.0.1:8000"}).content.decode()
    assert lines(here)[0] == "pip install --index-url http://127.0.0.1:8000/kit/simple/ hanami-kit"


@pytest.mark.usefixtures("kit_dir")
def test_before_anything_was_built_it_says_so(client: Client) -> None:
    answer = client.get("/kit/")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "No packages have been built on this site yet." in page
    assert lines(page) == []


def test_while_the_first_packages_are_built_it_says_so(client: Client, kit_dir: Path, settings: Any) -> None:
    settings.KIT_BUILDING = wheels_mark(kit_dir)
    announce_wheels(kit_dir)
    page = client.get("/kit/").content.decode()
    assert "The packages are being built. Load this page again in a minute." in page
    assert "make dist" not in page
    settings.KIT_BUILDING.unlink()
    (kit_dir / "hanami_kit-0.1.0-py3-none-any.whl").touch()
    announce_wheels(kit_dir)
    assert not settings.KIT_BUILDING.exists(), "there is something to offer meanwhile"


def test_the_shown_version_is_the_newest(client: Client, add_wheel: AddWheel) -> None:
    for version in ("0.9.0", "0.10.0"):
        add_wheel("hanami-kit", version)
    add_wheel("hanafuda", "0.10.0", LINUX)
    page = client.get("/kit/").content.decode()
    assert "Version 0.10.0, for Python 3.11 or newer." in page


@pytest.mark.parametrize("path", ["/docs/", "/about/", "/"])
def test_it_is_found_where_people_look(client: Client, path: str) -> None:
    assert 'href="/kit/"' in client.get(path).content.decode()


def test_guides_name_the_site_that_shows_them(client: Client) -> None:
    for name in ("the-kit", "write-your-first-bot"):
        page = client.get(f"/docs/{name}/", secure=True, headers={"Host": "localhost"}).content.decode()
        assert "pip install --index-url https://localhost/kit/simple/ hanami-kit" in page
        assert EXAMPLE not in page
