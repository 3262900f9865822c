"""The pages of a bot: who it is, how strong, whom it beats; its matches, versions, events; what is empty says why."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.models import User
from bots.models import Bot, BotVersion
from bots.services import house_account, upload_version
from core.ratings.curve import curve_of
from core.ratings.model import Rating as Value
from engine.games import PRESETS
from tests.builders import events as a
from tests.builders.matches_on_show import finish
from tests.tournaments.pairing.test_rated_seeds import a_pool, rated
from tournaments.models import (
    DealSet,
    Entry,
    Match,
    Player,
    Rating,
    RatingEvent,
    RatingPool,
    Seat,
    Tournament,
)
from tournaments.pages.people.curve import COLUMNS, drawing_of
from tournaments.people import queries as people
from tournaments.people.record import Outcome, outcome_of, record_of, results_of
from tournaments.ratings import history as rating_history
from tournaments.ratings.history import History, Point
from tournaments.ratings.ladders import house

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
MAXIMUM = 10
TABS = ("", "matches/", "versions/", "events/")


def read(client: Client, path: str) -> str:
    with CaptureQueriesContext(connection) as seen:
        answer = client.get(path)
    assert answer.status_code == 200, path
    assert len(seen) <= MAXIMUM, [each["sql"][:160] for each in seen.captured_queries]
    return " ".join(answer.content.decode().split())


def a_match(event: Tournament, scores: dict[Bot, tuple[int, int]]) -> Match:
    """Add a finished match of the event. scores: of each bot its place and points."""
    stage = event.stages.get()
    deal_set = DealSet.objects.create(stage=stage, commit="sha256:00")
    made = {"stage": stage, "deal_set": deal_set, "seats_n": len(scores), "finished_at": timezone.now()}
    match = Match.objects.create(state=Match.State.CONFIRMED, **made)
    for index, (bot, (place, points)) in enumerate(scores.items()):
        entry = event.entries.get(player__bot=bot)
        who = {"entry": entry, "bot_version": bot.active_version, "outcome": Seat.Outcome.PLAYED}
        Seat.objects.create(match=match, index=index, side=index, place=place, points=points, **who)
    return match


def a_night() -> tuple[Tournament, list[Bot]]:
    """Three bots in an open event."""
    event = a.an_open_event(name="Moon league", entries_per_owner=8)
    bots = [a.a_bot(name=name) for name in ("Plum", "Kiri", "Matsu")]
    a.entered(event, bots)
    return event, bots


@pytest.mark.parametrize(
    ("own", "others", "found"),
    [
        (1, [2], Outcome.WON),
        (1, [1], Outcome.LEVEL),
        (2, [1], Outcome.LOST),
        (1, [2, 3, 4], Outcome.WON),
        (1, [1, 3], Outcome.LEVEL),
        (2, [1, 2], Outcome.LOST),
    ],
)
def test_a_place_is_a_win_a_tie_or_a_loss(own: int, others: list[int], found: Outcome) -> None:
    assert outcome_of(own, others) is found


def test_the_record_counts_what_each_met(as_user: Become) -> None:
    event, (plum, kiri, matsu) = a_night()
    scores = [((1, 700), (2, 500)), ((2, 400), (1, 900)), ((1, 600), (2, 300))]
    matches = [a_match(event, {plum: own, kiri: theirs}) for own, theirs in scores]
    matches.append(a_match(event, {matsu: (1, 650), plum: (1, 650)}))
    record = record_of(plum, [match.pk for match in matches])
    assert (record.won, record.lost, record.level, record.matches) == (2, 1, 1, 4)
    assert record.lately == (Outcome.LEVEL, Outcome.WON, Outcome.LOST, Outcome.WON)
    found = [(each.other.name, each.ahead, each.level, each.behind) for each in record.opponents]
    assert found == [("Kiri", 2, 0, 1), ("Matsu", 0, 1, 0)]
    whole = rating_history.versus(plum, kiri)
    assert (whole.ahead, whole.level, whole.behind) == (2, 0, 1), "the comparison of two says the same"
    page = read(as_user(None), f"/b/{plum.slug}/")
    assert page.count('class="foe"') == 4
    assert re.search(r'<a href="/b/[\w-]+/">Kiri</a>', page)


def test_a_bot_that_met_itself_neither_won_nor_lost() -> None:
    event, (plum, kiri, _matsu) = a_night()
    match = a_match(event, {plum: (1, 5), kiri: (2, 3)})
    Seat.objects.filter(match=match).update(bot_version=plum.active_version)
    assert record_of(plum, [match.pk]).matches == 0
    page = people.bot_page(people.bots_for(None, [plum.slug])[plum.slug], None)
    assert [result.outcome for result in results_of(plum, page.matches)] == [None]


def test_every_match_is_told_from_its_own_side(as_user: Become) -> None:
    event, (plum, kiri, matsu) = a_night()
    a_match(event, {kiri: (1, 900), plum: (2, 400)})
    a_match(event, {kiri: (3, 100), matsu: (2, 200), plum: (1, 300)})
    page = read(as_user(None), f"/b/{plum.slug}/matches/")
    rows = [re.sub(r"<[^>]+>", " ", row) for row in re.findall(r"<tr data-row>.*?</tr>", page)]
    told = sorted(" ".join(row.split()) for row in rows)
    assert told[0].startswith("lost L Kiri Moon league")
    assert told[0].endswith("400 : 900")
    assert told[1].startswith("won 1/3 Kiri Matsu Moon league")
    assert told[1].endswith("300 : 100 : 200")
    other = read(as_user(None), f"/b/{kiri.slug}/matches/")
    assert "place 3 of 3" in other


@pytest.mark.thorough
def test_private_events_are_counted_for_nobody_else(as_user: Become) -> None:
    event, (plum, kiri, _matsu) = a_night()
    a_match(event, {plum: (1, 900), kiri: (2, 400)})
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    for reader in (None, a.a_user()):
        for tab in TABS:
            page = read(as_user(reader), f"/b/{plum.slug}/{tab}")
            assert "Moon league" not in page
            assert kiri.slug not in page
    assert "Moon league" in read(as_user(plum.owner), f"/b/{plum.slug}/events/")


def a_rated_bot(results: int = 3) -> tuple[Bot, RatingPool]:
    """One with a past in a public pool, with two others beside it."""
    event, (plum, kiri, matsu) = a_night()
    pool = a_pool()
    for at in range(results):
        match = a_match(event, {plum: (1, 900), kiri: (2, 400)})
        Match.objects.filter(pk=match.pk).update(finished_at=datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=at))
        step = {"mu_before": 25, "sigma_before": 8, "mu_after": 26 + at, "sigma_after": 3, "place": 1, "of": 2}
        made = {"pool": pool, "line": plum.pk, "n": 1, "seq": at + 1, "nth": at + 1}
        RatingEvent.objects.create(deal_set=match.deal_set_id or 0, **made, **step)
    for bot, mu in ((plum, 30), (kiri, 20), (matsu, 10)):
        rated(pool, bot.pk, mu, 1, version=bot.active_version)
    return plum, pool


def test_its_curve_has_days_marks_and_links_to_matches(as_user: Become) -> None:
    plum, pool = a_rated_bot()
    page = read(as_user(None), f"/b/{plum.slug}/?pool={pool.pk}")
    assert page.count("<polyline") == 1
    links = re.findall(r'<a class="of1" href="/m/([0-9a-f-]{36})/">', page)
    assert len(links) == page.count("data-point") == 3, "in an event without rounds each day is a point"
    assert Match.objects.filter(uuid__in=links).count() == 3
    assert re.findall(r'<time datetime="(2026-03-\d\d)">', page.split('class="row days"')[1].split("</figure>")[0]) == [
        "2026-03-01",
        "2026-03-02",
        "2026-03-03",
    ]


@pytest.mark.thorough
def test_of_one_day_each_result_is_a_point(as_user: Become) -> None:
    plum, _pool = a_rated_bot(14)
    Match.objects.update(finished_at=datetime(2026, 3, 1, tzinfo=UTC))
    page = read(as_user(None), f"/b/{plum.slug}/")
    assert page.count("data-point") == 14
    assert "Mean after each result; the band" in page
    Match.objects.filter(pk=Match.objects.order_by("-pk")[0].pk).update(finished_at=datetime(2026, 3, 2, tzinfo=UTC))
    assert read(as_user(None), f"/b/{plum.slug}/").count("data-point") == 14, "two days are no curve yet"


def test_a_version_says_how_strong_it_is_and_leads_to_the_others(as_user: Become) -> None:
    plum, _pool = a_rated_bot()
    other = a_pool(preset="hawaii", seats=4, sides=4)
    less = rated(other, plum.pk, 12, 1, version=plum.active_version)
    Rating.objects.filter(pk=less.pk).update(events=2)
    for _each in range(6):
        a.a_version(plum)
    page = read(as_user(None), f"/b/{plum.slug}/v/1/")
    shown = page.partition('/ladder/hawaii/?seats=2&amp;sides=2"> ')[2].partition("</a>")[0]
    assert " ".join(strip_tags(shown).split()) == "Rating 27.0 (mean 30.0 ± 2.0) · 2 seats"
    assert "12.0" not in page, "where it has played most"
    switch = page.split('<nav class="switch"')[1].split("</nav>")[0]
    assert re.findall(r">v(\d)</a>", switch) == ["7", "6", "5", "4", "1"]
    assert re.findall(r'aria-current="page">v(\d)<', switch) == ["1"]


def test_an_organiser_shows_what_was_played_last_in_public_events(as_user: Become) -> None:
    event, (plum, kiri, _matsu) = a_night()
    for points in range(8):
        a_match(event, {plum: (1, 500 + points), kiri: (2, 100)})
    page = read(as_user(a.a_user("reader")), f"/u/{event.created_by.username}/")
    shown = " ".join(strip_tags(page.split('class="plain replay-rows"')[1]).split())
    assert re.findall(r"(\d+) : 100 ", shown) == [f"{500 + points}" for points in range(7, 1, -1)]
    Tournament.objects.filter(pk=event.pk).update(visibility="private")
    assert "replay-rows" not in read(as_user(None), f"/u/{event.created_by.username}/")


def points(count: int, version: Callable[[int], int] = lambda at: 1, apart: timedelta = timedelta(days=1)) -> History:
    """Return a history of that many points, one a day unless told otherwise."""
    began = datetime(2026, 3, 1, tzinfo=UTC)
    found = tuple(
        Point(Value(20 + at / 10, 2), version(at), at + 1, began + at * apart, "", "", None) for at in range(count)
    )
    bot, pool = a.a_bot(), a_pool()
    rated(pool, bot.pk, 20, 2, version=bot.active_version)
    known = rating_history.history_of(bot)
    assert known is not None
    return History(known.pools, pool, found, curve_of([each.rating for each in found]), known.now)


@pytest.mark.parametrize("count", [1, 2, 3, 19, 20, 21, 39, 40, 59, 60])
def test_columns_are_wide_enough_for_a_finger_and_leave_no_point_out(count: int) -> None:
    drawing = drawing_of(points(count))
    assert drawing is not None
    widths = [column.points for column in drawing.columns]
    assert sum(widths) == count
    assert len(widths) <= COLUMNS
    assert set(widths[1:]) <= {min(widths)}
    assert max(widths) <= 5, "the style sheet knows widths up to five"
    assert drawing.columns[-1].last.games == count
    assert [day.x for day in drawing.days] == sorted(day.x for day in drawing.days)
    assert 1 <= len(drawing.days) <= 4


def test_of_one_day_both_ends_are_named_with_their_time() -> None:
    drawing = drawing_of(points(5, apart=timedelta(minutes=10)))
    assert drawing is not None
    assert drawing.is_one_day
    assert [named is not None for _column, named in drawing.labels] == [True, False, False, False, True]
    assert [(day.at.hour, day.at.minute) for day in drawing.days] == [(0, 0), (0, 40)]
    RatingPool.objects.all().delete()
    alone = drawing_of(points(1))
    assert alone is not None
    assert (alone.is_one_day, len(alone.days)) == (False, 1)


SHORT = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("count", "each_version", "apart", "is_shown"),
    [
        (2, 99, timedelta(days=1), False),
        (3, 99, timedelta(days=1), True),
        (20, 99, SHORT, False),
        (20, 10, SHORT, True),
        (100, 999, SHORT, True),
    ],
)
def test_a_curve_is_drawn_where_there_is_something_to_see(
    count: int, each_version: int, apart: timedelta, is_shown: bool
) -> None:
    """Of three points on: two days, a second version, or a move beyond the interval."""
    drawing = drawing_of(points(count, lambda at: 1 + at // each_version, apart))
    assert drawing is not None
    assert drawing.is_shown is is_shown


def test_versions_are_marked_where_they_begin_and_named_where_there_is_room() -> None:
    drawing = drawing_of(points(10, lambda at: 1 + at // 5))
    assert drawing is not None
    assert [(mark.x, mark.version, mark.is_named) for mark in drawing.marks] == [(0, 1, True), (50, 2, True)]
    RatingPool.objects.all().delete()
    crowded = drawing_of(points(60, lambda at: 1 + at))
    assert crowded is not None
    assert len(crowded.marks) == 60
    assert sum(mark.is_named for mark in crowded.marks) <= 12


@pytest.mark.thorough
def test_what_is_empty_says_why_and_what_comes(as_user: Become) -> None:
    new = a.a_bot(name="New")
    house.open_ladder(house_account(), preset="hawaii", seats=2)
    page = read(as_user(None), f"/b/{new.slug}/")
    assert "No rated match yet." in page
    assert "It joins the official ladders" in page
    assert "It has met no other bot in an event yet." in page
    assert 'id="rating"' not in page
    event = a.a_running_event(bots=2, name="Moon league")
    bot = Bot.objects.filter(player__entries__tournament=event)[0]
    assert "Its first match is in the queue: <a" in read(as_user(None), f"/b/{bot.slug}/")
    unchecked = a.a_bot(ready=False)
    assert "Version 1 is being checked." in read(as_user(None), f"/b/{unchecked.slug}/")
    BotVersion.objects.filter(bot=unchecked).update(state="failed")
    page = read(as_user(unchecked.owner), f"/b/{unchecked.slug}/")
    assert "The check of version 1 failed." in page
    assert "Upload a repaired version" in page
    assert "Upload a repaired version" not in read(as_user(None), f"/b/{unchecked.slug}/")
    Bot.objects.create(owner=new.owner, name="Bare", slug="bare")
    assert "Upload the first version" in read(as_user(new.owner), "/b/bare/")


@pytest.mark.thorough
def test_a_bot_between_the_legs_of_its_first_deal_set_waits_for_the_next_match(as_user: Become) -> None:
    event = a.a_running_event(bots=2, name="Moon league", legs="cyclic")
    first = Match.objects.filter(stage__tournament=event).earliest("pk")
    finish(first)
    bot = Bot.objects.filter(player__entries__tournament=event)[0]
    page = read(as_user(None), f"/b/{bot.slug}/")
    assert "No rated match yet." in page
    assert "played from every seat. The next match: <a" in page
    assert "Its first match" not in page


def ready(bot: Bot) -> None:
    """Let its only version play."""
    BotVersion.objects.filter(bot=bot).update(state="ready")
    Bot.objects.filter(pk=bot.pk).update(active_version=bot.versions.get())


def test_games_have_names_and_no_ids(as_user: Become) -> None:
    owner = a.a_user()
    bot = upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Plum", plays=["hawaii", "nuki88"]).bot
    ready(bot)
    names = f"{PRESETS['hawaii'].name}, {PRESETS['nuki88'].name}"
    assert names not in read(as_user(None), "/b/"), "no column where all play the same games"
    other = upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Kiri", plays=list(PRESETS)).bot
    ready(other)
    for path in (f"/b/{bot.slug}/", "/b/"):
        page = read(as_user(None), path)
        assert names in page, path
        assert "nuki88" not in page, path
    assert ">nuki88<" not in read(as_user(None), f"/b/{bot.slug}/v/1/")
    assert f"all {len(PRESETS)} games" in read(as_user(None), f"/b/{other.slug}/")


@pytest.mark.thorough
def test_a_long_past_and_many_opponents_stay_a_light_page(as_user: Become) -> None:
    plum, _pool = a_rated_bot(70)
    event = Tournament.objects.get()
    others = [a.a_bot(name=f"A bot with a rather long name, no. {n}") for n in range(35)]
    for bot in others:
        player = Player.objects.create(bot=bot, name=bot.name, kind=Player.Kind.BOT)
        Entry.objects.create(tournament=event, player=player, entered_by=bot.owner, seed=50 + bot.pk, state="active")
    for first in range(0, 35, 5):
        a_match(event, {plum: (1, 900), **dict.fromkeys(others[first : first + 5], (2, 100))})
    Tournament.objects.filter(pk=event.pk).update(name="The long and winding autumn league of " + "w" * 40)
    page = as_user(plum.owner).get(f"/b/{plum.slug}/")
    assert len(page.content) < 60_000
    assert page.content.decode().count("data-point") == COLUMNS
