"""Limits of one person or one address in an hour: clear refusals, counted so that a restart forgets nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.utils import timezone

from bots import receivers
from bots.errors import BotError
from bots.models import BotVersion, Meter
from bots.services import upload_version
from bots.services.uploading import TRIES_PER_HOUR, UPLOADS_PER_HOUR
from core.errors import TournamentError
from tests.builders import events as a
from tests.web.test_live import Client, run
from tournaments import streams
from tournaments.events.create import DRAFTS, PER_HOUR, create_tournament
from tournaments.models import Tournament
from tournaments.progress.run import publish_tournament


def refusal(call: Callable[[], object]) -> BotError | TournamentError:
    with pytest.raises((BotError, TournamentError)) as caught:
        call()
    assert isinstance(caught.value, BotError | TournamentError)
    return caught.value


def waits(found: BotError | TournamentError) -> int:
    """The seconds that a refusal says to wait."""
    return int(str(found.extra["retry_after"]))


@pytest.mark.django_db
def test_refused_uploads_count_and_end_in_a_wait() -> None:
    owner, other = a.a_user(), a.a_user()

    def bad() -> object:
        return upload_version(owner=owner, filename="bot.exe", data=b"MZ", name="Plum")

    codes = [refusal(bad).code for _ in range(TRIES_PER_HOUR)]
    assert all(code.startswith("upload.") and code != "upload.rate" for code in codes)
    late = refusal(bad)
    assert (late.code, 0 < waits(late) <= 3600) == ("upload.rate", True)
    assert "minutes" in str(late)
    assert upload_version(owner=other, filename="bot.py", data=a.FIRST, name="Plum")
    Meter.objects.update(began_at=timezone.now() - timedelta(hours=1))
    assert refusal(bad).code == codes[0]


@pytest.mark.thorough
@pytest.mark.django_db
def test_versions_of_an_hour_are_limited_too() -> None:
    owner = a.a_user()
    for n in range(UPLOADS_PER_HOUR):
        upload_version(owner=owner, filename="bot.py", data=a.FIRST + b"# %d\n" % n, name="Plum")
    again = refusal(lambda: upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Plum"))
    assert (again.code, 0 < waits(again) <= 3600) == ("upload.rate", True)
    assert BotVersion.objects.count() == UPLOADS_PER_HOUR


@pytest.mark.thorough
@pytest.mark.django_db
def test_events_of_an_hour_and_drafts_at_once_are_limited() -> None:
    by = a.a_user()

    def make() -> Tournament:
        return create_tournament(by=by, plan=a.a_plan())

    for _ in range(PER_HOUR):
        make()
    hasty = refusal(make)
    assert (hasty.code, 0 < waits(hasty) <= 3600) == ("tournament.rate", True)
    assert create_tournament(by=a.a_user(), plan=a.a_plan())
    Tournament.objects.update(created_at=timezone.now() - timedelta(hours=2))
    for _ in range(DRAFTS - PER_HOUR):
        make()
    assert refusal(make).code == "tournament.too_many_drafts"
    oldest = Tournament.objects.filter(created_by=by).order_by("id")[0]
    publish_tournament(tournament=oldest, by=by)
    assert make()


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("192.0.2.7", 5000), "192.0.2.7"),
        (("::ffff:192.0.2.7", 5000), "192.0.2.7"),
        (("2001:db8:1:2:aaaa::1", 5000), "2001:db8:1:2::/64"),
        (("2001:db8:1:2:bbbb::2", 5000), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 5000), "fe80::/64"),
        (("/run/web.sock", None), "/run/web.sock"),
        (None, ""),
    ],
)
def test_streams_are_counted_by_address_and_by_network_of_ipv6(client: object, address: str) -> None:
    assert streams.address_of({"client": client}) == address


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["192.0.2.%d", "::ffff:192.0.2.%d", "2001:db8:0:%d::1", "no address %d:"])
def test_tries_are_counted_by_address_however_it_is_written(address: str) -> None:
    for number in range(3):
        receivers.count_tries("login", address % number)
    wide = [3] if address.startswith("2001") else []  # all three are in one /48
    assert sorted(Meter.objects.values_list("n", flat=True)) == [1, 1, 1, *wide]


def test_the_48_of_ipv6_holds_four_times_as_many_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PER_ADDRESS", 2)
    with ExitStack() as stack:
        for n in range(8):
            stack.enter_context(streams.counted({"client": (f"2001:db8:1:{n:x}::1", 1)}))
        with pytest.raises(streams.TooMany), streams.counted({"client": ("2001:db8:1:ff::1", 1)}):
            pass
        with streams.counted({"client": ("2001:db8:2:1::1", 1)}):
            assert streams.open_now() == 9
    assert (streams.open_now(), streams._open_wide) == (0, {})


@pytest.mark.django_db(transaction=True)
def test_one_address_holds_so_many_streams_and_no_more(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PER_ADDRESS", 2)

    async def scene() -> None:
        first, second = Client("ch=q:"), Client("ch=q:")
        await first.opened()
        await second.opened()
        third = Client("ch=q:")
        assert await third.answered() == 429
        assert b"that is the limit" in third.body
        await first.leave()
        fourth = Client("ch=q:")
        await fourth.opened()
        for each in (second, fourth):
            await each.leave()

    run(scene)
    assert not streams._open
