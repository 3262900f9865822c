"""A comparison runs on its own until its test has decided, and nothing that comes late changes what it decided."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from bots.jobs.process import Process
from bots.models import AuditEvent, BotVersion
from core.errors import TournamentError
from core.statistics import llr
from engine.deck import commitment
from tests.builders import events as a
from tests.builders.challenges import LAST, a_bot_of_two_versions, a_challenge, matches_of, played_out, stage_of
from tournaments.comparisons.actions import A_DAY, MAX_RUNNING, ChallengePlan, start_challenge, stop_challenge
from tournaments.matches import play
from tournaments.matches.queries import revealed_seed
from tournaments.models import (
    BotPolicy,
    Challenge,
    ChallengeSet,
    DealSet,
    Match,
    RatingPool,
    Seat,
    Tournament,
)
from tournaments.operations import sweep
from tournaments.progress import derive
from tournaments.progress.draws import comparisons, next_round
from tournaments.ratings.bot_policies import choose_policy
from tournaments.standings import sequential_test, store

pytestmark = pytest.mark.django_db(transaction=True)
S, R = Challenge.State, Challenge.Reason


@pytest.mark.slow
def test_it_is_played_until_it_has_decided(process: Process) -> None:
    bot = a_bot_of_two_versions(first=a.FIRST, second=LAST)
    challenge = a_challenge(bot, elo0=0, elo1=400, alpha=0.2, beta=0.2, cap=200)
    played_out(process, challenge)
    stage, event = stage_of(challenge), stage_of(challenge).tournament
    assert challenge.state != S.RUNNING
    assert (challenge.reason, event.state, stage.state) == (R.BOUND, "finished", "closed")
    assert challenge.llr == pytest.approx(llr(challenge.counts, 0, 400))
    assert sum(challenge.counts) == challenge.judged == ChallengeSet.objects.exclude(score="").count()
    assert Match.objects.filter(stage=stage).exclude(state__in=("confirmed", "void")).count() == 0
    assert store.differences(stage) == []
    assert not RatingPool.objects.exists()
    verbs = AuditEvent.objects.filter(verb__startswith="challenge.").order_by("id").values_list("verb", flat=True)
    assert list(verbs) == ["challenge.start", "challenge.decide"]


@pytest.mark.slow
def test_everybody_sits_everywhere_and_decks_are_committed_to_and_shown(process: Process) -> None:
    challenge = a_challenge(cap=10, elo0=-400, elo1=400, alpha=0.01, beta=0.01)
    stage = stage_of(challenge)
    assert stage.commitment == commitment(bytes(stage.secret or b""))
    seats = Seat.objects.filter(match__stage=stage).values_list("match__leg", "index", "bot_version")
    sets = DealSet.objects.filter(stage=stage).count()
    own, other = challenge.candidate_id, challenge.reference_id
    assert Counter(seats) == {(1, 0, own): sets, (1, 1, other): sets, (2, 0, other): sets, (2, 1, own): sets}
    assert revealed_seed(matches_of(challenge)[0]) is None
    played_out(process, challenge)
    for match in matches_of(challenge, state="confirmed"):
        seed = revealed_seed(Match.objects.select_related("deal_set", "stage__tournament").get(pk=match.pk))
        assert match.deal_set is not None
        assert commitment(bytes.fromhex(seed or "")) == match.deal_set.commit


@pytest.mark.slow
def test_at_larger_tables_each_sits_alone_in_every_seat(process: Process) -> None:
    challenge = a_challenge(seats=3, cap=10, elo0=0, elo1=5)
    stage, own = stage_of(challenge), challenge.candidate_id
    seats = Seat.objects.filter(match__stage=stage, match__deal_set=DealSet.objects.order_by("pk")[0])
    by_leg: dict[int, list[bool]] = {}
    for leg, version in seats.order_by("match__leg", "index").values_list("match__leg", "bot_version"):
        by_leg.setdefault(leg, []).append(version == own)
    assert list(by_leg.values()) == [
        [True, False, False], [False, True, False], [False, False, True],
        [False, True, True], [True, False, True], [True, True, False],
    ]  # fmt: skip
    played_out(process, challenge)
    assert (challenge.state, challenge.reason, challenge.judged) == (S.INCONCLUSIVE, R.CAP, 10)
    assert challenge.counts == []
    assert [row[1] for row in challenge.split] == [10] * 3
    assert [row[3] for row in challenge.split] == [10] * 3
    assert 0 <= challenge.mean <= 1
    assert store.differences(stage) == []


@pytest.mark.slow
def test_in_teams_a_side_is_one_version(process: Process) -> None:
    challenge = a_challenge(seats=4, options={"rounds": 1, "teams": "2x2"}, cap=10, elo0=0, elo1=5)
    assert Match.objects.filter(stage=challenge.stage_id).count() == 2 * DealSet.objects.count()
    played_out(process, challenge)
    assert sum(challenge.counts) == 10


def confirm(match: Match, first: int, second: int, *, forfeit: int | None = None) -> None:
    """A result without a record: the places of both seats."""
    for index, place in enumerate((first, second)):
        outcome = Seat.Outcome.FORFEIT if forfeit == index else Seat.Outcome.PLAYED
        Seat.objects.filter(match=match, index=index).update(place=place, points=0, victories=0, outcome=outcome)
    Match.objects.filter(pk=match.pk).update(state=Match.State.CONFIRMED, finished_at=timezone.now())


def win(match: Match, challenge: Challenge, **more: Any) -> None:
    """The candidate wins a leg."""
    own = Seat.objects.get(match=match, bot_version=challenge.candidate).index
    confirm(match, *((1, 2) if own == 0 else (2, 1)), **more)


def lose(match: Match, challenge: Challenge, **more: Any) -> None:
    """And loses one."""
    own = Seat.objects.get(match=match, bot_version=challenge.candidate).index
    confirm(match, *((2, 1) if own == 0 else (1, 2)), **more)


def judged(challenge: Challenge) -> Challenge:
    sequential_test.evaluate(stage_of(challenge))
    challenge.refresh_from_db()
    return challenge


def test_deal_sets_are_judged_in_their_order_whichever_is_over_first() -> None:
    challenge = a_challenge(elo0=0, elo1=200, alpha=0.01, beta=0.01)
    matches = matches_of(challenge)
    for match in matches[2:8]:
        win(match, challenge)
    assert judged(challenge).judged == 0
    for match in matches[:2]:
        lose(match, challenge)
    assert judged(challenge).judged == 4
    assert challenge.counts == [1, 0, 0, 0, 3]
    assert list(challenge.sets.order_by("number").values_list("score", flat=True)) == ["0", "1", "1", "1"]


def test_what_comes_after_the_decision_changes_nothing() -> None:
    challenge = a_challenge(elo0=0, elo1=400, alpha=0.2, beta=0.2)
    for match in matches_of(challenge)[:6]:
        win(match, challenge)
    decided = judged(challenge)
    assert decided.state == S.STRONGER
    figures = (decided.judged, decided.llr, decided.counts, decided.decided_at)
    for match in matches_of(challenge)[2 * decided.judged :]:
        lose(match, challenge)
    judged(challenge)
    assert (challenge.state, challenge.judged, challenge.llr) == (S.STRONGER, *figures[:2])
    assert comparisons.go_on_all() == 1
    challenge.refresh_from_db()
    assert (challenge.judged, challenge.llr, challenge.counts, challenge.decided_at) == figures
    assert comparisons.go_on_all() == 0


def test_our_own_faults_are_nobody_s() -> None:
    """A held leg takes its deal set out for good, even if it is played later after all."""
    challenge = a_challenge(elo0=0, elo1=200, alpha=0.01, beta=0.01)
    matches = matches_of(challenge)
    win(matches[0], challenge)
    Match.objects.filter(pk=matches[1].pk).update(state=Match.State.QUARANTINED, faults=4)
    for match in matches[2:4]:
        lose(match, challenge)
    judged(challenge)
    assert (challenge.judged, challenge.skipped, challenge.counts) == (1, 1, [1, 0, 0, 0, 0])
    win(matches[1], challenge)
    judged(challenge)
    assert (challenge.judged, challenge.skipped) == (1, 1)
    assert challenge.sets.get(number=1).score == ""


def test_a_forfeit_counts_as_lost_and_is_shown() -> None:
    challenge = a_challenge(elo0=0, elo1=400)
    first, second = matches_of(challenge)[:2]
    lose(first, challenge, forfeit=0)
    win(second, challenge, forfeit=0)
    judged(challenge)
    assert (challenge.candidate_forfeits, challenge.reference_forfeits) == (1, 1)
    assert challenge.counts == [0, 0, 1, 0, 0]


@pytest.mark.thorough
def test_a_bench_ends_it_once_what_is_drawn_is_judged() -> None:
    challenge = a_challenge(elo0=0, elo1=5)
    BotVersion.objects.filter(pk=challenge.reference_id).update(benched_at=timezone.now())
    assert comparisons.go_on_all() == 0
    for number, match in enumerate(matches_of(challenge)):
        (win if number % 2 else lose)(match, challenge)
    judged(challenge)
    assert challenge.state == S.RUNNING
    assert comparisons.go_on_all() == 1
    challenge.refresh_from_db()
    assert (challenge.state, challenge.reason) == (S.INCONCLUSIVE, R.UNFIT)
    assert stage_of(challenge).revealed_at is not None


@pytest.mark.slow
def test_the_queue_is_filled_a_few_at_a_time(process: Process) -> None:
    a_challenge(elo0=0, elo1=5, cap=5_000)
    first = Match.objects.count()
    assert first == max(comparisons.MINIMUM, comparisons.A_PROCESS)
    assert comparisons.go_on_all() == 0
    process.seconds = 1.0
    while Match.objects.filter(state="queued").count() > first // 4:
        play.play_batch(process)
        derive.derive_waiting()
    assert comparisons.are_waiting()
    assert next_round.advance_waiting() == 1
    assert Match.objects.count() > first


def test_stopping_is_inconclusive_and_done_once(process: Process) -> None:
    challenge = a_challenge(elo0=-400, elo1=400, alpha=0.01, beta=0.01)
    play.play_batch(process)
    stopped = stop_challenge(challenge=challenge, by=challenge.by)
    assert (stopped.state, stopped.reason) == (S.INCONCLUSIVE, R.STOPPED)
    assert Tournament.objects.get().state == Tournament.State.FINISHED
    assert not Match.objects.filter(state="queued").exists()
    with pytest.raises(TournamentError) as refused:
        stop_challenge(challenge=challenge, by=challenge.by)
    assert refused.value.code == "challenge.already_decided"


def test_who_may_stop() -> None:
    challenge = a_challenge()
    with pytest.raises(TournamentError) as refused:
        stop_challenge(challenge=challenge, by=a.a_user())
    assert refused.value.code == "challenge.not_owner"
    assert stop_challenge(challenge=challenge, by=a.a_user(is_staff=True)).state == S.INCONCLUSIVE


def refusal(**changes: Any) -> str:
    with pytest.raises(TournamentError) as refused:
        a_challenge(**changes)
    assert not Tournament.objects.exists()
    return refused.value.code


def test_what_cannot_be_asked_for() -> None:
    bot = a_bot_of_two_versions()
    old, new = bot.versions.order_by("n")
    other = a.a_bot()
    assert other.active_version is not None
    assert refusal(bot=bot, reference=new) == "challenge.same"
    assert refusal(bot=bot, elo0=20, elo1=20) == "tournament.bad_elo1"
    assert refusal(bot=bot, cap=9) == "tournament.bad_cap"
    assert refusal(bot=bot, alpha=0.5) == "tournament.bad_alpha"
    assert refusal(bot=bot, seats=7, cap=5_000) == "challenge.too_many_matches"
    assert refusal(bot=bot, seats=9) == "tournament.bad_seating"
    assert refusal(bot=bot, preset="french") == "challenge.preset_not_played"
    with pytest.raises(TournamentError) as refused:
        start_challenge(
            by=bot.owner, plan=ChallengePlan(candidate=other.active_version, reference=old, preset="hawaii")
        )
    assert refused.value.code == "challenge.not_owner"
    later = a.a_version(other)
    assert refusal(bot=bot, reference=later) == "challenge.not_active"
    choose_policy(bot=other, by=other.owner, challenges=BotPolicy.Challenges.NOBODY, in_ladders=True)
    assert refusal(bot=bot, reference=other.active_version) == "challenge.declined"
    BotVersion.objects.filter(pk=old.pk).update(benched_at=timezone.now())
    assert refusal(bot=bot) == "challenge.not_ready"


@pytest.mark.slow
def test_another_s_bot_may_be_challenged_and_so_much_at_once_and_a_day() -> None:
    bot = a_bot_of_two_versions()
    rivals = [a.a_bot() for _each in range(MAX_RUNNING + 1)]
    made = [a_challenge(bot, reference=rival.active_version) for rival in rivals[:MAX_RUNNING]]
    assert made[0].of_two_owners
    with pytest.raises(TournamentError) as refused:
        a_challenge(bot, reference=rivals[-1].active_version)
    assert refused.value.code == "challenge.too_many"
    with pytest.raises(TournamentError) as refused:
        a_challenge(bot, reference=rivals[0].active_version)
    assert refused.value.code == "challenge.already_running"
    Challenge.objects.update(state=S.INCONCLUSIVE, reason=R.STOPPED, decided_at=timezone.now())
    for _each in range(A_DAY - MAX_RUNNING):
        stop_challenge(challenge=a_challenge(bot), by=bot.owner)
    with pytest.raises(TournamentError) as refused:
        a_challenge(bot)
    assert refused.value.code == "challenge.rate"
    assert isinstance(refused.value.extra["retry_after"], int)
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        assert a_challenge(bot).state == S.RUNNING


def test_the_sweep_rings_for_what_was_left() -> None:
    challenge = a_challenge()
    Match.objects.filter(stage=challenge.stage_id).update(state=Match.State.VOID)
    assert comparisons.are_waiting() is False
    judged(challenge)
    assert (challenge.judged, challenge.skipped) == (0, DealSet.objects.count())
    assert comparisons.are_waiting()
    assert sweep.sweep().notified >= 1
