"""A photo of a slip: drawn again without what the file told, seen by its side and the organisers, gone in time."""

from __future__ import annotations

import io
import re
import struct
import zlib
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image, ImageDraw
from playwright.sync_api import FilePayload, Page, expect

from accounts.models import User
from bots.models import AuditEvent
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, person, tables_of
from tests.tournaments.entries.test_links import link_of, refused
from tests.tournaments.pages.floor.test_desk import a_phone, as_one
from tournaments.entries.links import link_token, renew_link
from tournaments.events.log import feed_lines, feed_of
from tournaments.models import Match, Role, SlipPhoto, Tournament
from tournaments.operations import purge
from tournaments.pages.site.oversize import most_bytes
from tournaments.progress.run import cancel_tournament, start_tournament
from tournaments.scores.photo_purge import RETENTION
from tournaments.scores.photos import MAXIMUM
from tournaments.scores.pictures import redrawn
from tournaments.scores.slips import slip_token

pytestmark = pytest.mark.django_db
NIKON = "NIKON CORPORATION"
GPS_TAG, MAKE_TAG, TURN_TAG = 0x8825, 0x010F, 0x0112


def drawing(width: int = 60, height: int = 40) -> Image.Image:
    """White, with a red corner top left."""
    image = Image.new("RGB", (width, height), "white")
    ImageDraw.Draw(image).rectangle((0, 0, width // 3, height // 3), fill="red")
    return image


def taken(kind: str = "JPEG", *, turned: int = 1, size: tuple[int, int] = (60, 40)) -> bytes:
    """A file as a phone makes it: with its maker, where it was taken, a comment, and how it was held."""
    exif = Image.Exif()
    exif[MAKE_TAG], exif[TURN_TAG] = NIKON, turned
    exif.get_ifd(GPS_TAG).update({1: "N", 2: (21.0, 18.0, 25.0), 3: "W", 4: (157.0, 51.0, 30.0)})
    written = io.BytesIO()
    drawing(*size).save(written, kind, exif=exif, **({"comment": b"at home"} if kind == "JPEG" else {}))
    return written.getvalue()


def a_table() -> tuple[Tournament, Match]:
    event = a_called_night(people=4)
    return event, tables_of(event)[0]


def send(phone: Client, match: Match, data: bytes, name: str = "slip.jpg") -> tuple[int, str]:
    """The status and the page that follows."""
    sent = {"photo": SimpleUploadedFile(name, data)}
    answer = phone.post(f"/x/{match.uuid}/photo/", sent, follow=True)
    return answer.status_code, answer.content.decode()


def address(match: Match, side: int) -> str:
    return f"/x/{match.uuid}/photo/{side}.jpg"


def with_role(event: Tournament, kind: Role.Kind) -> User:
    user = a.a_user()
    Role.objects.create(tournament=event, user=user, role=kind)
    return user


@pytest.mark.thorough
def test_a_side_sends_it_and_the_organisers_see_it() -> None:
    event, match = a_table()
    phone = a_phone(match, 0)
    assert 'enctype="multipart/form-data"' in phone.get(f"/x/{match.uuid}/").content.decode()
    status, page = send(phone, match, taken())
    assert (status, "The photo is sent." in page, address(match, 0) in page) == (200, True, True)
    for who in (phone, as_one(event.created_by), as_one(with_role(event, Role.Kind.SCORER))):
        answer = who.get(address(match, 0))
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    desk = as_one(event.created_by)
    assert address(match, 0) in desk.get(f"/m/{match.uuid}/result/").content.decode()
    assert "with a photo of the slip" in desk.get(f"/t/{event.slug}/desk/").content.decode()


@pytest.mark.thorough
def test_nobody_else_sees_it() -> None:
    event, match = a_table()
    send(a_phone(match, 0), match, taken())
    elsewhere = a_phone(tables_of(event)[1], 0)
    operator = a.a_user("operator", is_staff=True)
    for who in (Client(), a_phone(match, 1), elsewhere, as_one(a.a_user()), as_one(operator)):
        assert who.get(address(match, 0)).status_code == 404
        assert who.post(f"/x/{match.uuid}/photo/0/remove/").status_code == 404
    assert Client().post(f"/x/{match.uuid}/photo/", {"photo": io.BytesIO(taken())}).status_code == 404
    assert address(match, 0) not in a_phone(match, 1).get(f"/x/{match.uuid}/").content.decode()
    assert a_phone(match, 0).get(address(match, 7)).status_code == 404
    assert SlipPhoto.objects.count() == 1


@pytest.mark.thorough
def test_a_renewed_link_takes_the_photo_from_the_old_phone() -> None:
    event, match = a_table()
    entry = match.seats.select_related("entry__player").get(side=0).entry
    assert entry is not None
    phone = Client()
    phone.get(f"/e/{link_token(link_of(event, entry.player.name))}/")
    phone.get(f"/e/my/{entry.uuid}/table/{match.uuid}/")
    send(phone, match, taken())
    assert phone.get(address(match, 0)).status_code == 200
    renew_link(entry=person(event, entry.player.name), by=event.created_by)
    assert phone.get(address(match, 0)).status_code == 404


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_nothing_of_the_file_is_kept_but_the_picture(kind: str) -> None:
    sent = taken(kind, turned=6)
    assert NIKON.encode() in sent
    kept = redrawn(sent).jpeg
    found = Image.open(io.BytesIO(kept))
    assert (found.format, found.size, dict(found.getexif())) == ("JPEG", (40, 60), {}), "upright: it was held sideways"
    red, green, _blue = found.convert("RGB").getpixel((37, 2))  # type: ignore[misc]  # three bands of an RGB picture
    assert red > 200 > 60 > green
    assert not any(word in kept for word in (NIKON.encode(), b"Exif", b"at home", b"http"))


@pytest.mark.thorough
def test_a_large_photo_becomes_a_small_one() -> None:
    found = redrawn(taken(size=(3000, 2000)))
    assert (found.width, found.height) == (1600, 1067)
    assert len(found.jpeg) < 100_000


def a_bomb(width: int, height: int) -> bytes:
    """A few bytes that say they are a picture of this size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


LIES = {
    "text": (b"Plum won, honestly", "photo.unreadable"),
    "nothing": (b"", "photo.unreadable"),
    "script": (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "photo.unreadable"),
    "cut off": (taken(size=(600, 400))[:1500], "photo.unreadable"),
    "many scans": (taken() + b"\xff\xda" * 50, "photo.unreadable"),
    "a bomb": (a_bomb(30_000, 30_000), "photo.too_large"),
    "a smaller bomb": (a_bomb(4000, 4000), "photo.unreadable"),
}


@pytest.mark.thorough
def test_what_is_no_photo_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    _event, match = a_table()
    phone = a_phone(match, 0)
    monkeypatch.setattr("tournaments.scores.photos.MAXIMUM", 100)
    for name, (data, code) in LIES.items():
        status, page = send(phone, match, data)
        assert (status, code in page) == (422, True), name
    assert not SlipPhoto.objects.exists()
    assert not AuditEvent.objects.filter(verb="photo.send").exists()


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF"])
def test_formats_that_phones_do_not_send_are_not_even_tried(kind: str) -> None:
    written = io.BytesIO()
    drawing().save(written, kind)
    with refused("photo.unreadable"):
        redrawn(written.getvalue())


@pytest.mark.thorough
def test_its_address_serves_a_picture_and_nothing_else() -> None:
    _event, match = a_table()
    phone = a_phone(match, 0)
    send(phone, match, taken(), name='"><script>.html')
    answer = phone.get(address(match, 0))
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Content-Disposition"] == f'inline; filename="slip-{match.table_no}-1.jpg"'
    assert "no-store" in answer["Cache-Control"]
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.thorough
def test_a_newer_one_takes_its_place_and_the_same_twice_is_one() -> None:
    event, match = a_table()
    phone = a_phone(match, 0)
    for data in (taken(), taken(), taken(size=(90, 40))):
        send(phone, match, data)
    assert SlipPhoto.objects.get().width == 90
    assert [line.what for line in feed_lines(list(feed_of(event)[:2]))] == ["a photo of a slip was sent"] * 2
    assert AuditEvent.objects.filter(verb="photo.send").count() == 2


@pytest.mark.slow
def test_too_many_wait() -> None:
    _event, match = a_table()
    phone = a_phone(match, 0)
    for _each in range(MAXIMUM):
        send(phone, match, b"no photo")
    answer = phone.post(f"/x/{match.uuid}/photo/", {"photo": SimpleUploadedFile("slip.jpg", taken())})
    assert (answer.status_code, "photo.rate" in answer.content.decode()) == (429, True)
    assert 0 < int(answer["Retry-After"]) <= 3600
    assert send(a_phone(match, 1), match, taken())[0] == 200, "the other side has its own count"


@pytest.mark.slow
def test_only_from_the_call_until_the_event_ends() -> None:
    event = a_club_night(people=4)
    start_tournament(tournament=event, by=event.created_by)
    early = tables_of(event)[0]
    phone = a_phone(early, 0)
    assert "photo-file" not in phone.get(f"/x/{early.uuid}/").content.decode()
    assert "photo.not_now" in send(phone, early, taken())[1]
    other, match = a_table()
    phone = a_phone(match, 0)
    send(phone, match, taken())
    cancel_tournament(tournament=other, by=other.created_by, reason="Storm")
    assert "photo.not_now" in send(phone, match, taken(size=(90, 40)))[1]
    assert phone.get(address(match, 0)).status_code == 200


@pytest.mark.thorough
def test_its_side_and_arbiters_take_it_away() -> None:
    event, match = a_table()
    phone, scorer = a_phone(match, 0), as_one(with_role(event, Role.Kind.SCORER))
    send(phone, match, taken())
    page = scorer.post(f"/x/{match.uuid}/photo/0/remove/", follow=True).content.decode()
    assert "tournament.not_organiser" in page
    assert "Delete this photo" not in page
    for who in (phone, phone, as_one(with_role(event, Role.Kind.ARBITER))):
        assert who.post(f"/x/{match.uuid}/photo/0/remove/").status_code == 302
    assert not SlipPhoto.objects.exists()
    assert AuditEvent.objects.filter(verb="photo.remove", actor=None).count() == 1
    assert phone.get(address(match, 0)).status_code == 404
    assert phone.get(f"/x/{match.uuid}/photo/0/remove/").status_code == 405


@pytest.mark.slow
def test_it_goes_by_itself() -> None:
    event, match = a_table()
    send(a_phone(match, 0), match, taken())
    send(a_phone(match, 1), match, taken())
    SlipPhoto.objects.filter(side=0).update(sent_at=timezone.now() - RETENTION - timedelta(minutes=1))
    purge.tidy()
    assert [row.side for row in SlipPhoto.objects.all()] == [1]
    assert f"after {RETENTION.days} days" in a_phone(match, 0).get(f"/x/{match.uuid}/").content.decode()
    assert f"{RETENTION.days} days at most" in Client().get("/privacy/").content.decode()
    match.refresh_from_db()
    assert match.stage.tournament == event


def test_only_the_address_of_photos_takes_their_weight() -> None:
    _event, match = a_table()
    here = f"/x/{match.uuid}/photo/"
    assert most_bytes(here) == settings.PHOTO_UPLOAD_MAX_SIZE
    for path in (f"/x/{match.uuid}/report/", f"{here}0/remove/", f"/elsewhere{here}", f"{here}\n", "/b/new/"):
        assert most_bytes(path) == settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    answer = Client().post(here, b"", content_type="image/jpeg", headers={"Content-Length": "99999999"})
    assert (answer.status_code, "photo.too_large" in answer.content.decode()) == (413, True)


@pytest.mark.slow
@pytest.mark.timeout(90)
def test_a_phone_makes_the_photo_small_before_it_is_sent(page: Page, live_site: str, transactional_db: None) -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]
    page.goto(f"{live_site}/e/{slip_token(match, 0)}/")
    large = FilePayload(name="slip.png", mimeType="image/png", buffer=taken("PNG", size=(3000, 2000)))
    chosen = page.get_by_label("Photo (JPEG, PNG or WebP)")
    chosen.set_input_files(large)
    expect(chosen).to_have_attribute("data-shrunk", re.compile(r"\d+"))
    kind, text = chosen.evaluate("async (each) => [each.files[0].type, await each.files[0].text()]")
    assert (kind, NIKON in text) == ("image/jpeg", False)
    page.get_by_role("button", name="Send the photo").click()
    expect(page.get_by_role("img", name="Photo of the paper slip")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.slip-photo img').naturalWidth === 1600")
