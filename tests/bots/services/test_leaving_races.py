"""Deleting an account while files are being sent: nothing of anyone who goes stays, nothing of anybody else is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from accounts.models import User
from bots.errors import BotError
from bots.models import Blob, Bot, BotVersion
from bots.services import upload_version
from tests.builders import events as a
from tests.services.locks import waits_for_us
from tests.services.waiting import wait_until
from tournaments.people.leave import delete_account

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "plum-blossom-77"
SENT = b"def choose(obs):\n    return len(obs) * 0\n"


def in_the_middle(first: Callable[[], object], second: Callable[[], object]) -> list[str]:
    """Do `first`, and before it is committed begin `second`, which goes on once it is. The codes of refusals."""
    codes: list[str] = []

    def do() -> None:
        try:
            second()
        except BotError as refusal:
            codes.append(refusal.code)
        finally:
            connection.close()

    thread = threading.Thread(target=do)
    with transaction.atomic():
        first()
        thread.start()
        wait_until(lambda: waits_for_us() or not thread.is_alive(), 20, "the second act")
    thread.join()
    return codes


def leave(user: User) -> None:
    delete_account(user=user, password=PASSWORD)


def test_bytes_that_somebody_else_is_just_sending_stay() -> None:
    goes, stays = a.a_user(), a.a_user()
    upload_version(owner=goes, name="Matsu", filename="bot.py", data=SENT)
    BotVersion.objects.update(state="failed")
    theirs = a.a_bot(stays, name="Ume")
    in_the_middle(lambda: upload_version(owner=stays, bot=theirs, filename="bot.py", data=SENT), lambda: leave(goes))
    assert not User.objects.get(pk=goes.pk).is_active
    kept = BotVersion.objects.filter(bot=theirs).latest("n")
    assert SENT in kept.source.data()


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("known", [True, False], ids=["a bot they have", "a new bot"])
def test_who_has_just_gone_leaves_no_file_behind(known: bool) -> None:
    goes = a.a_user()
    bot = a.a_bot(goes, name="Ume") if known else None
    codes = in_the_middle(
        lambda: leave(goes),
        lambda: upload_version(owner=goes, bot=bot, name="Ume", filename="bot.py", data=SENT),
    )
    assert codes == ["bot.not_owner"]
    assert Bot.objects.filter(owner=goes).count() == int(known)
    assert not any(SENT in blob.data() for blob in Blob.objects.all())
