"""Wrong input is refused with what happened, what to do and a stable code, and nothing is half-written."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bots.models import Bot, BotVersion
from tests.builders import events as a
from tournaments.models import Entry, Match, Tournament

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


def a_zip(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "def choose(obs):\n    return 0\n")
    return buffer.getvalue()


BAD_UPLOADS = {
    "notes.txt": (b"hello", "upload.type"),
    "bot.tar": (b"ustar", "upload.type"),
    "empty.py": (b"", "upload.empty"),
    "climbs.zip": (a_zip("bot.py", "../../etc/passwd"), "upload.name"),
    "no_entry.zip": (a_zip("other.py"), "upload.no_entry"),
    "broken.zip": (a_zip("bot.py")[:40], "upload.archive"),
    "large.py": (b"#" * (2 * 1024 * 1024 + 1), "upload.too_large"),
}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", BAD_UPLOADS)
def test_a_bad_upload_is_refused_on_its_field(name: str, as_user: Become) -> None:
    data, code = BAD_UPLOADS[name]
    client = as_user(a.a_user())
    answer = client.post("/b/new/", {"name": "Mine", "file": SimpleUploadedFile(name, data), "plays": ["hawaii"]})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert code in page
    assert 'role="alert"' in page
    assert not Bot.objects.exists()


def test_a_body_that_is_far_too_large_is_not_read(as_user: Become) -> None:
    client = as_user(a.a_user())
    answer = client.post("/b/new/", {"file": SimpleUploadedFile("bot.py", b"#" * (4 * 1024 * 1024))})
    assert answer.status_code == 413
    assert "upload.too_large" in answer.content.decode()


def test_an_upload_needs_one_source_and_a_name(as_user: Become) -> None:
    client = as_user(a.a_user())
    nothing = client.post("/b/new/", {"name": "Mine", "plays": ["hawaii"]})
    assert "Paste the source of the bot." in nothing.content.decode()
    both = {"name": "Mine", "source": "x = 1", "file": SimpleUploadedFile("bot.py", b"x = 1")}
    assert client.post("/b/new/", both).status_code == 422
    unnamed = client.post("/b/new/", {"source": "def choose(obs):\n    return 0\n", "plays": ["hawaii"]})
    assert "bot.no_name" in unnamed.content.decode()
    assert not BotVersion.objects.exists()


def test_a_source_that_cannot_run_is_kept_as_failed_and_says_why(as_user: Become) -> None:
    client = as_user(a.a_user())
    source = "import no_such_module\ndef choose(obs):\n    return 0\n"
    answer = client.post("/b/new/", {"name": "Mine", "source": source, "plays": ["hawaii"]}, follow=True)
    page = answer.content.decode()
    assert "The check failed" in page
    assert "no_such_module" in page


def test_the_same_bytes_twice_are_one_version(as_user: Become) -> None:
    client = as_user(a.a_user())
    form = {"name": "Mine", "source": "def choose(obs):\r\n    return 0\r\n", "plays": ["hawaii"]}
    first, second = client.post("/b/new/", form), client.post("/b/new/", form)
    assert first.headers["Location"] == second.headers["Location"] == "/b/mine/v/1/"
    assert BotVersion.objects.count() == 1


@pytest.mark.thorough
def test_a_second_click_on_start_starts_nothing_twice(as_user: Become) -> None:
    event = a.an_open_event()
    a.entered(event, [a.a_bot(), a.a_bot()])
    client = as_user(event.created_by)
    form = {"row_version": Tournament.objects.get().row_version}
    assert "The event is running" in client.post(f"/t/{event.slug}/do/start/", form, follow=True).content.decode()
    again = client.post(f"/t/{event.slug}/do/start/", follow=True).content.decode()
    assert "tournament.already_running" in again
    assert Match.objects.count() == 1


def test_a_button_of_an_outdated_page_is_refused(as_user: Become) -> None:
    event = a.an_open_event()
    a.entered(event, [a.a_bot(), a.a_bot()])
    answer = as_user(event.created_by).post(f"/t/{event.slug}/do/start/", {"row_version": 1}, follow=True)
    assert "tournament.changed" in answer.content.decode()
    assert not Match.objects.exists()


def test_starting_with_too_few_entries_says_how_many_are_missing(as_user: Become) -> None:
    event = a.an_open_event(min_entries=3)
    client = as_user(event.created_by)
    assert "3 more entries are needed first" in client.get(f"/t/{event.slug}/").content.decode()
    answer = client.post(f"/t/{event.slug}/do/start/", follow=True)
    assert "tournament.too_few_entries" in answer.content.decode()


@pytest.mark.thorough
def test_an_entry_after_the_deadline_and_a_double_entry_are_refused(as_user: Become) -> None:
    event = a.an_open_event()
    bot = a.a_bot()
    client = as_user(bot.owner)
    enter = f"/t/{event.slug}/do/enter/"
    assert "is entered" in client.post(enter, {"bot": bot.slug}, follow=True).content.decode()
    assert "entry.duplicate" in client.post(enter, {"bot": bot.slug}, follow=True).content.decode()
    Tournament.objects.update(entries_close_at=timezone.now() - timedelta(minutes=1))
    other = a.a_bot(bot.owner)
    assert "entry.closed" in client.post(enter, {"bot": other.slug}, follow=True).content.decode()
    assert Entry.objects.count() == 1


def form_of_an_event(**changes: object) -> dict[str, object]:
    form: dict[str, object] = {"name": "Plum evening", "preset": "hawaii", "seats": 4, "rounds": 2, "scoring": ""}
    form |= {"legs": "cyclic", "min_entries": 4, "max_entries": 8, "entries_per_owner": 2, "visibility": "public"}
    return {**form, **changes}


BAD_EVENTS: dict[str, tuple[dict[str, object], str]] = {
    "no name": ({"name": ""}, "This field is required"),
    "short name": ({"name": "ab"}, "tournament.name_invalid"),
    "unknown preset": ({"preset": "poker"}, "Select a valid choice"),
    "seats": ({"seats": 9}, "Select a valid choice"),
    "teams that do not fit": ({"seats": 3, "option_teams": "2x2"}, "tournament.bad_seating"),
    "three at Poka": ({"preset": "poka5", "seats": 3}, "tournament.bad_seating"),
    "two at Oi-bana": ({"preset": "oibana", "seats": 2}, "tournament.bad_seating"),
    "five at Nuki": ({"preset": "nuki88", "seats": 5}, "tournament.bad_seating"),
    "deals of Poka": ({"preset": "poka5", "seats": 2, "option_rounds": 3}, "has no such rule"),
    "unknown option value": ({"option_hiki": "sometimes"}, "Select a valid choice"),
    "unknown rule": ({"option_wings": "1"}, "There is no rule called “wings”"),
    "too many rounds": ({"rounds": 999}, "less than or equal to 64"),
    "most below fewest": ({"max_entries": 2}, "less than the minimum number of entries"),
    "closes in the past": ({"entries_close_at": "2001-01-01T10:00"}, "tournament.bad_entries_close_at"),
}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("case", BAD_EVENTS)
def test_an_impossible_event_names_the_fix_and_is_not_made(case: str, as_user: Become) -> None:
    changes, words = BAD_EVENTS[case]
    answer = as_user(a.a_user()).post("/t/new/", form_of_an_event(**changes))
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Tournament.objects.exists()


def test_a_possible_event_is_made_with_its_options(as_user: Become) -> None:
    changes: dict[str, object] = {
        "seats": 4,
        "option_teams": "2x2",
        "option_rounds": 6,
        "option_chu": "1",
        "tie_breaks": ["wins"],
    }
    answer = as_user(a.a_user()).post("/t/new/", form_of_an_event(preset="paradise", **changes), follow=True)
    assert answer.redirect_chain == [("/t/plum-evening/", 302)]
    stage = Tournament.objects.get().stages.get()
    assert (stage.kind, stage.preset, stage.legs, stage.tie_breaks) == ("round_robin", "paradise", "cyclic", ["wins"])
    assert stage.scoring == "round_victory"
    assert '"teams":"2x2"' in stage.ruleset.canonical
    assert '"chu":1' in stage.ruleset.canonical


def test_error_pages_say_what_to_do(client: Client) -> None:
    missing = client.get("/t/no-such-event/")
    assert missing.status_code == 404
    page = missing.content.decode()
    assert '<div class="lost" data-code="page.not_found">' in page, "for programs"
    assert page.count("page.not_found") == 1, "and nothing to be read"


@pytest.mark.parametrize(
    ("path", "above"),
    [("/t/x/desk/paste/", "/t/x/desk/"), ("/t/x/do/start/", "/t/x/"), ("/b/x/do/retire/", "/b/x/"), ("/logout/", "/")],
)
def test_who_opens_an_address_of_a_form_is_led_to_its_page(client: Client, path: str, above: str) -> None:
    lost = client.get(path)
    assert lost.status_code == 405
    assert lost["Allow"].startswith("POST")
    assert f'<a class="btn main" href="{above}">' in lost.content.decode()
    assert (client.head(path).status_code, client.head(path).content) == (405, b"")
    assert client.put(path).content == b"", "programs get no page"
