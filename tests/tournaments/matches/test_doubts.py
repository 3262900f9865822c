"""A version that runs into the wall clock again and again is not given the benefit of the doubt in every match."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.utils import timezone

from bots.jobs import claims
from bots.jobs.attempts import Suspect
from bots.jobs.process import Process
from bots.models import Bot, BotVersion
from bots.runner.table import Played
from engine.game import Forfeit
from tests.builders import events as a
from tournaments.matches import play, timeout_policy
from tournaments.models import Match, Seat, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def sat_out(*seats: int) -> Played:
    """A match in which these seats did not answer in time."""
    return Played({}, tuple(Forfeit(seat, 1, 1, "timeout.wall") for seat in seats), ())


def version_of(match: Match, seat: int) -> BotVersion:
    """Return the bots at the table."""
    version = match.seats.get(index=seat).bot_version
    assert version is not None
    return version


def doubted(matches: Sequence[Match], version: BotVersion) -> None:
    """In each of these matches the version was given the benefit of the doubt just now."""
    for match in matches:
        index = match.seats.get(bot_version=version).index
        suspects = [*match.suspects, index]
        Match.objects.filter(pk=match.pk).update(suspects=suspects, claimed_at=timezone.now())


def a_pair_of_bots() -> tuple[Tournament, list[Match], BotVersion]:
    """An event of two that meet ten times; its matches; the first's version."""
    event = a.a_running_event(bots=2, rounds=10)
    matches = a.matches_of(event)
    return event, matches, version_of(matches[0], 0)


def judged(match: Match, version: BotVersion) -> None:
    """Judge the version's first timeout in this match."""
    seat = match.seats.get(bot_version=version).index
    timeout_policy.apply_timeout_policy(Match.objects.get(pk=match.pk), sat_out(seat))


def test_three_times_a_day_another_attempt_decides_then_the_first_one_counts() -> None:
    _event, matches, version = a_pair_of_bots()
    for number in range(3):
        with pytest.raises(Suspect):
            judged(matches[9], version)
        doubted([matches[number]], version)
    judged(matches[9], version)


def test_who_sleeps_beside_it_buys_it_no_further_attempt() -> None:
    _event, matches, version = a_pair_of_bots()
    doubted(matches[:3], version)
    match = matches[9]
    other = next(seat for seat in match.seats.all() if seat.bot_version_id != version.pk)
    with pytest.raises(Suspect) as suspect:
        timeout_policy.apply_timeout_policy(match, sat_out(0, 1))
    assert suspect.value.seats == [other.index]


@pytest.mark.thorough
def test_doubts_of_yesterday_are_forgotten() -> None:
    _event, matches, version = a_pair_of_bots()
    doubted(matches[:5], version)
    Match.objects.filter(pk__in=[match.pk for match in matches[:5]]).update(
        claimed_at=timezone.now() - timeout_policy.WITHIN - timeout_policy.WITHIN
    )
    with pytest.raises(Suspect):
        judged(matches[9], version)


def a_league_of(bots: int) -> tuple[list[Match], BotVersion]:
    """Let everybody meet everybody; return the matches of the first version, and that version."""
    event = a.a_running_event(bots=bots)
    version = version_of(a.matches_of(event)[0], 0)
    return [match for match in a.matches_of(event) if match.seats.filter(bot_version=version).exists()], version


def doubted_together(matches: Sequence[Match], version: BotVersion) -> None:
    """In each of these matches nobody answered in time."""
    for match in matches:
        other = match.seats.exclude(bot_version=version).get().bot_version
        assert other is not None
        doubted([match], version)
        doubted([Match.objects.get(pk=match.pk)], other)


@pytest.mark.thorough
def test_where_others_do_not_answer_either_it_is_our_load() -> None:
    matches, version = a_league_of(6)
    doubted_together(matches[:4], version)
    with pytest.raises(Suspect):
        judged(matches[4], version)


def test_an_accomplice_that_is_in_doubt_itself_excuses_nobody() -> None:
    """Both sleep in every match they play against each other."""
    _event, matches, version = a_pair_of_bots()
    doubted_together(matches[:3], version)
    judged(matches[9], version)


@pytest.mark.thorough
def test_two_accomplices_buy_no_more_than_a_few_matches() -> None:
    """One owner is one witness, however many matches and bots it does not answer in."""
    matches, version = a_league_of(6)
    accomplice = a.a_user()
    for match in matches[:4]:
        other = match.seats.exclude(bot_version=version).get().bot_version
        assert other is not None
        Bot.objects.filter(pk=other.bot_id).update(owner=accomplice)
    doubted_together(matches[:2], version)
    doubted(matches[2:4], version)
    judged(matches[4], version)


@pytest.mark.thorough
def test_doubts_are_counted_over_all_bots_of_an_owner() -> None:
    matches, version = a_league_of(6)
    mine = version.bot.owner
    for match in matches[:3]:
        other = match.seats.exclude(bot_version=version).get().bot_version
        assert other is not None
        Bot.objects.filter(pk=other.bot_id).update(owner=mine)
        doubted([match], other)
    judged(matches[4], version)


def test_the_house_is_a_witness_and_is_never_blamed_at_once() -> None:
    _event, matches, version = a_pair_of_bots()
    house = version_of(matches[0], 1)
    Bot.objects.filter(pk=house.bot_id).update(house=True)
    doubted_together(matches[:5], version)
    for each in (house, version):
        with pytest.raises(Suspect):
            judged(matches[9], each)


@pytest.mark.slow
def test_a_version_that_sleeps_in_every_match_forfeits_the_fourth_at_once(process: Process) -> None:
    event = a.a_running_event(sources=[a.WAITS, a.FIRST], rounds=4, clock="quick")
    sleeper = Seat.objects.filter(match__stage__tournament=event).order_by("bot_version")[0].bot_version
    assert sleeper is not None
    *before, last = a.matches_of(event)
    doubted(before, sleeper)
    Match.objects.filter(pk__in=[match.pk for match in before]).update(state="void")
    assert play.play_batch(process) == 1
    last.refresh_from_db()
    assert (last.state, last.attempt, last.suspects) == ("confirmed", 1, [])
    fault = last.seats.get(outcome="forfeit").fault
    assert fault is not None
    assert fault["code"] == "timeout.wall"


@pytest.mark.slow
def test_a_doubt_takes_none_of_the_faults_that_we_are_allowed(process: Process) -> None:
    event = a.a_running_event(sources=[a.WAITS, a.FIRST], clock="quick")
    (match,) = a.matches_of(event)
    Match.objects.filter(pk=match.pk).update(faults=claims.FAULTS_ALLOWED - 1)
    assert play.play_batch(process) == 1
    match.refresh_from_db()
    assert (match.state, match.faults, len(match.suspects)) == ("queued", claims.FAULTS_ALLOWED - 1, 1)
    assert match.history[0]["reason"].startswith("timeout.wall: seat ")
    assert play.play_batch(process) == 1
    match.refresh_from_db()
    assert (match.state, match.attempt) == ("confirmed", 2)
