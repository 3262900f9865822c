"""Leaderboards and the pages of a ladder: ranks, ratings and what they are made of, in pages, with few queries."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bots.jobs.process import Process
from tests.builders import events as a
from tests.builders.ladders import a_ladder, play_on, stage_of
from tournaments.entries.bots import enter_bot
from tournaments.models import Entry, Rating, RatingEvent, RatingPool, Tournament
from tournaments.progress.run import start_tournament
from tournaments.ratings import pools
from tournaments.ratings.ladders import ladder

pytestmark = pytest.mark.django_db(transaction=True)
MAX_QUERIES = 10


@pytest.fixture
def played(process: Process) -> Tournament:
    """A ladder that is over, and the boards folded."""
    event = a_ladder(bots=4, rounds=3)
    play_on(process)
    pools.fold_stale()
    event.refresh_from_db()
    return event


def seen(client: Client, path: str) -> str:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = client.get(path)
    assert answer.status_code == 200, path
    assert len(queries) <= MAX_QUERIES, [each["sql"] for each in queries.captured_queries]
    return answer.content.decode()


@pytest.mark.thorough
def test_every_page_of_a_ladder(client: Client, played: Tournament) -> None:
    event, home = played, f"/t/{played.slug}/"
    names = list(Entry.objects.values_list("player__name", flat=True))
    table = seen(client, home + "standings/")
    assert all(name in table for name in names)
    assert table.count("data-row") == 4
    entry = Entry.objects.get(standings__row=1)
    own = seen(client, f"{home}standings/?explain={entry.uuid}")
    counted = RatingEvent.objects.filter(pool__stage=stage_of(event), line=entry.seed or 0)
    assert own.count("data-row") == counted.count()
    matches = seen(client, home + "rounds/")
    assert "/m/" in matches
    for path in ("", "entries/", "feed/", "crosstable/"):
        seen(client, home + path)
    for path in ("", "/entries", "/rounds", "/matches", "/standings", "/standings?explain=1", "/files/standings.csv"):
        assert client.get(f"/api/v1/tournaments/{event.slug}{path}").status_code == 200, path
    assert client.get(f"/api/v1/tournaments/{event.slug}/files/report.trf").status_code == 400
    assert client.get(f"{home}standings/?explain=nobody").status_code == 404


@pytest.mark.thorough
def test_a_leaderboard_and_what_a_rating_is_made_of(client: Client, played: Tournament) -> None:
    board = seen(client, "/ladder/hawaii/")
    assert board.count("data-row") == 4
    tiles = seen(client, "/ladder/")
    assert "/ladder/hawaii/" in tiles
    assert tiles.index("<span>Rating</span>") < tiles.index('<span class="num">'), "no figure without a label"
    pool = RatingPool.objects.get(stage=None)
    best = Rating.objects.filter(pool=pool).order_by("-value").select_related("version__bot__owner")[0]
    assert best.version is not None
    own = seen(client, f"/ladder/hawaii/?seats=2&of={best.version.uuid}")
    assert own.count("data-row") == best.events
    found = seen(client, f"/ladder/hawaii/?q={best.version.bot.name}")
    assert found.count("data-row") == 1
    assert '<details class="more" open>' in found, "a filter that is set is not folded"
    assert '<details class="more" open>' not in board
    client.force_login(best.version.bot.owner)
    assert seen(client, "/ladder/hawaii/?mine=1").count("data-row") == 1
    assert best.version.bot.name in seen(client, "/")
    for wrong in ("?seats=7", "?of=nobody", "?seats=2&sides=9"):
        assert client.get(f"/ladder/hawaii/{wrong}").status_code == 404


@pytest.mark.slow
def test_queries_do_not_grow_with_the_entries(client: Client) -> None:
    """Sixty entries before the first result: two pages, the same number of queries."""
    event = a.an_open_event(kind="ladder", rounds=0, max_entries=100, ends_at=timezone.now() + timedelta(days=1))
    a.entered(event, [a.a_bot() for _each in range(3)])
    start_tournament(tournament=event, by=event.created_by)
    path = f"/t/{event.slug}/standings/"
    client.get(path)
    with CaptureQueriesContext(connection) as few:
        client.get(path)
    for bot in [a.a_bot() for _each in range(57)]:
        enter_bot(tournament=event, bot=bot, by=bot.owner)
    ladder.fold(stage_of(event))
    with CaptureQueriesContext(connection) as many:
        page = client.get(path).content.decode()
    assert len(few) == len(many) <= MAX_QUERIES
    assert page.count("data-row") == 50
    assert client.get(path + "?page=2").content.decode().count("data-row") == 10


@pytest.mark.slow
def test_bots_come_and_go_through_the_pages_and_the_organiser_ends_it(client: Client) -> None:
    soon = timezone.now() + timedelta(days=1)
    event = a.an_open_event(kind="ladder", rounds=0, max_entries=9, ends_at=soon)
    rehearsal, end = f"/t/{event.slug}/rehearsal/", f"/t/{event.slug}/do/end_ladder/"
    client.force_login(event.created_by)
    assert "rehearsal/" not in client.get(f"/t/{event.slug}/").content.decode()
    assert client.post(rehearsal, {"runs": 20, "entries": 4}).status_code in (409, 422)
    assert "ladder.none" in client.post(end, follow=True).content.decode()
    a.entered(event, [a.a_bot() for _each in range(2)])
    start_tournament(tournament=event, by=event.created_by)
    late = a.a_bot()
    client.force_login(late.owner)
    assert f'value="{late.slug}"' in client.get(f"/t/{event.slug}/entries/").content.decode()
    client.post(f"/t/{event.slug}/do/enter/", {"bot": late.slug})
    entry = Entry.objects.get(player__bot=late)
    assert entry.state == Entry.State.ACTIVE
    client.post(f"/t/{event.slug}/do/withdraw/", {"entry": str(entry.uuid)})
    entry.refresh_from_db()
    assert entry.state == Entry.State.WITHDRAWN
    assert "tournament.not_organiser" in client.post(end, follow=True).content.decode()
    client.force_login(event.created_by)
    assert end in client.get(f"/t/{event.slug}/").content.decode()
    assert stage_of(event).ends_at == soon
    client.post(end)
    assert (stage_of(event).ends_at or soon) < soon
    assert "ladder.ended" in client.post(end, follow=True).content.decode()
    assert end not in client.get(f"/t/{event.slug}/").content.decode()
    assert "ended the ladder" in client.get(f"/t/{event.slug}/feed/").content.decode()


def test_a_ladder_is_made_by_the_form(client: Client) -> None:
    client.force_login(a.a_user())
    asked = {
        "name": "Night ladder",
        "preset": "hawaii",
        "seats": "2",
        "kind": "ladder",
        "rounds": "0",
        "legs": "single",
    }
    asked |= {"min_entries": "2", "max_entries": "1000", "entries_per_owner": "5", "visibility": "public"}
    asked |= {"clock": "standard", "who": "bots"}
    refused = client.post("/t/new/", asked)
    assert refused.status_code == 422
    assert "ladder.endless" in refused.content.decode()
    ends = (timezone.now() + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")
    made = client.post("/t/new/", {**asked, "ends_at": ends})
    assert made.status_code == 302, made.content.decode()[:3000]
    assert stage_of(Tournament.objects.get(name="Night ladder")).kind == "ladder"
