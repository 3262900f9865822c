"""The queue page: places and estimates, workers and what ails them, in plain words and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from bots.models import Check, Lease, Worker
from bots.services import upload_version
from tests.bots.services.test_waiting import finished, many_queued
from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders import events as a
from tournaments.matches.queue import queue, waiting
from tournaments.models import Match, Tournament
from tournaments.progress.run import start_tournament

Become = Callable[[User | None], Client]
LAYERS = {"landlock": False, "seccomp": True, "rlimits": True}
RAW = "landlock: /opt/secret/place could be opened"


def words(client: Client, path: str) -> str:
    """The text of a page, without tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", client.get(path).content.decode()))


def a_busy_house() -> Tournament:
    """One worker of each kind, a match in play, others that wait."""
    event = a.a_running_event(bots=5)
    matches = a.matches_of(event)
    busy = a.a_worker("busy@host/1")
    Worker.objects.filter(pk=busy.pk).update(per_hour=1_234, build="hanami 1.0, engine 1.0.0", probe={"seccomp": True})
    now = timezone.now()
    Worker.objects.create(name="open@host/1", probe=LAYERS, fault=RAW, seen_at=now)
    Worker.objects.create(name="bare@host/1", fault="sandbox.zygote: execve /usr/local failed", seen_at=now)
    Worker.objects.create(name="ill@host/1", probe_ok=True, fault="OSError: [Errno 28] /var/spool", seen_at=now)
    Worker.objects.create(name="gone@host/1", probe_ok=True, seen_at=now - timedelta(minutes=3))
    lease = Lease.objects.create(worker=busy, expires_at=now + timedelta(minutes=1))
    Match.objects.filter(pk=matches[0].pk).update(state="claimed", lease=lease, claimed_at=now)
    finished(matches[1], 50)
    return event


@pytest.mark.thorough
@pytest.mark.django_db
def test_every_worker_says_what_it_does_and_what_ails_it(client: Client) -> None:
    a_busy_house()
    page = words(client, "/queue/")
    assert "alive" in page
    assert "1,234" in page or "1234" in page
    assert "Its sandbox failed a test, so it accepts no matches." in page
    assert "open: landlock" in page
    assert "We lost the process that starts bots." in page
    assert "The machine failed: its disk, its files or its network." in page
    assert "silent" in page
    for inside in ("/opt/secret", "/usr/local", "/var/spool", "Errno"):
        assert inside not in page
    assert page.count("accepts no matches") >= 2


@pytest.mark.thorough
@pytest.mark.django_db
def test_operators_read_the_raw_reasons_and_have_the_buttons(as_user: Become) -> None:
    event = a_busy_house()
    match = a.matches_of(event)[-1]
    Match.objects.filter(pk=match.pk).update(state="quarantined", fault_reason="OSError: /var/full")
    upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name="Plum")
    Check.objects.filter(state="queued").update(state="quarantined", fault_reason="OSError: /var/full")
    operator = as_user(a.a_user(is_staff=True))
    page = words(operator, "/queue/")
    for inside in ("/opt/secret", "/usr/local", "/var/spool", "/var/full", "Play it again", "Check it again"):
        assert inside in page
    assert operator.post(f"/m/{match.uuid}/do/retry/", {"next": "/queue/"}).headers["Location"] == "/queue/"
    organiser = words(as_user(event.created_by), "/queue/")
    assert "/var/" not in organiser
    assert "Check it again" not in organiser


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_waiting_match_and_the_queue_say_how_long(as_user: Become) -> None:
    event = a_busy_house()
    matches = a.matches_of(event)
    client = as_user(None)
    assert "next in the queue, less than a minute" in words(client, f"/m/{matches[2].uuid}/")
    assert "7 matches before this one, about 3 min" in words(client, f"/m/{matches[9].uuid}/")
    many_queued(event, 1_100)
    last = Match.objects.order_by("-priority")[0]
    assert "more than 1000 matches before this one" in words(client, f"/m/{last.uuid}/").replace(",", "", 1)
    assert "more than 1000 Waiting" in words(client, "/queue/").replace("1,000", "1000")


@pytest.mark.thorough
@pytest.mark.django_db
def test_mine_and_rated_with_their_places_among_all(as_user: Become) -> None:
    event = a_busy_house()
    author = a.a_user("author")
    own = a.an_open_event(name="Mine among others", visibility="private")
    a.entered(own, [a.a_bot(author, name="Plum"), a.a_bot()])
    start_tournament(tournament=own, by=own.created_by)
    client = as_user(author)
    mine = words(client, "/queue/?show=mine")
    assert "Mine among others" in mine
    assert event.name not in mine
    place = 1 + list(waiting().order_by("priority", "id").values_list("pk", flat=True)).index(a.matches_of(own)[0].pk)
    assert re.search(rf"Begins {place} Plum", mine), "no column of restarts while there is none"
    assert re.search(r"about \d+ min", mine)
    Match.objects.filter(pk=a.matches_of(own)[0].pk).update(faults=1)
    assert re.search(rf"Begins Restarts {place} Plum", words(client, "/queue/?show=mine"))
    rated = words(client, "/queue/?show=rated")
    assert event.name in rated
    assert "private" not in rated
    assert "Mine among others" not in words(as_user(None), "/queue/?show=mine")
    assert "Show all" in words(as_user(a.a_user()), "/queue/?show=mine")
    with CaptureQueriesContext(connection) as seen:
        queue(author, "mine")
    assert len(seen) <= 10


@pytest.mark.thorough
@pytest.mark.django_db
def test_matches_are_found_by_the_name_of_a_bot_or_a_tournament(as_user: Become) -> None:
    event = a_busy_house()
    author = a.a_user("author")
    hidden, shown = a.an_open_event(name="Hidden cup", visibility="private"), a.an_open_event(name="Wisteria cup")
    for each in (hidden, shown):
        a.entered(each, [a.a_bot(author, name=f"Heron of {each.name}"), a.a_bot()])
        start_tournament(tournament=each, by=each.created_by)
    assert "Hidden cup" in words(as_user(hidden.created_by), "/queue/?show=mine&q=heron")
    assert "None of these is waiting." in words(as_user(a.a_user()), "/queue/?show=mine&q=hidden")
    stranger = as_user(None)
    for found in (words(stranger, "/queue/?q=wisteria"), words(stranger, "/queue/?show=rated&q=HERON")):
        assert "Heron of Wisteria cup" in found
        assert event.name not in found
    for path in ("/queue/?q=hidden", "/queue/?show=mine&q=hidden", "/queue/?show=rated&q=hidden"):
        nothing = words(stranger, path)
        assert "None of these is waiting. Show all" in nothing, path
        assert "a match of a private event" not in nothing, "its name is not to be guessed"
    page = stranger.get("/queue/?q=wisteria").content.decode()
    assert 'value="wisteria"' in page
    assert 'href="/queue/?q=wisteria&amp;show=rated"' in page
    with CaptureQueriesContext(connection) as seen:
        queue(author, "mine", "heron")
    assert len(seen) <= 10


@pytest.mark.django_db
def test_the_check_page_says_how_many_checks_are_before_it(as_user: Become) -> None:
    for n in range(3):
        owner = a.a_user()
        version = upload_version(owner=owner, filename="bot.py", data=a.FIRST, name=f"Bot {n}")
    assert "Place 3 in the queue: 2 checks are before it." in words(as_user(owner), f"/b/{version.bot.slug}/v/1/")


@pytest.mark.django_db
def test_checks_alone_are_no_idle_queue(client: Client) -> None:
    upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name="Heron")
    page = words(client, "/queue/")
    assert "Waiting No match is waiting. Start a tournament" in page.partition("Checks of uploads")[2]
    assert "No match is being played" not in page


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_match_that_belongs_to_no_round_says_none(client: Client) -> None:
    a_busy_house()
    assert "round 1" in words(client, "/queue/")
    Match.objects.update(round=None)
    assert not re.search(r"\bround\b", words(client, "/queue/").partition("Waiting")[2])


@pytest.mark.django_db
def test_an_empty_house_says_so(client: Client) -> None:
    page = words(client, "/queue/")
    assert "No match is being played, and none is waiting. See the tournaments" in page
    assert page.count("No match") == 1, "one sentence, not one for each list"
    assert "No worker is running." in page
    assert '<div class="service none">' in client.get("/queue/").content.decode(), (
        "the figure of the workers stands out"
    )
    assert page.count("No worker is running.") == 1


def figures(client: Client, path: str = "/queue/") -> dict[str, str]:
    """What the head of the page counts, by its word."""
    page = client.get(path).content.decode()
    (head,) = re.findall(r'<div class="service.*?</ul>', page, re.DOTALL)
    return {word: n for n, word in re.findall(r"<strong>(.*?)</strong>\s*<span>(.*?)</span>", head, re.DOTALL)}


@pytest.mark.django_db
def test_how_many_wait_stands_once_beside_what_to_expect(client: Client) -> None:
    a_busy_house()
    number = str(waiting().count())
    for path in ("/queue/", "/queue/?show=rated"):
        assert figures(client, path) == {"Being played": "1", "Waiting": number, "Workers": "5"}, "of all, on every tab"
        assert re.findall(r"<h2>\s*(Waiting.*?)</h2>", client.get(path).content.decode(), re.DOTALL) == ["Waiting"]
    assert "At the pace of the last matches the queue is empty in about 4 minutes." in words(client, "/queue/")


@pytest.mark.django_db
def test_without_a_worker_the_head_foretells_nothing(client: Client) -> None:
    a_busy_house()
    Match.objects.filter(state="confirmed").update(finished_at=timezone.now() - timedelta(hours=6))
    ago = timezone.now() - timedelta(hours=2)
    Match.objects.filter(state="queued").update(queued_at=ago)
    Worker.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    page = words(client, "/queue/").replace("\N{NO-BREAK SPACE}", " ")
    assert figures(client)["Workers"] == "0"
    assert "nothing is lost. The last match finished 6 hours ago ." in page
    assert "At the pace" not in page
    assert "Begins" not in page
    assert page.count("2 hours ago") == waiting().count(), "since when each waits"


LEFT = "all => all.map((each) => each.getBoundingClientRect().left)"
TOP = "all => all.map((each) => Math.round(each.getBoundingClientRect().top))"


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 360])
def test_two_that_meet_stand_in_columns(page: Page, live_site: str, transactional_db: None, width: int) -> None:
    a_busy_house()
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{live_site}/queue/")
    rows = page.locator("tr:has(.duel)")
    assert rows.count() > 5
    tabs, search = (page.locator(each).first.bounding_box() for each in ("#queue > .tabs", ".finder"))
    assert tabs
    assert search
    if width == 360:
        edges = page.locator(".duel > .who:first-child, .queue .event p").evaluate_all(LEFT)
        assert len(set(edges)) == 1, "on a phone both lines of a row begin at one edge"
        first, second = (page.locator(f".duel > .who:{each}-child").evaluate_all(TOP) for each in ("first", "last"))
        assert first == second, "who meets stands in one line"
        heights = rows.evaluate_all("all => all.map((each) => each.getBoundingClientRect().height)")
        assert min(heights) <= 64, "two lines"
        assert max(heights) <= 78, "three where it says how long as well"
        assert tabs["y"] < search["y"], "the tabs come first"
    else:
        second = page.locator(".duel > .who:last-child").evaluate_all(LEFT)
        assert len(set(second)) == 1, "however long the first name is"
        assert len(set(page.locator(".duel > .soft").evaluate_all(LEFT))) == 1
        assert max(rows.evaluate_all("all => all.map((each) => each.getBoundingClientRect().height)")) <= 40
        assert tabs["y"] < search["y"] + search["height"] <= tabs["y"] + tabs["height"], "both in one line"


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_queue_on_a_phone(page: Page, live_site: str, transactional_db: None, trouble: Trouble) -> None:
    event = a_busy_house()
    match = a.matches_of(event)[-1]
    Match.objects.filter(pk=match.pk).update(state="quarantined", fault_reason="OSError: /var/" + "full" * 30)
    log_in(page.context, live_site, a.a_user(is_staff=True))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_site}/queue/")
    assert (axe_violations(page), sideways(page)) == ([], [])
    row = page.get_by_role("row", name="open@host/1")
    expect(row).to_contain_text("open: landlock")
    row.get_by_text("3 layers").click()
    expect(row.get_by_role("listitem").filter(has_text="seccomp")).to_be_visible()
    page.get_by_role("button", name="Play it again").click()
    expect(page.get_by_text("The match is back in the queue")).to_be_visible()
