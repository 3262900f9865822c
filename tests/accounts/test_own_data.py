"""Data of an account: a copy of it, signing out everywhere, deleting it, and what stays of it."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable

import pytest
from axes.models import AccessLog
from django.conf import LazySettings
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import SignIn, Token, User
from accounts.tokens import make_token
from bots import receivers
from bots.models import AuditEvent, Blob, BotVersion, Check
from tests.builders import events as a
from tests.builders.clubs import a_called_night
from tests.builders.leagues import LAST, SECRET_WORD, League
from tournaments.entries.links import link_token, make_links
from tournaments.models import Entry, EntryLink, Follow, Player, Role, Seat, Standing, Tournament
from tournaments.notifications.follow import follow
from tournaments.people import own_data
from tournaments.people.account_data import obstacles

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
SURE = {"password": "plum-blossom-77", "sure": "on"}


def over() -> None:
    """Bring every event to its end."""
    Tournament.objects.exclude(state="draft").update(state="finished")


def copied(client: Client) -> dict[str, bytes]:
    """The files of the copy."""
    answer = client.post("/me/data/copy/")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as found:
        return {name: found.read(name) for name in found.namelist()}


@pytest.mark.slow
def test_a_copy_has_all_of_ones_own_and_no_key(league: League, as_user: Become) -> None:
    _token, key = make_token(user=league.owner, name="mine", scopes=["read"])
    follow(user=league.owner, tournament=league.open)
    files = copied(as_user(league.owner))
    assert json.loads(files["account.json"])["username"] == "kiri"
    everything = b"".join(files.values())
    for secret in (key, Token.objects.get().digest, league.owner.password):
        assert secret.encode() not in everything
    assert [each["tournament"] for each in json.loads(files["tournaments.follow.json"])] == [league.open.pk]
    assert {each["tournament__slug"] for each in json.loads(files["entries.json"])} >= {league.finished.slug}
    with zipfile.ZipFile(io.BytesIO(files[f"bots/{league.bot.slug}/v1.zip"])) as source:
        assert SECRET_WORD in source.read("bot.py").decode()
    assert any(name.startswith("logs/") and SECRET_WORD in data.decode() for name, data in files.items())
    assert json.loads(files["left_out.json"]) == []
    assert SECRET_WORD not in str(copied(as_user(league.rival)))
    assert AuditEvent.objects.filter(verb="account.export").count() == 2


@pytest.mark.thorough
def test_what_there_is_no_room_for_is_named_and_not_even_read(
    league: League, as_user: Become, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_data, "MAX_BYTES", 200)
    with CaptureQueriesContext(connection) as asked:
        files = copied(as_user(league.owner))
    left_out = json.loads(files["left_out.json"])
    assert f"bots/{league.bot.slug}/v1.zip" in left_out
    assert not set(left_out) & set(files)
    assert len(left_out) > 2
    bytes_of = [query["sql"] for query in asked if "packed" in query["sql"]]
    assert all(" IN (" in sql for sql in bytes_of), "bytes are read by the keys of what fits alone"
    assert len(bytes_of) <= 2


@pytest.mark.thorough
def test_the_eleventh_copy_of_an_hour_has_to_wait(as_user: Become) -> None:
    client = as_user(a.a_user("kimo"))
    assert [client.post("/me/data/copy/").status_code for _ in range(11)] == [200] * 10 + [429]
    assert client.get("/me/data/copy/").status_code == 405
    assert Client().post("/me/data/copy/").status_code == 302


def test_signing_out_everywhere_keeps_this_session(as_user: Become) -> None:
    user = a.a_user("kimo")
    elsewhere = Client()
    elsewhere.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client = as_user(user)
    for _ in range(2):
        assert "signed out" in client.post("/me/sign-out/", follow=True).content.decode()
        assert client.get("/me/").status_code == 200
    assert elsewhere.get("/me/").status_code == 302


def test_devices_are_listed_and_can_be_signed_out_one_by_one(client: Client) -> None:
    form = {"username": a.a_user("traveller").username, "password": SURE["password"]}
    firefox, phone = (
        Client(headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}),
        Client(headers={"User-Agent": "Mozilla/5.0 (Linux; Android 16) Chrome/150.0 Mobile Safari/537.36"}),
    )
    for each in (firefox, phone):
        assert each.post("/login/", form).status_code == 302
    page = firefox.get("/me/data/").content.decode()
    assert "Firefox, Linux" in page
    assert "Chrome, Android" in page
    assert page.count("/me/sessions/") == 1, "not this device"
    other = re.search(r"/me/sessions/[0-9a-f-]+/end/", page)
    assert other is not None
    stranger = Client()
    stranger.force_login(a.a_user("stranger"), backend="django.contrib.auth.backends.ModelBackend")
    assert stranger.post(other[0]).status_code == 404
    assert "That device is signed out" in firefox.post(other[0], follow=True).content.decode()
    assert phone.get("/me/").status_code == 302
    assert firefox.get("/me/").status_code == 200
    firefox.post("/me/sign-out/")
    assert "Firefox, Linux" in firefox.get("/me/data/").content.decode(), "its key is another one, the device is not"


def test_the_own_session_stands_before_all_and_older_ones_are_folded(client: Client) -> None:
    form = {"username": a.a_user("traveller").username, "password": SURE["password"]}
    devices = [Client(headers={"User-Agent": f"({system}) Firefox/140.0"}) for system in ("Linux", *["Windows"] * 4)]
    for each in devices:
        assert each.post("/login/", form).status_code == 302
    page = devices[0].get("/me/data/").content.decode()
    shown, folded = page.split("<summary>\n2 older sessions")
    assert re.findall("Firefox, [A-Z][a-z]+</strong>|this device", re.sub(r"\s*</strong>", "</strong>", shown)) == [
        "Firefox, Linux</strong>", "this device", "Firefox, Windows</strong>", "Firefox, Windows</strong>"
    ]  # fmt: skip
    assert folded.count("/me/sessions/") == 2


@pytest.mark.thorough
def test_a_session_with_a_new_key_stays_on_the_list_and_can_be_ended(client: Client) -> None:
    user = a.a_user("traveller")
    form = {"username": user.username, "password": SURE["password"]}
    phone, laptop = Client(headers={"User-Agent": "Firefox/140.0 Android"}), Client()
    for each in (phone, laptop):
        each.post("/login/", form)
    event = a_called_night(people=4)
    make_links(tournament=event, by=event.created_by)
    link = EntryLink.objects.filter(entry__tournament=event)[0]
    assert phone.get(f"/e/{link_token(link)}/").status_code == 302
    page = laptop.get("/me/data/").content.decode()
    assert "Firefox, Android" in page
    other = re.search(r"/me/sessions/[0-9a-f-]+/end/", page)
    assert other is not None
    laptop.post(other[0])
    assert phone.get("/me/").status_code == 302, "signed out from the list"


def test_the_key_of_the_server_may_change_and_the_list_stays_right(client: Client, settings: LazySettings) -> None:
    user = a.a_user("traveller")
    client.post("/login/", {"username": user.username, "password": SURE["password"]})
    before = SignIn.objects.get(user=user)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another key of the server" * 3
    assert client.get("/me/").status_code == 200
    after = SignIn.objects.get(user=user)
    assert (after.uuid, after.secret == before.secret) == (before.uuid, False)
    assert after.secret == client.session.session_key


def test_logging_in_again_and_logging_out_leave_no_row_of_a_dead_session(client: Client) -> None:
    user, other = a.a_user("traveller"), a.a_user("other")
    for who in (user, user, other):
        client.force_login(who, backend="django.contrib.auth.backends.ModelBackend")
    assert [row.user for row in SignIn.objects.all()] == [other]
    client.post("/logout/")
    assert not SignIn.objects.exists()


@pytest.mark.thorough
def test_nobody_leaves_whom_others_still_count_on(league: League, as_user: Become) -> None:
    assert {each.code for each in obstacles(league.owner)} == {"account.plays"}
    assert {each.code for each in obstacles(league.organiser)} == {"account.owns_event"}
    assert [each.code for each in obstacles(a.a_user("boss", is_staff=True))] == ["account.operator"]
    client = as_user(league.organiser)
    page = client.get("/me/delete/").content.decode()
    assert league.running.name in page
    assert 'name="password"' not in page
    assert client.post("/me/delete/", SURE).status_code == 422
    assert User.objects.get(pk=league.organiser.pk).is_active
    Role.objects.create(user=league.rival, tournament=league.running, role=Role.Kind.OWNER)
    assert league.running.name not in {each.name for each in obstacles(league.organiser)}


def test_matches_that_workers_are_about_to_play_come_first(league: League) -> None:
    Entry.objects.filter(player__bot__owner=league.owner).update(state=Entry.State.WITHDRAWN)
    assert [each.code for each in obstacles(league.owner)] == ["account.matches_wait"]


@pytest.mark.thorough
def test_deleting_takes_what_is_ones_own(league: League, as_user: Become) -> None:
    owner = league.owner
    over()
    make_token(user=owner, name="mine", scopes=["read"])
    follow(user=owner, tournament=league.open)
    client = as_user(owner)
    assert client.post("/me/delete/", {**SURE, "password": "wrong"}).status_code == 422
    assert client.post("/me/delete/", {"password": SURE["password"]}).status_code == 422
    assert User.objects.get(pk=owner.pk).is_active
    assert "Your account is deleted" in client.post("/me/delete/", SURE, follow=True).content.decode()
    row = User.objects.get(pk=owner.pk)
    assert (row.is_active, row.has_usable_password(), row.email, row.display_name) == (False, False, "", "")
    assert row.username == f"gone-{owner.uuid.hex[:8]}"
    assert not Token.objects.exists()
    assert not Follow.objects.filter(user=owner).exists()
    assert not Seat.objects.filter(bot_version__bot__owner=owner, log__isnull=False).exists()
    assert [check.result for check in Check.objects.filter(version__bot__owner=owner) if check.result] == []
    assert {version.state for version in BotVersion.objects.filter(bot__owner=owner)} == {"retired"}
    assert not any(SECRET_WORD.encode() in blob.data() for blob in Blob.objects.all())
    assert client.get("/me/").status_code == 302
    form = {"username": "gone-12345678", "password1": "plum-blossom-77", "password2": "plum-blossom-77"}
    assert client.post("/signup/", form).status_code == 422


def test_a_log_in_that_went_well_leaves_no_address_behind(client: Client) -> None:
    user = a.a_user("traveller")
    form = {"username": user.username, "password": SURE["password"]}
    assert client.post("/login/", form, REMOTE_ADDR="203.0.113.9").status_code == 302
    assert not AccessLog.objects.exists()


def test_whoever_finds_an_open_session_does_not_guess_the_password(
    as_user: Become, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(receivers.TRIES, "login", 2)
    client = as_user(a.a_user("kimo"))
    wrong = {**SURE, "password": "wrong"}
    assert [client.post("/me/delete/", wrong).status_code for _ in range(3)] == [422, 422, 429]
    changed = {"old_password": "wrong", "new_password1": "iris-and-crane", "new_password2": "iris-and-crane"}
    assert client.post("/me/password/", changed).status_code == 429


@pytest.mark.thorough
def test_results_stay_under_a_name_that_says_nothing(league: League, as_user: Become) -> None:
    owner, event, bot = league.owner, league.finished, league.bot
    over()
    person = Player.objects.create(kind="human", name="Kiri K.", club="Kona", user=owner)
    Entry.objects.create(tournament=event, player=person, entered_by=league.organiser, state="withdrawn")
    before = list(Standing.objects.filter(stage__tournament=event).order_by("pk").values())
    client = as_user(owner)
    client.post("/me/delete/", SURE)
    person.refresh_from_db()
    assert (person.user, person.club, person.name.startswith("gone-")) == (None, "", True)
    assert list(Standing.objects.filter(stage__tournament=event).order_by("pk").values()) == before
    assert client.get("/u/kiri/").status_code == 404
    assert client.get(f"/u/gone-{owner.uuid.hex[:8]}/").status_code == 410
    for path in (f"/b/{bot.slug}/", f"/b/{bot.slug}/v/1/", f"/t/{event.slug}/entries/", f"/m/{league.match().uuid}/"):
        page = client.get(path)
        assert page.status_code == 200, path
        assert "kiri" not in page.content.decode().lower(), path
    bot.refresh_from_db()
    assert bot.active_version is None


def test_bytes_that_somebody_else_sent_too_stay(league: League, as_user: Become) -> None:
    theirs = BotVersion.objects.filter(bot__owner=league.rival).order_by("pk")[0]
    BotVersion.objects.create(bot=league.bot, n=9, hash="9" * 64, source=theirs.source, state="ready")
    over()
    as_user(league.owner).post("/me/delete/", SURE)
    assert LAST in Blob.objects.get(pk=theirs.source_id).data()


def test_bytes_are_erased_for_good_and_come_back_only_as_they_were() -> None:
    blob = Blob.objects.put(b"matsu")
    assert Blob.objects.erase([blob.pk]) == 1
    assert Blob.objects.erase([blob.pk]) == 0
    assert Blob.objects.get(pk=blob.pk).data() == b""
    again = Blob.objects.put(b"matsu")
    assert (again.pk, again.data()) == (blob.pk, b"matsu")
    refusal = pytest.raises(IntegrityError, match="is refused")
    with refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE bots_blob SET packed = %s WHERE id = %s", [b"ume", blob.pk])
