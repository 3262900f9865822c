"""The list of bots: the best rated first, page by page, those without a rating after them."""

from __future__ import annotations

import re
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


def test_a_list_that_its_first_part_fills_reads_no_other() -> None:
    everything = len(bots_with_ratings())
    rows = bot_list()
    with CaptureQueriesContext(connection) as asked:
        page = page_of(RequestFactory().get("/b/"), rows, size=everything, parts=(rows, rows.filter(pk=0)))
    assert len(page.rows) == everything
    assert len(asked) == 2


SIGNS = (("mean", "mean"), ("interval", "95 % interval"), ("bound", "rating: the lower bound, mean − 3σ"))


def of_element(page: str, name: str) -> str:
    """Return what stands in the only element of this name, its spaces made one."""
    (within,) = re.findall(rf"<{name}\b[^>]*>(.*?)</{name}>", page, re.DOTALL)
    return " ".join(within.split())


@pytest.mark.parametrize("path", ["/b/", "/u/{name}/"])
def test_a_line_above_the_list_says_what_the_signs_of_a_strip_mean_and_the_head_has_their_scale(
    client: Client, path: str
) -> None:
    owner = bots_with_ratings()[0].owner
    page = client.get(path.format(name=owner.username)).content.decode()
    caption, head = of_element(page, "caption"), of_element(page, "thead")
    for sign, words in SIGNS:
        assert f'<i class="{sign}"></i> {words}' in caption, "what each sign of a strip means"
        assert f'class="{sign}"' not in head, "said once"
    assert head.count('class="strip scale"') == 1
    assert "scale" not in caption
