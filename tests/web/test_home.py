"""The home page: what strangers see of the game, and what is one's own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from bots.models import Bot
from bots.templatetags.hanami import amount
from core.replay.document import read as read_document
from core.replay.reducer import position_at
from core.replay.words import number_text
from tests.builders import boards, clubs
from tests.builders import events as a
from tests.builders.leagues import League
from tests.builders.matches_on_show import a_finished_match
from tests.builders.replays import replay_of
from tests.tournaments.pairing.test_rated_seeds import rated
from tournaments.matches.highlights import KEPT
from tournaments.models import Entry, Match, Player, RatingPool, RegistrationSettings, Standing, Tournament
from tournaments.pages.site.start import EXAMINED
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
MAX_QUERIES = 10
LEAF = re.compile(r'class="leaf" aria-hidden="true">(\w+)<b>(\d+)</b>')


def read(client: Client) -> str:
    """The home page, asked for with few queries."""
    with CaptureQueriesContext(connection) as seen:
        answer = client.get("/")
    assert answer.status_code == 200
    assert len(seen) <= MAX_QUERIES, [each["sql"][:200] for each in seen.captured_queries]
    return str(answer.content.decode())


@pytest.mark.thorough
def test_strangers_see_the_newest_match_on_felt_and_the_deal_of_the_day(league: League, client: Client) -> None:
    page = read(client)
    assert len(re.findall(r'class="felt tile( lead)?"', page)) == 2
    assert "Deal of the day" in page
    links = re.findall(r'<h3><a href="(/m/[^"]+)#replay">', page)
    assert len(links) == 2
    for link in links:
        assert client.get(link.replace("&amp;", "&")).status_code == 200
    assert page.count('class="tile"') <= 3 + 4


def felts_of(page: str) -> list[tuple[Match, str]]:
    """Every felt with its match."""
    felts = re.findall(r'<article class="felt tile.*?</article>', page, re.DOTALL)
    return [(Match.objects.get(uuid=re.findall(r'href="/m/([^/]+)/', felt)[0]), felt) for felt in felts]


def test_a_felt_says_how_its_match_ended_beside_figures_of_its_middle(client: Client) -> None:
    newest = a_finished_match(seats=2, rounds=2)
    felts = felts_of(read(client))
    assert felts[0][0] == newest
    for match, felt in felts:
        told = " ".join(re.sub(r"<[^>]+>", " ", felt.partition("felt-words")[2]).split())
        seats = match.seats.order_by("place", "index")
        names = [str(seat.player or (seat.entry and seat.entry.player)) for seat in seats]
        ends = [f"{name} {amount(seat.points)}" for name, seat in zip(names, seats, strict=True)]
        assert "Final result" in told.partition(ends[0])[0]
        assert all(end in told for end in ends)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", ["hawaii", "koikoi_nintendo"])
def test_the_deal_of_the_day_is_drawn_as_its_words_say_it_ended(client: Client, preset: str) -> None:
    cache.delete(KEPT)
    # Two deals of Koi-Koi may both end without a yaku; six do so once in millions.
    played = a_finished_match(seats=2, preset=preset, rounds=6)
    # A league that other tests of the module share may have the best deal of the day.
    Match.objects.exclude(pk=played.pk).update(finished_at=timezone.now() - timedelta(days=2))
    match, felt = felts_of(read(client))[-1]
    assert match == played
    place = re.search(r"d=(\d+)&amp;m=(\d+)#replay", felt)
    report = match.reports.get()
    assert place
    assert report.record is not None
    replay = read_document(json.loads(report.record.data()))
    deal = replay.deals[int(place[1]) - 1]
    assert int(place[2]) == len(deal.moves)
    shown = [gain.lstrip("+") for gain in re.findall(r"</b>\s*<span>([^<]+)</span>", felt)]
    assert shown == [number_text(each) for each in deal.score], "once"
    sets = [re.findall(r"#c(\d{4})", each) for each in re.findall(r"<figure>.*?</figure>", felt, re.DOTALL)]
    assert len(sets) == len({line.yaku for line in deal.lines if line.yaku})
    assert all(sets)
    # The best deal of Koi-Koi was won by a yaku, or as it was dealt; one of Sakura may have none.
    assert sets or preset == "hawaii" or not deal.moves
    # Those of its yaku are among the captured cards; of the others it is said how many there are.
    took = re.findall(r'class="felt-took">(.*?)</span>(?:\s*<small>\s*(\d+) more)?', felt, re.DOTALL)
    shown_cards = [re.findall(r"#c(\d{4})", each) for each, _ in took]
    assert {card for each in sets for card in each} <= {card for each in shown_cards for card in each}
    trays = position_at(replay, deal, len(deal.moves)).trays
    assert [len(cards) + int(more or 0) for cards, (_, more) in zip(shown_cards, took, strict=True)] == [
        len(tray) for tray in trays
    ]
    told = felt.partition('class="felt-told')[2].partition("</p>")[0]
    assert re.search(r" (makes the yaku|wins|win|is tied|ends) ?.*<b>[+−0]", told, re.DOTALL)


def test_a_game_is_the_first_thing_that_is_offered(client: Client) -> None:
    acts = re.findall(r'<a class="btn([^"]*)" href="([^"]+)"', read(client).partition('<p class="acts">')[2])
    assert acts[0] == (" main", "/play/")


def test_a_bot_has_its_chosen_emblem_on_felts_tiles_and_lists(league: League, client: Client) -> None:
    Bot.objects.update(emblem_card="01.1", emblem_colour="sky")
    Standing.objects.filter(stage__tournament=league.running, after_round=0, row__gt=1).update(rank=2)
    page = read(client)
    felts = re.findall(r'<div class="felt-side.*?</b>', page, re.DOTALL)
    assert len(felts) >= 4
    tile = page[page.index('<li class="tile">') :]
    lead = re.findall(r'<td class="what">.*?</td>', client.get("/t/").content.decode(), re.DOTALL)
    finished = [each for each in lead if "emblems" in each]
    assert finished
    for shown in [*felts, tile[: tile.index("</li>")], *finished]:
        assert re.findall(r"emblems[.\w]*svg#(e\d+)", shown) == ["e0101"], shown


@pytest.mark.thorough
def test_what_is_paused_is_said_to_be_and_comes_after_what_is_played(league: League, client: Client) -> None:
    newer = a.a_running_event(name="Iris league")
    Tournament.objects.filter(pk=newer.pk).update(state="paused")
    assert [name for name in tiles_of(read(client)) if name in (newer.name, league.running.name)][-1] == newer.name
    Tournament.objects.filter(pk=league.running.pk).update(state="paused")
    Standing.objects.filter(stage__tournament=league.running, after_round=0, row__gt=1).update(rank=2)
    tile = tiles_of(read(client))[league.running.name]
    assert "paused" in tile
    assert " leads" in tile


def tiles_of(page: str) -> dict[str, str]:
    """The tiles of events that are on, by name, in their order."""
    tiles = re.findall(r'<li class="tile(?: coming)?">.*?</li>', page, re.DOTALL)
    return {re.findall(r"<h3><a[^>]*>([^<]*)<", tile)[0]: tile for tile in tiles}


def test_the_fan_has_the_cards_of_the_month_and_leads_to_it(client: Client) -> None:
    month = timezone.localtime().month
    page = client.get("/").content.decode()
    fan = re.findall(r'<ul class="fan".*?</ul>', page, re.DOTALL)[0]
    assert re.findall(r"#c(\d{4})", fan) == [f"{month:02}{rank:02}" for rank in (4, 3, 2, 1)], "the best on top"
    assert fan.count(f'href="/rules/#month-{month}"') == 4
    assert f'id="month-{month}"' in client.get("/rules/").content.decode()


@pytest.mark.thorough
def test_ladders_are_one_table_with_leader_rating_and_matches_today(client: Client) -> None:
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
    assert "±" not in table, "intervals are on the pages of the ladders"
    assert 'data-label="Rating">27.0<' in table, "the figure that the leaderboard ranks by"
    assert re.search(r'data-label="Matches today">1<', table)
    a.a_running_event(name="Iris league")
    assert event.name not in tiles_of(read(client)), "a ladder is a tile only where nothing else is on"
    Tournament.objects.exclude(pk=event.pk).update(state="finished")
    tile = tiles_of(read(client))[event.name]
    assert "<progress" not in tile, "it has no end"


@pytest.mark.thorough
def test_what_comes_up_takes_the_place_of_what_is_on_and_says_how_to_take_part(client: Client) -> None:
    Tournament.objects.update(state="finished")
    ladder = a.a_running_event(kind="ladder", rounds=8, name="Plum ladder")
    assert ladder.name in tiles_of(read(client))
    cup = a.an_open_event(name="Open cup")
    night = a.an_open_event(name="Club night", kind="tables", who="people", tie_breaks=("wins",))
    tiles = tiles_of(read(client))
    assert set(tiles) == {cup.name, night.name}
    assert "Enter a bot →" in tiles[cup.name]
    assert "Look →" in tiles[night.name], "only its organiser can enter people"
    RegistrationSettings.objects.create(tournament=night, is_on=True)
    page = read(client)
    assert "Register →" in tiles_of(page)[night.name]
    assert (page.count("Coming up"), page.count("On now")) == (1, 0)
    running = a.a_running_event(name="Iris league")
    page = read(client)
    assert list(tiles_of(page)) == [running.name, night.name, cup.name]
    assert page.count('class="tile offer"') == 2, "visitors may begin at any time"
    assert page.index("On now") < page.index(running.name) < page.index("Coming up")
    Tournament.objects.bulk_create(
        Tournament(
            name=f"League {n}", slug=f"league-{n}", created_by=night.created_by, state="running", visibility="public"
        )
        for n in range(EXAMINED + 1)
    )
    assert night.name in tiles_of(read(client)), "however much is on"


@pytest.mark.thorough
def test_who_is_logged_in_sees_what_is_theirs(league: League, as_user: Become) -> None:
    page = read(as_user(league.owner))
    mine, bots = page[: page.index('id="live-now"')], page[page.index('id="my-bots"') : page.index('id="replays"')]
    name = league.owner.shown_name
    assert f'Welcome back, <span class="whole" data-width="{len(name)}">{name}</span>' in mine
    assert f'href="/b/{league.bot.slug}/"' in bots
    assert "Last places" in bots
    assert league.running.name in mine
    own = mine.partition('id="my-events"')[2].partition("</section>")[0]
    assert own.index(league.running.name) < own.index(league.finished.name), "what goes on comes first"
    assert 'class="empty"' not in mine + bots
    assert "Deal of the day" not in page
    other = read(as_user(a.a_user("new")))
    assert "You have no bot yet" in other
    assert "You take part in no tournament" in other
    assert other.count('<div class="empty">') == 1, "one box for both"
    organiser = read(as_user(league.organiser))
    assert league.draft.name in organiser[: organiser.index('id="live-now"')]


@pytest.mark.thorough
def test_an_event_of_ones_own_is_named_once(league: League, as_user: Become) -> None:
    page = read(as_user(league.organiser))
    assert league.running.name in page
    assert page.count(f'href="/t/{league.running.slug}/"') == 1
    assert "No tournament is running" not in page


def test_the_matches_of_ones_bots_take_the_place_of_all_others(client: Client) -> None:
    match = a_finished_match(seats=2, rounds=1)
    others = a_finished_match(seats=2, rounds=1)
    seat = match.seats.select_related("bot_version__bot").first()
    assert seat is not None
    assert seat.bot_version is not None
    owner = a.a_user("plumber")
    Bot.objects.filter(pk=seat.bot_version.bot_id).update(owner=owner, active_version=seat.bot_version)
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    page = read(client)
    mine = page.partition(">My last matches</h2>")[2].partition("</section>")[0]
    assert f"?d=1&amp;m={len(replay_of(match).deals[0].moves)}#replay" in mine, "its best deal lies on the felt"
    assert mine.count(str(match.uuid)) == 1, "and is not told in words, too"
    assert "/m/newest/" not in page
    assert str(others.uuid) not in page
    assert "New replays" not in page


def test_the_matches_that_one_played_oneself_stand_there_too(client: Client) -> None:
    mine, others = a_finished_match(seats=2, rounds=1), a_finished_match(seats=2, rounds=1)
    aiko = a.a_user("aiko")
    person = Player.objects.create(name="Aiko", kind=Player.Kind.HUMAN, user=aiko)
    entry = Entry.objects.create(tournament=mine.stage.tournament, player=person, entered_by=aiko)
    mine.seats.filter(index=0).update(entry=entry, player=None, bot_version=None)
    client.force_login(aiko, backend="django.contrib.auth.backends.ModelBackend")
    page = read(client)
    assert str(mine.uuid) in page.partition(">My last matches</h2>")[2].partition("</ul>")[0]
    assert str(others.uuid) not in page


def test_a_table_at_which_one_sits_is_on_ones_page(client: Client) -> None:
    client.force_login(a.a_user("sitter"), backend="django.contrib.auth.backends.ModelBackend")
    assert "Your table" not in read(client)
    plan = {"preset": "koikoi_nintendo", "seats": "2", "opponent": "people", "clock": "casual", "phrase": "plum"}
    at = client.post("/play/open/", plan)
    address = re.sub(r"[?#].*", "", at.headers["Location"])
    page = read(client)
    assert "Your table" in page
    assert f'href="{address}"' in page


@pytest.mark.thorough
def test_what_waits_for_an_organiser_stands_out_before_what_they_might_do(as_user: Become) -> None:
    red = re.compile(r'<a [^>]*class="btn main"[^>]*>\s*(.*?)\s*</a>', re.DOTALL)
    event = boards.a_team_night()
    by = event.created_by
    assert red.findall(read(as_user(by))) == ["Play now"]
    start_tournament(tournament=event, by=by)
    n = len(boards.call(event, 1))
    assert [" ".join(each.split()) for each in red.findall(read(as_user(by)))] == [f"{n} tables open →"]


@pytest.mark.thorough
def test_what_one_ran_stands_first_where_nothing_of_it_goes_on(as_user: Become) -> None:
    event = a.an_open_event(name="Old plum cup")
    Tournament.objects.filter(pk=event.pk).update(state="finished")
    page = read(as_user(event.created_by))
    assert "Old plum cup" in page[: page.index('id="live-now"')]
    assert "You have no bot yet" not in page
    newer = a.an_open_event(name="New plum cup")
    newer.roles.update(user=event.created_by)
    mine = read(as_user(event.created_by))
    mine = mine[: mine.index('id="live-now"')]
    assert 0 < mine.index(newer.name) < mine.index(event.name), "what goes on comes first"
    assert f'href="/t/{newer.slug}/desk/"' in mine
    for number in range(4):
        a.an_open_event(name=f"Plum night {number}").roles.update(user=event.created_by)
    assert event.name not in read(as_user(event.created_by)).partition('id="live-now"')[0], "beside few"


def test_an_event_of_ones_own_has_its_day_until_it_is_played(as_user: Become) -> None:
    day = datetime(2031, 5, 9, 12, tzinfo=UTC)
    event = a.an_open_event(name="Club night", kind="tables", who="people", tie_breaks=("wins",))
    client = as_user(event.created_by)
    assert not LEAF.findall(read(client)), "the card of its game, as long as it has no day"
    Tournament.objects.filter(pk=event.pk).update(starts_at=day)
    page = read(client)
    assert LEAF.findall(page) == [("May", "9")]
    assert re.search(r"<b>in \d\xa0years</b>", page)
    played = a.a_running_event()
    Tournament.objects.filter(pk=played.pk).update(starts_at=day)
    page = read(as_user(played.created_by))
    assert not LEAF.findall(page[: page.index('id="live-now"')])


@pytest.mark.thorough
def test_a_draft_or_a_private_event_is_on_nobody_elses_page(league: League, as_user: Become) -> None:
    for reader in (None, league.rival, league.owner):
        page = read(as_user(reader))
        assert league.draft.name not in page
        assert league.private.name not in page


@pytest.mark.thorough
def test_who_claimed_an_entry_is_told_the_next_table(as_user: Become) -> None:
    night = clubs.a_called_night(people=4, name="Thursday club")
    entry = Entry.objects.filter(tournament=night)[0]
    aiko = a.a_user("aiko")
    entry.player.user = aiko
    entry.player.save()
    page = read(as_user(aiko))
    assert "Your next table" in page
    assert re.search(r"Thursday club, round 1, table \d", " ".join(page.split()).replace(" ,", ","))


def test_no_felt_shows_a_match_of_a_private_event(client: Client) -> None:
    match = a_finished_match(seats=2, rounds=1)
    assert f"/m/{match.uuid}/" in read(client)
    Tournament.objects.filter(stages=match.stage).update(visibility="private")
    assert f"/m/{match.uuid}/" not in read(client)


@pytest.mark.thorough
def test_the_deal_of_the_day_is_looked_for_once_in_ten_minutes(client: Client) -> None:
    a_finished_match(seats=2, rounds=1)
    cache.delete(KEPT)
    with CaptureQueriesContext(connection) as first:
        read(client)
    with CaptureQueriesContext(connection) as second:
        read(client)
    adding_up = [sum('MAX("tournaments_seat"."points")' in each["sql"] for each in seen) for seen in (first, second)]
    assert adding_up == [1, 0]
