"""`/data/`: what is published, in pages, files that hold, and nothing that was withdrawn."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.data import SUMS, load
from engine.data_rows import rows_of
from tests.builders.leagues import League
from tests.tournaments.dataset.test_export import past as past  # a fixture: a league whose matches are of days before
from tournaments.dataset import catalogue, croissant, serving
from tournaments.dataset.catalogue import DayFile
from tournaments.dataset.days import matches_of, versions
from tournaments.dataset.export import export
from tournaments.models import Match, Tournament
from tournaments.pages.dataset.data import ONE_ROW

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def place(settings: Any, tmp_path: Path) -> Path:
    settings.DATASET_DIR = tmp_path / "dataset"
    return tmp_path / "dataset"


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_files_are_listed_and_are_what_the_lists_say(past: League, client: Client, place: Path, tmp_path: Path) -> None:
    export(place)
    page = client.get("/data/").content.decode()
    links = re.findall(r'href="(/data/files/[^"]+)"', page)
    assert len([link for link in links if link.endswith(".parquet")]) == 2
    for link in set(links):
        (tmp_path / link.rpartition("/")[2]).write_bytes(body(client.get(link)))
    blocks = [re.sub("<[^>]+>", "", each) for each in re.findall(r"<pre[^>]*><code>(.*?)</code>", page, re.DOTALL)]
    (example,) = [each for each in blocks if each.startswith("from hanafuda")]
    printed: list[object] = []
    source = unescape(example).replace("hanafuda", "engine").replace('"dataset"', "folder")
    exec(source, {"folder": tmp_path, "print": printed.append})
    downloaded = load(tmp_path)
    assert len(printed) == len(downloaded)
    assert len(downloaded) == catalogue.totals(catalogue.published(place)).decisions
    found = json.loads((tmp_path / "croissant.json").read_text(encoding="utf-8"))
    files = {each["name"]: each for each in found["distribution"] if each["@type"] == "cr:FileObject"}
    for file in downloaded.files:
        assert files[file.name]["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
        assert files[file.name]["contentUrl"] == f"http://testserver/data/files/{file.name}"


def test_the_row_that_the_page_shows_is_one_of_a_match() -> None:
    record = Path(__file__).parents[3] / "data" / "records" / "hawaii-2.json"
    row = rows_of(json.loads(record.read_text(encoding="utf-8"))["document"])[7]
    assert {name: row[name] for name in ONE_ROW} == ONE_ROW


@pytest.mark.thorough
def test_who_has_a_file_gets_it_once(past: League, client: Client, place: Path) -> None:
    export(place)
    for name in (f"{min(versions())}.parquet", SUMS, "croissant.json"):
        answer = client.get(f"/data/files/{name}")
        assert answer.status_code == 200
        again = client.get(f"/data/files/{name}", headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304


def test_a_match_that_is_withdrawn_is_gone_at_once(past: League, client: Client, place: Path) -> None:
    export(place)
    day = max(versions())
    match = matches_of(day)[0]
    Match.objects.filter(pk=match.pk).update(state=Match.State.VOID)
    assert client.get(f"/data/files/{day}.parquet").status_code == 404
    page = client.get("/data/").content.decode()
    assert f'href="/data/files/{day}.parquet"' not in page
    assert "is made again within the hour" in page
    (shown, _other) = client.get("/api/v1/data").json()["items"]
    assert (shown["day"], shown["url"]) == (str(day), None)
    export(place)
    assert client.get(f"/data/files/{day}.parquet").status_code == 200


@pytest.mark.thorough
def test_an_event_that_is_made_private_is_gone_at_once(past: League, client: Client, place: Path) -> None:
    export(place)
    days = list(versions())
    Tournament.objects.update(visibility=Tournament.Visibility.UNLISTED)
    assert {client.get(f"/data/files/{day}.parquet").status_code for day in days} == {404}


@pytest.mark.thorough
def test_a_large_file_is_sent_in_pieces(past: League, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a server reads it: piece by piece, closed at its end, whole although the day is made again meanwhile."""
    export(place)
    monkeypatch.setattr(serving, "PIECE", 1_000)
    found = serving.day_file(f"{min(versions())}.parquet")
    assert found is not None
    file, sent = found
    pieces = sent.pieces()
    sent.path.unlink()

    async def read() -> list[bytes]:
        return [piece async for piece in pieces]

    # In a thread of its own: a browser that an earlier test began keeps a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        got = pool.submit(asyncio.run, read()).result()
    pieces.close()
    assert len(got) == -(-file.bytes // 1_000)
    assert hashlib.sha256(b"".join(got)).hexdigest() == file.sha256


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", ["index.json", ".lock", "..%2fsecret_key", "2026-01-01.parquet", "x"])
def test_nothing_else_of_the_folder_is_served(past: League, client: Client, place: Path, name: str) -> None:
    export(place)
    assert client.get(f"/data/files/{name}").status_code in (400, 404)


def test_an_empty_page_says_why(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No day is over yet" in client.get("/data/").content.decode()
    monkeypatch.setattr(serving, "find_spec", lambda _name: None)
    assert "pyarrow is not installed" in client.get("/data/").content.decode()
    assert client.get("/api/v1/data").json() == {"items": [], "next": None, "prev": None}
    assert client.get(f"/data/files/{SUMS}").content == b""


def many(place: Path, count: int) -> list[str]:
    """A list of that many days, the newest first."""
    place.mkdir(parents=True)
    days = [str(date(2026, 1, 1) + timedelta(days=number)) for number in range(count)]
    files = [DayFile(day, "a" * 64, 20_000_000, 2_000, 300_000, 0, "old") for day in days]
    catalogue.store(place, files, croissant.text(files))
    return days[::-1]


def test_a_long_list_has_pages_of_few_queries_and_bytes(client: Client, place: Path) -> None:
    days = many(place, 400)
    with CaptureQueriesContext(connection) as seen:
        pages = [client.get(f"/data/?page={number}").content for number in (1, 2, 14)]
    assert len(seen) <= 6
    assert max(map(len, pages)) < 60_000
    assert [re.findall(r"(2\d{3}-\d\d-\d\d)\.parquet", page.decode())[0] for page in pages] == [
        days[0],
        days[30],
        days[390],
    ]


def test_the_api_goes_on_where_a_page_ends(client: Client, place: Path) -> None:
    days, found, address = many(place, 250), [], "/api/v1/data"
    while address:
        answer = client.get(address).json()
        found += [item["day"] for item in answer["items"]]
        address = (answer["next"] or "").replace("http://testserver", "")
    assert found == days


def test_a_row_is_shown_as_its_cards_and_says_what_each_value_means(client: Client) -> None:
    row = client.get("/data/").content.decode().split('<table class="fold one-row">')[1].split("</table>")[0]
    assert row.count('<svg class="card"') == 3 + 6 + 3 + 1
    assert "The cards on the field." in row
    assert "68721573892" not in row, "a set of cards is its cards, not a number that says nothing"


@pytest.mark.parametrize("language", ["fr", "ja"])
def test_columns_are_explained_in_the_readers_language(client: Client, language: str) -> None:
    page = client.get("/data/", headers={"Accept-Language": language})
    assert page.status_code == 200


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("bytes=0-9", 0, 9),
        ("bytes=100-", 100, -1),
        ("bytes=-7", -7, -1),
        ("bytes=5-5", 5, 5),
        ("bytes=3-99999999", 3, -1),
    ],
)
def test_a_download_that_broke_off_goes_on(
    past: League, client: Client, place: Path, asked: str, first: int, last: int
) -> None:
    export(place)
    path = f"/data/files/{min(versions())}.parquet"
    whole = client.get(path)
    content = body(whole)
    assert whole.headers["Accept-Ranges"] == "bytes"
    size = len(content)
    begin, end = first % size, last % size
    for headers in ({"Range": asked}, {"Range": asked, "If-Range": whole.headers["ETag"]}):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 206
        assert answer.headers["Content-Range"] == f"bytes {begin}-{end}/{size}"
        assert int(answer.headers["Content-Length"]) == end - begin + 1
        assert answer.headers["ETag"] == whole.headers["ETag"]
        assert body(answer) == content[begin : end + 1]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "headers",
    [
        {"Range": "bytes=0-9", "If-Range": '"another"'},
        {"Range": "bytes=0-9", "If-Range": "Wed, 21 Oct 2026 07:28:00 GMT"},
        *(
            {"Range": asked}
            for asked in ("bytes=0-1,4-5", "bytes=9-5", "lines=1-2", "bytes=--5", "bytes=-", "bytes=a-b")
        ),
    ],
)
def test_what_is_no_range_of_this_file_gets_all_of_it(
    past: League, client: Client, place: Path, headers: dict[str, str]
) -> None:
    export(place)
    name = f"{min(versions())}.parquet"
    answer = client.get(f"/data/files/{name}", headers=headers)
    assert answer.status_code == 200
    assert body(answer) == (place / name).read_bytes()


def test_a_range_beyond_the_end_is_refused_and_a_file_that_is_known_is_not_sent(
    past: League, client: Client, place: Path
) -> None:
    export(place)
    name = f"{min(versions())}.parquet"
    path, size = f"/data/files/{name}", (place / name).stat().st_size
    for asked in (f"bytes={size}-", "bytes=-0"):
        beyond = client.get(path, headers={"Range": asked})
        assert (beyond.status_code, beyond.headers["Content-Range"]) == (416, f"bytes */{size}")
    etag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"Range": "bytes=0-9", "If-None-Match": etag}).status_code == 304
    head = client.head(path, headers={"Range": "bytes=0-9"})
    assert (head.status_code, head.headers["Content-Length"]) == (200, str(size))


def test_a_part_of_a_large_file_is_sent_in_pieces(past: League, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(place)
    monkeypatch.setattr(serving, "PIECE", 100)
    found = serving.day_file(f"{min(versions())}.parquet")
    assert found is not None
    pieces = found[1].part(50, 250).pieces()

    async def read() -> list[bytes]:
        return [piece async for piece in pieces]

    with ThreadPoolExecutor(1) as pool:
        got = pool.submit(asyncio.run, read()).result()
    pieces.close()
    assert [len(piece) for piece in got] == [100, 100, 50]
    assert b"".join(got) == found[1].content()[50:300] == found[1].part(50, 250).content()
