"""Leaderboards with tie groups, filters, CSV and news; a bot's curve with its table, and two bots compared."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from playwright.sync_api import Browser

from bots.jobs.process import Process
from bots.models import Bot, Channel
from core.ratings.model import Rating as Value
from core.ratings.ties import board_of
from tests.browser.looking import axe_violations, sideways
from tests.builders import events as a
from tests.builders.ladders import a_ladder, play_on
from tests.builders.leagues import League
from tests.tournaments.progress.test_advancing import play_on as play_league
from tournaments.models import Match, Rating, RatingPool, Tournament
from tournaments.ratings import history as rating_history
from tournaments.ratings import pools
from tournaments.sse import may_listen

pytestmark = pytest.mark.django_db(transaction=True)
MAX_QUERIES = 10
BOARD = "/ladder/hawaii/"


def seen(client: Client, path: str, most: int = MAX_QUERIES) -> str:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert answer.status_code == 200, path
    assert len(queries) <= most, [each["sql"][:120] for each in queries.captured_queries]
    return answer.content.decode()


def a_board(figures: list[tuple[float, float]]) -> RatingPool:
    """A board of bots with these means and sigmas."""
    pool = RatingPool.objects.create(preset="hawaii", seats=2, sides=2, seq=len(figures))
    for at, (mu, sigma) in enumerate(figures):
        bot = a.a_bot(name=f"Plum {at}")
        values = {"mu": mu, "sigma": sigma, "value": mu - 3 * sigma, "settled_mu": mu, "settled_sigma": sigma}
        Rating.objects.create(pool=pool, line=bot.pk, n=1, version=bot.active_version, events=(at + 1) * 8, **values)
    return pool


def rows_in(client: Client, query: str = "") -> list[dict[str, str]]:
    answer = client.get(f"{BOARD}ladder.csv?{query}")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_ranks_are_tie_groups_and_the_file_says_the_same(client: Client) -> None:
    figures = [(31.0, 1.0), (30.5, 1.0), (30.0, 1.0), (20.0, 1.0), (10.0, 2.0)]
    a_board(figures)
    page = seen(client, BOARD)
    assert page.count('<span class="small soft">1–3</span>') == 3
    rows = rows_in(client)
    board = board_of([Value(*each) for each in figures])
    told = [(int(row["rank_from"]), int(row["rank_to"])) for row in rows]
    assert told == [board.ranks_of(Value(*each)) for each in figures] == [(1, 3)] * 3 + [(4, 4), (5, 5)]
    assert rows[0]["bot"] == "Plum 0"
    assert (rows[0]["rating"], rows[0]["mean"], rows[0]["sigma"]) == ("28", "31", "1")
    assert rows[4]["low_95"] == "6.08"


def test_ranks_that_are_all_uncertain_are_said_to_be_once(client: Client) -> None:
    a_board([(31.0, 5.0), (30.5, 5.0), (30.0, 5.0)])
    page = seen(client, BOARD)
    assert ">1–3<" not in page
    assert page.count("The results so far cannot tell these ranks apart.") == 1
    assert ">1–3<" in seen(client, f"{BOARD}?q=Plum"), "what a filter left out has no position"


@pytest.mark.thorough
def test_positions_are_counted_on_and_a_filter_counts_none(client: Client) -> None:
    a_board([(40.0 - n, 1.0) for n in range(55)])
    position = re.compile(r'<td class="rank">\s*<strong>(\d+)</strong>')
    assert position.findall(seen(client, BOARD)) == [str(n) for n in range(1, 51)]
    assert position.findall(seen(client, f"{BOARD}?page=2")) == ["51", "52", "53", "54", "55"]
    found = seen(client, f"{BOARD}?q=Plum 3")
    assert "Plum 30" in found
    assert position.findall(found) == [], "what a filter left out is no rank"


def test_the_list_of_bots_has_the_best_rated_first(client: Client) -> None:
    a_board([(20.0, 1.0), (31.0, 1.0), (25.0, 1.0)])
    a.a_bot(name="Not rated")
    page = seen(client, "/b/", 6)
    assert re.findall(r'href="/b/[^"]+">([^<]+)</a>', page[page.index("<tbody>") :]) == [
        "Plum 1",
        "Plum 2",
        "Plum 0",
        "Not rated",
    ]
    assert "31.0" in page
    assert "not yet rated" in page


def test_a_trend_is_shown_once_more_deal_sets_are_settled_than_it_is_over(client: Client) -> None:
    """Deal sets that wait to be settled count in the rating; with few settled ones the trend would be all of it."""
    pool = a_board([(31.0, 1.0), (30.0, 1.0)])
    pool.ratings.update(events=10, pending=20)
    assert "Last 10" not in seen(client, BOARD), "a column that says the same of all says nothing"
    pool.ratings.filter(mu=30.0).update(events=11)
    page = seen(client, BOARD)
    assert "Last 10" in page
    assert page.count(">new</td>") == 1
    pool.ratings.update(events=11, pending=20)
    assert ">new</td>" not in seen(client, BOARD)


@pytest.mark.thorough
def test_filters_of_the_page_are_those_of_the_file(client: Client) -> None:
    a_board([(30.0, 1.0), (25.0, 1.0), (20.0, 1.0)])
    bot = Bot.objects.get(name="Plum 1")
    newer = a.a_version(bot)
    Bot.objects.filter(pk=bot.pk).update(active_version=newer)
    for query, names in (
        ("q=plum+2", ["Plum 2"]),
        ("active=1", ["Plum 0", "Plum 2"]),
        ("fewest=10", ["Plum 1", "Plum 2"]),
        ("fewest=11", ["Plum 0", "Plum 1", "Plum 2"]),
        ("seats=2&sides=2&active=1&fewest=10", ["Plum 2"]),
    ):
        assert [row["bot"] for row in rows_in(client, query)] == names, query
        assert seen(client, f"{BOARD}?{query}").count("data-row") == len(names), query
    assert client.get(f"{BOARD}ladder.csv?seats=7").status_code == 404
    assert client.get("/ladder/nuki88/ladder.csv").status_code == 404
    assert "ladder.csv?seats=2&amp;active=1" in client.get(f"{BOARD}?active=1").content.decode()


def test_a_page_says_live_only_where_something_is_played(client: Client) -> None:
    a_board([(31.0, 1.0)])
    announced, running = a.an_open_event(), a_ladder(bots=3, rounds=2)
    paths = [f"/t/{announced.slug}/entries/", f"/t/{running.slug}/entries/", "/", "/queue/", BOARD]
    assert all('data-quiet="yes"' in seen(client, path, 40) for path in paths)
    assert Match.objects.update(state=Match.State.CLAIMED, claimed_at=timezone.now())
    assert all('data-quiet=""' in seen(client, path, 40) for path in paths[1:])


@pytest.mark.slow
def test_a_batch_of_results_is_told_and_an_unchanged_fragment_is_not_sent_again(
    client: Client, process: Process
) -> None:
    a_ladder(bots=3, rounds=2)
    play_on(process)
    pools.fold_stale()
    version = Channel.objects.get(name="l:hawaii").version
    page = seen(client, BOARD)
    assert f'data-live="l:hawaii@{version}"' in page
    assert may_listen(["l:hawaii"], "")
    first = client.get(BOARD, headers={"x-fragment": "true"})
    assert client.get(BOARD, headers={"x-fragment": "true", "if-none-match": first["ETag"]}).status_code == 304


@pytest.mark.slow
def test_a_bots_curve_its_table_and_head_to_head(client: Client, process: Process) -> None:
    event = a.a_running_event(bots=3, legs="cyclic", name="Autumn league")
    play_league(process)
    second = a.a_running_event(bots=2, visibility="unlisted", name="Hush hush")
    play_league(process)
    pools.fold_stale()
    bot, other = Bot.objects.filter(player__entries__tournament=event).order_by("pk")[:2]
    home = f"/b/{bot.slug}/"
    page = seen(client, home)
    assert "The curve follows once the results span two days" in page
    assert page.count("data-point") == len(rating_history.history_of(bot).points) == 2  # type: ignore[union-attr]  # it has one
    assert "Autumn league" in page
    compared = seen(client, f"{home}?vs={other.slug}")
    assert "1 deal sets, 2 matches" in compared
    found = rating_history.versus(bot, other)
    back = rating_history.versus(other, bot)
    assert (found.ahead, found.level, found.behind) == (back.behind, back.level, back.ahead)
    assert found.matches == 2
    hidden = Bot.objects.filter(player__entries__tournament=second)[0]
    assert "Hush hush" not in seen(client, f"/b/{hidden.slug}/").split('id="rating"')[1].split("</section>")[0]
    assert client.get(f"{home}?vs=nobody").status_code == 404
    assert client.get(f"{home}?pool=x").status_code == 200
    assert 'id="rating"' not in client.get(f"/b/{a.a_bot().slug}/").content.decode()
    assert Tournament.objects.count() == 2


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 360])
def test_boards_curves_and_comparisons_look_right(
    browser: Browser, live_league: League, live_site: str, width: int
) -> None:
    """Accessible in light and dark, with everything unfolded, nothing sideways."""
    pools.fold_stale()
    # A match a day: a curve is drawn of results that span days.
    for days, match in enumerate(Match.objects.filter(finished_at__isnull=False).order_by("-finished_at")):
        Match.objects.filter(pk=match.pk).update(finished_at=F("finished_at") - timedelta(days=days))
    other = Bot.objects.exclude(pk=live_league.bot.pk).filter(versions__ratings__isnull=False)[0]
    found = []
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(live_site + BOARD)
    folded, line = page.locator(".key .folded"), page.locator(".key .marks")
    assert (folded.is_visible(), line.is_visible()) == ((True, False) if width == 360 else (False, True))
    tabs, chosen = (page.locator(each).bounding_box() for each in (".tabs", ".board-bar summary"))
    if tabs and chosen:
        assert tabs["y"] <= chosen["y"] < tabs["y"] + tabs["height"], "the filter stands in the row of tabs"
    for path in (BOARD, f"{BOARD}?active=1", f"/b/{live_league.bot.slug}/?vs={other.slug}"):
        page.goto(live_site + path)
        page.evaluate("() => document.querySelectorAll('details.more').forEach(each => { each.open = true })")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += [f"{path}, {scheme}: {each}" for each in axe_violations(page) + sideways(page)]
        assert page.locator("figure.curve polyline").count() == (1 if "/b/" in path else 0)
    page.close()
    assert found == []
