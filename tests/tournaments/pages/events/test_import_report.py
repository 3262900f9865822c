"""A FIDE report through the page: looked at, with what is left out line by line, completed, made; or refused."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders import events as a
from tests.tournaments.interchange.test_import_trf import a_simulated_report
from tests.tournaments.pages.floor.test_desk import as_one
from tournaments.interchange.reports import trf_of
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db
HERE = "/t/import/report/"
PACKED = re.compile(r'name="packed" value="([^"]+)"')
MAX_QUERIES = 10


@pytest.fixture
def client() -> Client:
    return as_one(a.a_user())


def looked_at(client: Client, data: bytes) -> str:
    answer = client.post(HERE, {"file": SimpleUploadedFile("event.trf", data)})
    assert answer.status_code == 200, answer.content.decode()[:2000]
    return answer.content.decode()


def packed_in(page: str) -> str:
    found = PACKED.search(page)
    assert found is not None
    return found[1]


@pytest.mark.thorough
def test_a_report_is_looked_at_and_made_as_it_was_asked(client: Client) -> None:
    data = b"022 Hilo\n" + a_simulated_report(13, 6, 3)
    with CaptureQueriesContext(connection) as queries:
        page = looked_at(client, data)
    assert len(queries) <= MAX_QUERIES
    assert "Line 1:" in page
    assert "trf.left_out.022" in page
    assert not Tournament.objects.exists()
    left = re.findall(r'name="left" value="(\d+)" checked', page)
    asked = {"packed": packed_in(page), "name": "Hilo open", "preset": "paradise", "kind": "dutch", "rounds": "9"}
    answer = client.post(HERE, {**asked, "left": left[:1]}, follow=True)
    event = Tournament.objects.get()
    assert answer.redirect_chain == [(f"/t/{event.slug}/", 302)]
    assert (event.name, event.state, event.visibility) == ("Hilo open", "paused", "unlisted")
    assert event.stages.get().rounds_planned == 9
    assert Entry.objects.filter(state="withdrawn").count() == len(left[:1])
    assert "Autumn" not in trf_of(event.stages.select_related("tournament", "ruleset").get())
    for path in ("", "standings/", "rounds/", "entries/", "crosstable/", "desk/"):
        assert client.get(f"/t/{event.slug}/{path}").status_code == 200, path
    assert client.get(f"/t/{event.slug}/files/report-1.trf").content.startswith(b"012 Hilo open")


def test_what_is_missing_is_asked_for_and_nothing_is_lost_on_the_way(client: Client) -> None:
    page = looked_at(client, b"001    1      Kimo\n001    2      Lani\n")
    assert "trf.no_name" in page
    sent = {"packed": packed_in(page), "name": "x", "preset": "hawaii", "kind": "swiss", "rounds": "4"}
    refused = client.post(HERE, sent)
    assert refused.status_code == 422
    again = refused.content.decode()
    assert "tournament.name_invalid" in again
    assert packed_in(again) == sent["packed"]
    assert 'value="swiss" selected' in again
    client.post(HERE, {**sent, "name": "Evening"})
    assert Tournament.objects.get().state == "draft"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "event.no_file"),
        (b"\x89PNG", "trf.no_players"),
        (b"001    1      Kimo" + b" " * 71 + b"     1 w 1\n", "trf.opponent"),
        (b"XXR 1000000000\n001    1      Kimo\n", "trf.too_many"),
        (b"x" * (2 * 1024 * 1024 + 1), "trf.too_large"),
    ],
)
def test_what_is_no_report_is_refused_with_its_code(client: Client, data: bytes, code: str) -> None:
    files = {"file": SimpleUploadedFile("event.trf", data)} if data else {}
    answer = client.post(HERE, files)
    assert answer.status_code == 422
    assert code in answer.content.decode()


def test_a_page_that_was_changed_on_the_way_is_refused(client: Client) -> None:
    for packed in ("?", "AAAA", "KLUv/QBY"):
        assert client.post(HERE, {"packed": packed}).status_code == 422
    assert Client().get(HERE).status_code == 302
    assert "import/report/" in client.get("/t/import/").content.decode()


def test_the_bounds_that_the_page_shows_are_those_that_hold(client: Client) -> None:
    page = looked_at(client, b"022 Hilo\n" + a_simulated_report(13, 6, 3))
    [tag] = re.findall(r'<input id="rounds"[^>]*>', page)
    low, high = (int(re.findall(rf'{each}="(\d+)"', tag)[0]) for each in ("min", "max"))
    sent = {"packed": packed_in(page), "name": "Hilo open", "preset": "hawaii", "kind": "swiss"}
    for wrong in (str(low - 1), str(high + 1), "many"):
        answer = client.post(HERE, {**sent, "rounds": wrong})
        again = answer.content.decode()
        assert answer.status_code == 422, wrong
        assert f'<a href="#rounds">“Rounds” goes from {low} to {high}, so it cannot be {wrong}.</a>' in again
        assert f'value="{wrong}"' in again
        assert 'id="rounds" aria-invalid="true" aria-describedby="refusal"' in again
    assert not Tournament.objects.exists()
