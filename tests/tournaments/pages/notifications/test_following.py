"""Following things and reading their news: one button, no script, a thousand rows, and nobody else's."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from accounts.models import User
from tests.builders import clubs
from tests.builders import events as a
from tests.builders.leagues import League
from tournaments.floor import announcements
from tournaments.interchange.calendars import open_calendar
from tournaments.models import Follow, Notice, Tournament
from tournaments.notifications import consumer as noticing
from tournaments.notifications.follow import follow

pytestmark = pytest.mark.django_db
As = Callable[[User | None], Client]
BACKEND = "django.contrib.auth.backends.ModelBackend"


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


def pressed(client: Client, path: str, name: str) -> str:
    """Press the button of that name on a page, as a browser without scripts does; the page it leads to."""
    page = client.get(path).content.decode()
    for form in re.findall(r"<form[^>]*action=\"([^\"]*)\"[^>]*>(.*?)</form>", page, re.DOTALL):
        if re.search(rf"<button[^>]*>(?:<svg.*?</svg>)?(?:<span>)?{name}<", form[1], re.DOTALL):
            data = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[1]))
            answer = client.post(form[0], data, follow=True)
            assert answer.status_code == 200
            return answer.content.decode()
    raise AssertionError(f"no button {name!r} on {path}")


@pytest.mark.slow
def test_bots_people_events_and_tables_are_followed_by_one_button_each(league: League, as_user: As) -> None:
    client = as_user(league.rival)
    waiting = league.running.stages.get().matches.exclude(state="confirmed")[0]
    paths = (f"/b/{league.bot.slug}/", "/u/kiri/", f"/t/{league.finished.slug}/", f"/m/{waiting.uuid}/")
    for path in paths:
        assert "Unfollow" in pressed(client, path, "Follow")
    assert {row.kind for row in Follow.objects.filter(user=league.rival)} == {"bot", "person", "tournament", "match"}
    shown = client.get("/me/follow/list/").content.decode()
    assert all(path in shown for path in paths)
    for path in paths:
        pressed(client, path, "Unfollow")
    assert not Follow.objects.filter(user=league.rival).exists()
    assert "Log in to follow" in as_user(None).get("/u/kiri/").content.decode()
    assert "Follow</button>" not in as_user(league.owner).get("/u/kiri/").content.decode()


@pytest.mark.thorough
def test_a_player_without_an_account_is_followed_in_the_list_of_an_event(client: Client) -> None:
    event, fan = clubs.a_club_night(), a.a_user()
    client.force_login(fan, backend=BACKEND)
    path = f"/t/{event.slug}/entries/"
    uuid = clubs.person(event, "Aiko").player.uuid
    assert f'name="what" value="{uuid}"' in client.get(path).content.decode()
    client.post("/me/follow/do/follow/", {"kind": "player", "what": uuid, "next": path})
    assert f'value="{uuid}" formaction="/me/follow/do/unfollow/"' in client.get(path).content.decode()
    listed = client.get("/me/follow/list/?q=aiko&kind=player").content.decode()
    assert "plays in Club night" in listed


def test_what_was_let_go_can_be_followed_again_at_once(league: League, as_user: As) -> None:
    follow(user=league.rival, bot=league.bot)
    client = as_user(league.rival)
    answer = client.post("/me/follow/do/unfollow/", {"kind": "bot", "what": league.bot.slug})
    assert answer.headers["Location"] == f"/me/follow/list/?gone=bot:{league.bot.slug}"
    pressed(client, answer.headers["Location"], "Undo")
    assert Follow.objects.get(user=league.rival).bot == league.bot


@pytest.mark.thorough
def test_what_one_may_not_see_cannot_be_followed(league: League, as_user: As) -> None:
    hidden = [("tournament", league.private.slug), ("tournament", league.draft.slug), ("bot", "no-such"), ("x", "y")]
    hidden += [("person", "nobody"), ("player", str(league.bot.uuid)), ("match", "made-up")]
    for kind, what in hidden:
        assert as_user(league.rival).post("/me/follow/do/follow/", {"kind": kind, "what": what}).status_code == 404, (
            kind
        )
    assert as_user(None).post("/me/follow/do/follow/", {"kind": "bot", "what": league.bot.slug}).status_code == 302
    assert not Follow.objects.exists()
    own = as_user(league.owner).post("/me/follow/do/follow/", {"kind": "person", "what": "kiri"}, follow=True)
    assert "follow.self" in own.content.decode()


def news_for(reader: User) -> Tournament:
    """An event whose organiser said two things to a follower."""
    noticing.notice_news()
    event = a.an_open_event(name="Plum league")
    noticing.notice_news()
    follow(user=reader, tournament=event)
    for text in ("Tea.", "Cake <b>."):
        announcements.announce(tournament=event, by=event.created_by, text=text)
    noticing.notice_news()
    return event


@pytest.mark.thorough
def test_news_stand_in_words_with_links_until_they_are_read() -> None:
    reader, rival = a.a_user(), a.a_user()
    client = signed_in(reader)
    assert "You follow nothing yet" in client.get("/me/follow/").content.decode()
    event = news_for(reader)
    page = client.get("/me/follow/").content.decode()
    assert '<span class="badge">2' in page
    assert "Cake &lt;b&gt;." in page
    first, second = Notice.objects.filter(reader=reader).order_by("id")
    assert client.get(f"/me/follow/{first.pk}/").headers["Location"] == f"/t/{event.slug}/"
    assert '<span class="badge">1' in client.get("/").content.decode()
    unread = client.get("/me/follow/?unread=1").content.decode()
    assert ("Tea." in unread, "Cake" in unread) == (False, True)
    assert signed_in(rival).get(f"/me/follow/{second.pk}/").status_code == 404
    assert Client().get(f"/me/follow/{second.pk}/").status_code == 302
    pressed(client, "/me/follow/", "Mark all as read")
    assert 'class="badge"' not in client.get("/me/follow/").content.decode()
    assert "You have read everything" in client.get("/me/follow/?unread=1").content.decode()


def test_what_came_after_the_page_was_shown_stays_unread() -> None:
    reader = a.a_user()
    event = news_for(reader)
    shown = Notice.objects.filter(reader=reader).latest("id").pk
    announcements.announce(tournament=event, by=event.created_by, text="Late.")
    noticing.notice_news()
    client = signed_in(reader)
    client.post("/me/follow/read/", {"upto": shown})
    assert [row.facts["text"] for row in Notice.objects.filter(reader=reader, read_at=None)] == ["Late."]
    assert client.post("/me/follow/read/", {"upto": "x"}).status_code == 404


def test_a_count_that_went_wrong_is_right_after_reading() -> None:
    reader = a.a_user()
    news_for(reader)
    Notice.objects.filter(reader=reader).delete()
    client = signed_in(reader)
    assert '<span class="badge">2' in client.get("/me/follow/").content.decode()
    client.post("/me/follow/read/", {"upto": 0})
    assert 'class="badge"' not in client.get("/me/follow/").content.decode()


@pytest.mark.slow
def test_pages_take_as_many_queries_for_a_thousand_rows_as_for_two() -> None:
    reader = a.a_user()
    event = news_for(reader)
    client, paths = signed_in(reader), ("/me/follow/", "/me/follow/?unread=1", "/me/follow/list/")

    def asked() -> list[int]:
        found = []
        for path in paths:
            with CaptureQueriesContext(connection) as seen:
                assert client.get(path).status_code == 200
            found.append(len(seen))
        return found

    few = asked()
    users = User.objects.bulk_create(User(username=f"fan{n}") for n in range(1000))
    Follow.objects.bulk_create(Follow(user=reader, person=user) for user in users)
    Notice.objects.bulk_create(
        Notice(reader=reader, source=f"x{n}", kind="said", what="said", via="event", tournament=event,
               facts={"n": 1, "text": "Tea."}, at=timezone.now()) for n in range(1000)
    )  # fmt: skip
    assert asked() == few
    assert max(few) <= 10
    last = client.get("/me/follow/?page=34").content.decode()
    assert "Page 34 of 34" in last


def test_choices_are_kept_and_a_lie_is_refused() -> None:
    reader = a.a_user()
    client = signed_in(reader)
    client.post("/me/notices/", {"round": "instant", "said": "page"})
    page = client.get("/me/notices/").content.decode()
    kinds = dict(re.findall(r'<select id="how-(\w+)".*?value="(\w+)" selected', page, re.DOTALL))
    assert (kinds["round"], kinds["said"], kinds["table"]) == ("instant", "page", "instant")
    assert set(kinds) == set(Notice.Kind.values)
    assert re.findall(r'scope="rowgroup" colspan="3">([^<]+)', page) == ["Events", "My tables", "My bots"]
    assert "notice.bad_choice" in client.post("/me/notices/", {"round": "pigeon"}, follow=True).content.decode()


@pytest.mark.thorough
def test_the_calendar_holds_tables_of_followed_players_and_ones_own(client: Client) -> None:
    event, fan = clubs.a_called_night(), a.a_user()
    follow(user=fan, player=clubs.person(event, "Aiko").player)
    mine = clubs.person(event, "Ben").player
    mine.user = fan
    mine.save()
    signed = signed_in(fan)
    signed.post("/me/calendar/do/open/")
    [path] = set(re.findall(r'href="(/me/calendar/[^"]+)"', signed.get("/me/notices/").content.decode()))
    items = {str(item["SUMMARY"]) for item in Calendar.from_ical(client.get(path).content).walk("VEVENT")}
    tables = {item for item in items if "table" in item}
    assert all("Aiko" in item or "Ben" in item for item in tables)
    assert {name for name in ("Aiko", "Ben") for item in tables if name in item} == {"Aiko", "Ben"}
    assert "Club night: round 1" in items
    Tournament.objects.filter(pk=event.pk).update(state=Tournament.State.DRAFT)
    assert list(Calendar.from_ical(client.get(path).content).walk("VEVENT")) == []


@pytest.mark.thorough
def test_the_calendar_of_whoever_follows_a_person_names_no_event_that_lists_leave_out(client: Client) -> None:
    event, fan, followed = clubs.a_called_night(), a.a_user(), a.a_user()
    aiko = clubs.person(event, "Aiko").player
    aiko.user = followed
    aiko.save()
    follow(user=fan, person=followed)
    path = reverse("own-calendar", args=[open_calendar(user=fan)])
    assert b"Aiko" in client.get(path).content
    Tournament.objects.filter(pk=event.pk).update(visibility=Tournament.Visibility.UNLISTED)
    assert b"Aiko" not in client.get(path).content
    follow(user=fan, player=aiko)
    assert b"Aiko" in client.get(path).content
