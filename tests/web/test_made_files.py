"""Files of an event are made once: who has them gets 304, who asks next what was kept, strangers wait their turn."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bots.models import Bot
from core.errors import TournamentError
from tests.builders.leagues import League
from tournaments.interchange import files, stored_files
from tournaments.interchange.stored_files import MADE_PER_HOUR
from tournaments.models import Player
from web.one_at_a_time import FILES, OneAtATime
from web.rate_limits import count_from, mark_of

pytestmark = pytest.mark.django_db
As = Callable[[User | None], Client]


@pytest.fixture(autouse=True)
def own_folder(settings: LazySettings, tmp_path: object) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were made, by name."""
    made: list[str] = []
    make = files.event_file

    def counted(event: object, what: str, query: object) -> files.File:
        made.append(what)
        return make(event, what, query)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr("tournaments.interchange.files.event_file", counted)
    monkeypatch.setattr("tournaments.api.interchange.files.event_file", counted)
    return made


def test_a_file_is_made_once_for_all_strangers(league: League, client: Client, works: list[str]) -> None:
    path = f"/t/{league.finished.slug}/files/event.json"
    first = client.get(path)
    again = Client().get(f"{path}?utm=plum", REMOTE_ADDR="192.0.2.7")
    assert (again.content, again["ETag"], again["Content-Disposition"]) == (
        first.content, first["ETag"], first["Content-Disposition"],
    )  # fmt: skip
    for known in (first["ETag"], f"W/{first['ETag']}", f'"other", {first["ETag"]}'):
        held = client.get(path, headers={"If-None-Match": known})
        assert (held.status_code, held.content, held["ETag"]) == (304, b"", first["ETag"])
    assert works == ["event.json"]
    assert client.head(path).status_code == 200


def test_who_has_it_gets_304_without_any_work(league: League, client: Client, works: list[str]) -> None:
    path = f"/api/v1/tournaments/{league.finished.slug}/files/pairings.csv?round=2"
    etag = client.get(path)["ETag"]
    for stored in stored_files.folder().iterdir():
        stored.unlink()
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 304
    assert works == ["pairings.csv"]
    assert client.get(path.replace("2", "1"), headers={"If-None-Match": etag}).status_code == 200


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("kind", ["edited", "renamed", "gone", "bot's owner", "played"])
def test_what_changes_the_file_makes_another_one(league: League, client: Client, kind: str) -> None:
    event = league.finished
    path = f"/t/{event.slug}/files/event.json"
    before = client.get(path)
    changes: dict[str, Callable[[], object]] = {
        "edited": lambda: type(event).objects.filter(pk=event.pk).update(description="Another"),
        "renamed": lambda: Player.objects.filter(entries__tournament=event).update(name="gone-12345678"),
        "gone": lambda: User.objects.filter(pk=event.created_by_id).update(username="gone-1", display_name=""),
        "bot's owner": lambda: User.objects.filter(bots__in=Bot.objects.all()).update(display_name="Kiri K."),
        "played": lambda: event.stages.get().matches.update(finished_at=timezone.now()),
    }
    changes[kind]()
    after = client.get(path, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert after["ETag"] != before["ETag"]
    assert after.content != before.content


def test_records_in_bulk_are_made_once_too(league: League, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/api/v1/tournaments/{league.finished.slug}/records/records.jsonl.zst"
    first = client.get(path)
    assert first.status_code == 200
    monkeypatch.setattr("tournaments.matches.records.bulk.archive", lambda *_: pytest.fail("made again"))
    assert client.get(path).content == first.content
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_one_at_a_time_some_wait_and_the_others_are_told_when_to_come(
    league: League, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FILES, "wait_s", 0.05)
    with FILES.turn("file.busy"):
        for path in ("/t/{}/files/event.json", "/api/v1/tournaments/{}/files/event.json"):
            answer = client.get(path.format(league.finished.slug))
            assert (answer.status_code, int(answer["Retry-After"]) > 0) == (503, True)
            assert "file.busy" in answer.content.decode()
    assert client.get(f"/t/{league.finished.slug}/files/event.json").status_code == 200


def test_few_wait_and_nobody_is_forgotten(wait_until: Callable[..., object]) -> None:
    turns, ends, begun, refused = OneAtATime(waiting=2, wait_s=60), threading.Event(), [], []
    inside = threading.Semaphore(0)

    def work() -> None:
        try:
            with turns.turn("file.busy"):
                begun.append(1)
                inside.release()
                ends.wait(60)
        except TournamentError as busy:
            refused.append(busy.code)

    first = threading.Thread(target=work)
    first.start()
    inside.acquire()
    others = [threading.Thread(target=work) for _ in range(6)]
    for each in others:
        each.start()
    wait_until(lambda: len(refused) == 4, 30)
    assert begun == [1]
    ends.set()
    for each in (first, *others):
        each.join()
    assert (len(begun), refused) == (3, ["file.busy"] * 4)


@pytest.mark.slow
def test_one_network_makes_so_many_and_gets_what_is_there(league: League, client: Client) -> None:
    path = f"/t/{league.finished.slug}/files/event.json"
    client.get(path, REMOTE_ADDR="2001:db8:1:2::1")
    mark = mark_of("2001:db8:1:2::7")
    for _ in range(MADE_PER_HOUR):
        count_from("files: ", mark, most=MADE_PER_HOUR, within=timedelta(hours=1))
    other = f"/t/{league.finished.slug}/files/entries.csv"
    answer = client.get(other, REMOTE_ADDR="2001:db8:1:2:ffff::9")
    assert (answer.status_code, "file.rate" in answer.content.decode()) == (429, True)
    assert client.get(path, REMOTE_ADDR="2001:db8:1:2::1").status_code == 200, "it is there"
    assert client.get(other, REMOTE_ADDR="2001:db8:1:3::1").status_code == 200, "another network of the same /48"


def test_what_lies_on_the_disk_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_files, "MAX_BYTES", 1024)
    for number in range(40):
        found = stored_files.store(f"{number:040}", bytes(str(number) * 50, "ascii"), "text/plain", "x.txt")
        assert found is not None
        assert found.content() == bytes(str(number) * 50, "ascii")
    assert sum(each.stat().st_size for each in stored_files.folder().iterdir()) <= 1024
    assert stored_files.find(f"{0:040}") is None
    assert stored_files.find(f"{39:040}") is not None


def test_a_folder_that_cannot_be_written_to_keeps_nothing_from_anybody(
    league: League, client: Client, settings: LazySettings
) -> None:
    settings.DATA_DIR = "/proc/nowhere"
    assert client.get(f"/t/{league.finished.slug}/files/entries.csv").status_code == 200


def test_a_damaged_file_is_made_again(league: League, client: Client, works: list[str]) -> None:
    path = f"/t/{league.finished.slug}/files/event.json"
    before = client.get(path).content
    for stored in stored_files.folder().iterdir():
        stored.write_bytes(b"plum")
    assert client.get(path).content == before
    assert works == ["event.json"] * 2
