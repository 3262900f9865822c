"""The lists of people and matches, and the page on privacy: who is named, going on, how often the database is asked."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from playwright.sync_api import Browser

from accounts.models import User
from activity.journal import audit
from core.replay.score import EndYaku
from tests.builders import events as a
from tests.builders.leagues import League
from tests.builders.matches_on_show import a_finished_match
from tests.tournaments.pairing.test_rated_seeds import a_pool, rated
from tournaments.domain_events.matches import MatchQuarantined
from tournaments.lifecycle.visibility import named_to
from tournaments.matches import queries as selector
from tournaments.matches import schedule
from tournaments.matches.highlights import Highlight
from tournaments.matches.queue import waiting
from tournaments.models import Match, Standing, Tournament
from tournaments.pages.site import lists
from tournaments.pages.site.felt import Felt, felt_of
from tournaments.people.event_lists import for_start_page, on_or_soon, tournament_list

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
MATCH = re.compile(r'href="/m/([0-9a-f-]{36})/"')
PERSON = re.compile(r'href="/u/([^"/]+)/"')


def shown(client: Client, query: str = "") -> list[str]:
    """The matches that the page lists, in order."""
    return matches_in(client.get(f"/m/{query}").content.decode())


def matches_in(page: str) -> list[str]:
    """The matches of a page; of the latest, the first are drawn above the list."""
    drawn = re.findall(r'href="/m/([0-9a-f-]{36})/\?', page.partition('class="plain results')[0])
    return [*drawn, *MATCH.findall(page.partition('class="plain results')[2])]


def following(page: str, rel: str) -> str:
    """The query of a neighbouring page; "" if there is none."""
    found = re.search(rf'rel="{rel}" href="([^"]+)"', page)
    return found[1].replace("&amp;", "&") if found else ""


@pytest.mark.thorough
def test_all_waiting_matches_are_found_page_by_page_both_ways(
    league: League, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selector, "BATCH_SIZE", 3)
    Tournament.objects.update(state="running")
    for number, match in enumerate(Match.objects.order_by("-pk")):
        Match.objects.filter(pk=match.pk).update(state="queued", priority=number // 2)
    every = [
        str(uuid) for uuid in waiting().filter(named_to(None, "stage__tournament__")).values_list("uuid", flat=True)
    ]
    assert len(every) > 6
    assert every[:3] == list(dict.fromkeys(MATCH.findall(client.get("/queue/").content.decode())))[:3]
    found, query = list[list[str]](), "?state=waiting"
    while query:
        page = client.get(f"/m/{query}").content.decode()
        found.append(MATCH.findall(page))
        query = following(page, "next")
    assert [uuid for part in found for uuid in part] == every
    second = client.get(f"/m/?state=waiting&before={found[0][-1]}").content.decode()
    assert shown(client, following(second, "prev")) == found[0]
    assert following(client.get("/m/?state=waiting").content.decode(), "prev") == ""


def test_a_row_of_the_queue_reads_as_one_match(league: League, client: Client) -> None:
    Tournament.objects.update(state="running")
    Match.objects.update(state="queued")
    page = client.get("/queue/").content.decode()
    row = page.partition("<tr data-row>")[2].partition("</th>")[0]
    words = " ".join(re.sub(r"<[^>]+>|&nbsp;", " ", row).split())
    first = waiting().prefetch_related("seats__entry__player")[0]
    names = [seat.entry.player.name for seat in first.seats.all() if seat.entry]
    assert len(names) == 2
    assert words.endswith(" – ".join(names))


def test_what_is_played_comes_before_what_is_over_and_what_waits_not_at_all(league: League, client: Client) -> None:
    played, *_others = Match.objects.filter(state__in=selector.STATES["waiting"])
    Match.objects.filter(pk=played.pk).update(state="claimed")
    over = Match.objects.filter(state="confirmed").order_by("-finished_at", "-pk").values_list("uuid", flat=True)
    page = client.get("/m/").content.decode()
    assert str(played.uuid) in page.partition(">On now</h2>")[2].partition("</ul>")[0]
    assert set(matches_in(page)) == {str(played.uuid), *map(str, over)}
    row = page.partition(">On now</h2>")[2].partition("</ul>")[0]
    assert "playing" not in row.partition('<span class="sub">')[0], "its state stands where that of three would"
    assert 'class="state' in row.partition('<span class="sub">')[2]
    assert 'href="/m/?state=waiting"' in page
    assert matches_in(client.get("/m/?state=").content.decode()) == matches_in(page)


def test_the_best_deals_of_what_ended_last_stand_beside_the_newest_match(client: Client) -> None:
    first, last = (a_finished_match(seats=2, rounds=1) for _ in range(2))
    page = client.get("/m/").content.decode()
    moments = page.partition(">Moments worth seeing</h2>")[2].partition("</ul>")[0]
    assert re.search(rf'href="/m/{first.uuid}/\?d=1&amp;m=\d+#replay"', moments)
    assert str(last.uuid) not in moments
    title = re.search(r"<h3>\s*<a[^>]*>\s*(.*?) <span", moments, re.DOTALL)
    assert title
    assert re.fullmatch(r".+ makes .+|.+ wins deal 1|Deal 1 is over", title[1])
    listed = page.partition('class="plain results')[2]
    assert not {str(first.uuid), str(last.uuid)} & set(MATCH.findall(listed)), "both are drawn above the list"
    assert "Moments worth seeing" not in client.get("/m/?state=over").content.decode()


def test_deals_in_which_a_yaku_counted_are_the_moments_before_all_others(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare, *others = (a_finished_match(seats=2, rounds=1) for _ in range(lists.MOMENTS + 2))

    def without_yaku(found: Highlight, *, is_best: bool = False) -> Felt | None:
        felt = felt_of(found, is_best=is_best)
        return replace(felt, sets=() if felt.match == others[-2] else (EndYaku("", "", ()),)) if felt else None

    monkeypatch.setattr(lists, "felt_of", without_yaku)
    shown_first = [felt.match for felt in lists._felts(schedule.fresh_replays())]
    assert shown_first == [others[-1], *reversed(others[:-2]), bare], "the newest first, without the one of no yaku"


def test_what_is_held_and_in_which_order_it_waits_is_explained(league: League, client: Client) -> None:
    assert "through a fault on our side" in client.get("/m/?state=held").content.decode()
    assert "In order of play" in client.get("/m/?state=waiting").content.decode()
    assert "In order of play" not in client.get("/m/").content.decode()


def test_who_runs_an_event_is_led_to_its_dashboard_not_to_its_entries(as_user: Become) -> None:
    event = a.an_open_event(name="Autumn evening")
    way = f'<a href="/t/{event.slug}/desk/">Dashboard'
    own, other = (
        as_user(person).get("/t/?q=evening").content.decode() for person in (event.created_by, a.a_user("somebody"))
    )
    assert [way in page for page in (own, other)] == [True, False]
    assert ["Enter a bot →" in page for page in (own, other)] == [False, True]


def test_an_event_is_named_once_above_its_matches(league: League, client: Client) -> None:
    event = Match.objects.filter(state="confirmed").select_related("stage__tournament")[0].stage.tournament
    alone, mixed = (client.get(f"/m/?state=over{more}").content.decode() for more in (f"&event={event.slug}", ""))
    assert [page.count(f"{event.name}\n") > 1 for page in (alone, mixed)] == [False, True]
    assert ["of-all" in page for page in (alone, mixed)] == [False, True]


@pytest.mark.thorough
def test_finished_matches_stand_by_the_time_they_ended(
    league: League, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selector, "BATCH_SIZE", 3)
    over = Match.objects.filter(state="confirmed")
    # The first that was drawn ended last, and two ended at the same moment.
    now = timezone.now()
    for number, match in enumerate(over.order_by("pk")):
        Match.objects.filter(pk=match.pk).update(finished_at=now - timedelta(seconds=number // 2))
    every = [str(uuid) for uuid in over.order_by("-finished_at", "-pk").values_list("uuid", flat=True)]
    pages, query = list[list[str]](), "state=over"
    while query:
        page = client.get(f"/m/?{query.lstrip('?')}").content.decode()
        pages.append(matches_in(page))
        before, query = query, following(page, "next")
    assert [uuid for part in pages for uuid in part] == every
    assert shown(client, following(client.get(f"/m/?{before.lstrip('?')}").content.decode(), "prev"))[-3:] == pages[-2]


def test_nobody_goes_on_from_a_match_that_is_not_theirs(
    league: League, as_user: Become, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it stands among others would tell when it ended."""
    monkeypatch.setattr(selector, "BATCH_SIZE", 3)
    Tournament.objects.filter(pk=league.finished.pk).update(visibility="private")
    own = Match.objects.filter(stage__tournament=league.finished, state="confirmed").order_by("-finished_at")[0]
    query = f"?state=over&before={own.uuid}"
    assert shown(as_user(None), query) == shown(as_user(None), "?state=over&before=")
    assert shown(as_user(league.organiser), query) != shown(as_user(league.organiser), "?state=over&before=")


def test_a_row_says_who_won_by_how_much_and_where(league: League, client: Client) -> None:
    newest = Match.objects.filter(stage__tournament=league.finished, state="confirmed").order_by("-finished_at")[0]
    newest.seats.update(place=2)
    newest.seats.filter(index=0).update(place=1)
    page = client.get(f"/m/?state=over&event={league.finished.slug}").content.decode()
    (row, *_others) = re.findall(r"<li>\s*<a href=\"/m/.*?</li>", page, re.DOTALL)
    assert 'class="side won"' in row
    assert re.search(r'class="score">\s*<b><span>-?\d+</span><span>[–:]</span>', row.replace("\N{MINUS SIGN}", "-"))
    assert f">{league.finished.name}</a>" in page
    assert page.count("Less than an hour ago") == 1
    assert row.index('class="side won"') < row.index('class="score"') < row.index('class="side"')
    queued = client.get("/m/?state=waiting").content.decode()
    assert 'class="side' in queued
    assert "<b><span>" not in queued


def test_nobody_is_asked_to_search_what_is_empty(client: Client) -> None:
    for path in ("/clubs/", "/seasons/"):
        page = client.get(path).content.decode()
        assert 'class="filter' not in page, path
        assert 'class="filter' in client.get(f"{path}?q=plum").content.decode(), path


def test_who_is_logged_in_is_not_told_to_log_in(client: Client) -> None:
    assert "log in first" in client.get("/t/no-such/").content.decode()
    client.force_login(a.a_user(), backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/t/no-such/").content.decode()
    assert "log in first" not in page
    assert "shown only to those who run them" in page


def test_filters_narrow_the_list(league: League, client: Client) -> None:
    of_event = Match.objects.filter(stage__tournament=league.finished, state="confirmed").values_list("uuid", flat=True)
    assert {str(uuid) for uuid in of_event} == set(shown(client, f"?event={league.finished.slug}"))
    of_bot = Match.objects.filter(seats__bot_version__bot=league.bot).exclude(state__in=selector.STATES["waiting"])
    uuids = of_bot.values_list("uuid", flat=True)
    assert {str(uuid) for uuid in uuids} == set(shown(client, f"?bot={league.bot.slug}"))
    over = Match.objects.filter(state="confirmed").values_list("uuid", flat=True)
    assert {str(uuid) for uuid in over} == set(shown(client, "?state=over"))
    assert shown(client, "?preset=poka5") == []
    unknown, latest = shown(client, "?state=nonsense&before=nonsense&preset=x"), client.get("/m/").content.decode()
    assert sorted(unknown) == sorted(matches_in(latest))
    # Moments with a yaku are drawn before those without; all others stand in one order.
    below = MATCH.findall(latest.partition('class="plain results')[2])
    assert [each for each in unknown if each in below] == below
    assert "No match found" in client.get("/m/?bot=nobody").content.decode()


def test_matches_of_private_events_are_named_to_those_who_run_them(league: League, as_user: Become) -> None:
    Tournament.objects.filter(pk=league.finished.pk).update(visibility="private")
    query = f"?event={league.finished.slug}"
    assert shown(as_user(None), query) == []
    assert league.finished.name not in as_user(None).get(f"/m/{query}").content.decode()
    assert shown(as_user(league.organiser), query) != []


def test_people_are_listed_who_do_something_in_public(league: League, client: Client) -> None:
    a.a_user("idle")
    names = PERSON.findall(client.get("/u/").content.decode())
    assert {"kiri", "organiser", "rival"} <= set(names)
    assert names == sorted(names)
    assert "idle" not in names
    assert PERSON.findall(client.get("/u/?q=KIR").content.decode()) == ["kiri"]
    assert "Nobody found" in client.get("/u/?q=zzyzx").content.decode()
    User.objects.filter(username="kiri").update(is_active=False)
    assert "kiri" not in PERSON.findall(client.get("/u/").content.decode())


def test_people_have_a_face_and_their_best_rated_bot(client: Client) -> None:
    owner, pool = a.a_user("kimo"), a_pool(preset="french")
    for n in range(4):
        bot = a.a_bot(owner, name=f"Plum {n}")
        rated(pool, n, 30 + n, 1, version=bot.active_version)
    page = client.get("/u/?q=kimo").content.decode()
    assert page.count('width="40"') == 1
    assert [f"Plum {n}" in page for n in range(4)] == [False, False, False, True]
    assert re.search(
        r"French, 2 seats.*?Rating</span>\s*<strong>30.0</strong>\s*<span class=\"soft small\">\(mean 33.0 ± 2.0\)<",
        page,
        re.DOTALL,
    )
    assert '<td class="num" data-label="Bots">4</td>' in page
    assert '<td class="num soft" data-label="Organised">0</td>' in page


def test_people_are_shown_with_the_newest_public_event_of_theirs(league: League, client: Client) -> None:
    page = client.get(f"/u/?q={league.organiser.username}").content.decode()
    assert re.search(r'<td class="last">.*?<a href="/t/', page, re.DOTALL)
    assert league.private.name not in page
    assert league.draft.name not in page
    assert f"@{league.organiser.username}" in page


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["/m/", "/u/", "/privacy/"])
def test_the_database_is_asked_a_constant_number_of_times(path: str, league: League, client: Client) -> None:
    with CaptureQueriesContext(connection) as few:
        client.get(path)
    for n in range(30):
        a.a_bot(a.a_user(f"more{n}"))
    with CaptureQueriesContext(connection) as many:
        client.get(path)
    assert len(many) == len(few) <= 10


def test_the_seats_of_all_lists_of_a_page_are_read_at_once(league: League, client: Client) -> None:
    with CaptureQueriesContext(connection) as asked:
        page = client.get("/m/").content.decode()
    assert page.count('href="/m/') > 2
    assert sum(each["sql"].startswith('SELECT "tournaments_seat"') for each in asked.captured_queries) == 1


@pytest.mark.parametrize(
    "rows", [lambda: tournament_list(None), lambda: for_start_page(on_or_soon(None).values("pk")[:4])]
)
def test_threads_that_list_events_at_once_ask_the_same(rows: Callable[[], QuerySet[Tournament]]) -> None:
    def sql(_number: int) -> str:
        return str(rows().query.sql_with_params()[0])

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # threads change places within a query, as they do where pages are busy
    try:
        with ThreadPoolExecutor(8) as threads:
            assert len(set(threads.map(sql, range(80)))) == 1
    finally:
        sys.setswitchinterval(interval)


def test_our_own_faults_stand_in_the_incident_log_unless_the_event_is_private(league: League, client: Client) -> None:
    assert "None yet." in client.get("/privacy/").content.decode()
    match, private = league.match(), Match.objects.filter(stage__tournament=league.running)[0]
    for each in (match, private):
        audit(MatchQuarantined, f"match:{each.uuid}", actor=None, channel=each.readers, after={"code": "sandbox.lock"})
    Tournament.objects.filter(pk=league.running.pk).update(visibility="private")
    page = client.get("/privacy/").content.decode()
    assert str(match.uuid) in page
    assert str(private.uuid) not in page


def test_few_people_are_followed_by_ways_to_join_them(client: Client) -> None:
    a.a_bot(a.a_user("kimo"))
    assert 'id="join"' in client.get("/u/").content.decode()
    assert 'id="join"' not in client.get("/u/?q=kimo").content.decode()


def test_what_comes_up_is_a_card_before_the_ladders_and_what_is_over(client: Client) -> None:
    over, sooner = a.an_open_event(name="Long over"), a.an_open_event(name="Sooner")
    later = a.an_open_event(name="Later")
    ladder = a.a_running_event(kind="ladder", rounds=8, name="Plum ladder")
    table = Standing.objects.filter(stage__tournament=ladder, after_round=0)
    table.exclude(row=1).update(rank=2)
    leader = table.get(row=1).entry
    Tournament.objects.filter(pk=over.pk).update(state="finished")
    Tournament.objects.filter(pk=later.pk).update(starts_at=timezone.now() + timedelta(days=9))
    Tournament.objects.filter(pk=sooner.pk).update(starts_at=timezone.now() + timedelta(days=2))
    page = client.get("/t/").content.decode()
    places = [page.index(f">{name}<") for name in ("Sooner", "Later", "Plum ladder", "Long over")]
    assert places == sorted(places)
    assert f"{leader.player.name}</span>" in page.partition('class="ladders"')[2].partition("</section>")[0]
    tiles = "".join(re.findall(r'<li class="tile coming">.*?</li>', page, re.DOTALL))
    assert ["Sooner" in tiles, "Later" in tiles, "Long over" in tiles] == [True, True, False]
    assert "Sooner" not in "".join(re.findall(r"<tr data-row.*?</tr>", page, re.DOTALL))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_on_a_phone_each_side_has_a_line_and_its_figure_stands_at_the_right(
    browser: Browser, live_league: League, live_site: str
) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    for path in ("/m/?state=over", f"/t/{live_league.finished.slug}/"):
        page.goto(live_site + path)
        row = page.locator(".results a:has(.pair)").first
        parts = [".side >> nth=0", ".side >> nth=1", "b > span >> nth=0", "b > span >> nth=2"]
        boxes = [row.locator(part).bounding_box() for part in parts]
        assert all(boxes), path
        one, other, first, last = (box for box in boxes if box)
        assert one["x"] == other["x"]
        assert one["y"] + one["height"] <= other["y"] + 1
        assert abs(first["y"] - one["y"]) < 6
        assert abs(last["y"] - other["y"]) < 6
        assert first["x"] + first["width"] == pytest.approx(last["x"] + last["width"], abs=1)
        assert row.locator(".em").count() == row.locator(".em:visible").count() == 2
    page.close()
