"""Requests that no page of ours sends: odd digits, zero bytes, forged cursors. Never an error of ours."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import User
from bots.models import Check
from bots.services import upload_version
from tests.builders import events as a
from tests.builders.leagues import League
from tournaments.entries.bots import enter_bot
from tournaments.events.create import create_tournament
from tournaments.models import Tournament
from tournaments.progress.run import cancel_tournament, start_tournament
from tournaments.sse import SALT

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]

ODD_ADDRESSES = (
    "/b/?page=%C2%B2",
    "/b/?page=-1",
    "/b/?page=99999999999999999999",
    "/t/?page=%C2%B2",
    "/b/?q=%00",
    "/t/?q=a%00b",
    "/t/{slug}/entries/?q=%00",
    "/t/{slug}/entries/?page=%C2%B2",
    "/t/{slug}/rounds/?round=%00",
    "/t/{slug}/standings/?explain=%00",
    "/t/{slug}/feed/?page=%C2%B2",
    "/u/a%00b/",
    "/u/%E2%80%AE/",
    "/b/none/v/99999999999999999999999999/",
    "/b/none/v/" + "9" * 5000 + "/",
    "/m/words/en-nothing.json",
    "/replay-words/en/nothing.json",
    "/m/00000000-0000-0000-0000-000000000000/",
    "/ladder/hawaii/?seats=%00",
    "/api/v1/tournaments?limit=-1",
    "/api/v1/tournaments?cursor=%00",
    "/api/v1/tournaments?cursor=" + quote(b64encode(b"p=abc").decode()),
    "/api/v1/tournaments?cursor=" + quote(b64encode(b"p=99999999999999999999999999").decode()),
    "/api/v1/tournaments?cursor=" + quote(b64encode(b"p=a%00").decode()),
    "/api/v1/tournaments?cursor=" + quote(b64encode(b"o=-5&p=1").decode()),
    "/api/v1/tournaments/{slug}/entries?cursor=" + quote(b64encode(b"p=abc").decode()),
    "/api/v1/tournaments/{slug}/standings?cursor=" + quote(b64encode(b"p=abc").decode()),
    "/api/v1/tournaments/%00",
    "/api/v1/matches/zzz",
    "/login/?next=%00",
    "/signup/?next=//elsewhere.example",
)


@pytest.mark.thorough
@pytest.mark.parametrize("address", ODD_ADDRESSES)
def test_an_odd_address_is_answered_not_an_error_of_ours(address: str, client: Client) -> None:
    event = a.an_open_event()
    client.raise_request_exception = False
    answer = client.get(address.format(slug=event.slug))
    assert answer.status_code in (200, 301, 302, 400, 404), address[:80]


ODD_FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "bot with a zero byte": ("/t/{slug}/do/enter/", {"bot": "a\0b"}),
    "version in superscript": ("/b/{bot}/do/activate/", {"n": "²"}),
    "row version in superscript": ("/t/{slug}/do/start/", {"row_version": "²"}),
    "reason with a zero byte": ("/t/{slug}/do/cancel/", {"reason": "why\0not"}),
    "entry that is no uuid": ("/t/{slug}/do/withdraw/", {"entry": "\0"}),
    "nonce with a zero byte": ("/t/{slug}/do/enter/", {"bot": "{bot}", "nonce": "a\0b"}),
    "next with a line break": ("/t/{slug}/do/follow/", {"next": "/t/\r\nSet-Cookie: a=b"}),
    "next in Japanese": ("/t/{slug}/do/follow/", {"next": "/t/桜/"}),
    "note with a zero byte": ("/b/new/", {"name": "Mine", "source": "def choose(obs): return 0", "note": "a\0"}),
    "source with a zero byte": ("/b/new/", {"name": "Mine", "source": "def choose(obs): return 0 # \0"}),
    "name of an event with a zero byte": ("/t/new/", {"name": "Plum\0"}),
    "profile": ("/me/", {"display_name": "a\0b", "theme": "light"}),
}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("case", ODD_FORMS)
def test_an_odd_form_is_answered_not_an_error_of_ours(case: str, as_user: Become) -> None:
    path, form = ODD_FORMS[case]
    event = a.an_open_event()
    bot = a.a_bot(event.created_by)
    client = as_user(event.created_by)
    client.raise_request_exception = False
    filled = {key: value.replace("{bot}", bot.slug) for key, value in form.items()}
    answer = client.post(path.format(slug=event.slug, bot=bot.slug), filled)
    assert answer.status_code in (200, 302, 400, 404, 422), answer.status_code
    assert "\n" not in answer.headers.get("Location", "")


def test_a_draft_that_is_called_off_stays_its_organisers_own(as_user: Become) -> None:
    organiser = a.a_user()
    draft = create_tournament(by=organiser, plan=a.a_plan(name="Surprise for Kiri"))
    cancel_tournament(tournament=draft, by=organiser, reason="Not after all.")
    stranger = as_user(a.a_user())
    assert "Surprise for Kiri" not in stranger.get("/t/").content.decode()
    assert stranger.get(f"/t/{draft.slug}/").status_code == 404
    assert stranger.get(f"/api/v1/tournaments/{draft.slug}").status_code == 404
    assert as_user(organiser).get(f"/t/{draft.slug}/").status_code == 200
    assert Tournament.objects.get().state == "cancelled"


@pytest.mark.thorough
def test_an_unlisted_event_is_named_by_no_public_page(as_user: Become) -> None:
    event = a.a_running_event(name="Behind the screen", visibility="unlisted")
    bot = event.entries.select_related("player__bot").order_by("id")[0].player.bot
    assert bot is not None
    stranger = as_user(None)
    own = [f"/b/{bot.slug}/{tab}" for tab in ("", "matches/", "versions/", "events/")]
    for path in ("/", "/t/", "/queue/", *own, f"/u/{event.created_by.username}/", "/ladder/"):
        assert "Behind the screen" not in stranger.get(path).content.decode(), path
    assert stranger.get(f"/t/{event.slug}/").status_code == 200
    assert "Behind the screen" in as_user(bot.owner).get(f"/b/{bot.slug}/events/").content.decode()


def test_the_address_of_an_unlisted_event_cannot_be_guessed_from_its_name() -> None:
    for visibility, is_plain in (("public", True), ("unlisted", False)):
        plan = a.a_plan(name=f"Behind the {visibility} screen", visibility=visibility)
        made = create_tournament(by=a.a_user(), plan=plan)
        assert (made.slug == f"behind-the-{visibility}-screen") is is_plain


def test_a_held_check_says_what_its_owner_can_do(as_user: Become) -> None:
    owner = a.a_user()
    version = upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Plum")
    Check.objects.update(state="quarantined", faults=4)
    client = as_user(owner)
    page = client.get(f"/b/{version.bot.slug}/v/1/").content.decode()
    assert "The check is on hold" in page
    client.post(f"/b/{version.bot.slug}/do/retire/", {"n": 1})
    version.refresh_from_db()
    assert version.state == "retired"


@pytest.mark.thorough
def test_a_reason_is_short_and_can_be_read(as_user: Become) -> None:
    event = a.an_open_event()
    client = as_user(event.created_by)
    for reason, code in (("", "reason_needed"), ("x" * 301, "reason_too_long"), ("a\u202eb", "reason_invalid")):
        answer = client.post(f"/t/{event.slug}/do/cancel/", {"reason": reason}, follow=True)
        assert f"tournament.{code}" in answer.content.decode()
    event.refresh_from_db()
    assert event.state == "registration"


def test_a_next_that_is_no_path_leads_to_the_first_bot(client: Client) -> None:
    form = {"username": "kiri", "password1": "plum-blossom-77", "password2": "plum-blossom-77", "next": "nowhere"}
    answer = client.post("/signup/", form)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/me/first-bot/")


@pytest.mark.thorough
def test_the_secret_of_a_stage_is_shown_once_it_is_closed_and_not_before(league: League, client: Client) -> None:
    for event, is_shown in ((league.finished, True), (league.running, False), (league.open, False)):
        stage = event.stages.get()
        page = client.get(f"/t/{event.slug}/").content.decode()
        assert stage.commitment in page
        assert (bytes(stage.secret or b"").hex() in page) is is_shown


@pytest.mark.thorough
def test_a_nonce_is_public_once_entries_are_closed(client: Client) -> None:
    event = a.an_open_event()
    for word in ("peony", "wisteria"):
        bot = a.a_bot()
        enter_bot(tournament=event, bot=bot, by=bot.owner, nonce=word)
    assert "peony" not in client.get(f"/t/{event.slug}/entries/").content.decode()
    start_tournament(tournament=event, by=event.created_by)
    page = client.get(f"/t/{event.slug}/entries/").content.decode()
    assert "peony" in page
    assert "wisteria" in page
    match = event.stages.get().matches.select_related("deal_set")[0]
    assert match.deal_set is not None
    assert match.deal_set.commit in client.get(f"/m/{match.uuid}/").content.decode()


@pytest.mark.thorough
def test_private_pages_are_live_for_those_who_may_see_them(as_user: Become) -> None:
    event = a.a_running_event(visibility="private")
    match = event.stages.get().matches.get()
    for path, channel in ((f"/m/{match.uuid}/", match.channel), ("/", event.channel)):
        page = as_user(event.created_by).get(path).content.decode()
        token = re.search(r'data-token="([^"]+)"', page)
        assert channel in page
        assert token is not None
        assert channel in signing.loads(token[1], salt=SALT)


def test_entries_that_the_clock_has_closed_are_not_offered(as_user: Become) -> None:
    event = a.an_open_event()
    bot = a.a_bot()
    Tournament.objects.update(entries_close_at=timezone.now() - timedelta(minutes=1))
    client = as_user(bot.owner)
    assert "Enter it" not in client.get(f"/t/{event.slug}/entries/").content.decode()
    assert "Entries are open" not in client.get(f"/t/{event.slug}/").content.decode()


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "source",
    [
        b"import a\0b\ndef choose(obs): return 0\n",
        b"\0",
        b"import \xed\xa0\x80\n",
        "import ｎo_such_ｍodule, 桜\ndef choose(obs): return 0\n".encode(),
        b"\xff\xfe\0\0",
        b"def choose(obs): return '\\ud800'\nimport no_such_\xe2\x80\xae\n",
    ],
)
def test_an_odd_source_is_refused_or_kept_as_failed_with_words(source: bytes, as_user: Become) -> None:
    client = as_user(a.a_user())
    client.raise_request_exception = False
    form = {"name": "Mine", "file": SimpleUploadedFile("bot.py", source), "plays": ["hawaii"]}
    answer = client.post("/b/new/", form, follow=True)
    assert answer.status_code in (200, 422)
    page = answer.content.decode()
    assert "upload." in page or "The check failed" in page or "uploaded. Checking" in page
