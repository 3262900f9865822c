"""Sources of others, and one's own for others: published, downloaded, forked with the kit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from accounts.models import User
from bots.models import Fork, Publication
from bots.services import publish_source
from tests.builders import events as a
from tests.kit.conftest import Type

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.thorough
def test_a_source_is_published_under_a_chosen_licence_and_taken_back(
    type_in: Type, my_bot: Callable[..., Path], signed_in: User
) -> None:
    folder = my_bot(a.FIRST.decode())
    bot = a.a_bot(signed_in, name="mine")
    asked = type_in("publish", "1", "mine")
    assert (asked.code, f"/b/{bot.slug}/v/1/publish/" in asked.err) == (2, True)
    assert type_in("publish", "1", "mine", "--licence", "WTFPL").code == 3
    done = type_in("publish", "1", str(folder), "--licence", "MIT")
    assert (done.code, "public under MIT" in done.out) == (0, True)
    assert Publication.objects.get().withdrawn_at is None
    assert type_in("publish", "1", "mine", "--withdraw", "--json").json["licence"] is None
    assert Publication.objects.get().withdrawn_at is not None


@pytest.mark.thorough
def test_a_published_bot_is_downloaded_and_forked(
    type_in: Type, at_home: Path, signed_in: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = a.a_bot(a.a_user("ann"), name="Plum").versions.get()
    slug = version.bot.slug
    assert "No version" in type_in("get", slug).err
    assert type_in("get", f"{slug}/1").code == 3
    assert type_in("get", "../etc/passwd").code == 2
    publish_source(version=version, by=version.bot.owner, licence="MIT")
    found = type_in("get", slug)
    assert found.code == 0, found.err
    assert (at_home / slug / "bot.py").read_bytes().startswith(a.FIRST)
    assert "Permission is hereby granted" in (at_home / slug / "LICENSE.txt").read_text()
    assert type_in("get", slug).code == 2, "a folder that is there is not written over"
    forked = type_in("fork", f"{slug}/v1", "My Peony", "--json")
    assert forked.code == 0, forked.err
    assert forked.json["bot"] == "my-peony"
    made = Fork.objects.get()
    assert (made.bot.owner, made.origin) == (signed_in, version)
    assert (at_home / "my-peony" / "bot.py").exists()
    assert type_in("status", "my-peony").out.startswith("My Peony: ")
    monkeypatch.chdir(at_home / slug)
    inside = type_in("get", f"{slug}/1", "again")
    assert (inside.code, "cd .." in inside.err) == (2, True), "it would be sent along with the bot it lies in"
