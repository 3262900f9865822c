"""Publication of sources, its way back, and forks: who may, what stays private, what a licence asks of a fork."""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from bots.licences import LICENCES
from bots.licences.notice import FILE, notice_of, with_notice
from bots.models import AuditEvent, Blob, Bot, BotVersion, Check, Fork, Publication
from bots.selectors import source_of
from bots.selectors.published import forks_of, licences_for, origin_of, publication_of, readable_versions
from bots.services import fork_version, hide, house_account, install_house_bot, publish_source, unhide, withdraw_source
from bots.services.erasing import erase_bots
from bots.services.licensing import with_licence
from tests.bots.services.test_bot_services import refused
from tests.builders import events as a
from tests.services.forging import forge

pytestmark = pytest.mark.django_db


def a_version(owner: User | None = None) -> BotVersion:
    version = a.a_bot(owner).active_version
    assert version is not None
    return version


def a_public_version(licence: str = "MIT") -> BotVersion:
    version = a_version()
    publish_source(version=version, by=version.bot.owner, licence=licence)
    return BotVersion.objects.select_related("bot__owner", "publication").get(pk=version.pk)


def fresh(version: BotVersion) -> BotVersion:
    return BotVersion.objects.select_related("bot__owner").get(pk=version.pk)


def test_a_source_is_private_until_its_author_publishes_it_and_after_they_take_it_back() -> None:
    version = a_version()
    strangers = (None, AnonymousUser(), a.a_user("rival"), a.a_user("operator", is_staff=True))
    assert [source_of(fresh(version), each) for each in strangers] == [None] * 4
    publish_source(version=version, by=version.bot.owner, licence="MIT")
    for each in strangers:
        assert source_of(fresh(version), each) == source_of(fresh(version), version.bot.owner)
    withdraw_source(version=version, by=version.bot.owner)
    withdraw_source(version=version, by=version.bot.owner)
    assert [source_of(fresh(version), each) for each in strangers] == [None] * 4
    assert [act.verb for act in AuditEvent.objects.order_by("pk")] == ["source.publish", "source.withdraw"]


def test_other_versions_of_the_bot_stay_private() -> None:
    version = a_public_version()
    later = a.a_version(version.bot)
    rival = a.a_user("rival")
    assert source_of(fresh(later), rival) is None
    assert readable_versions(version.bot, rival) == [version]
    assert readable_versions(version.bot, version.bot.owner) == [later, version]


def test_a_hidden_version_shows_its_source_to_nobody_else() -> None:
    version, operator = a_public_version(), a.a_user("operator", is_staff=True)
    hide(version=version, by=operator, reason="a joke")
    for reader in (None, operator, a.a_user("rival")):
        assert source_of(fresh(version), reader) is None
    refused("source.not_public", lambda: fork_version(version=version, by=operator, name="Plum"))
    unhide(version=fresh(version), by=operator)
    assert source_of(fresh(version), None) is not None


def test_only_its_owner_publishes_what_passed_its_check_under_a_licence_there_is() -> None:
    version, rival = a_version(), a.a_user("rival")
    owner = version.bot.owner
    refused("bot.not_owner", lambda: publish_source(version=version, by=rival, licence="MIT"))
    refused("bot.not_owner", lambda: withdraw_source(version=version, by=rival))
    refused("source.licence", lambda: publish_source(version=version, by=owner, licence="WTFPL"))
    checking = a.a_version(version.bot, ready=False)
    refused("source.not_checked", lambda: publish_source(version=checking, by=owner, licence="MIT"))
    hide(version=version, by=owner)
    refused("version.hidden", lambda: publish_source(version=version, by=owner, licence="MIT"))


def test_another_licence_holds_from_then_on_and_the_same_one_changes_nothing() -> None:
    version = a_public_version("MIT")
    owner = version.bot.owner
    fork = fork_version(version=version, by=a.a_user("kiri"), name="Kiri")
    for _each in range(2):
        publish_source(version=version, by=owner, licence="GPL-3.0-or-later")
    assert Publication.objects.get().licence == "GPL-3.0-or-later"
    assert Fork.objects.get(bot=fork.bot).licence == "MIT"
    assert AuditEvent.objects.filter(verb="source.publish").count() == 2


def test_a_fork_is_a_bot_of_its_own_that_names_its_origin_and_is_checked() -> None:
    version, kiri = a_public_version("Apache-2.0"), a.a_user("kiri")
    fork = fork_version(version=version, by=kiri, name="Kiri")
    assert (fork.bot.owner, fork.bot.name, fork.n, fork.state) == (kiri, "Kiri", 1, "checking")
    assert (fork.plays, fork.clock, fork.hash) == (version.plays, version.clock, version.hash)
    assert source_of(fork, kiri) == source_of(version, version.bot.owner)
    assert source_of(fork, version.bot.owner) is None
    assert Check.objects.get(version=fork).state == "queued"
    origin = origin_of(fork.bot)
    assert origin is not None
    assert (origin.origin, origin.licence) == (version, "Apache-2.0")
    assert forks_of(version) == ([fork.bot], 1)
    refused("bot.name_taken", lambda: fork_version(version=version, by=kiri, name="Kiri"))


def test_what_is_not_public_cannot_be_forked() -> None:
    version, kiri = a_version(), a.a_user("kiri")
    refused("source.not_public", lambda: fork_version(version=version, by=kiri, name="Kiri"))
    publish_source(version=version, by=version.bot.owner, licence="MIT")
    withdraw_source(version=version, by=version.bot.owner)
    refused("source.not_public", lambda: fork_version(version=version, by=kiri, name="Kiri"))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("licence", LICENCES)
def test_a_fork_is_published_under_what_the_licence_of_its_origin_allows(licence: str) -> None:
    version, kiri = a_public_version(licence), a.a_user("kiri")
    fork = fork_version(version=version, by=kiri, name="Kiri")
    forge(BotVersion.objects.filter(pk=fork.pk), state="ready")
    allowed = [each.id for each in licences_for(fork.bot, origin_of(fork.bot))]
    assert licence in allowed
    for each in LICENCES:
        if each in allowed:
            assert publish_source(version=fork, by=kiri, licence=each).licence == each
        else:
            publish = partial(publish_source, version=fork, by=kiri, licence=each)
            refused("source.licence_of_origin", publish)


def test_a_fork_of_ones_own_may_have_any_licence() -> None:
    version = a_public_version("GPL-3.0-or-later")
    fork = fork_version(version=version, by=version.bot.owner, name="Again")
    assert [each.id for each in licences_for(fork.bot, origin_of(fork.bot))] == list(LICENCES)


def test_who_goes_takes_their_sources_along_but_not_the_forks_of_others() -> None:
    version, kiri = a_public_version(), a.a_user("kiri")
    fork = fork_version(version=version, by=kiri, name="Kiri")
    alone = a.a_version(version.bot)
    erase_bots(owner=version.bot.owner)
    assert Publication.objects.get().withdrawn_at is not None
    assert source_of(fresh(version), kiri) is None
    assert dict(source_of(fork, kiri) or ())["bot.py"].startswith(a.FIRST)
    assert Blob.objects.get(pk=alone.source_id).data() == b""
    assert Fork.objects.filter(bot=fork.bot, origin=version).exists()


def test_a_download_of_others_holds_the_licence() -> None:
    version = a_public_version("GPL-3.0-or-later")
    files = source_of(version, None) or ()
    taken = dict(with_licence(version, files, "https://hanami.example.org/b/plum/v/1/"))
    text = taken[FILE].decode()
    for words in (version.bot.owner.shown_name, "SPDX-License-Identifier: GPL-3.0-or-later", "Version 3, 29 June 2007"):
        assert words in text
    assert taken["bot.py"] == dict(files)["bot.py"]
    own = ((FILE, b"mine"),)
    assert with_notice(own, "notice") == own
    fork = fork_version(version=version, by=a.a_user("kiri"), name="Kiri")
    forge(BotVersion.objects.filter(pk=fork.pk), state="ready")
    publish_source(version=fork, by=fork.bot.owner, licence="GPL-3.0-or-later")
    of_fork = dict(with_licence(BotVersion.objects.get(pk=fork.pk), files, "https://hanami.example.org/"))[
        FILE
    ].decode()
    assert f"Forked from {version}" in of_fork


def test_every_licence_has_its_text_and_can_be_kept_by_forks() -> None:
    for licence in LICENCES.values():
        assert len(licence.text) > 1_000
        assert licence.id in licence.for_forks
        assert set(licence.for_forks) <= set(LICENCES)
        notice = notice_of(title="Plum v1", holder="Kiri", year=2026, licence=licence.id, address="https://x.example/")
        assert "Copyright (c) 2026 Kiri" in notice


def test_bots_of_the_house_are_public_and_stay_as_their_owner_left_them() -> None:
    house, files = house_account(), [("bot.py", a.FIRST)]
    bot = install_house_bot(owner=house, name="Greedy", files=files, plays=["hawaii"])
    version = bot.versions.get()
    assert publication_of(version) is not None
    withdraw_source(version=version, by=house)
    install_house_bot(owner=house, name="Greedy", files=files, plays=["hawaii"])
    assert publication_of(fresh(version)) is None
    assert Bot.objects.count() == 1
