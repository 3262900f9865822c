"""Pictures that are small as files and huge in memory: the process that answers pages never decodes them."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from PIL import Image

from accounts.models import User
from core.errors import TournamentError
from tests.builders import events as a
from tests.services.memory import forget_highest, highest
from tests.tournaments.entries.test_links import refused
from tests.tournaments.pages.floor.test_desk import a_phone, as_one
from tests.tournaments.pages.scores.test_slip_photos import a_table, address, send, taken
from tournaments.pages.entries.guest_access import grant_table, network_of_reader
from tournaments.scores import pictures
from tournaments.scores.photos import MAX_BY_ACCOUNT, MAX_BY_NETWORK
from tournaments.scores.pictures import CHILD, redrawn
from web.rate_limits import count

MIB = 1024 * 1024
GROWTH = 24 * MIB
"""Memory that this process may take more for a photo: the file itself twice, and what Python keeps of it."""
CHILD_MEMORY = 256 * MIB
PROGRESSIVE: dict[str, Any] = {"progressive": True, "subsampling": 0}
LOSSLESS: dict[str, Any] = {"lossless": True}
LARGE, BROKEN, TAKEN = "photo.too_large", "photo.unreadable", "taken"
BOMBS: dict[str, tuple[str, str, tuple[int, int], dict[str, Any], str]] = {
    "webp": ("WEBP", "RGB", (5000, 5000), LOSSLESS, LARGE),
    "webp, lossy, the widest": ("WEBP", "L", (16_383, 1000), {}, LARGE),
    "webp of a camera": ("WEBP", "RGBA", (4032, 3024), LOSSLESS, TAKEN),
    "webp, moving": ("WEBP", "RGBA", (3000, 3000), {**LOSSLESS, "save_all": True}, TAKEN),
    "png": ("PNG", "RGBA", (5000, 5000), {}, TAKEN),
    "png of a palette": ("PNG", "P", (5000, 5000), {}, TAKEN),
    "png of 16 bits": ("PNG", "I;16", (5000, 5000), {}, TAKEN),
    "png, one line": ("PNG", "RGBA", (1_000_000, 25), {}, LARGE),
    "png, too large": ("PNG", "1", (6000, 6000), {}, LARGE),
    "jpeg": ("JPEG", "RGB", (5000, 5000), {}, TAKEN),
    "jpeg, progressive": ("JPEG", "RGB", (5000, 5000), PROGRESSIVE, TAKEN),
    "jpeg for printers": ("JPEG", "CMYK", (65_000, 384), PROGRESSIVE, BROKEN),
}


def bomb(name: str) -> bytes:
    kind, mode, size, how, _ends = BOMBS[name]
    others = {"append_images": [Image.new(mode, size, "red")]} if "save_all" in how else {}
    written = io.BytesIO()
    Image.new(mode, size).save(written, kind, **how, **others)
    return written.getvalue()


MEASURE = """
import resource, subprocess, sys
status = subprocess.run([sys.executable, "-I", sys.argv[1]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(status.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def decoded_apart(data: bytes) -> tuple[int, int]:
    """The exit status of the process that decodes, and the most memory that it had, bytes.

    A small process starts it: what a child had at most begins with what its parent has.
    """
    found = subprocess.run([sys.executable, "-c", MEASURE, str(CHILD)], input=data, stdout=subprocess.PIPE, check=True)
    status, most = map(int, found.stdout.split())
    return status, most * 1024


def outcome(data: bytes) -> str:
    """TAKEN, or the code of the refusal."""
    try:
        found = redrawn(data)
    except TournamentError as refusal:
        return refusal.code
    return TAKEN if max(found.width, found.height) == 1600 else ""


OFTEN = ("jpeg", "png", "webp", "png, too large")
"""One of each format, and one that is refused by its size; the slow run has them all."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in OFTEN else pytest.mark.slow) for name in BOMBS]
)
def test_no_picture_makes_the_web_process_grow(name: str) -> None:
    data = bomb(name)
    before = forget_highest()
    assert outcome(data) == BOMBS[name][-1]
    assert highest() - before < GROWTH, f"{(highest() - before) // MIB} MiB for a file of {len(data)} bytes"
    status, most = decoded_apart(data)
    assert status in (0, 3, 4)
    assert most < CHILD_MEMORY, f"{most // MIB} MiB in the process that decodes"


def test_one_is_decoded_at_a_time_and_the_others_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures.DECODING, "wait_s", 0.05)
    with pictures.DECODING.turn("photo.busy"), refused("photo.busy"):
        redrawn(taken())
    assert redrawn(taken()).width == 60, "the turn was given back"


@pytest.mark.thorough
def test_many_at_once_are_all_read_in_turn() -> None:
    widths: list[int] = []
    senders = [threading.Thread(target=lambda: widths.append(redrawn(taken()).width)) for _ in range(6)]
    for each in senders:
        each.start()
    for each in senders:
        each.join()
    assert widths == [60] * 6


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_photo_that_waits_holds_no_connection(wait_until: Callable[..., Any]) -> None:
    """The pool has ten: a dozen phones that wait must not keep pages from the database."""
    waiting: list[BaseDatabaseWrapper] = []

    def send_one() -> None:
        assert not User.objects.filter(username="nobody").exists()
        waiting.append(connections["default"])
        redrawn(taken())

    with pictures.DECODING.turn("photo.busy"):
        phones = [threading.Thread(target=send_one) for _ in range(4)]
        for each in phones:
            each.start()
        wait_until(lambda: len(waiting) == 4 and all(each.connection is None for each in waiting), 8, "all let go")
    for each in phones:
        each.join()


@pytest.mark.thorough
@pytest.mark.django_db
def test_who_waits_too_long_gets_503_and_when_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _event, match = a_table()
    monkeypatch.setattr(pictures.DECODING, "wait_s", 0.05)
    with pictures.DECODING.turn("photo.busy"):
        sent = {"photo": io.BytesIO(taken())}
        answer = a_phone(match, 0).post(f"/x/{match.uuid}/photo/", sent)
    assert (answer.status_code, "photo.busy" in answer.content.decode()) == (503, True)
    assert int(answer["Retry-After"]) > 0


@pytest.mark.slow
@pytest.mark.django_db
def test_photos_are_counted_by_account_and_by_network_too() -> None:
    _event, match = a_table()
    phone, user = a_phone(match, 0), a.a_user()
    network = network_of_reader(phone.get("/").wsgi_request)
    for _ in range(MAX_BY_NETWORK):
        count(f"photo: network {network}", most=MAX_BY_NETWORK, within=timedelta(hours=1))
    status, page = send(phone, match, taken())
    assert (status, "photo.rate" in page) == (429, True)
    for _ in range(MAX_BY_ACCOUNT):
        count(f"photo: account {user.pk}", most=MAX_BY_ACCOUNT, within=timedelta(hours=1))
    known: Client = as_one(user)
    request = known.get("/").wsgi_request
    grant_table(request, str(match.uuid), 0)
    request.session.save()
    answer = known.post(f"/x/{match.uuid}/photo/", {"photo": io.BytesIO(taken())}, REMOTE_ADDR="192.0.2.9")
    assert (answer.status_code, "photo.rate" in answer.content.decode()) == (429, True)
    assert a_phone(match, 1).get(address(match, 1)).status_code == 404, "nothing was stored"
