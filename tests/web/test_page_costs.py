"""Pages that ask most of the database, in the state in which they ask most."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from bots.models import Bot, BotVersion
from tests.builders import events as a
from tests.tournaments.pairing.test_rated_seeds import a_pool, rated
from tournaments.models import Match, RatingEvent, RatingPool, Seat
from tournaments.progress.run import start_tournament
from tournaments.ratings.seeds import pools_for

pytestmark = pytest.mark.django_db
MAXIMUM = 10
Become = Callable[[User | None], Client]


def read(client: Client, path: str) -> str:
    """The page, asked for with few queries."""
    with CaptureQueriesContext(connection) as seen:
        answer = client.get(path)
    assert answer.status_code == 200
    assert len(seen) <= MAXIMUM, [each["sql"][:200] for each in seen.captured_queries]
    return str(answer.content.decode())


def a_rated_bot(owner: User, name: str) -> Bot:
    """One that has played in a public event, failed there, and has a rating with a past."""
    bot, pool = a.a_bot(owner, name=name), a_pool()
    event = a.an_open_event(options={"rounds": 1})
    entry = a.entered(event, [bot, a.a_bot()])[0]
    match = Match.objects.create(stage=event.stages.get(), seats_n=2, state="confirmed", finished_at=timezone.now())
    fault = {"code": "crash", "deal": 1, "move": 2}
    who = {"entry": entry, "player": entry.player, "bot_version": bot.active_version, "outcome": "forfeit"}
    Seat.objects.create(match=match, index=0, side=0, fault=fault, **who)
    rated(pool, bot.pk, 30, 2, version=bot.active_version)
    step = {"mu_before": 25, "sigma_before": 8, "mu_after": 30, "sigma_after": 2, "place": 1, "of": 2}
    RatingEvent.objects.create(pool=pool, line=bot.pk, n=1, seq=1, nth=1, deal_set=1, **step)
    return bot


@pytest.mark.thorough
def test_the_owner_of_a_benched_bot_that_fails(as_user: Become) -> None:
    owner = a.a_user("ann")
    bot = a_rated_bot(owner, "Tired")
    BotVersion.objects.filter(bot=bot).update(benched_at=timezone.now(), forfeits_in_a_row=3, bench_reason="x")
    page = read(as_user(owner), f"/b/{bot.slug}/")
    for words in ("is suspended", "1 failure since v1.", "Head to head", "Lift the suspension"):
        assert words in page, words
    for path in ("/", "/b/?mine=1", f"/b/{bot.slug}/v/1/", f"/b/{bot.slug}/failures/", "/me/"):
        read(as_user(owner), path)


@pytest.mark.thorough
def test_who_would_get_which_seed(as_user: Become) -> None:
    bots = [a.a_bot() for _each in range(4)]
    event, ladder, pool = a.an_open_event(who="both"), a.an_open_event(kind="ladder", rounds=8), a_pool()
    a.entered(event, bots)
    there = a.entered(ladder, bots)
    start_tournament(tournament=ladder, by=ladder.created_by)
    own = RatingPool.objects.get(stage=ladder.stages.get())
    for place, (bot, entry) in enumerate(zip(bots, there, strict=True)):
        rated(pool, bot.pk, 30 - place, 1)
        rated(own, place + 1, 20 - place, 1, entry=entry)
    assert own in pools_for(event.stages.get())
    for each, best in ((pool, "27.00"), (own, "17.00")):
        page = read(as_user(event.created_by), f"/t/{event.slug}/wishes/?stage=1&pool={each.pk}")
        assert (page.count("<tr data-row>"), best in page) == (4, True)
