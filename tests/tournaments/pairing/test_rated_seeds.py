"""Seeds from the rating pools: previewed, taken as they were seen, of the version that would play."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.models import Bot, BotVersion
from core.ratings.lines import heir
from core.ratings.model import Params
from core.ratings.model import Rating as Value
from tests.builders import events as a
from tests.builders.clubs import a_club_night, person, round_of
from tests.tournaments.progress.test_people import finish_round, refused, stage_of
from tournaments.models import Entry, Rating, RatingPool, Seat, StageEntry, Standing, Tournament
from tournaments.models.entrant import line_of_user
from tournaments.pairing.constraints import seeding_of
from tournaments.progress import derive
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.ratings.actions import claim_entry, rate_event
from tournaments.ratings.seeds import pool_of, pools_for, preview_ratings, take_ratings
from tournaments.standings import store

pytestmark = pytest.mark.django_db


def a_pool(**changes: object) -> RatingPool:
    shape = {"preset": "hawaii", "seats": 2, "sides": 2, **changes}
    return RatingPool.objects.create(**shape)


def rated(pool: RatingPool, line: int, mu: float, sigma: float, n: int = 1, **more: object) -> Rating:
    values = {"mu": mu, "sigma": sigma, "value": mu - 3 * sigma, "settled_mu": mu, "settled_sigma": sigma, "events": 9}
    return Rating.objects.create(pool=pool, line=line, n=n, **values, **more)


def bot_of(entry: Entry) -> Bot:
    assert entry.player.bot is not None
    return entry.player.bot


def test_bots_are_seeded_by_the_value_that_leaderboards_go_by() -> None:
    event, pool = a.an_open_event(), a_pool()
    low, new, top, nobody = a.entered(event, [a.a_bot() for _each in range(4)])
    rated(pool, bot_of(low).pk, 30, 5)
    rated(pool, bot_of(top).pk, 28, 1)
    old = rated(pool, bot_of(new).pk, 29, 1)
    newest = a.a_version(bot_of(new))
    Bot.objects.filter(pk=bot_of(new).pk).update(active_version=newest)
    stage, by = stage_of(event), event.created_by
    found = preview_ratings(stage=stage, by=by, pool=pool)
    value = heir(Value(old.mu, old.sigma), Params()).shown
    assert [(line.entry.pk, line.value) for line in found.lines] == [
        (top.pk, 25.0),
        (new.pk, round(value, 2)),
        (low.pk, 15.0),
        (nobody.pk, None),
    ]
    assert found.lines[0].version == 1
    take_ratings(stage=stage, by=by, pool=pool, seen=found.hash)
    start_tournament(tournament=event, by=by)
    drawn = list(Entry.objects.filter(tournament=event).order_by("seed").values_list("pk", flat=True))
    assert drawn == [line.entry.pk for line in found.lines]
    assert seeding_of(stage_of(event)).ratings[str(top.uuid)] == 25.0


def test_what_was_looked_at_is_what_is_taken() -> None:
    event, pool = a.an_open_event(), a_pool()
    one, _other = a.entered(event, [a.a_bot(), a.a_bot()])
    stage, by = stage_of(event), event.created_by
    row = rated(pool, bot_of(one).pk, 30, 5)
    seen = preview_ratings(stage=stage, by=by, pool=pool).hash
    Rating.objects.filter(pk=row.pk).update(mu=31)
    with refused("wishes.moved"):
        take_ratings(stage=stage, by=by, pool=pool, seen=seen)
    with refused("tournament.not_organiser"):
        preview_ratings(stage=stage, by=a.a_user(), pool=pool)
    empty = a_pool(seats=4, sides=4)
    with refused("wishes.no_pool"):
        pool_of(stage, str(empty.pk))
    rated(empty, 10**9, 20, 2)
    with refused("wishes.nobody_rated"):
        take_ratings(stage=stage, by=by, pool=empty, seen=preview_ratings(stage=stage, by=by, pool=empty).hash)
    assert [each.pk for each in pools_for(stage)] == [pool.pk, empty.pk]


@pytest.mark.thorough
def test_a_ladder_seeds_those_who_were_in_it_and_people_are_seeded_by_theirs() -> None:
    ladder = a.an_open_event(kind="ladder", rounds=3)
    bots = [a.a_bot(), a.a_bot()]
    entries = a.entered(ladder, bots)
    start_tournament(tournament=ladder, by=ladder.created_by)
    pool = RatingPool.objects.get(stage=stage_of(ladder))
    for entry, mu in zip(entries, (20, 30), strict=True):
        entry.refresh_from_db()
        rated(pool, entry.seed or 0, mu, 2, entry=entry)
    event = a.an_open_event()
    a.entered(event, [*bots, a.a_bot()])
    found = preview_ratings(stage=stage_of(event), by=event.created_by, pool=pool)
    assert [line.value for line in found.lines] == [24.0, 14.0, None]
    night, kimo = a_club_night(people=3), a.a_user()
    rate_event(tournament=night, by=night.created_by, rated=True)
    claim_entry(entry=person(night, "Ben"), by=kimo)
    people = a_pool(who="people")
    rated(people, line_of_user(kimo.pk), 26, 2)
    found = preview_ratings(stage=stage_of(night), by=night.created_by, pool=people)
    assert [(line.entry.player.name, line.value) for line in found.lines] == [
        ("Ben", 20),
        ("Aiko", None),
        ("Chiyo", None),
    ]


@pytest.mark.thorough
def test_through_the_page(client: Client) -> None:
    event, pool = a.an_open_event(), a_pool()
    one, other = a.entered(event, [a.a_bot(), a.a_bot()])
    rated(pool, bot_of(other).pk, 30, 2)
    here = f"/t/{event.slug}/wishes/"
    client.force_login(event.created_by)
    assert "Hawaii" in client.get(here).content.decode()
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"{here}?stage=1&pool={pool.pk}").content.decode()
    assert len(queries) <= 12
    assert "24.00" in page
    assert one.player.name in page
    seen = re.search(r'name="seen" value="([0-9a-f]+)"', page)
    assert seen is not None
    client.post(here, {"verb": "ratings", "stage": "1", "pool": str(pool.pk), "seen": seen[1]})
    assert seeding_of(stage_of(event)).by == "rating"
    assert "wishes.no_pool" in client.get(f"{here}?stage=1&pool=0").content.decode()
    night = a_club_night(people=3)
    client.force_login(night.created_by)
    client.post(f"/t/{night.slug}/wishes/", {"verb": "settings", "part": "rated", "rated": "on"})
    assert Tournament.objects.get(pk=night.pk).rated is True
    assert BotVersion.objects.exists()


@pytest.mark.thorough
def test_a_tie_break_by_ratings_takes_those_with_which_entries_joined() -> None:
    """Anyone who comes late brings theirs; what is rated later moves no table."""
    event, pool = a_club_night(people=4, tie_breaks=("perf",)), a_pool(who="people")
    own = {name: person(event, name).player.line for name in ("Aiko", "Ben")}
    rows = [rated(pool, line, mu, 2) for line, mu in zip(own.values(), (31.237, 22), strict=True)]
    start_tournament(tournament=event, by=event.created_by)
    kept = StageEntry.objects.filter(stage=stage_of(event)).values_list("entry__player__name", "strength")
    assert dict(kept) == {"Aiko": "781/25", "Ben": "22", "Chiyo": "", "Dai": ""}
    call_round(round_row=round_of(event, 1), by=event.created_by)
    finish_round(event)
    stage = stage_of(event)
    figures = dict(Standing.objects.filter(stage=stage, after_round=0).values_list("entry__player__name", "key"))
    match = Seat.objects.get(match__stage=stage, entry__player__name="Aiko").match
    rival = match.seats.exclude(entry__player__name="Aiko").get().entry
    assert rival is not None
    strength = {"Ben": Fraction(22)}.get(rival.player.name, Fraction(25))
    has_won = match.seats.get(entry__player__name="Aiko").place == 1
    assert Fraction(figures["Aiko"][-1]) == strength + (12 if has_won else -12)
    Rating.objects.filter(pk__in=[row.pk for row in rows]).update(mu=50)
    derive.recalculate(stage)
    assert store.differences(stage) == []
    now = Standing.objects.filter(stage=stage, after_round=0).values_list("entry__player__name", "key")
    assert dict(now) == figures
