"""A ladder runs on its own: its queue is kept filled as results come in, entries come and go, versions change."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from bots.jobs.process import Process
from bots.models import BotVersion
from bots.services import activate
from core.errors import TournamentError
from core.formats.errors import FormatError
from tests.builders import events as a
from tests.builders.ladders import a_ladder, differences, play_on, settled, stage_of
from tournaments.entries.bots import enter_bot, withdraw_entry
from tournaments.events.create import create_tournament
from tournaments.lifecycle import locks
from tournaments.matches import play
from tournaments.models import DealSet, Entry, Match, Rating, RatingEvent, Seat, Stage, StageEntry, Standing, Tournament
from tournaments.operations import sweep
from tournaments.progress import derive
from tournaments.progress.draws import ladders, next_round
from tournaments.progress.run import pause_tournament, resume_tournament, start_tournament
from tournaments.ratings.ladders import ladder
from tournaments.ratings.ladders.actions import end_ladder

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_everybody_plays_as_often_as_was_planned_and_the_ladder_ends(process: Process) -> None:
    event = a_ladder(bots=5, rounds=4)
    assert not stage_of(event).rounds.exists()
    play_on(process)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    stage = stage_of(event)
    assert stage.revealed_at is not None
    played = Counter(Seat.objects.filter(match__stage=stage).values_list("entry", flat=True))
    assert min(played.values()) == 4
    assert sum(played.values()) <= 5 * 4 + 1
    assert settled(stage) == DealSet.objects.filter(stage=stage).count()
    assert list(Standing.objects.filter(stage=stage).values_list("row", flat=True)) == [1, 2, 3, 4, 5]
    assert differences(stage) == []


@pytest.mark.slow
def test_legs_of_a_deal_set_are_one_result_at_larger_tables(process: Process) -> None:
    event = a_ladder(bots=4, rounds=2, seats=3, legs="cyclic")
    play_on(process)
    stage = stage_of(event)
    sets = DealSet.objects.filter(stage=stage).count()
    assert Match.objects.filter(stage=stage).count() == 3 * sets
    assert RatingEvent.objects.filter(pool__stage=stage).count() == 3 * sets
    assert differences(stage) == []


@pytest.mark.slow
def test_the_queue_is_never_empty_nor_longer_than_it_should_be(process: Process) -> None:
    event = a_ladder(bots=6, rounds=0, ends_at=timezone.now() + timedelta(days=1))
    stage = stage_of(event)
    for _each in range(6):
        waiting = Match.objects.filter(stage=stage, state=Match.State.QUEUED).count()
        assert 0 < waiting <= ladders.AN_ENTRY * 6
        process.seconds = 1.0  # five matches a batch, however long they take here
        play.play_batch(process)
        derive.derive_waiting()
        next_round.advance_waiting()
    pool = ladder.pool_of(stage)
    assert pool.seq == RatingEvent.objects.filter(pool=pool).values("deal_set").distinct().count() > 12
    assert differences(stage) == []


@pytest.mark.slow
def test_entries_come_and_go_while_it_runs(process: Process) -> None:
    event = a_ladder(bots=3, rounds=0, ends_at=timezone.now() + timedelta(days=1))
    stage = stage_of(event)
    late = a.a_bot()
    entry = enter_bot(tournament=event, bot=late, by=late.owner)
    assert entry.state == Entry.State.ACTIVE
    assert StageEntry.objects.get(entry=entry).seed == 4
    gone = Entry.objects.exclude(pk=entry.pk).order_by("pk")[0]
    withdraw_entry(entry=gone, by=gone.player.bot.owner)  # type: ignore[union-attr]  # a bot's entry
    drawn = DealSet.objects.order_by("-pk")[0].pk
    _some(process, 4)
    later = Seat.objects.filter(match__deal_set__gt=drawn)
    assert later.filter(entry=entry).exists()
    assert not later.filter(entry=gone).exists()
    assert Standing.objects.filter(stage=stage).count() == 4
    back = enter_bot(tournament=event, bot=gone.player.bot, by=gone.player.bot.owner)  # type: ignore[arg-type, union-attr]  # an entry of a bot has one
    assert back.pk == gone.pk
    assert StageEntry.objects.get(entry=gone).left_round is None
    _some(process, 4)
    assert Seat.objects.filter(match__deal_set__gt=drawn, entry=gone).exists()
    assert differences(stage) == []


@pytest.mark.slow
def test_a_new_version_begins_where_its_predecessor_stands_and_a_benched_one_rests(process: Process) -> None:
    event = a_ladder(bots=3, rounds=0, ends_at=timezone.now() + timedelta(days=1))
    stage, entry = stage_of(event), Entry.objects.order_by("pk")[0]
    _some(process, 4)
    bot = entry.player.bot
    assert bot is not None
    old = Rating.objects.get(pool__stage=stage, entry=entry)
    bot.active_version = a.a_version(bot)
    bot.save()
    other = Entry.objects.exclude(pk=entry.pk)[0].player.bot
    assert other is not None
    assert other.active_version is not None
    BotVersion.objects.filter(pk=other.active_version.pk).update(benched_at=timezone.now())
    drawn = DealSet.objects.order_by("-pk")[0].pk
    _some(process, 6)
    later = Seat.objects.filter(match__deal_set__gt=drawn)
    assert set(later.filter(entry=entry).values_list("version_n", flat=True)) == {2}
    assert not later.filter(player__bot=other).exists()
    first = RatingEvent.objects.get(pool__stage=stage, line=old.line, n=2, nth=1)
    last = RatingEvent.objects.filter(pool__stage=stage, line=old.line, n=1).order_by("-nth")[0]
    assert first.mu_before == last.mu_after
    assert first.sigma_before > last.sigma_after
    assert Standing.objects.filter(stage=stage, entry=entry).count() == 1
    assert differences(stage) == []


@pytest.mark.slow
def test_a_deal_set_never_mixes_versions(process: Process) -> None:
    event = a_ladder(bots=3, rounds=0, seats=2, legs="cyclic", ends_at=timezone.now() + timedelta(days=1))
    process.seconds = 0.01
    play.play_batch(process)
    for bot in (entry.player.bot for entry in event.entries.all()):
        assert bot is not None
        bot.active_version = a.a_version(bot)
        bot.save()
    _some(process, 5)
    by_set: dict[Any, set[tuple[int, int]]] = {}
    for number, entry, version in Seat.objects.values_list("match__deal_set", "entry", "version_n"):
        by_set.setdefault(number, set()).add((entry or 0, version or 0))
    assert {len(each) for each in by_set.values()} == {2}


@pytest.mark.thorough
def test_the_time_is_up_the_queue_is_played_and_the_ladder_closes(process: Process) -> None:
    event = a_ladder(bots=3, rounds=0, ends_at=timezone.now() + timedelta(hours=1))
    stage = stage_of(event)
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        late = a.a_bot()
        with pytest.raises(TournamentError) as refused:
            enter_bot(tournament=event, bot=late, by=late.owner)
        assert refused.value.code == "entry.closed"
        drawn = Match.objects.count()
        assert ladders.are_waiting()
        next_round.advance_waiting()
        assert Stage.objects.get(pk=stage.pk).state == Stage.State.ACTIVE
        play_on(process)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert Match.objects.count() == drawn
    assert not Match.objects.exclude(state=Match.State.CONFIRMED).exists()


@pytest.mark.slow
def test_an_organiser_ends_it_before_its_time(process: Process) -> None:
    event = a_ladder(bots=3, rounds=0, ends_at=timezone.now() + timedelta(days=9))
    with pytest.raises(TournamentError) as refused:
        end_ladder(tournament=event, by=a.a_user())
    assert refused.value.code == "tournament.not_organiser"
    end_ladder(tournament=event, by=event.created_by)
    with pytest.raises(TournamentError) as again:
        end_ladder(tournament=event, by=event.created_by)
    assert again.value.code == "ladder.ended"
    play_on(process)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED


@pytest.mark.thorough
def test_a_paused_ladder_draws_nothing(process: Process) -> None:
    event = a_ladder(bots=3, rounds=0, ends_at=timezone.now() + timedelta(days=1))
    pause_tournament(tournament=event, by=event.created_by)
    Match.objects.update(state=Match.State.VOID)
    assert not next_round.advance_waiting()
    assert not ladders.are_waiting()
    resume_tournament(tournament=event, by=event.created_by)
    derive.derive_waiting()
    assert next_round.advance_waiting()
    assert Match.objects.filter(state=Match.State.QUEUED).exists()


@pytest.mark.thorough
def test_two_processes_that_fill_at_once_fill_once() -> None:
    event = a_ladder(bots=5, rounds=0, ends_at=timezone.now() + timedelta(days=1))
    stage = stage_of(event)
    Match.objects.filter(stage=stage).update(state=Match.State.VOID)
    with transaction.atomic():
        locks.lock_standings(event)
        ladder.fold(stage)
    before = Match.objects.count()

    def go_on(_each: int) -> bool:
        try:
            return ladders.go_on(Stage.objects.select_related("tournament", "ruleset").get(pk=stage.pk))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(go_on, range(4)))
    assert done.count(True) == 1
    assert Match.objects.count() - before == ladders.MINIMUM


@pytest.mark.thorough
def test_what_is_played_and_not_yet_folded_counts_as_played(process: Process) -> None:
    event = a_ladder(bots=4, rounds=2)
    stage = stage_of(event)
    drawn = Match.objects.filter(stage=stage).count()
    process.seconds = 0.01  # all of them in one batch
    play.play_batch(process)
    assert Match.objects.filter(stage=stage, state=Match.State.CONFIRMED).count() == drawn == 4
    assert not Rating.objects.filter(pool=ladder.pool_of(stage), events__gt=0).exists()
    ladders.go_on(stage)
    assert Match.objects.filter(stage=stage).count() == drawn
    play_on(process)
    assert Match.objects.filter(stage=stage).count() == drawn


@pytest.mark.slow
def test_a_late_result_of_a_held_match_is_folded_in_where_it_belongs(process: Process) -> None:
    """The held one is passed over; played again, everything after it is folded again."""
    event = a_ladder(bots=4, rounds=0, ends_at=timezone.now() + timedelta(days=1))
    stage = stage_of(event)
    held = Match.objects.filter(stage=stage).order_by("pk")[2]
    Match.objects.filter(pk=held.pk).update(state=Match.State.QUARANTINED)
    _some(process, 3)
    pool = ladder.pool_of(stage)
    assert pool.upto > (held.deal_set_id or 0)
    assert differences(stage) == []
    Match.objects.filter(pk=held.pk).update(state=Match.State.QUEUED, priority=0)
    _some(process, 2)
    assert Match.objects.get(pk=held.pk).state == Match.State.CONFIRMED
    assert RatingEvent.objects.filter(pool=pool, deal_set=held.deal_set_id or 0).count() == 2
    assert differences(stage) == []


@pytest.mark.slow
def test_what_an_open_match_holds_back_counts_provisionally(process: Process) -> None:
    event = a_ladder(bots=4, rounds=0, ends_at=timezone.now() + timedelta(days=1))
    stage = stage_of(event)
    slow = Match.objects.filter(stage=stage).order_by("pk")[1]
    Match.objects.filter(pk=slow.pk).update(state=Match.State.CLAIMED)
    process.seconds = 0.01
    for _each in range(5):
        play.play_batch(process)
        derive.derive_waiting()
    pool = ladder.pool_of(stage)
    assert pool.seq <= 1
    assert Rating.objects.filter(pool=pool, pending__gt=0).exists()
    assert differences(stage) == []


def test_what_ladders_cannot_be() -> None:
    by, soon = a.a_user(), timezone.now() + timedelta(days=1)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"rounds": 0}, "ladder.endless"),
        ({"rounds": 5, "ends_at": timezone.now()}, "ladder.bad_end"),
        ({"rounds": 5, "ends_at": timezone.now() + timedelta(days=40)}, "ladder.bad_end"),
        ({"rounds": 1_001}, "tournament.bad_rounds"),
        ({"rounds": 5, "who": "people"}, "tournament.bad_who"),
        ({"rounds": 5, "groups": 2}, "tournament.bad_groups"),
        ({"rounds": 5, "max_entries": 2_001}, "tournament.bad_max_entries"),
    ]
    for changes, code in wrong:
        with pytest.raises(TournamentError) as refused:
            create_tournament(by=by, plan=a.a_plan(kind="ladder", **changes))
        assert refused.value.code == code
    event = a.an_open_event(kind="ladder", rounds=0, seats=4, ends_at=soon, max_entries=2_000)
    a.entered(event, [a.a_bot(), a.a_bot()])
    with pytest.raises(FormatError) as few:
        start_tournament(tournament=event, by=event.created_by)
    assert few.value.code == "entries.too_few"


@pytest.mark.thorough
def test_the_sweep_rings_for_a_ladder_whose_filler_died(process: Process) -> None:
    event = a_ladder(bots=3, rounds=0, ends_at=timezone.now() + timedelta(days=1))
    Match.objects.filter(stage__tournament=event).update(state=Match.State.VOID)
    assert ladders.are_waiting()
    assert sweep.sweep().notified


def _some(process: Process, batches: int) -> None:
    process.seconds = 0.1
    for _each in range(batches):
        play.play_batch(process)
        derive.derive_waiting()
        next_round.advance_waiting()


@pytest.mark.thorough
def test_a_new_version_has_deal_sets_of_its_own() -> None:
    event = a_ladder(bots=2, rounds=1)
    stage = stage_of(event)
    pool = ladder.pool_of(stage)
    assert [item.played for item in ladder.contenders_of(stage, pool)] == [1, 1]
    assert ladders.fill(stage) == 0
    entry = Entry.objects.order_by("pk")[0]
    bot = entry.player.bot
    assert bot is not None
    activate(version=a.a_version(bot), by=bot.owner)
    assert [item.played for item in ladder.contenders_of(stage, pool)] == [0, 1]
    assert ladders.fill(stage) > 0
    assert Seat.objects.filter(match__stage=stage, entry=entry, version_n=2).exists()
    activate(version=bot.versions.get(n=1), by=bot.owner)
    assert next(item.played for item in ladder.contenders_of(stage, pool)) == 1
