"""A version's own pages: downloads byte for byte, hiding and showing, refusals with words."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from bots.errors import BotError
from bots.models import AuditEvent, Blob, Bot, BotVersion, Check
from bots.services import activate, hide, unhide, upload_version
from bots.uploads import read_upload, unpack_files, zip_files
from tests.browser.guarded import zipped
from tests.builders import events as a
from tests.builders import matches_on_show as on_show

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
FILES = {
    "bot.py": "def choose(obs):\r\n    return 0\n\n\n",
    "data/book.json": "[1]",
    "hanami.toml": 'plays = ["hawaii"]\n',
}


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(BotError) as refusal:
        act()
    assert refusal.value.code == code


def test_its_owner_downloads_what_was_uploaded_byte_for_byte(as_user: Become) -> None:
    owner = a.a_user("kiri")
    version = upload_version(owner=owner, filename="plum.zip", data=zipped(FILES), name="Plum")
    answer = as_user(owner).get(reverse("bot-source-zip", args=[version.bot.slug, 1]))
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == FILES
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{version.bot.slug}-v1.zip"'
    assert answer.headers["Content-Type"] == "application/zip"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "private, no-store"
    again = upload_version(owner=owner, filename="plum.zip", data=answer.content, bot=version.bot)
    assert again == version


def test_an_archive_of_the_same_files_is_the_same_bytes() -> None:
    files = read_upload("plum.zip", zipped(FILES)).files
    assert zip_files(files) == zip_files(list(reversed(files)))
    assert read_upload("plum.zip", zip_files(files)).files == files


def test_a_source_is_kept_once_and_small() -> None:
    bot = a.a_bot()
    source = b"def choose(obs):\n    return 0\n" + b"# plum blossom\n" * 5_000
    version = upload_version(owner=bot.owner, bot=bot, filename="bot.py", data=source)
    assert version.source.size > 20 * len(bytes(version.source.packed))
    assert dict(unpack_files(version.source.data()))["bot.py"] == source
    other = upload_version(owner=a.a_user(), filename="bot.py", data=source, name="Same")
    assert other.source_id == version.source_id


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("who", ["", "rival", "organiser", "operator", "root"])
def test_nobody_else_downloads_it(who: str, as_user: Become) -> None:
    event = a.a_running_event()
    bot = Bot.objects.order_by("id")[0]
    reader = (
        event.created_by if who == "organiser" else a.a_user(who, is_staff=who in ("operator", "root")) if who else None
    )
    if reader is not None:
        User.objects.filter(pk=reader.pk).update(is_superuser=who == "root")
    for name in ("bot-source", "bot-source-zip", "bot-source-file"):
        answer = as_user(reader).get(reverse(name, args=[bot.slug, 1]) + "?file=bot.py")
        assert answer.status_code == (404 if reader else 302)


@pytest.mark.thorough
def test_a_hidden_version_is_for_its_owner_and_operators_and_results_go_on_naming_it(as_user: Become) -> None:
    match = on_show.a_finished_match(rounds=1)
    seat = match.seats.order_by("index")[0]
    version = seat.bot_version
    assert version is not None
    owner, bot = version.bot.owner, version.bot
    page = reverse("bot-version", args=[bot.slug, version.n])
    client = as_user(owner)
    assert client.post(f"/b/{bot.slug}/do/hide/", {"n": version.n}).status_code == 302
    assert "This version is hidden." in client.get(page).content.decode()
    for reader in (None, a.a_user("rival")):
        assert as_user(reader).get(page).status_code == 404
        assert page not in as_user(reader).get(f"/b/{bot.slug}/").content.decode()
        assert str(version) in as_user(reader).get(f"/m/{match.uuid}/record.json").content.decode()
    assert as_user(a.a_user("operator", is_staff=True)).get(page).status_code == 200
    as_user(owner).post(f"/b/{bot.slug}/do/unhide/", {"n": version.n})
    assert as_user(None).get(page).status_code == 200
    assert [event.verb for event in AuditEvent.objects.order_by("id")] == ["version.hide", "version.unhide"]


def test_a_hidden_version_does_not_play_in_anything_new() -> None:
    bot = a.a_bot()
    version = bot.versions.get()
    hide(version=version, by=bot.owner)
    hide(version=version, by=bot.owner)
    bot.refresh_from_db()
    assert bot.active_version is None
    refused("version.hidden", lambda: activate(version=version, by=bot.owner))
    unhide(version=version, by=bot.owner)
    unhide(version=version, by=bot.owner)
    activate(version=version, by=bot.owner)
    assert [event.verb for event in AuditEvent.objects.order_by("id")] == [
        "version.hide",
        "version.unhide",
        "version.activate",
    ]


def test_an_operator_hides_with_a_reason_and_alone_shows_again(as_user: Become) -> None:
    bot, operator = a.a_bot(), a.a_user(is_staff=True)
    version = bot.versions.get()
    refused("version.reason_needed", lambda: hide(version=version, by=operator))
    refused("version.reason_invalid", lambda: hide(version=version, by=operator, reason="x" * 201))
    refused("bot.not_owner", lambda: hide(version=version, by=a.a_user()))
    as_user(operator).post(f"/b/{bot.slug}/do/hide/", {"n": 1, "reason": "The note insults a player."})
    refused("version.hidden_by_operator", lambda: unhide(version=version, by=bot.owner))
    page = as_user(bot.owner).get(reverse("bot-version", args=[bot.slug, 1])).content.decode()
    assert "The note insults a player." in page
    assert as_user(operator).post(f"/b/{bot.slug}/do/retire/", {"n": 1}).status_code == 404
    as_user(operator).post(f"/b/{bot.slug}/do/unhide/", {"n": 1})
    version.refresh_from_db()
    assert version.hidden_at is None


@pytest.mark.thorough
def test_an_operator_s_hiding_stands_on_its_own_over_the_owner_s(as_user: Become) -> None:
    bot, operator, other = a.a_bot(), a.a_user(is_staff=True), a.a_user(is_staff=True)
    version, page = bot.versions.get(), f"/b/{bot.slug}/v/1/"
    hide(version=version, by=bot.owner, reason="A bug.")
    assert "Its owner hid it" in as_user(operator).get(page).content.decode()
    refused("version.reason_needed", lambda: hide(version=version, by=operator))
    for _click in range(2):
        as_user(operator).post(f"/b/{bot.slug}/do/hide/", {"n": 1, "reason": "The note insults a player."})
    hide(version=version, by=other, reason="Me too.")
    hide(version=version, by=bot.owner, reason="Mine.")
    shown = as_user(bot.owner).get(page).content.decode()
    assert "The note insults a player." in shown
    assert "do/unhide/" not in shown
    refused("version.hidden_by_operator", lambda: unhide(version=version, by=bot.owner))
    said = as_user(operator).post(f"/b/{bot.slug}/do/unhide/", {"n": 1}, follow=True).content.decode()
    assert "so it stays hidden" in said
    assert "Reason: A bug." in said
    assert 'name="of" value="owner"' in said
    again = as_user(operator).post(f"/b/{bot.slug}/do/unhide/", {"n": 1}, follow=True).content.decode()
    assert "so it stays hidden" in again, "a second click takes back nothing"
    assert as_user(None).get(page).status_code == 404
    unhide(version=version, by=bot.owner)
    assert as_user(None).get(page).status_code == 200
    acts = list(AuditEvent.objects.order_by("id").values_list("verb", "actor"))
    assert acts == [
        ("version.hide", bot.owner_id),
        ("version.hide", operator.pk),
        ("version.unhide", operator.pk),
        ("version.unhide", bot.owner_id),
    ]


@pytest.mark.thorough
def test_its_owner_rolls_a_bot_back_by_one_button(as_user: Become) -> None:
    """To the newest fit version before the active one; what is hidden, benched or retired is passed over."""
    bot = a.a_bot(name="Plum")
    good, hidden, benched, newest = bot.versions.get(), *(a.a_version(bot) for _ in range(3))
    hide(version=hidden, by=bot.owner)
    BotVersion.objects.filter(pk=benched.pk).update(benched_at=timezone.now(), forfeits_in_a_row=3)
    activate(version=newest, by=bot.owner)
    page, button = reverse("bot", args=[bot.slug]), f"Roll back to v{good.n}"
    assert button in as_user(bot.owner).get(page).content.decode()
    assert "Roll back" not in as_user(a.a_user()).get(page).content.decode()
    older = as_user(bot.owner).get(reverse("bot-version", args=[bot.slug, good.n])).content.decode()
    assert f"Version {newest.n} is newer and plays now." in older
    for _ in range(2):  # a second click changes nothing
        as_user(bot.owner).post(f"/b/{bot.slug}/do/activate/", {"n": good.n})
    bot.refresh_from_db()
    assert bot.active_version == good
    assert "Roll back" not in as_user(bot.owner).get(page).content.decode()
    told = AuditEvent.objects.filter(verb="version.activate").latest("id")
    assert (told.actor, told.before, told.after) == (bot.owner, {"n": newest.n}, {"n": good.n})


def test_the_log_of_a_check_steers_nothing(as_user: Become) -> None:
    """A log is any bytes: none of them reaches a terminal or turns the direction of writing round."""
    bot = a.a_bot()
    Check.objects.update(log=Blob.objects.put(b"one\x1b[2J\x00two\xff \xe2\x80\xaethree <b>"))
    page = as_user(bot.owner).get(reverse("bot-version", args=[bot.slug, 1])).content.decode()
    assert "one\ufffd[2J\ufffdtwo\ufffd \ufffdthree &lt;b&gt;" in page


def test_a_hidden_version_s_held_check_is_not_there_for_strangers(as_user: Become) -> None:
    bot = a.a_bot()
    Check.objects.update(state="quarantined", faults=4)
    address = reverse("bot-recheck", args=[bot.slug, 1])
    assert as_user(a.a_user()).post(address).status_code == 403
    hide(version=bot.versions.get(), by=bot.owner)
    assert as_user(a.a_user()).post(address).status_code == 404
    assert as_user(bot.owner).post(address).status_code == 302


def test_a_version_that_is_being_checked_is_not_hidden() -> None:
    bot = a.a_bot(ready=False)
    refused("version.checking", lambda: hide(version=bot.versions.get(), by=bot.owner))


def test_no_version_is_ever_deleted() -> None:
    match = on_show.a_finished_match(rounds=1)
    seat = match.seats.order_by("index")[0]
    version = seat.bot_version
    assert version is not None
    with pytest.raises(models.ProtectedError):
        version.delete()
    assert BotVersion.objects.filter(pk=version.pk).exists()


BAD = {
    "too large": ("plum.py", b"#" * (2 * 1024 * 1024 + 1), "2"),
    "a program": ("plum.exe", b"MZ", ".py"),
    "a tar": ("plum.tar", b"plum", ".zip"),
    "empty": ("bot.py", b"", "upload."),
    "no choose": ("bot.py", b"import math\n", "bot.py, line 1"),
    "not python": ("bot.py", b"def choose(obs):\n    return (\n", "line 2"),
    "a module that is not there": ("bot.py", b"import math\nimport requests\ndef choose(o): return 0\n", "line 2"),
    "too many files": ("plum.zip", zipped({"bot.py": "x = 1"} | {f"f{n}.txt": "" for n in range(70)}), "64"),
    "a name out of the archive": ("plum.zip", zipped({"bot.py": "x = 1", "../up.py": ""}), "../up.py"),
}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("what", BAD)
def test_a_refused_upload_says_on_its_page_what_is_wrong_and_where(what: str, as_user: Become) -> None:
    name, data, words = BAD[what]
    form = {"name": "Plum", "file": SimpleUploadedFile(name, data), "plays": ["hawaii"]}
    answer = as_user(a.a_user()).post("/b/new/", form, follow=True)
    assert answer.status_code in (200, 422)
    page = answer.content.decode()
    assert words in page, what
    assert "upload." in page or "The check failed" in page


NUKI = {"bot.py": a.FIRST.decode(), "hanami.toml": 'plays = ["nuki88"]\n'}


def uploaded_by_page(
    client: Client, bot: Bot, files: dict[str, str], ticked: list[str], shown: list[str]
) -> BotVersion:
    """Return the version that the form makes. ticked: the boxes as sent; shown: as the page had them."""
    form = {"bot": bot.pk, "file": SimpleUploadedFile("bot.zip", zipped(files)), "plays": ticked}
    answer = client.post("/b/new/", {**form, "initial-plays": shown})
    assert answer.status_code == 302, answer.content.decode()
    return bot.versions.latest("n")


def test_a_new_version_keeps_the_games_of_the_one_before(as_user: Become) -> None:
    owner = a.a_user("kiri")
    bot = upload_version(owner=owner, filename="plum.zip", data=zipped(NUKI), name="Plum").bot
    client = as_user(owner)
    page = client.get(f"/b/new/?bot={bot.slug}").content.decode()
    assert 'name="initial-plays" value="nuki88"' in page
    plain = {"bot.py": a.FIRST.decode() + "# 2\n"}
    assert uploaded_by_page(client, bot, plain, ["nuki88"], ["nuki88"]).plays == ["nuki88"]
    assert uploaded_by_page(client, bot, {"bot.py": a.FIRST.decode() + "# 3\n"}, [], []).plays == ["nuki88"]


def test_a_manifest_wins_unless_a_box_was_changed(as_user: Become) -> None:
    owner = a.a_user("kiri")
    bot = upload_version(owner=owner, filename="plum.py", data=a.FIRST, name="Plum", plays=["hawaii"]).bot
    client = as_user(owner)
    assert uploaded_by_page(client, bot, NUKI, ["hawaii"], ["hawaii"]).plays == ["nuki88"]
    changed = {**NUKI, "bot.py": a.FIRST.decode() + "# 2\n"}
    assert uploaded_by_page(client, bot, changed, ["french", "hawaii"], ["hawaii"]).plays == ["french", "hawaii"]
    later = {"bot.py": a.FIRST.decode() + "# 3\n"}
    shown = ["hawaii", "paradise"]  # the ticks of a new bot
    assert uploaded_by_page(client, bot, later, shown, shown).plays == ["french", "hawaii"]


def test_an_owner_renames_and_deletes_a_bot_on_its_page(as_user: Become) -> None:
    owner = a.a_user("kiri")
    bot = Bot.objects.create(owner=owner, name="Plmu", slug="plmu")
    client = as_user(owner)
    assert client.post("/b/plmu/name/", {"name": "Plum"}).headers["Location"] == "/b/plum/"
    assert client.post("/b/plum/name/", {"name": ""}).status_code == 422
    assert "Delete this bot" in client.get("/b/plum/name/").content.decode()
    assert as_user(a.a_user()).get("/b/plum/name/").status_code == 404
    a.a_version(bot)
    assert "Delete this bot" not in as_user(owner).get("/b/plum/name/").content.decode()
    as_user(owner).post("/b/plum/delete/")
    assert Bot.objects.filter(slug="plum").exists()
    Bot.objects.create(owner=owner, name="Gone", slug="gone")
    assert as_user(owner).post("/b/gone/delete/").headers["Location"] == "/b/"
    assert not Bot.objects.filter(slug="gone").exists()


def test_a_version_stands_under_its_bot_with_its_games_and_a_hash_that_can_be_copied(as_user: Become) -> None:
    version = a.a_bot(name="Plum").versions.get()
    page = as_user(None).get(f"/b/{version.bot.slug}/v/1/").content.decode()
    assert 'class="portrait"' in page
    assert f'title="{version.hash}"' in page
    assert f"{version.hash[:4]}…{version.hash[-3:]}" in page
    for each in version.plays:
        assert f'href="/rules/{each}/"' in page
