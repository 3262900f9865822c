"""Bots, uploads, activation, the bench: what owners may do, and what is refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.utils import timezone

from bots import selectors, services
from bots.errors import BotError
from bots.models import AuditEvent, Blob, Bot, BotVersion, Check, Outbox
from bots.services import uploading
from tests.builders import events as a
from tests.services.forging import forge


def refused(code: str, call: Callable[[], object]) -> BotError:
    """The refusal, which names the code, says something, and left no trace."""
    models = (Bot, BotVersion, Check, Blob, AuditEvent, Outbox)
    counted = [model._default_manager.count() for model in models]
    with pytest.raises(BotError) as caught:
        call()
    assert caught.value.code == code, str(caught.value)
    assert len(str(caught.value)) > 15
    assert counted == [model._default_manager.count() for model in models]
    return caught.value


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


@pytest.mark.django_db
def test_an_upload_makes_bot_version_source_and_a_queued_check() -> None:
    owner = a.a_user()
    version = services.upload_version(owner=owner, filename="plum.py", data=a.FIRST, name="Plum", note="first try")
    assert (version.n, version.state, version.bot.slug, version.plays) == (
        1,
        "checking",
        "plum",
        ["hawaii", "paradise"],
    )
    assert selectors.source_of(version, owner) == (("bot.py", a.FIRST),)
    assert Check.objects.get().state == "queued"
    assert version.bot.active_version is None
    again = services.upload_version(owner=owner, filename="other.py", data=a.FIRST, bot=version.bot)
    assert again == version
    assert BotVersion.objects.count() == Check.objects.count() == 1
    second = services.upload_version(owner=owner, filename="plum.py", data=a.FIRST + b"\n", name="Plum")
    assert (second.bot, second.n) == (version.bot, 2)
    other = services.upload_version(owner=owner, filename="plum.py", data=a.FIRST, name="Plum", plays=["hawaii"])
    assert other.n == 3


@pytest.mark.django_db
def test_an_archive_may_say_what_it_is() -> None:
    manifest = b'name = "Kiri"\nplays = ["paradise"]\n'
    data = zipped({"bot.py": a.FIRST, "hanami.toml": manifest})
    version = services.upload_version(owner=a.a_user(), filename="kiri.zip", data=data)
    assert (version.bot.name, version.plays) == ("Kiri", ["paradise"])


@pytest.mark.django_db
def test_a_source_that_cannot_run_is_kept_as_failed_with_its_problems() -> None:
    version = services.upload_version(owner=a.a_user(), filename="b.py", data=b"import torch\nx = (\n", name="Bad")
    assert version.state == "failed"
    check = Check.objects.get()
    assert (check.state, check.result["ok"]) == ("done", False)
    assert "line 2" in check.result["steps"][-1]["message"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "filename", "data"),
    [
        ("upload.empty", "bot.py", b""),
        ("upload.type", "bot.exe", b"MZ\x90"),
        ("upload.type", "bot.tar.gz", b"\x1f\x8b\x08"),
        ("upload.no_entry", "bot.zip", zipped({"main.py": a.FIRST})),
        ("upload.name", "bot.zip", zipped({"../bot.py": a.FIRST})),
        ("upload.too_large", "bot.py", b"#" * (2**21 + 1)),
    ],
)
def test_a_file_that_is_no_bot_is_refused_whole(code: str, filename: str, data: bytes) -> None:
    owner = a.a_user()
    refused(code, lambda: services.upload_version(owner=owner, filename=filename, data=data, name="Plum"))


@pytest.mark.django_db
def test_uploads_that_are_refused_for_who_and_what() -> None:
    owner, stranger = a.a_user(), a.a_user()
    bot = services.create_bot(owner=owner, name="Plum")

    def upload(**changes: object) -> object:
        wanted = {"owner": owner, "filename": "bot.py", "data": a.FIRST, "bot": bot}
        return services.upload_version(**{**wanted, **changes})  # type: ignore[arg-type]  # a test's own words

    refused("bot.not_owner", lambda: upload(owner=stranger))
    refused("bot.no_name", lambda: upload(bot=None))
    refused("bot.name_invalid", lambda: upload(bot=None, name="x" * 61))
    refused("upload.plays", lambda: upload(plays=["chess"]))
    refused("bot.name_taken", lambda: services.create_bot(owner=owner, name="Plum"))
    assert services.create_bot(owner=stranger, name="Plum").slug == "plum-2"


@pytest.mark.django_db
def test_no_bot_is_called_like_an_opponent_of_the_house() -> None:
    owner = a.a_user()
    refused("bot.name_taken", lambda: services.create_bot(owner=owner, name="House 3"))
    bot = services.create_bot(owner=owner, name="House of Plums")
    refused("bot.name_taken", lambda: services.rename_bot(bot=bot, by=owner, name="House 3"))
    assert services.create_bot(owner=owner, name="House 3", house=True).name == "House 3"


@pytest.mark.django_db
def test_uploads_and_bots_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = a.a_user()
    monkeypatch.setattr(uploading, "UPLOADS_PER_HOUR", 2)
    for n in range(2):
        services.upload_version(owner=owner, filename="b.py", data=a.FIRST + b"#%d\n" % n, name="Plum")
    refused("upload.rate", lambda: services.upload_version(owner=owner, filename="b.py", data=a.CRASHES, name="Plum"))
    BotVersion.objects.update(created_at=timezone.now() - timedelta(hours=2))
    assert services.upload_version(owner=owner, filename="b.py", data=a.CRASHES, name="Plum").n == 3


@pytest.mark.django_db(transaction=True)
def test_the_same_upload_many_times_at_once_is_one_version() -> None:
    owner = a.a_user()

    def upload(n: int) -> int:
        try:
            data = a.FIRST + b"#%d\n" % (n % 2)
            return services.upload_version(owner=owner, filename="b.py", data=data, name="Plum").n
        finally:
            connection.close()

    services.create_bot(owner=owner, name="Plum")
    with ThreadPoolExecutor(6) as pool:
        numbers = list(pool.map(upload, range(6)))
    assert set(numbers) == {1, 2}
    assert BotVersion.objects.count() == Check.objects.count() == 2


@pytest.mark.django_db
def test_activation_is_a_pointer_that_only_its_owner_moves() -> None:
    bot = a.a_bot()
    first, second, checking = bot.active_version, a.a_version(bot), a.a_version(bot, ready=False)
    assert first is not None
    refused("bot.not_owner", lambda: services.activate(version=second, by=a.a_user()))
    refused("version.not_ready", lambda: services.activate(version=checking, by=bot.owner))
    services.activate(version=second, by=bot.owner)
    services.activate(version=second, by=bot.owner)
    services.activate(version=first, by=bot.owner)  # rolled back
    bot.refresh_from_db()
    assert bot.active_version == first
    assert AuditEvent.objects.filter(verb="version.activate").count() == 2


@pytest.mark.django_db
def test_a_retired_version_is_active_no_more() -> None:
    bot = a.a_bot()
    version, checking = bot.active_version, a.a_version(bot, ready=False)
    assert version is not None
    refused("bot.not_owner", lambda: services.retire(version=version, by=a.a_user()))
    refused("version.checking", lambda: services.retire(version=checking, by=bot.owner))
    for _ in range(2):
        services.retire(version=version, by=bot.owner)
    bot.refresh_from_db()
    assert bot.active_version is None
    refused("version.not_ready", lambda: services.activate(version=version, by=bot.owner))


@pytest.mark.django_db
def test_a_benched_version_comes_back_once_a_day() -> None:
    bot = a.a_bot()
    version = bot.active_version
    assert version is not None

    def bench() -> None:
        BotVersion.objects.filter(pk=version.pk).update(benched_at=timezone.now(), forfeits_in_a_row=3)

    bench()
    back = services.activate(version=version, by=bot.owner)
    assert (back.benched_at, back.forfeits_in_a_row) == (None, 0)
    bench()
    refused("version.bench_daily", lambda: services.activate(version=version, by=bot.owner))
    forge(AuditEvent.objects.all(), at=timezone.now() - timedelta(days=2))
    assert services.activate(version=version, by=bot.owner).benched_at is None


@pytest.mark.django_db
def test_source_and_log_are_for_the_owner_only() -> None:
    bot = a.a_bot()
    version = bot.active_version
    assert version is not None
    Check.objects.update(log=Blob.objects.put(b"Traceback"))
    assert selectors.source_of(version, bot.owner) is not None
    assert selectors.check_of(version, bot.owner)[1] == b"Traceback"
    for other in (a.a_user(is_staff=True), a.a_user(), AnonymousUser(), None):
        assert selectors.source_of(version, other) is None
        assert selectors.check_of(version, other)[1] is None


@pytest.mark.django_db
def test_a_house_bot_is_installed_once() -> None:
    house, files = a.a_user("house"), [("bot.py", a.FIRST)]
    for _ in range(2):
        bot = services.install_house_bot(owner=house, name="Greedy", files=files, plays=["hawaii"])
    assert BotVersion.objects.get() == bot.active_version
    assert (bot.house, Check.objects.get().state) == (True, "done")


@pytest.mark.django_db
def test_a_check_that_may_take_long_waits_for_the_shorter_ones_of_two_rounds_and_no_longer() -> None:
    """A check with `deep` may cost what three with `standard` do, and counts as three of its owner."""

    def uploaded(name: str, clock: str) -> Check:
        toml = f'name = "{name}"\nclock = "{clock}"\n'.encode()
        data = zipped({"bot.py": a.FIRST, "hanami.toml": toml})
        return services.upload_version(owner=a.a_user(), filename="a.zip", data=data).check_run

    def order() -> list[str]:
        rows = Check.objects.filter(state=Check.State.QUEUED).order_by("priority", "pk")
        return list(rows.values_list("version__bot__name", flat=True))

    def play_first() -> None:
        first = Check.objects.filter(state=Check.State.QUEUED).order_by("priority", "pk")[:1]
        Check.objects.filter(pk__in=first.values("pk")).update(state=Check.State.DONE)

    uploaded("Front", "standard")
    uploaded("Deep", "deep")
    uploaded("One", "quick")
    assert order() == ["Front", "One", "Deep"]
    play_first()
    uploaded("Two", "standard")
    assert order() == ["One", "Two", "Deep"]
    play_first()
    uploaded("Three", "standard")
    assert order() == ["Two", "Deep", "Three"]
