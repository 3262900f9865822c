"""Times are shown in the event's own zone, named, also where summer time begins and ends; elsewhere in the reader's."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone, translation

from accounts.models import User
from accounts.zones import COOKIE, zone_named, zone_of
from bots.templatetags.times import ago, ahead, moment, offset_word, zone_now
from tests.builders import events as a
from tests.builders.calendar_days import NEXT_YEAR, SKIPPED
from tests.builders.clubs import a_called_night, a_club_night, tables_of
from tests.web.test_bad_input import form_of_an_event
from tournaments.floor.announcements import announce
from tournaments.models import Tournament
from tournaments.pages.events.moments import is_skipped
from tournaments.progress.round_clock import choose_minutes
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db
PARIS = ZoneInfo("Europe/Paris")
# fmt: off
SHOWN = {
    "the end of winter": (PARIS, "2027-03-28T00:59:00", "2027-03-28T01:59:00+01:00", "01:59\N{NO-BREAK SPACE}CET"),
    "the first of summer": (PARIS, "2027-03-28T01:00:00", "2027-03-28T03:00:00+02:00", "03:00\N{NO-BREAK SPACE}CEST"),
    "two o'clock, first": (PARIS, "2027-10-31T00:30:00", "2027-10-31T02:30:00+02:00", "02:30\N{NO-BREAK SPACE}CEST"),
    "two o'clock again": (PARIS, "2027-10-31T01:30:00", "2027-10-31T02:30:00+01:00", "02:30\N{NO-BREAK SPACE}CET"),
    "another day": (ZoneInfo("Pacific/Honolulu"), "2027-01-01T05:00:00", "2026-12-31T19:00:00-10:00",
                    "31 Dec 2026 19:00\N{NO-BREAK SPACE}HST"),
    "a zone without letters": (ZoneInfo("Asia/Kathmandu"), "2027-01-01T00:00:00", "2027-01-01T05:45:00+05:45",
                               "05:45\N{NO-BREAK SPACE}UTC+5:45"),
}
# fmt: on


@pytest.mark.parametrize("which", SHOWN)
def test_a_moment_is_written_in_the_zone_with_its_name(which: str) -> None:
    zone, at, machine, words = SHOWN[which]
    with timezone.override(zone):
        shown = moment(datetime.fromisoformat(at).replace(tzinfo=UTC))
    assert f'<time datetime="{machine}" title="{zone.key}">' in shown
    assert shown.endswith(f"{words}</time>")


@pytest.mark.parametrize(
    ("language", "form", "words"),
    [("ja", "exact", "2026年11月21日 01:05:09"), ("ja", "short", "11月21日 01:05"), ("fr", "day", "21 nov. 2026")],
)
def test_a_day_is_written_as_its_language_does(language: str, form: str, words: str) -> None:
    with translation.override(language), timezone.override(UTC):
        shown = moment(datetime(2026, 11, 21, 1, 5, 9, tzinfo=UTC), form)
    assert shown.endswith(f">{words}\N{NO-BREAK SPACE}UTC</time>")


def test_what_lies_ahead_is_said_in_one_unit() -> None:
    now = timezone.now()
    assert ahead(now + timedelta(days=6, hours=9)) == "in 6\xa0days"
    assert ahead(now + timedelta(minutes=1, seconds=30)) == "in 1\xa0minute"
    assert [ahead(each) for each in (None, now, now + timedelta(seconds=30), now - timedelta(days=1))] == [""] * 4
    with translation.override("ja"):
        assert ahead(now + timedelta(days=6, hours=9)) == "6日後"
    with translation.override("fr"):
        assert ahead(now + timedelta(days=6, hours=9)) == "dans 6\xa0jours"


def test_nothing_is_nothing_and_ago_has_its_moment() -> None:
    assert moment(None) == ago(None) == ""
    with timezone.override(PARIS):
        assert '<time datetime="' in ago(timezone.now())
        assert zone_now().startswith("Europe/Paris (CE")
    assert offset_word(datetime(2027, 1, 1, tzinfo=ZoneInfo("Pacific/Marquesas"))) == "UTC\N{MINUS SIGN}9:30"


def test_an_hour_that_is_skipped_is_known_and_one_that_comes_twice_is_not() -> None:
    assert is_skipped(datetime(2027, 3, 28, 2, 30), PARIS)  # noqa: DTZ001  # a wall clock
    assert not is_skipped(datetime(2027, 10, 31, 2, 30), PARIS)  # noqa: DTZ001  # a wall clock
    assert not is_skipped(datetime(2027, 3, 28, 2, 30), UTC)  # noqa: DTZ001  # a wall clock


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "é", "x" * 60])
def test_what_is_no_zone_is_none(name: str) -> None:
    assert zone_named(name) is None


def test_the_account_goes_before_the_browser_and_utc_comes_last() -> None:
    request = HttpRequest()
    request.user = AnonymousUser()
    assert str(zone_of(request)) == "UTC"
    request.COOKIES[COOKIE] = "Asia/Tokyo"
    assert str(zone_of(request)) == "Asia/Tokyo"
    request.user = User(time_zone="Europe/Paris")
    assert str(zone_of(request)) == "Europe/Paris"
    request.user = User()
    request.COOKIES[COOKIE] = "made up"
    assert str(zone_of(request)) == "UTC"


def test_an_event_is_made_in_the_readers_zone_and_its_hours_are_of_its_wall() -> None:
    client = Client()
    client.force_login(a.a_user())
    client.cookies[COOKIE] = "Asia/Tokyo"
    assert 'value="Asia/Tokyo"' in client.get("/t/new/?for=both").content.decode()
    form = form_of_an_event(time_zone="Europe/Paris", entries_close_at=f"{NEXT_YEAR}-07-01T18:00")
    answer = client.post("/t/new/", form)
    assert answer.status_code == 302
    event = Tournament.objects.get()
    assert event.time_zone == "Europe/Paris"
    assert event.entries_close_at == datetime(NEXT_YEAR, 7, 1, 16, tzinfo=UTC)
    page = client.get(f"/t/{event.slug}/").content.decode()
    assert f"1 Jul {NEXT_YEAR} 18:00\N{NO-BREAK SPACE}CEST" in page
    assert f'datetime="{NEXT_YEAR}-07-01T18:00:00+02:00"' in page
    assert "Europe/Paris (CE" in page


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"time_zone": "Mars/Olympus"}, "There is no time zone"),
        ({"time_zone": "Europe/Paris", "entries_close_at": f"{SKIPPED}T02:30"}, "skip this time"),
        ({"entries_close_at": "soon"}, "Enter a valid date/time"),
    ],
)
def test_a_zone_or_an_hour_that_is_none_is_refused(change: dict[str, object], code: str) -> None:
    client = Client()
    client.force_login(a.a_user())
    answer = client.post("/t/new/", form_of_an_event(**change))
    assert answer.status_code == 422
    assert code in answer.content.decode()
    assert not Tournament.objects.exists()


@pytest.mark.thorough
def test_the_zone_of_an_event_is_changed_by_who_runs_it_and_the_moments_stay() -> None:
    event = a_club_night()
    Tournament.objects.update(entries_close_at=datetime(NEXT_YEAR, 7, 1, 16, tzinfo=UTC))
    here, client = f"/t/{event.slug}/time-zone/", Client()
    assert client.get(here).status_code == 302
    client.force_login(a.a_user())
    assert client.get(here).status_code == 404
    client.force_login(event.created_by)
    assert client.post(here, {"time_zone": "Mars/Olympus"}).status_code == 422
    assert (
        "Times are shown in Pacific/Honolulu"
        in client.post(here, {"time_zone": "Pacific/Honolulu"}, follow=True).content.decode()
    )
    page = client.get(f"/t/{event.slug}/").content.decode()
    assert f"1 Jul {NEXT_YEAR} 06:00\N{NO-BREAK SPACE}HST" in page
    assert "chose the time zone" in client.get(f"/t/{event.slug}/feed/").content.decode()
    calendar = client.get(f"/t/{event.slug}/files/calendar.ics").content.decode()
    assert f"DTSTART:{NEXT_YEAR}0701T160000Z" in calendar
    assert "X-WR-TIMEZONE:Pacific/Honolulu" in calendar


@pytest.mark.thorough
def test_every_page_of_an_event_writes_its_times_in_its_zone_whoever_reads() -> None:
    event = a_club_night()
    Tournament.objects.update(time_zone="Asia/Tokyo")
    choose_minutes(tournament=event, by=event.created_by, minutes=40)
    start_tournament(tournament=event, by=event.created_by)
    announce(tournament=event, by=event.created_by, text="Dinner at seven.")
    client = Client()
    client.force_login(event.created_by)
    client.cookies[COOKIE] = "Europe/Paris"
    paths = [f"/t/{event.slug}/{tab}" for tab in ("", "feed/", "audit/", "desk/", "screen/", "rounds/", "undo/")]
    paths += [f"/m/{tables_of(event)[0].uuid}/{tab}" for tab in ("", "result/")]
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        times = re.findall(r'<time datetime="([^"]+)" title="([^"]+)"', answer.content.decode())
        zones = {machine[-6:] for machine, _zone in times}
        assert zones <= {"+09:00"}, path
    assert "JST" in client.get(f"/t/{event.slug}/").content.decode()


@pytest.mark.thorough
def test_a_fragment_of_another_zone_is_another_fragment() -> None:
    event = a_called_night()
    client = Client()
    path = f"/t/{event.slug}/feed/"
    first = client.get(path, headers={"X-Fragment": "true"}).headers["ETag"]
    Tournament.objects.update(time_zone="Asia/Tokyo")
    assert client.get(path, headers={"X-Fragment": "true", "If-None-Match": first}).status_code == 200


def test_my_own_zone_is_kept_on_my_page_and_shown_where_no_event_is() -> None:
    user = a.a_user()
    client = Client()
    client.force_login(user)
    form = {"display_name": "", "language": "", "theme": "system", "letter_keys": "on"}
    assert client.post("/me/", {**form, "time_zone": "Mars/Olympus"}).status_code == 422
    assert client.post("/me/", {**form, "time_zone": "Asia/Tokyo"}).status_code == 302
    user.refresh_from_db()
    assert user.time_zone == "Asia/Tokyo"
    bot = a.a_bot(user)
    assert "JST" in client.get(f"/b/{bot.slug}/versions/").content.decode()
    assert "UTC" in Client().get(f"/b/{bot.slug}/versions/").content.decode()
