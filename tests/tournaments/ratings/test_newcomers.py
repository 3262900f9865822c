"""A version that is new to a ladder plays its first deal set at once, however long the queue is, and within bounds."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db.models import F
from django.utils import timezone

from bots.models import Bot, BotVersion
from bots.services import activate
from tests.builders import events as a
from tests.builders.ladders import a_ladder, stage_of
from tests.services.databases import on_both
from tournaments.entries.bots import enter_bot
from tournaments.matches import play
from tournaments.models import DealSet, Entry, Match, Seat, Stage, Tournament
from tournaments.progress.draws import ladders, next_round
from tournaments.ratings.ladders import ladder, newcomers

pytestmark = [pytest.mark.django_db, on_both]
A_DAY = timedelta(days=1)


def a_long_ladder(bots: int = 5) -> Stage:
    """Make a ladder that runs for a day, with a full queue."""
    return stage_of(a_ladder(bots=bots, rounds=0, ends_at=timezone.now() + A_DAY))


def a_league(bots: int) -> Tournament:
    """Make a round robin of one person's bots whose matches wait."""
    return a.a_running_event(bots=bots, max_entries=64)


def bot_of(stage: Stage) -> Bot:
    """Return the bot that entered first."""
    bot = Entry.objects.filter(tournament=stage.tournament_id).order_by("pk")[0].player.bot
    assert bot is not None
    return bot


def activate_next(bot: Bot) -> int:
    """Upload and activate one more version. Returns its number."""
    version = a.a_version(bot)
    activate(version=version, by=bot.owner)
    return version.n


def sets_of(stage: Stage, bot: Bot, number: int) -> list[int]:
    """Return the deal sets drawn for a version."""
    seats = Seat.objects.filter(match__stage=stage, player__bot=bot, version_n=number)
    return list(seats.order_by("match__deal_set").values_list("match__deal_set", flat=True).distinct())


def place_of(stage: Stage, bot: Bot, number: int) -> int:
    """Return how many of the waiting matches are claimed before the first one of a version."""
    waiting = play.queue().filter(state=Match.State.QUEUED).order_by("priority", "id")
    own = set(
        Seat.objects.filter(player__bot=bot, version_n=number, match__stage=stage).values_list("match", flat=True)
    )
    return [pk in own for pk in waiting.values_list("pk", flat=True)].index(True)


@pytest.mark.thorough
def test_a_new_version_goes_before_a_long_queue_of_its_ladder_and_of_others() -> None:
    stage, _league = a_long_ladder(), a_league(10)
    bot = bot_of(stage)
    waiting = Match.objects.filter(state=Match.State.QUEUED).count()
    assert waiting > 50
    assert not next_round.advance_waiting(), "the queue is full"
    number = activate_next(bot)
    assert ladders.are_waiting()
    assert next_round.advance_waiting() == 1
    assert len(sets_of(stage, bot, number)) == 1
    assert place_of(stage, bot, number) <= 1, "behind the one that is first in the queue"
    assert not next_round.advance_waiting(), "one deal set, until there is room again"
    why = Match.objects.filter(deal_set__in=sets_of(stage, bot, number))[0].why
    assert why.startswith("Drawn at once")


@pytest.mark.thorough
def test_a_bot_that_enters_goes_before_the_queue() -> None:
    stage = a_long_ladder()
    late = a.a_bot()
    enter_bot(tournament=stage.tournament, bot=late, by=late.owner)
    assert next_round.advance_waiting() == 1
    assert place_of(stage, late, 1) <= 1


@pytest.mark.thorough
def test_a_new_version_goes_before_the_matches_of_many_events() -> None:
    stage = a_long_ladder()
    for _each in range(12):
        a_league(4)
    bot = bot_of(stage)
    number = activate_next(bot)
    assert next_round.advance_waiting() == 1
    assert place_of(stage, bot, number) <= 1
    late = a.a_bot()
    enter_bot(tournament=stage.tournament, bot=late, by=late.owner)
    assert next_round.advance_waiting() == 1
    assert place_of(stage, bot, number) < place_of(stage, late, 1), "newcomers in the order in which they came"


@pytest.mark.thorough
def test_a_ladder_that_begins_takes_its_turn() -> None:
    league = a_league(6)
    rows = Match.objects.filter(stage__tournament=league, state=Match.State.QUEUED).order_by("priority")
    rows.update(priority=F("priority") + 1_000_000)
    stage = a_long_ladder()
    first = Match.objects.filter(stage=stage, state=Match.State.QUEUED).order_by("priority")[0]
    assert rows[0].priority < first.priority < rows.reverse()[0].priority


@pytest.mark.thorough
def test_the_next_ordinary_draw_still_goes_behind_the_ladder_s_queue() -> None:
    stage = a_long_ladder()
    activate_next(bot_of(stage))
    next_round.advance_waiting()
    first = DealSet.objects.filter(stage=stage).order_by("-pk")[0].pk
    rows = Match.objects.filter(stage=stage, state=Match.State.QUEUED)
    done = rows.filter(deal_set__lt=first).order_by("pk").values_list("pk", flat=True)[:14]
    Match.objects.filter(pk__in=list(done)).update(state=Match.State.VOID)
    last = max(rows.values_list("priority", flat=True))
    assert next_round.advance_waiting() == 1
    assert min(rows.filter(deal_set__gt=first).values_list("priority", flat=True)) > last


@pytest.mark.thorough
def test_two_newcomers_may_share_a_table_and_both_have_one() -> None:
    stage = a_long_ladder()
    late = [a.a_bot() for _each in range(3)]
    for bot in late:
        enter_bot(tournament=stage.tournament, bot=bot, by=bot.owner)
    before = DealSet.objects.filter(stage=stage).count()
    next_round.advance_waiting()
    assert all(sets_of(stage, bot, 1) for bot in late)
    assert DealSet.objects.filter(stage=stage).count() - before <= len(late)


@pytest.mark.thorough
def test_an_owner_s_new_versions_go_first_so_often_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newcomers, "AN_OWNER", 3)
    stage = a_long_ladder()
    bot, other = bot_of(stage), Entry.objects.filter(tournament=stage.tournament_id).order_by("-pk")[0].player.bot
    assert other is not None
    drawn = []
    for _each in range(4):
        number = activate_next(bot)
        next_round.advance_waiting()
        drawn.append(len(sets_of(stage, bot, number)))
    assert drawn == [1, 1, 0, 0], "version 1 came within this hour, too"
    assert not ladders.are_waiting(), "nobody looks for it again and again"
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        assert next_round.advance_waiting() == 1
    assert len(sets_of(stage, bot, 5)) == 1
    assert not sets_of(stage, bot, 4), "it was replaced before its turn"
    number = activate_next(other)
    next_round.advance_waiting()
    assert sets_of(stage, other, number), "others have bounds of their own"


@pytest.mark.thorough
def test_where_everybody_is_new_nobody_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newcomers, "MAX_UNPROVEN", 4)
    stage = a_long_ladder(6)
    drawn = DealSet.objects.filter(stage=stage).count()
    assert drawn <= ladders.MINIMUM, "no more than there is room for"
    late = a.a_bot()
    enter_bot(tournament=stage.tournament, bot=late, by=late.owner)
    assert newcomers.waiting(stage, ladder.pool_of(stage)) == []
    assert next_round.advance_waiting() == 0


@pytest.mark.thorough
def test_a_held_first_match_does_not_bring_another_one() -> None:
    stage = a_long_ladder()
    bot = bot_of(stage)
    number = activate_next(bot)
    next_round.advance_waiting()
    Match.objects.filter(deal_set__in=sets_of(stage, bot, number)).update(state=Match.State.QUARANTINED)
    assert newcomers.waiting(stage, ladder.pool_of(stage)) == []


@pytest.mark.thorough
def test_a_suspended_version_waits_for_nothing() -> None:
    stage = a_long_ladder()
    bot = bot_of(stage)
    version = a.a_version(bot)
    BotVersion.objects.filter(pk=version.pk).update(benched_at=timezone.now())
    Bot.objects.filter(pk=bot.pk).update(active_version=version)
    assert newcomers.waiting(stage, ladder.pool_of(stage)) == []
