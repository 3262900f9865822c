"""Files that go out and come in: by page, for everybody who may, and for nobody else."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from icalendar import Calendar
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # its types are a package of their own

from accounts.models import User
from core.interchange import trf
from tests.builders.clubs import a_called_night, tables_of
from tests.builders.leagues import League
from tournaments.matches.report_bodies import Claim
from tournaments.models import CalendarLink, Tournament
from tournaments.notifications.follow import follow
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
As = Callable[[User | None], Client]
IMPORT = "/t/import/"


def table(client: Client, path: str) -> list[dict[str, str]]:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


@pytest.mark.thorough
def test_the_page_of_an_event_offers_its_files(league: League, client: Client) -> None:
    here = f"/t/{league.finished.slug}/"
    page = client.get(here).content.decode()
    links = set(re.findall(rf'href="({here}files/[^"]+)"', page))
    assert {link.rpartition("/")[2].partition("?")[0] for link in links} == {
        *("event.json", "entries.csv", "pairings.csv", "matches.csv", "deals.csv", "standings.csv", "calendar.ics"),
        "report-1.trf",
    }
    for link in links:
        answer = client.get(link.replace("&amp;", "&"))
        assert answer.status_code == 200, link
        assert league.finished.slug in answer.headers["Content-Disposition"]
        again = client.get(link.replace("&amp;", "&"), headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.thorough
def test_the_tables_say_what_the_pages_say(league: League, client: Client) -> None:
    here = f"/t/{league.finished.slug}/files"
    entries = table(client, f"{here}/entries.csv?bom=1")
    assert [row["seed"] for row in entries] == ["1", "2", "3", "4"]
    assert entries[0] | {"name": "Plum", "kind": "bot", "version": "1", "state": "active"} == entries[0]
    assert len(table(client, f"{here}/pairings.csv")) == 24
    assert {row["round"] for row in table(client, f"{here}/pairings.csv?round=2")} == {"2"}
    matches = table(client, f"{here}/matches.csv")
    assert {len(row["seed"]) for row in matches} == {64}
    standings = table(client, f"{here}/standings.csv?stage=1&round=3")
    assert standings[0]["rank"] == "1"
    points = {row["name"]: sum(int(m["points"]) for m in matches if m["name"] == row["name"]) for row in standings}
    assert {row["name"]: int(row["points"]) for row in standings} == points
    deals = table(client, f"{here}/deals.csv")
    assert sum(int(row["points"]) for row in deals) == sum(int(row["raw_points"]) for row in matches)
    assert client.get(f"{here}/entries.csv").content[:3] != b"\xef\xbb\xbf"


@pytest.mark.thorough
def test_deals_that_people_entered_are_in_the_table_of_deals(client: Client) -> None:
    event = a_called_night(preset="hawaii", options={"rounds": 2})
    match = tables_of(event)[0]
    claim = Claim(deals=((60, 180), (130, 110)))
    submit_result(match=match, actor=Actor(user=event.created_by), claim=claim)
    rows = table(client, f"/t/{event.slug}/files/deals.csv")
    assert [(row["deal"], row["dealer"], row["side"], row["points"], row["victories"]) for row in rows] == [
        ("1", "", "1", "60", ""),
        ("1", "", "2", "180", ""),
        ("2", "", "1", "130", ""),
        ("2", "", "2", "110", ""),
    ]


@pytest.mark.thorough
def test_the_fide_report_is_one(league: League, client: Client) -> None:
    answer = client.get(f"/t/{league.finished.slug}/files/report-1.trf?round=2")
    event = trf.read(answer.content.decode("latin-1"))
    assert (event.name, event.last_round) == ("Spring league", 2)
    assert client.get(f"/t/{league.running.slug}/files/report-1.trf").status_code == 422
    assert client.get(f"/t/{league.finished.slug}/files/report-9.trf").status_code == 404


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("source.zip", 404),
        ("event.xml", 404),
        ("pairings.csv?round=x", 404),
        ("pairings.csv?round=999999", 404),
        ("standings.csv?stage=7", 422),
        ("standings.csv?round=77", 422),
        ("report-1.trf?round=x", 404),
    ],
)
def test_files_that_there_are_not(path: str, status: int, league: League, client: Client) -> None:
    assert client.get(f"/t/{league.finished.slug}/files/{path}").status_code == status


@pytest.mark.thorough
def test_whoever_may_not_open_an_event_gets_no_file_of_it(league: League, as_user: As) -> None:
    for event in (league.private, league.draft):
        for what in ("event.json", "entries.csv", "calendar.ics", "report-1.trf"):
            for reader in (None, league.rival):
                assert as_user(reader).get(f"/t/{event.slug}/files/{what}").status_code == 404
        assert as_user(league.organiser).get(f"/t/{event.slug}/files/event.json").status_code == 200


@pytest.mark.thorough
def test_every_file_fits_the_schema_that_is_published(league: League, client: Client) -> None:
    answer = client.get("/schemas/hanafuda-tournament-1.json")
    schema = answer.json()
    Draft202012Validator.check_schema(schema)
    judge = Draft202012Validator(schema)
    for event in league.events:
        judge.validate(client.get(f"/t/{event.slug}/files/event.json").json())
    assert not judge.is_valid({"format": "hanafuda-tournament/2"})


@pytest.mark.thorough
def test_an_event_comes_in_by_page_in_two_steps(league: League, as_user: As) -> None:
    file = as_user(None).get(f"/t/{league.finished.slug}/files/event.json").content
    assert as_user(None).get(IMPORT).status_code == 302
    client = as_user(league.rival)
    assert client.get(IMPORT).status_code == 200
    before = Tournament.objects.count()
    look = client.post(IMPORT, {"file": SimpleUploadedFile("event.json.gz", gzip.compress(file))})
    page = look.content.decode()
    assert look.status_code == 200
    assert "Spring league" in page
    assert "12" in page
    assert Tournament.objects.count() == before
    [packed] = re.findall(r'name="packed" value="([^"]+)"', page)
    made = client.post(IMPORT, {"packed": packed})
    copy = Tournament.objects.latest("pk")
    assert made.headers["Location"] == f"/t/{copy.slug}/"
    assert (copy.created_by, copy.visibility, copy.state) == (league.rival, "unlisted", "finished")
    for tab in ("", "entries/", "rounds/", "standings/", "crosstable/", "feed/"):
        assert client.get(f"/t/{copy.slug}/{tab}").status_code == 200, tab
    match = copy.stages.get().matches.order_by("pk")[0]
    assert client.get(f"/m/{match.uuid}/").status_code == 200
    assert client.get(f"/m/{match.uuid}/record.compact.json").status_code == 200
    assert as_user(None).get(f"/t/{copy.slug}/files/event.json").content == file
    assert copy.name not in re.findall(r"<h3>.*?</h3>", as_user(None).get("/t/").content.decode())


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({}, "event.no_file"),
        ({"file": b""}, "event.no_file"),
        ({"file": b"plum"}, "event.json"),
        ({"file": b"{}"}, "event.format"),
        ({"file": gzip.compress(b" " * 50_000_000)}, "event.too_large"),
        ({"file": b"x" * (2 * 1024 * 1024 + 1)}, "event.too_large"),
        ({"packed": "not base64!"}, "event.packed"),
        ({"packed": "cGx1bQ=="}, "event.json"),
    ],
)
def test_what_is_no_event_is_refused_with_its_code(
    form: dict[str, bytes | str], code: str, league: League, as_user: As
) -> None:
    sent = {name: SimpleUploadedFile("x", data) if isinstance(data, bytes) else data for name, data in form.items()}
    answer = as_user(league.rival).post(IMPORT, sent)
    assert answer.status_code == 422
    assert code in answer.content.decode()


def test_an_event_not_over_comes_in_as_a_draft(league: League, as_user: As) -> None:
    client = as_user(league.rival)
    file = client.get(f"/t/{league.running.slug}/files/event.json").content
    page = client.post(IMPORT, {"file": SimpleUploadedFile("event.json", file)}).content.decode()
    [packed] = re.findall(r'name="packed" value="([^"]+)"', page)
    client.post(IMPORT, {"packed": packed})
    made = Tournament.objects.latest("pk")
    assert (made.state, made.name, made.entries.count()) == ("draft", "Hawaii tables", 0)


def test_the_calendar_of_an_event_holds_its_rounds(league: League, client: Client) -> None:
    path = f"/t/{league.finished.slug}/files/calendar.ics"
    answer = client.get(path)
    calendar = Calendar.from_ical(answer.content)
    found = {str(item["UID"]): item for item in calendar.walk("VEVENT")}
    stage = league.finished.stages.get()
    assert set(found) == {f"{league.finished.uuid}@hanami", *(f"{stage.uuid}-round-{n}@hanami" for n in (1, 2, 3))}
    whole = found[f"{league.finished.uuid}@hanami"]
    assert league.finished.started_at is not None
    assert whole.decoded("DTSTART") == league.finished.started_at.replace(microsecond=0)
    assert str(whole["SUMMARY"]) == "Spring league"
    assert str(whole["URL"]) == f"http://testserver/t/{league.finished.slug}/"
    assert client.get(path).content == answer.content


def test_deadlines_are_in_utc_whatever_the_zone_of_the_event(league: League, client: Client) -> None:
    closes = datetime(2027, 3, 28, 1, 30, tzinfo=UTC)  # half an hour after the clocks change in Paris
    Tournament.objects.filter(pk=league.open.pk).update(
        entries_close_at=closes, time_zone="Europe/Paris", name="Plum; kiri,\r\nBEGIN:VEVENT"
    )
    data = client.get(f"/t/{league.open.slug}/files/calendar.ics").content
    [event] = Calendar.from_ical(data).walk("VEVENT")
    assert event.decoded("DTSTART") == closes
    assert b"DTSTART:20270328T013000Z" in data
    assert b"X-WR-TIMEZONE:Europe/Paris" in data


@pytest.mark.thorough
def test_a_calendar_of_ones_own_opens_without_login_until_it_is_closed(league: League, as_user: As) -> None:
    follow(user=league.rival, tournament=league.finished)
    client = as_user(league.rival)
    client.post("/me/calendar/do/open/")
    [path] = set(re.findall(r'href="(/me/calendar/[^"]+)"', client.get("/me/notices/").content.decode()))
    stranger = as_user(None)
    answer = stranger.get(path)
    names = {str(item["SUMMARY"]) for item in Calendar.from_ical(answer.content).walk("VEVENT")}
    assert answer.status_code == 200
    assert "Spring league" in names
    assert "Hawaii tables" in names  # their own bot is entered
    assert stranger.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    other = "2" if path[-6] != "2" else "3"  # one letter of the key alone: what stands before it leads there still
    assert stranger.get(f"{path[:-6]}{other}{path[-5:]}").status_code == 404
    assert path[-24:-4] not in str(CalendarLink.objects.values().get())
    assert stranger.get("/me/calendar/plum.ics").status_code == 404
    as_user(league.rival).post("/me/calendar/do/open/")
    assert as_user(None).get(path).status_code == 404
    client = as_user(league.rival)
    [newer] = set(re.findall(r'href="(/me/calendar/[^"]+)"', client.get("/me/notices/").content.decode()))
    assert client.get(newer).status_code == 200
    client.post("/me/calendar/do/close/")
    client.post("/me/calendar/do/close/")
    assert client.get(newer).status_code == 404
    assert "/me/calendar/do/open/" in client.get("/me/notices/").content.decode()


def test_who_may_not_sign_in_any_more_has_no_calendar(league: League, as_user: As) -> None:
    client = as_user(league.rival)
    client.post("/me/calendar/do/open/")
    [path] = set(re.findall(r'href="(/me/calendar/[^"]+)"', client.get("/me/notices/").content.decode()))
    User.objects.filter(pk=league.rival.pk).update(is_active=False)
    assert as_user(None).get(path).status_code == 404


def test_files_are_made_with_few_queries(
    league: League, client: Client, django_assert_max_num_queries: Callable[..., object]
) -> None:
    # Nine of them for what the file depends on, before it is made: who has it already is told so.
    with django_assert_max_num_queries(36):  # type: ignore[attr-defined]  # the plugin's fixture is untyped
        json.loads(client.get(f"/t/{league.finished.slug}/files/event.json").content)
