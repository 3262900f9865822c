"""People are rated in events that count for it, on the same fold: by match, in order of creation, corrected, aged."""

from __future__ import annotations

from datetime import timedelta
from math import sqrt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from core.ratings.fold import fold
from core.ratings.model import Event, Params
from tests.builders import events as a
from tests.builders.clubs import a_club_night, person, round_of, tables_of, totals
from tests.tournaments.progress.test_people import draw_next, refused
from tournaments.matches.report_bodies import Claim
from tournaments.models import Rating, RatingEvent, RatingPool, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.people.ratings import ratings_of
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.ratings import fold as rating
from tournaments.ratings import pools
from tournaments.ratings.actions import claim_entry, rate_event, readmit_entry
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db


def a_rated_night(people: int = 4, **changes: object) -> Tournament:
    event = a_club_night(people=people, **changes)
    rate_event(tournament=event, by=event.created_by, rated=True)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    return event


def play(event: Tournament, number: int = 1) -> None:
    for match in tables_of(event, number):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))


def folded() -> RatingPool:
    """The pool of people, folded; nothing in it is otherwise than a fold of everything says."""
    RatingPool.objects.update(folded_at=None)
    pools.fold_stale()
    pool = RatingPool.objects.get(who=RatingPool.Who.PEOPLE)
    assert rating.differences(pool) == []
    return pool


@pytest.mark.slow
def test_results_count_by_match_and_an_account_is_one_person_in_many_events() -> None:
    kimo, first = a.a_user("kimo"), a_rated_night()
    play(first)
    pool = folded()
    assert pool.seq == 2
    assert Rating.objects.filter(pool=pool).count() == 4
    assert ratings_of(kimo) == []
    claim_entry(entry=person(first, "Aiko"), by=kimo)
    claim_entry(entry=person(first, "Aiko"), by=kimo)
    folded()
    (own,) = ratings_of(kimo)
    assert own.matches == 1
    second = a_rated_night()
    claim_entry(entry=person(second, "Ben"), by=kimo)
    play(second)
    folded()
    (own,) = ratings_of(kimo)
    assert own.matches == 2
    assert Rating.objects.filter(pool=pool).count() == 7
    readmit_entry(entry=person(first, "Aiko"), by=kimo)
    folded()
    assert ratings_of(kimo)[0].matches == 1


@pytest.mark.slow
def test_a_correction_and_a_cancelled_table_are_folded_anew() -> None:
    event = a_rated_night(people=6)
    play(event)
    pool = folded()
    before = dict(Rating.objects.filter(pool=pool).values_list("line", "mu"))
    match, other = tables_of(event)[:2]
    seen = preview_correction(match=match, by=event.created_by, claim=totals(30, 200)).hash
    correct_result(match=match, by=event.created_by, claim=totals(30, 200), reason="Misread.", seen=seen)
    folded()
    after = dict(Rating.objects.filter(pool=pool).values_list("line", "mu"))
    turned = {seat.entry.player.line for seat in match.seats.select_related("entry__player") if seat.entry}
    assert {line for line in after if after[line] != before[line]} == turned
    draw_next(event)
    call_round(round_row=round_of(event, 2), by=event.created_by)
    void_match(match=tables_of(event, 2)[0], by=event.created_by, reason="Left.")
    play_rest = tables_of(event, 2)[1:]
    for each in play_rest:
        submit_result(match=each, actor=Actor(user=event.created_by), claim=totals(20, 10))
    assert folded().seq == 3 + len(play_rest)
    assert other.seats.count() == 2


@pytest.mark.thorough
def test_who_did_not_come_is_not_rated_and_nobody_by_a_walk_over() -> None:
    event = a_rated_night(people=4)
    played, empty = tables_of(event)
    submit_result(match=played, actor=Actor(user=event.created_by), claim=totals(20, 10))
    submit_result(match=empty, actor=Actor(user=event.created_by), claim=Claim(absent=(1,)))
    pool = folded()
    assert pool.seq == 1
    there = {seat.entry.player.line for seat in played.seats.select_related("entry__player") if seat.entry}
    assert set(RatingEvent.objects.filter(pool=pool).values_list("line", flat=True)) == there


@pytest.mark.thorough
def test_at_a_table_that_came_one_short_the_others_are_rated() -> None:
    event = a_rated_night(people=3, seats=3, kind="tables")
    (table,) = tables_of(event)
    submit_result(match=table, actor=Actor(user=event.created_by), claim=Claim(totals=(130, 110, 0), absent=(2,)))
    assert sorted(RatingEvent.objects.filter(pool=folded()).values_list("place", flat=True)) == [1, 2]


@pytest.mark.thorough
def test_what_does_not_count_counts_for_nobody() -> None:
    plain = a_club_night(people=4)
    start_tournament(tournament=plain, by=plain.created_by)
    call_round(round_row=round_of(plain, 1), by=plain.created_by)
    play(plain)
    private = a_rated_night(visibility="private")
    play(private)
    assert not RatingPool.objects.exists()
    with refused("ratings.not_rated"):
        claim_entry(entry=person(plain, "Aiko"), by=a.a_user())
    with refused("ratings.frozen"):
        rate_event(tournament=plain, by=plain.created_by, rated=True)
    with refused("tournament.not_organiser"):
        rate_event(tournament=plain, by=a.a_user(), rated=True)
    bots = a.an_open_event()
    with refused("ratings.of_bots"):
        rate_event(tournament=bots, by=bots.created_by, rated=True)


@pytest.mark.thorough
def test_an_entry_is_one_account_and_an_account_one_entry() -> None:
    event, kimo, lani = a_rated_night(), a.a_user(), a.a_user()
    claim_entry(entry=person(event, "Aiko"), by=kimo)
    with refused("ratings.claimed"):
        claim_entry(entry=person(event, "Aiko"), by=lani)
    with refused("ratings.twice"):
        claim_entry(entry=person(event, "Ben"), by=kimo)
    with refused("ratings.not_yours"):
        readmit_entry(entry=person(event, "Aiko"), by=lani)


@pytest.mark.slow
def test_sigma_grows_with_the_days_between_events() -> None:
    kimo, first = a.a_user("kimo"), a_rated_night()
    claim_entry(entry=person(first, "Aiko"), by=kimo)
    play(first)
    year_ago = timezone.now() - timedelta(days=365)
    Tournament.objects.filter(pk=first.pk).update(started_at=year_ago)
    pool = folded()
    line = person(first, "Aiko").player.line
    settled = Rating.objects.get(pool=pool, line=line)
    second = a_rated_night()
    claim_entry(entry=person(second, "Ben"), by=kimo)
    play(second)
    folded()
    event = RatingEvent.objects.get(pool=pool, line=line, nth=2)
    grown = sqrt(settled.sigma**2 + 365 * (25 / 300) ** 2)
    assert event.sigma_before == pytest.approx(grown)
    assert event.mu_before == settled.mu
    RatingPool.objects.update(redo_from=0)
    pools.rebuild(pool.pk)
    assert RatingEvent.objects.get(pool=pool, line=line, nth=2).sigma_before == event.sigma_before


def test_the_pure_fold_ages_as_from_scratch_and_from_a_checkpoint() -> None:
    params = Params(a_day=0.5)
    events = [Event(n, (("a",), ("b",)), (1, 2), day) for n, day in ((1, 0), (2, 10), (3, 10), (4, 400))]
    whole = fold(events, params)
    again = fold(events[:2], params)
    again.put({event.number: event for event in events[2:]})
    assert whole.ratings == again.ratings
    assert fold(events, Params()).ratings["a"].sigma < whole.ratings["a"].sigma


@pytest.mark.thorough
def test_a_persons_page_shows_ratings_with_their_interval(client: Client) -> None:
    kimo, event = a.a_user("kimo"), a_rated_night()
    assert "From rated events" not in client.get("/u/kimo/").content.decode()
    claim_entry(entry=person(event, "Aiko"), by=kimo)
    play(event)
    folded()
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/u/kimo/").content.decode()
    assert len(queries) <= 10
    assert "From rated events" in page
    stands = ratings_of(User.objects.get(pk=kimo.pk))[0]
    shown = f"<strong>{stands.now.mu:.1f}</strong> ± {1.96 * stands.now.sigma:.1f}"
    assert f'{shown}\n<span class="sub">lower bound {stands.value:.1f}</span>'.replace("-", "−") in page
    assert "/ladder/hawaii/" not in page
    assert client.get("/ladder/hawaii/").status_code == 200
