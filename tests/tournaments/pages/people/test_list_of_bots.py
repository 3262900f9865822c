"""The list of bots: the best rated first, page by page, those without a rating after them."""

from __future__ import annotations

from itertools import takewhile

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from bots.models import Bot
from tests.builders import events as a
from tests.tournaments.pairing.test_rated_seeds import a_pool, rated
from tournaments.models import Stage
from tournaments.people.bots import best_first, bot_list
from web.paging import page_of

pytestmark = pytest.mark.django_db
VALUES = (30.0, None, 20.0, None, 20.0, 40.0, None)
"""The best ratings of the bots, in the order in which they were made; two of them are the same."""


def bots_with_ratings() -> list[Bot]:
    """Make bots; return them in the order of the list. Seasons, old versions and lower ratings do not count."""
    stage = Stage.objects.get(tournament=a.an_open_event())
    boards = (a_pool(), a_pool(seats=4, sides=4))
    of_season = a_pool(stage=stage)
    made = []
    for value in VALUES:
        bot = a.a_bot()
        old, new = bot.active_version, a.a_version(bot)
        Bot.objects.filter(pk=bot.pk).update(active_version=new)
        rated(boards[0], bot.pk, 90, 1, version=old)
        rated(of_season, bot.pk, 80, 1, n=2, version=new)
        for board, less in zip(boards if value else (), (0, 5), strict=False):
            rated(board, bot.pk, (value or 0) - less + 3, 1, n=2, version=new)
        made.append(bot)
    return [made[at] for at in (5, 0, 4, 2, 6, 3, 1)]


@pytest.mark.parametrize("most", [2, 5_000])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 6, 7, 8])
def test_its_pages_one_after_another_are_the_whole_list(size: int, most: int) -> None:
    wanted = bots_with_ratings()
    pages = [
        page_of(
            RequestFactory().get("/b/", {"page": n}), bot_list(), size=size, most=most, parts=best_first(bot_list())
        )
        for n in range(1, 12)
    ]
    numbered = takewhile(lambda both: both[0] == both[1].number, enumerate(pages, 1))
    assert [bot for _n, page in numbered for bot in page.rows] == wanted
    assert pages[-1].number == -(-len(wanted) // size), "a number too large is the last page"
    assert pages[-1].rows == wanted[(pages[-1].number - 1) * size :]


def test_a_page_of_the_best_reads_nothing_of_the_others() -> None:
    best = bots_with_ratings()[:3]
    with CaptureQueriesContext(connection) as asked:
        page = page_of(RequestFactory().get("/b/"), bot_list(), size=3, parts=best_first(bot_list()))
    assert page.rows == best
    assert len(asked) == 2


def test_the_scale_of_the_intervals_stands_once_in_the_head(client: Client) -> None:
    bots_with_ratings()
    head = client.get("/b/").content.decode().partition("<thead>")[2].partition("</thead>")[0]
    for sign, words in (("bound", "in the order of the lower bound"), ("mean", "mean"), ("interval", "95 % interval")):
        assert f'<i class="{sign}"></i> {words}' in head, "what each sign of a strip means"
    assert head.count('class="strip scale"') == 1
