"""The upload form: filled in with what there is to go on from, two tabs of which one counts, presets by name."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from bots.models import BotVersion
from bots.services import upload_version
from bots.uploads import unpack_files
from bots.views.uploading import SHOWN
from tests.browser.guarded import zipped
from tests.builders import events as a

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
PASTED = "def choose(obs):\n    return 1\n"
SENT = b"def choose(obs):\n    return 2\n"


def sources(version: BotVersion) -> bytes:
    return dict(unpack_files(version.source.data()))["bot.py"]


def source_in(page: str) -> str:
    found = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.DOTALL)
    assert found is not None
    return found[1]


def chosen(page: str) -> list[str]:
    return re.findall(r'<input type="radio" name="way" value="(\w+)"[^>]*checked', page)


def test_a_new_bot_begins_with_two_lines_that_can_be_sent_as_they_are(as_user: Become) -> None:
    client = as_user(a.a_user())
    page = client.get("/b/new/").content.decode()
    assert source_in(page).startswith("def choose(obs):\n    return obs[")
    assert chosen(page) == ["paste"]
    assert 'name="bot"' not in page, "there is no other bot to choose"
    form = {"name": "Plum", "way": "paste", "source": PASTED, "plays": ["hawaii"]}
    assert client.post("/b/new/", form).status_code == 302


@pytest.mark.parametrize(("way", "kept"), [("paste", PASTED.encode()), ("file", SENT)])
def test_the_tab_that_is_open_counts_and_the_other_one_does_not(way: str, kept: bytes, as_user: Become) -> None:
    form = {"name": "Plum", "source": PASTED, "file": SimpleUploadedFile("bot.py", SENT), "plays": ["hawaii"]}
    assert as_user(a.a_user()).post("/b/new/", {**form, "way": way}).status_code == 302
    assert sources(BotVersion.objects.get()) == kept


def test_an_open_tab_with_nothing_in_it_is_said_there(as_user: Become) -> None:
    client = as_user(a.a_user())
    answer = client.post("/b/new/", {"name": "Plum", "way": "file", "source": PASTED, "plays": ["hawaii"]})
    page = answer.content.decode()
    assert (answer.status_code, chosen(page)) == (422, ["file"])
    assert 'id="id_file_error"' in page
    assert not BotVersion.objects.exists()


def test_a_new_version_begins_with_the_source_of_the_newest(as_user: Become) -> None:
    owner = a.a_user()
    version = upload_version(owner=owner, filename="bot.py", data=SENT, name="Plum", plays=["nuki88"])
    page = as_user(owner).get(f"/b/new/?bot={version.bot.slug}").content.decode()
    assert source_in(page) == SENT.decode()
    assert f'<option value="{version.bot.pk}" selected>' in page
    assert re.findall(r'name="plays" value="(\w+)"[^>]*checked', page) == ["nuki88"]
    stranger = as_user(a.a_user()).get(f"/b/new/?bot={version.bot.slug}").content.decode()
    assert SENT.decode() not in stranger, "somebody else's"


@pytest.mark.parametrize("what", ["several files", "a long one"])
def test_what_cannot_be_edited_in_a_page_is_sent_as_a_file(what: str, as_user: Become) -> None:
    owner, text = a.a_user(), SENT.decode()
    packed = {"bot.py": text, "more.py": "x = 1\n"} if what == "several files" else {"bot.py": text + "#" * SHOWN}
    version = upload_version(owner=owner, filename="bot.zip", data=zipped(packed), name="Plum")
    page = as_user(owner).get(f"/b/new/?bot={version.bot.slug}").content.decode()
    assert (source_in(page), chosen(page)) == ("", ["file"])


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"way": "paste", "source": "  "}, "Paste the source of the bot."),
        ({"way": "file"}, "Choose the file to upload."),
        ({}, "Paste the source of the bot."),
    ],
)
def test_a_form_with_nothing_to_upload_says_what_it_needs(as_user: Become, sent: dict[str, str], told: str) -> None:
    bot = a.a_bot()
    answer = as_user(bot.owner).post("/b/new/", {"bot": bot.pk, "plays": ["hawaii"], **sent})
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert "not both" not in answer.content.decode()
