"""Text responses are compressed; weak ETags of compressed responses are recognised."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from config.compressing import Compress
from tests.builders import events as a
from tests.builders.keys import Caller
from tests.tables.test_pages import JSON, two_guests

pytestmark = pytest.mark.django_db

GZIP: Any = {"HTTP_ACCEPT_ENCODING": "gzip, br"}


@pytest.mark.parametrize("address", ["/", "/play/", "/api/v1/presets", "/api/openapi.json", "/no-such-page/"])
def test_pages_and_documents_are_compressed_for_clients_that_accept_it(address: str) -> None:
    plain, small = Client().get(address), Client().get(address, **GZIP)
    assert "Content-Encoding" not in plain.headers
    assert (small.status_code, small.headers["Content-Encoding"]) == (plain.status_code, "gzip")
    assert "Accept-Encoding" in small.headers["Vary"]
    assert int(small.headers["Content-Length"]) == len(small.content) < len(plain.content) / 2
    assert gzip.decompress(small.content)[:15] == plain.content[:15]


@pytest.mark.parametrize(
    ("kind", "headers"),
    [("image/png", {}), ("application/zip", {}), ("text/csv", {"Accept-Ranges": "bytes"}), ("", {})],
)
def test_other_types_and_files_with_range_requests_are_not_compressed(kind: str, headers: dict[str, str]) -> None:
    whole = HttpResponse(b"plum" * 1000, content_type=kind, headers=headers)
    asked = RequestFactory().get("/", **GZIP)
    assert "Content-Encoding" not in Compress(lambda _request: whole).process_response(asked, whole).headers


def test_a_streamed_response_keeps_its_length() -> None:
    pieces = StreamingHttpResponse([b"plum" * 1000], content_type="text/csv", headers={"Content-Length": "4000"})
    sent = Compress(lambda _request: pieces).process_response(RequestFactory().get("/", **GZIP), pieces)
    assert (sent.headers["Content-Length"], sent.headers.get("Content-Encoding")) == ("4000", None)


def test_a_table_view_with_a_weak_etag_is_not_sent_again() -> None:
    table, clients = two_guests()
    address = f"/play/{table.uuid}/view/?part"
    first = clients[0].get(address, **JSON, **GZIP)
    assert first.headers["ETag"].startswith('W/"')
    assert clients[0].get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"], **GZIP).status_code == 304


def test_a_fragment_with_a_weak_etag_is_not_sent_again() -> None:
    asked = {"X-Fragment": "true", "Accept-Encoding": "gzip"}
    address = f"/t/{a.an_open_event().slug}/"
    first = Client().get(address, headers=asked)
    assert first.headers["ETag"].startswith('W/"')
    assert Client().get(address, headers={**asked, "If-None-Match": first.headers["ETag"]}).status_code == 304


def test_if_match_accepts_the_weak_etag_of_the_current_document_alone() -> None:
    caller = Caller(a.a_user("ann"), "bot:write")
    caller.post("/api/v1/bots", {"name": "Plum", "emblem": {"card": "03.1"}})
    mark = "W/" + caller.get("/api/v1/bots/plum").headers["ETag"]
    assert caller.patch("/api/v1/bots/plum", {"emblem": {"card": "01.1"}}, If_Match=mark).status_code == 200
    assert caller.patch("/api/v1/bots/plum", {"emblem": {"card": "02.1"}}, If_Match=mark).status_code == 412
