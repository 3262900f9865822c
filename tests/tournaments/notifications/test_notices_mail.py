"""Mails: what they say, to whom they go, once; when the mail server is away, says no, or somebody dies in between."""

from __future__ import annotations

import os
import re
import signal
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import formats, timezone, translation

from accounts.models import User
from tests.builders import events as a
from tests.services.mail_server import MailServer
from tests.services.processes import Project
from tournaments.floor import announcements
from tournaments.models import Mailing, Notice, NoticePlan, Tournament
from tournaments.notifications import consumer as noticing
from tournaments.notifications import digests
from tournaments.notifications import mail as mailing
from tournaments.notifications.follow import follow, mark_read
from tournaments.notifications.plans import choose_notices

pytestmark = pytest.mark.django_db
M = Mailing.State


@pytest.fixture(autouse=True)
def begun(db: None) -> None:
    """The reader of the outbox has begun."""
    noticing.notice_news()


def a_reader(*, how: str = "instant", **fields: object) -> User:
    """Return somebody with a confirmed address who wants announcements that way."""
    user = a.a_user()
    values = {"email": f"{user.username}@plum.example", "email_confirmed_at": timezone.now(), **fields}
    User.objects.filter(pk=user.pk).update(**values)
    user.refresh_from_db()
    choose_notices(user=user, choices={"said": how})
    return user


def an_event(*readers: User, **changes: object) -> Tournament:
    """An event that they follow, everything before being read."""
    event = a.an_open_event(**{"name": "Plum league", **changes})
    noticing.notice_news()
    for reader in readers:
        follow(user=reader, tournament=event)
    return event


def say(event: Tournament, text: str = "Tea is ready.") -> None:
    """The organiser says it and everybody is told."""
    announcements.announce(tournament=event, by=event.created_by, text=text)
    noticing.notice_news()


def due(*, later: timedelta = timedelta(0)) -> None:
    """Mails that wait are due now."""
    Mailing.objects.filter(state=M.OPEN).update(due_at=timezone.now() + later)


def parts(mail: EmailMessage) -> tuple[str, str]:
    """Its text and its HTML."""
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text is not None
    assert html is not None
    return text.get_content(), html.get_content()


def link_in(mail: EmailMessage) -> str:
    """The path of its unsubscribing link."""
    return re.sub(r"^<https?://[^/]+|>$", "", str(mail["List-Unsubscribe"]).strip())


def test_a_mail_has_both_parts_in_the_readers_language_and_zone_and_can_be_stopped(smtp_server: MailServer) -> None:
    reader = a_reader(language="fr", time_zone="Asia/Tokyo")
    say(an_event(reader))
    assert mailing.send_waiting() == 1
    [mail] = smtp_server.taken
    text, html = parts(mail)
    at = Notice.objects.get(reader=reader).at.astimezone(ZoneInfo("Asia/Tokyo"))
    with translation.override("fr"):
        said = formats.date_format(at, "DATETIME_FORMAT")
    # Reading a header makes plain spaces of all.
    assert (mail["To"], mail["Subject"]) == (reader.email, "Plum league : « Tea is ready. »")
    assert "Tea is ready." in text
    assert "Tea is ready." in html
    assert f"{said} (JST)" in text
    assert '<html lang="fr">' in html
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert str(mail["List-Unsubscribe"]).strip(" <>") in text
    assert "/t/plum-league/" in text
    assert "<script" not in html


def test_one_row_is_one_mail_however_often_it_is_asked_for(smtp_server: MailServer) -> None:
    reader = a_reader()
    say(an_event(reader))
    assert [mailing.send_waiting() for _ in range(3)] == [1, 0, 0]
    due()
    assert mailing.send_waiting() == 0
    assert len(smtp_server.taken) == 1


def test_only_confirmed_addresses_that_chose_it_get_mail(smtp_server: MailServer) -> None:
    unconfirmed, page = a_reader(email_confirmed_at=None), a_reader(how="page")
    say(an_event(unconfirmed, page))
    assert Notice.objects.filter(what="said").count() == 2
    assert not Mailing.objects.exists()


@pytest.mark.thorough
def test_what_may_not_be_told_any_more_or_is_not_wanted_is_not_sent(smtp_server: MailServer) -> None:
    readers = {name: a_reader() for name in ("private", "read", "gone", "stopped", "other address")}
    event = an_event(*readers.values())
    say(event)
    mark_read(user=readers["read"])
    User.objects.filter(pk=readers["gone"].pk).update(is_active=False)
    User.objects.filter(pk=readers["other address"].pk).update(email_confirmed_at=None)
    choose_notices(user=readers["stopped"], choices={"said": "page"})
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    assert mailing.send_waiting() == 0
    assert smtp_server.taken == []
    assert set(Mailing.objects.values_list("state", flat=True)) == {M.DROPPED}


def test_an_announcement_withdrawn_before_it_was_sent_is_not_sent(smtp_server: MailServer) -> None:
    reader = a_reader()
    event = an_event(reader)
    say(event)
    announcements.withdraw_announcement(tournament=event, by=event.created_by, number=1)
    assert mailing.send_waiting() == 0
    assert smtp_server.taken == []


@pytest.mark.thorough
def test_a_mail_server_that_says_later_is_asked_later_and_longer_each_time(smtp_server: MailServer) -> None:
    reader = a_reader()
    say(an_event(reader))
    smtp_server.answer = lambda _address: "451 try again later"
    waits = []
    for _ in range(len(mailing.BACK_OFF)):
        before = timezone.now()
        assert mailing.send_waiting() == 0
        waits.append(Mailing.objects.get().due_at - before)
        due()
    assert waits == sorted(waits)
    assert all(wait >= least for wait, least in zip(waits, mailing.BACK_OFF, strict=True))
    smtp_server.answer = lambda _address: ""
    assert mailing.send_waiting() == 1
    assert Mailing.objects.get().state == M.SENT
    assert len(smtp_server.taken) == 1


def test_an_address_that_is_refused_for_good_is_given_up_and_the_others_get_theirs(smtp_server: MailServer) -> None:
    bad, good = a_reader(), a_reader()
    say(an_event(bad, good))
    smtp_server.answer = lambda address: "550 nobody of that name" if address == bad.email else ""
    mailing.send_waiting()
    found = {row.reader_id: (row.state, row.error) for row in Mailing.objects.all()}
    assert found[bad.pk] == (M.FAILED, "SMTPRecipientsRefused 550")
    assert found[good.pk] == (M.SENT, "")
    assert [mail["To"] for mail in smtp_server.taken] == [good.email]


def test_a_mail_server_that_is_away_loses_nothing(smtp_server: MailServer) -> None:
    first, second = a_reader(), a_reader()
    say(an_event(first, second))
    smtp_server.stop()
    assert mailing.send_waiting() == 0
    assert sorted(Mailing.objects.values_list("state", "attempts")) == [(M.OPEN, 0), (M.OPEN, 1)]
    smtp_server.start()
    due()
    assert mailing.send_waiting() == 2


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_sender_killed_after_the_mail_was_taken_leads_to_a_copy_of_the_same_id_and_never_to_none(
    project: Project, smtp_server: MailServer
) -> None:
    """At least once: what nobody noted is sent again when the claim is over, and not before."""
    reader = a_reader()
    say(an_event(reader))
    here = {"HANAMI_EMAIL_URL": f"smtp://127.0.0.1:{smtp_server.port}"}
    code = "import os; from tournaments.notifications import mail; "
    code += "print('PID', os.getpid(), flush=True); mail.send_waiting()"
    smtp_server.upon = lambda: os.kill(sender.pid, signal.SIGKILL)
    sender = project.start("sender", "manage.py", "shell", "-c", code, extra=here)
    sender.process.wait(60)
    smtp_server.upon = lambda: None
    row = Mailing.objects.get()
    assert (row.state, row.attempts, len(smtp_server.taken)) == (M.OPEN, 1, 1)
    assert mailing.send_waiting() == 0, "the claim is not over"
    due()
    assert mailing.send_waiting() == 1
    assert len({mail["Message-ID"] for mail in smtp_server.taken}) == 1
    assert Mailing.objects.get().state == M.SENT


def test_no_more_go_than_the_rate_allows(smtp_server: MailServer, settings: Any) -> None:
    settings.MAIL_PER_MINUTE = 2
    say(an_event(*(a_reader() for _ in range(4))))
    assert [mailing.send_waiting(), mailing.send_waiting()] == [2, 0]
    assert Mailing.objects.filter(state=M.OPEN, attempts=0).count() == 2


@pytest.mark.parametrize(
    ("zone", "now", "morning"),
    [
        ("UTC", datetime(2026, 11, 21, 7, 0, tzinfo=UTC), datetime(2026, 11, 21, 7, 0, tzinfo=UTC)),
        ("UTC", datetime(2026, 11, 21, 6, 59, tzinfo=UTC), datetime(2026, 11, 20, 7, 0, tzinfo=UTC)),
        ("Asia/Tokyo", datetime(2026, 11, 20, 23, 0, tzinfo=UTC), datetime(2026, 11, 20, 22, 0, tzinfo=UTC)),
        ("Europe/Paris", datetime(2026, 3, 29, 5, 0, tzinfo=UTC), datetime(2026, 3, 29, 5, 0, tzinfo=UTC)),
        ("Europe/Paris", datetime(2026, 10, 25, 5, 59, tzinfo=UTC), datetime(2026, 10, 24, 5, 0, tzinfo=UTC)),
    ],
)
def test_a_morning_is_seven_by_the_wall_clock(zone: str, now: datetime, morning: datetime) -> None:
    assert digests.morning_before(now, ZoneInfo(zone)) == morning


@pytest.mark.thorough
def test_a_digest_is_one_mail_a_day_at_the_readers_morning_of_what_is_unread(smtp_server: MailServer) -> None:
    reader = a_reader(how="digest", time_zone="Asia/Tokyo")
    event = an_event(reader)
    for text in ("Tea.", "Cake.", "Read on the page."):
        say(event, text)
    evening = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
    Notice.objects.filter(reader=reader).update(at=evening)
    mark_read(user=reader, only=Notice.objects.latest("id").pk)
    assert digests.make_digests(datetime(2026, 11, 20, 21, 59, tzinfo=UTC)) == 0
    morning = datetime(2026, 11, 20, 22, 1, tzinfo=UTC)
    assert [digests.make_digests(morning) for _ in range(2)] == [1, 0]
    assert mailing.send_waiting() == 1
    [mail] = smtp_server.taken
    text, _html = parts(mail)
    assert "2 " in str(mail["Subject"])
    assert [word in text for word in ("Tea.", "Cake.", "Read on the page.")] == [True, True, False]
    say(event, "More tea.")
    Notice.objects.filter(mailing=None).update(at=morning)
    assert digests.make_digests(morning + timedelta(hours=20)) == 0, "it waits for the next morning"
    assert digests.make_digests(morning + timedelta(hours=24)) == 1


@pytest.mark.thorough
def test_one_click_stops_all_mails_without_a_cookie_and_looking_changes_nothing(smtp_server: MailServer) -> None:
    reader = a_reader()
    event = an_event(reader)
    say(event)
    mailing.send_waiting()
    path, stranger = link_in(smtp_server.taken[0]), Client(enforce_csrf_checks=True)
    before = NoticePlan.objects.get(user=reader).choices
    assert stranger.get(path).status_code == 200
    assert NoticePlan.objects.get(user=reader).choices == before
    say(event, "On its way already.")
    one_click = stranger.post(path, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert one_click.status_code == 200
    say(event, "After it.")
    assert mailing.send_waiting() == 0
    assert len(smtp_server.taken) == 1
    stranger.post(path, {"act": "all"})
    stranger.post(path, {"act": "back"})
    assert NoticePlan.objects.get(user=reader).choices == before
    assert stranger.get(path[:-3] + "xx/").status_code == 404


def test_a_link_stops_one_kind_alone_if_asked(smtp_server: MailServer, client: Client) -> None:
    reader = a_reader()
    say(an_event(reader))
    mailing.send_waiting()
    client.post(link_in(smtp_server.taken[0]), {"act": "kind"})
    choices = NoticePlan.objects.get(user=reader).choices
    assert choices["said"] == "page"
    assert "table" not in choices


def test_old_mails_and_notices_are_forgotten(smtp_server: MailServer) -> None:
    reader = a_reader()
    say(an_event(reader))
    mailing.send_waiting()
    assert (mailing.purge_expired_mails(), noticing.purge_expired_notifications()) == (0, 0)
    Mailing.objects.update(done_at=timezone.now() - timedelta(days=31))
    assert mailing.purge_expired_mails() == 1
    Notice.objects.update(at=timezone.now() - timedelta(days=181))
    assert noticing.purge_expired_notifications() == 1


def test_the_mails_of_one_machine_are_files(settings: Any, tmp_path: Any, client: Client) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = settings.BASE_DIR / "var" / "mail"
    reader = a_reader()
    client.force_login(reader, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/me/notices/").content.decode()
    assert "<code>var/mail</code>" in page
    settings.EMAIL_FILE_PATH = tmp_path
    page = client.get("/me/notices/").content.decode()
    assert f"<code>{tmp_path.name}</code>" in page
    assert str(tmp_path.parent) not in page
    say(an_event(reader))
    assert mailing.send_waiting() == 1
    [file] = tmp_path.iterdir()
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in file.read_text()
