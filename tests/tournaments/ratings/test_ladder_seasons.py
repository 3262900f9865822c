"""Seasons of the official ladders: their end, whenever it is noticed, their medals, and who gets none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from bots.models import AuditEvent, Bot, Outbox
from bots.services import house_account
from tests.builders import events as a
from tests.builders.keys import Caller
from tests.tournaments.pairing.test_rated_seeds import rated
from tournaments.lifecycle.visibility import event_page
from tournaments.models import (
    DealSet,
    Entry,
    LadderMedal,
    LadderSeason,
    Match,
    Notice,
    RatingPool,
    Role,
    Stage,
    StageEntry,
    Standing,
    Tournament,
)
from tournaments.notifications import consumer
from tournaments.notifications.follow import follow
from tournaments.notifications.lines import lines_of, with_all
from tournaments.operations import sweep
from tournaments.pages.events.band import lead_of
from tournaments.progress.draws import ladders
from tournaments.progress.run import cancel_tournament
from tournaments.ratings.ladders import house, ladder, medals
from tournaments.ratings.ladders.medals import MIN_DEAL_SETS

pytestmark = pytest.mark.django_db(transaction=True)
Become = Callable[[User | None], Client]
Outcome = LadderSeason.Outcome


def a_season(values: Sequence[float], *, deal_sets: int = MIN_DEAL_SETS, preset: str = "hawaii") -> Stage:
    """A ladder that runs, with a bot for each of these ratings: mean less three standard deviations of 1."""
    stage = house.open_ladder(house_account(), preset=preset, seats=2)
    for number, _value in enumerate(values):
        a.a_bot(name=f"Bot {number}")
    house.enter_ready()
    rate(stage, values, deal_sets)
    return stage


def rate(stage: Stage, values: Sequence[float], deal_sets: int = MIN_DEAL_SETS) -> None:
    pool = ladder.pool_of(stage)
    rows = StageEntry.objects.filter(stage=stage).select_related("entry__player__bot").order_by("seed")
    for row, value in zip(rows, values, strict=True):
        bot = row.entry.player.bot
        assert bot is not None
        rated(pool, row.seed, value + 3, 1, entry=row.entry, version=bot.active_version)
    pool.ratings.update(events=deal_sets)
    ladder.store(stage, ladder.lines_of(stage))


def close(stage: Stage) -> LadderSeason:
    """Do what a sweep and a worker do after the end of the month."""
    assert stage.ends_at is not None
    with time_machine.travel(stage.ends_at + timedelta(hours=1), tick=False):
        ladders.go_on_all()
        medals.end_seasons()
    return LadderSeason.objects.get(stage=stage)


def test_the_first_page_of_a_ladder_leads_with_its_intervals(client: Client) -> None:
    stage = a_season([20, 10, -4.5])
    with CaptureQueriesContext(connection) as seen:
        page = client.get(f"/t/{stage.tournament.slug}/").content.decode()
    assert len(seen) <= 10, [each["sql"][:200] for each in seen.captured_queries]
    assert page.index('<table class="leading">') < page.index('id="lines"')
    leading = page[page.index('<table class="leading">') :].partition("</table>")[0]
    assert re.findall(r"<strong>(.*?)</strong>", leading) == ["20.0", "10.0", "\N{MINUS SIGN}4.5"]
    assert "Rating (lower bound)" in leading
    assert "ranked by rating" in page
    assert "All matches" in page
    assert "All rounds" not in page
    assert (leading.count('<svg class="strip"'), leading.count('class="bound" x1=')) == (3, 3)
    # The leaderboard has other numbers: it counts all months.
    assert "rating this month: the lower bound" in leading
    event_now = event_page(stage.tournament.slug, None)
    rows = list(Standing.objects.filter(stage=stage).order_by("row"))
    assert lead_of(event_now, rows, 1) == f"{rows[0].entry.player.name} leads this month with 20.0"


def won(season: LadderSeason) -> list[tuple[int, str]]:
    rows = season.medals.order_by("place", "entry__seed")
    return [(medal.place, medal.bot.name) for medal in rows.select_related("bot")]


def test_the_final_ranking_has_the_medals_that_were_given(client: Client) -> None:
    stage = a_season([10, 30, 20, 25, 5])
    Bot.objects.filter(name="Bot 3").update(house=True)  # second, and takes no medal
    address = f"/t/{stage.tournament.slug}/ranking/"
    assert 'class="medal ' not in client.get(address).content.decode()
    close(stage)
    page = client.get(address).content.decode()
    found = re.findall(r'class="medal medal-(\d)".*?<a href="/b/[^"]*">(.*?)</a>', page, re.DOTALL)
    assert found == [("1", "Bot 1"), ("2", "Bot 2"), ("3", "Bot 0")]
    LadderSeason.objects.all().delete()  # of a ladder that is none of the official ones the first three have them
    page = client.get(address).content.decode()
    assert re.findall(r'class="medal medal-(\d)"', page) == ["1", "2", "3"]


def test_the_first_three_of_the_final_table_get_medals_once() -> None:
    stage = a_season([10, 30, 20, 25, 5])
    season = close(stage)
    assert (season.outcome, season.contenders) == (Outcome.MEDALS, 5)
    assert won(season) == [(1, "Bot 1"), (2, "Bot 3"), (3, "Bot 2")]
    gold = season.medals.get(place=1)
    assert (str(gold.value), gold.deal_sets, gold.n) == ("30.00", MIN_DEAL_SETS, 1)
    ended_at = season.ended_at
    assert medals.end_seasons() == 0
    sweep.sweep()
    season.refresh_from_db()
    assert (season.ended_at, LadderMedal.objects.count()) == (ended_at, 3)
    assert AuditEvent.objects.filter(verb="ladder.season_end").count() == 1
    assert Outbox.objects.get(topic="ladder.season_end").payload["medals"][0] == {"bot": gold.bot.slug, "place": 1}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], []),
        ([9], []),
        ([9, 8], [1]),
        ([9, 8, 7], [1, 2]),
        ([9, 8, 7, 6], [1, 2, 3]),
        ([9, 9, 7, 6], [1, 1, 3]),
        ([9, 8, 8, 8, 6], [1, 2, 2, 2]),
        ([9, 9], [1, 1]),
    ],
)
def test_nobody_gets_a_medal_for_the_last_place_and_tied_bots_get_the_same(
    values: list[float], expected: list[int]
) -> None:
    season = close(a_season(values))
    assert [place for place, _name in won(season)] == expected
    assert season.outcome == (Outcome.MEDALS if expected else Outcome.TOO_FEW)


@pytest.mark.thorough
def test_who_left_was_suspended_played_little_or_is_of_the_house_gets_none() -> None:
    stage = a_season([40, 39, 38, 37, 30, 20])
    names = ["Left", "Suspended", "House", "Little", "Good", "Other"]
    for number, name in enumerate(names):
        Bot.objects.filter(name=f"Bot {number}").update(name=name)
    Entry.objects.filter(player__bot__name="Left").update(state=Entry.State.WITHDRAWN)
    Bot.objects.filter(name="Suspended").update(suspended_at=timezone.now())
    Bot.objects.filter(name="House").update(house=True)
    pool = RatingPool.objects.get(stage=stage)
    pool.ratings.filter(version__bot__name="Little").update(events=MIN_DEAL_SETS - 1)
    season = close(stage)
    assert (won(season), season.contenders) == ([(1, "Good")], 2)


@pytest.mark.thorough
def test_a_season_waits_for_the_last_match_and_the_next_one_begins_meanwhile() -> None:
    stage = a_season([9, 8, 7])
    deal_set = DealSet.objects.create(stage=stage)
    match = Match.objects.create(
        stage=stage, deal_set=deal_set, leg=1, seats_n=2, state="queued", queued_at=timezone.now()
    )
    assert stage.ends_at is not None
    with time_machine.travel(stage.ends_at + timedelta(minutes=1), tick=False):
        sweep.sweep()
        assert house.running().count() == 1
        assert house.running().get() != stage
        ladders.go_on_all()
        sweep.sweep()
        assert LadderSeason.objects.get(stage=stage).ended_at is None
        Match.objects.filter(pk=match.pk).update(state="void")
        ladders.go_on_all()
        sweep.sweep()
    assert LadderSeason.objects.get(stage=stage).outcome == Outcome.MEDALS


@pytest.mark.thorough
@pytest.mark.parametrize("late", [timedelta(seconds=1), timedelta(days=9), timedelta(days=75)])
def test_it_does_not_matter_when_the_machine_is_on_again(late: timedelta) -> None:
    stage = a_season([9, 8, 7])
    assert stage.ends_at is not None
    with time_machine.travel(stage.ends_at + late, tick=False):
        for _twice in range(2):
            sweep.sweep()
            ladders.go_on_all()
        sweep.sweep()
        following = house.running().get()
        assert following.ends_at == house.end_of_month(timezone.now())
    assert LadderSeason.objects.count() == 2
    assert LadderSeason.objects.get(stage=stage).outcome == Outcome.MEDALS
    assert LadderSeason.objects.get(stage=following).ended_at is None


def test_the_last_season_of_a_ladder_that_is_given_up_has_its_medals() -> None:
    stage = a_season([9, 8, 7])
    call_command("open_ladders", "hawaii", "--stop")
    assert close(stage).outcome == Outcome.MEDALS
    assert LadderSeason.objects.count() == 1


def test_a_cancelled_one_has_none() -> None:
    stage = a_season([9, 8, 7])
    event = Tournament.objects.get(pk=stage.tournament_id)
    Role.objects.create(user=event.created_by, tournament=event, role=Role.Kind.OWNER)
    cancel_tournament(tournament=event, by=event.created_by, reason="A mistake.")
    assert medals.end_seasons() == 1
    assert LadderSeason.objects.get(stage=stage).outcome == Outcome.CANCELLED
    assert not LadderMedal.objects.exists()


@pytest.mark.thorough
def test_owners_and_followers_are_told() -> None:
    consumer.notice_news()  # it reads what is published from its first run on
    stage = a_season([9, 8, 7])
    best = Bot.objects.get(name="Bot 0")
    fan = a.a_user("fan")
    follow(user=fan, bot=best)
    close(stage)
    consumer.notice_news()
    told = with_all(Notice.objects.filter(what="medal"))
    assert {row.reader for row in told} == {best.owner, fan, Bot.objects.get(name="Bot 1").owner}
    words = {line.text for line in lines_of(told.filter(reader=fan))}
    assert words == {f"Bot 0 wins the gold medal of {stage.tournament.name}."}


@pytest.mark.thorough
def test_pages_show_medals_and_seasons(as_user: Become) -> None:
    stage = a_season([9, 8, 7])
    season = close(stage)
    assert stage.ends_at is not None
    with time_machine.travel(stage.ends_at + timedelta(hours=2), tick=False):
        house.ensure_open()
    slug, bot = stage.tournament.slug, Bot.objects.get(name="Bot 0")
    later = LadderSeason.objects.exclude(pk=season.pk).get().stage.tournament.slug
    table = as_user(None).get(f"/t/{slug}/standings/").content.decode()
    assert "Gold" in table
    assert f"/t/{later}/standings/" in table
    assert "Who gets a medal" in (page := as_user(None).get("/ladder/hawaii/seasons/").content.decode())
    assert page.index(f"/t/{later}/") < page.index(f"/t/{slug}/")
    assert "running" in page
    for path in (f"/b/{bot.slug}/", f"/u/{bot.owner.username}/"):
        assert f"/t/{slug}/standings/" in as_user(None).get(path).content.decode(), path
    assert "medal-1" not in as_user(None).get(f"/b/{Bot.objects.get(name='Bot 2').slug}/").content.decode()
    assert as_user(None).get("/ladder/nosuch/seasons/").status_code == 404
    assert "no official ladder" in as_user(None).get("/ladder/french/seasons/").content.decode()
    table = as_user(None).get(f"/t/{slug}/files/standings.csv").content.decode()
    assert [line.split(",")[0] for line in table.splitlines()[1:]] == ["1", "2", "3"]


def test_too_few_bots_are_said(as_user: Become) -> None:
    close(a_season([9]))
    assert "No medals: only 1 bot counts for them." in as_user(None).get("/ladder/hawaii/seasons/").content.decode()


def test_the_api_lists_them() -> None:
    season, bot = close(a_season([9, 8, 7])), Bot.objects.get(name="Bot 0")
    close(house.open_ladder(house_account(), preset="french", seats=2))
    found = Caller(None).get("/api/v1/ladder-seasons?preset=hawaii").json()["items"]
    assert [each["tournament"] for each in found] == [season.stage.tournament.slug]
    assert found[0]["medals"][0] == {
        "place": 1, "bot": bot.slug, "owner": bot.owner.username, "version": 1, "value": 9.0,
        "deal_sets": MIN_DEAL_SETS,
    }  # fmt: skip
    assert Caller(None).get(found[0]["standings"]).status_code == 200
    assert len(Caller(None).get("/api/v1/ladder-seasons").json()["items"]) == 2
    assert len(Caller(None).get(f"/api/v1/ladder-seasons?bot={bot.slug}").json()["items"]) == 1
    assert Caller(None).get("/api/v1/ladder-seasons?preset=chess").status_code == 400
