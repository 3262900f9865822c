"""The versions of a bot: what each earned and what changed in it, the curve over them, and where they are rated."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from playwright.sync_api import Page

from accounts.models import User
from bots.models import Bot, BotVersion, Publication
from tests.browser.looking import axe_violations, sideways
from tests.builders import events as a
from tests.tournaments.pages.people.test_bot_pages import a_rated_bot, read
from tests.tournaments.pairing.test_rated_seeds import a_pool, rated
from tournaments.models import RatingEvent
from tournaments.pages.people.versions import BESIDE, lines_of

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
Visit = Callable[..., Page]


def with_files(version: BotVersion, files: dict[str, str], *, is_public: bool = False) -> BotVersion:
    """The version as if it had these files, each with its hash. is_public: its source is."""
    version.files = [[path, sha, 1_000] for path, sha in files.items()]
    if is_public:
        Publication.objects.create(version=version, licence="MIT", published_at=timezone.now())
    return version


def a_line_of_three() -> tuple[Bot, list[BotVersion]]:
    """Versions, the newest first, of which the oldest and the newest are public."""
    bot = a.a_bot(name="Plum")
    first, second, third = bot.versions.get(), a.a_version(bot), a.a_version(bot)
    with_files(first, {"bot.py": "a", "deck.py": "b", "old.py": "c"}, is_public=True)
    with_files(second, {"bot.py": "d"})
    with_files(third, {"bot.py": "e", "deck.py": "b", "new.py": "f"}, is_public=True)
    return bot, [third, second, first]


def test_what_changed_is_told_to_those_who_may_read_both() -> None:
    bot, versions = a_line_of_three()

    def told(viewer: User | None) -> list[tuple[int, int, int | None, int] | None]:
        lines = lines_of(versions, {}, viewer)
        return [
            (found.n, found.size, found.before.n if found.before else None, found.differ) if found else None
            for found in (line.files for line in lines)
        ]

    assert told(bot.owner) == [(3, 3_000, 2, 3), (1, 1_000, 1, 3), (3, 3_000, None, 0)]
    for stranger in (None, a.a_user(), a.a_user(is_staff=True)):
        assert told(stranger) == [(3, 3_000, 1, 3), None, (3, 3_000, None, 0)], "of what is private not even its size"


def test_the_change_of_a_version_leads_to_its_lines(as_user: Become) -> None:
    bot = a.a_bot(name="Plum")
    a.a_version(bot)
    page = read(as_user(bot.owner), f"/b/{bot.slug}/versions/")
    (address,) = re.findall(rf'<a href="(/b/{bot.slug}/v/2/changes/[^"]*)"> [01] files? differs? from v1</a>', page)
    assert "1 file differs." in read(as_user(bot.owner), address)
    assert "/changes/" not in read(as_user(None), f"/b/{bot.slug}/versions/")


def rows_of(page: str) -> list[str]:
    """The texts of the rows of the table of ratings."""
    table = page.partition('class="fold of-version"')[2].partition("</table>")[0]
    return [" ".join(strip_tags(row).split()) for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)]


def test_ratings_of_the_active_version_stand_beside_those_of_others(as_user: Become) -> None:
    plum, pool = a_rated_bot()
    french, first = a_pool(preset="french"), plum.active_version
    rated(french, plum.pk, 43, 1, version=first)
    later = a.a_version(plum)
    Bot.objects.filter(pk=plum.pk).update(active_version=later)
    rated(pool, plum.pk, 33, 1, n=2, version=later)
    page = read(as_user(None), f"/b/{plum.slug}/versions/")
    assert "Ratings of v2</h2>" in page
    head, *rows = rows_of(page)
    assert head.endswith("Deal sets v1")
    assert rows == ["Hawaii, 2 seats 30.0 mean 33.0 ± 2.0 9 27.0"], "only where it is rated itself"
    Bot.objects.filter(pk=plum.pk).update(active_version=first)
    _head, *rows = rows_of(read(as_user(None), f"/b/{plum.slug}/versions/"))
    assert rows == ["French, 2 seats 40.0 mean 43.0 ± 2.0 9 –", "Hawaii, 2 seats 27.0 mean 30.0 ± 2.0 9 30.0"]


def test_few_versions_have_columns_and_many_cost_nothing_more(as_user: Become) -> None:
    plum, pool = a_rated_bot()
    for mu in range(9):
        rated(pool, plum.pk, 20 + mu, 1, n=mu + 2, version=a.a_version(plum))
    head, *_rows = rows_of(read(as_user(None), f"/b/{plum.slug}/versions/"))
    assert re.findall(r"v\d+", head) == ["v10", "v9", "v8"]
    assert BESIDE == 3


def test_the_curve_runs_over_the_versions_once_there_is_something_to_see(as_user: Become) -> None:
    plum, _pool = a_rated_bot(3)
    page = read(as_user(None), f"/b/{plum.slug}/versions/")
    assert page.count("<polyline") == 1
    assert page.count('class="mark"') == 0
    RatingEvent.objects.filter(line=plum.pk, nth=3).update(n=2)
    page = read(as_user(None), f"/b/{plum.slug}/versions/")
    assert re.findall(r'<text class="mark"[^>]*>(v\d)</text>', page) == ["v1", "v2"]
    RatingEvent.objects.filter(line=plum.pk).delete()
    assert "<polyline" not in read(as_user(None), f"/b/{plum.slug}/versions/")


@pytest.mark.slow
def test_on_a_phone_number_state_and_rating_share_a_line(visit: Visit, transactional_db: None) -> None:
    plum, pool = a_rated_bot()
    rated(pool, plum.pk, 33, 1, n=2, version=a.a_version(plum))
    page = visit(f"/b/{plum.slug}/versions/")
    page.set_viewport_size({"width": 360, "height": 740})
    rows = page.locator(".versions > li")
    assert rows.count() == 2
    for row in rows.all():
        name, state, rating = (row.locator(each).first.bounding_box() for each in ("h3", ".state", ".earned strong"))
        assert name
        assert state
        assert rating
        for each in (state, rating):
            middle = each["y"] + each["height"] / 2
            assert name["y"] < middle < name["y"] + name["height"]
        assert name["x"] + name["width"] < state["x"] < state["x"] + state["width"] < rating["x"]
    assert (axe_violations(page), sideways(page)) == ([], [])
