"""The home page: what strangers see of the game, and what is one's own."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from tests.builders import clubs
from tests.builders import events as a
from tests.builders.leagues import League
from tests.builders.matches_on_show import a_finished_match
from tests.tournaments.pairing.test_rated_seeds import rated
from tournaments.matches.highlights import KEPT
from tournaments.models import Entry, Match, RatingPool, Tournament
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
MAX_QUERIES = 10


def read(client: Client) -> str:
    """The home page, asked for with few queries."""
    with CaptureQueriesContext(connection) as seen:
        answer = client.get("/")
    assert answer.status_code == 200
    assert len(seen) <= MAX_QUERIES, [each["sql"][:200] for each in seen.captured_queries]
    return str(answer.content.decode())


def test_strangers_see_the_newest_match_on_felt_and_the_deal_of_the_day(league: League, client: Client) -> None:
    page = read(client)
    assert len(re.findall(r'class="felt tile( wide)?"', page)) == 2
    assert "Deal of the day" in page
    links = re.findall(r'<h3><a href="(/m/[^"]+)#replay">', page)
    assert len(links) == 2
    for link in links:
        assert client.get(link.replace("&amp;", "&")).status_code == 200
    assert page.count('class="tile"') <= 3 + 4


def test_the_fan_has_the_cards_of_the_month_and_leads_to_it(client: Client) -> None:
    month = timezone.localtime().month
    page = client.get("/").content.decode()
    fan = re.findall(r'<ul class="fan".*?</ul>', page, re.DOTALL)[0]
    assert re.findall(r"#c(\d{4})", fan) == [f"{month:02}{rank:02}" for rank in range(1, 5)]
    assert fan.count(f'href="/rules/#month-{month}"') == 4
    assert f'id="month-{month}"' in client.get("/rules/").content.decode()


def test_ladders_are_one_table_with_leader_interval_and_matches_today(client: Client) -> None:
    event = a.an_open_event(kind="ladder", rounds=8, name="Plum ladder")
    bots = [a.a_bot(name="Kite"), a.a_bot(name="Crow")]
    entries = a.entered(event, bots)
    start_tournament(tournament=event, by=event.created_by)
    pool = RatingPool.objects.get(stage=event.stages.get())
    for place, (bot, entry) in enumerate(zip(bots, entries, strict=True)):
        rated(pool, place + 1, 30 - 5 * place, 1, entry=entry, version=bot.active_version)
    Match.objects.create(stage=event.stages.get(), seats_n=2, state="confirmed", finished_at=timezone.now())
    page = read(client)
    table = re.findall(r'<table class="fold ladders">.*?</table>', page, re.DOTALL)[0]
    assert [name in table for name in ("Plum ladder", "Kite", "Crow")] == [True, True, False]
    assert "28.0–32.0" in table
    assert re.search(r'data-label="Matches today">1<', table)
    assert f'<h3><a href="/t/{event.slug}/">' not in page, "a ladder is no tile"


def test_who_is_logged_in_sees_what_is_theirs(league: League, as_user: Become) -> None:
    page = read(as_user(league.owner))
    mine = page[: page.index('id="live-now"')]
    assert f"Welcome back, {league.owner.shown_name}" in mine
    assert f'href="/b/{league.bot.slug}/"' in mine
    assert '<ol class="form"' in mine
    assert league.running.name in mine
    assert league.finished.name not in mine
    assert "Deal of the day" not in page
    other = read(as_user(a.a_user("new")))
    assert "You have no bot yet" in other
    assert "You take part in no tournament" in other
    organiser = read(as_user(league.organiser))
    assert league.draft.name in organiser[: organiser.index('id="live-now"')]


def test_a_draft_or_a_private_event_is_on_nobody_elses_page(league: League, as_user: Become) -> None:
    for reader in (None, league.rival, league.owner):
        page = read(as_user(reader))
        assert league.draft.name not in page
        assert league.private.name not in page


def test_who_claimed_an_entry_is_told_the_next_table(as_user: Become) -> None:
    night = clubs.a_called_night(people=4, name="Thursday club")
    entry = Entry.objects.filter(tournament=night)[0]
    aiko = a.a_user("aiko")
    entry.player.user = aiko
    entry.player.save()
    page = read(as_user(aiko))
    assert "Your next table:" in page
    assert re.search(r"Thursday club, round 1, table \d", " ".join(page.split()).replace(" ,", ","))


def test_no_felt_shows_a_match_of_a_private_event(client: Client) -> None:
    match = a_finished_match(seats=2, rounds=1)
    assert f"/m/{match.uuid}/" in read(client)
    Tournament.objects.filter(stages=match.stage).update(visibility="private")
    assert f"/m/{match.uuid}/" not in read(client)


def test_the_deal_of_the_day_is_looked_for_once_in_ten_minutes(client: Client) -> None:
    a_finished_match(seats=2, rounds=1)
    cache.delete(KEPT)
    with CaptureQueriesContext(connection) as first:
        read(client)
    with CaptureQueriesContext(connection) as second:
        read(client)
    adding_up = [sum('MAX("tournaments_seat"."points")' in each["sql"] for each in seen) for seen in (first, second)]
    assert adding_up == [1, 0]
