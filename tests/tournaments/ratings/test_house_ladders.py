"""The official ladders: kept open, entered by every ready bot whose owner does not mind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from bots.jobs.process import Process
from bots.models import BotVersion
from bots.services import house_account
from tests.builders import events as a
from tests.builders.challenges import a_bot_of_two_versions
from tests.builders.ladders import play_on
from tests.services.forging import forge
from tournaments.entries.bots import withdraw_entry
from tournaments.floor.announcements import announce
from tournaments.lifecycle.floor_settings import announcements_of
from tournaments.models import BotPolicy, Entry, Match, Rating, Role, Seat, Stage, StageEntry, Tournament
from tournaments.operations import sweep
from tournaments.ratings.bot_policies import choose_policy
from tournaments.ratings.ladders import house, ladder
from tournaments.ratings.ladders.house import end_of_month

pytestmark = pytest.mark.django_db(transaction=True)


def opened(preset: str = "hawaii", deal_sets: int = 2) -> Stage:
    return house.open_ladder(house_account(), preset=preset, seats=2, deal_sets=deal_sets)


def entered(stage: Stage) -> set[str]:
    rows = Entry.objects.filter(tournament=stage.tournament_id, state=Entry.State.ACTIVE)
    return set(rows.values_list("player__name", flat=True))


@pytest.mark.slow
def test_a_bot_that_becomes_ready_is_in_it_and_plays(process: Process) -> None:
    stage = opened()
    waiting = a.a_bot(name="Waiting", ready=False)
    bots = [a.a_bot(name=name) for name in ("Plum", "Kiri", "Pine")]
    sweep.sweep()
    assert entered(stage) == {"Plum", "Kiri", "Pine"}
    sweep.sweep()
    assert Entry.objects.count() == 3
    version = waiting.versions.get()
    version.state = BotVersion.State.READY
    version.save()
    waiting.active_version = version
    waiting.save()
    sweep.sweep()
    assert entered(stage) == {"Plum", "Kiri", "Pine", "Waiting"}
    play_on(process)
    assert Rating.objects.filter(pool__stage=stage).count() == 4
    assert {entry.entered_by for entry in Entry.objects.filter(player__bot__in=bots)} == {bot.owner for bot in bots}
    stage.refresh_from_db()
    assert stage.state == Stage.State.ACTIVE
    assert Match.objects.filter(stage=stage, leg=2).exists()


def test_who_is_benched_or_plays_other_rules_is_not_drawn() -> None:
    stage = opened()
    good, other = a.a_bot(name="Plum"), a.a_bot(name="Kiri")
    benched, french = a.a_bot(name="Benched"), a.a_bot(name="French")
    BotVersion.objects.filter(bot=benched).update(benched_at=timezone.now())
    forge(BotVersion.objects.filter(bot=french), plays=["french"])
    house.enter_ready()
    assert entered(stage) == {good.name, other.name}
    BotVersion.objects.filter(bot=other).update(benched_at=timezone.now())
    drawn = [item.entry.player.bot for item in ladder.contenders_of(stage, ladder.pool_of(stage))]
    assert drawn == [good]


def test_an_owner_stays_out_of_it_and_comes_back() -> None:
    stage = opened()
    shy, bold = a.a_bot(name="Shy"), a.a_bot(name="Bold")
    choose_policy(bot=shy, by=shy.owner, challenges=BotPolicy.Challenges.ANYBODY, in_ladders=False)
    house.enter_ready()
    assert entered(stage) == {"Bold"}
    choose_policy(bot=bold, by=bold.owner, challenges=BotPolicy.Challenges.ANYBODY, in_ladders=False)
    choose_policy(bot=shy, by=shy.owner, challenges=BotPolicy.Challenges.ANYBODY, in_ladders=True)
    house.enter_ready()
    assert entered(stage) == {"Shy"}
    assert StageEntry.objects.get(entry__player__bot=bold).left_round == 1
    choose_policy(bot=bold, by=bold.owner, challenges=BotPolicy.Challenges.ANYBODY, in_ladders=True)
    assert entered(stage) == {"Shy", "Bold"}
    assert StageEntry.objects.get(entry__player__bot=bold).left_round is None


def test_who_leaves_by_hand_stays_out_until_the_next_one() -> None:
    stage, bot = opened(), a.a_bot(name="Plum")
    house.enter_ready()
    withdraw_entry(entry=Entry.objects.get(), by=bot.owner)
    assert house.enter_ready() == 0
    assert entered(stage) == set()
    Stage.objects.filter(pk=stage.pk).update(ends_at=timezone.now())
    assert house.ensure_open() == 1
    assert house.enter_ready() == 1


@pytest.mark.slow
def test_a_month_ends_and_the_next_begins(process: Process) -> None:
    stage = opened(deal_sets=1)
    for name in ("Plum", "Kiri"):
        a.a_bot(name=name)
    house.enter_ready()
    play_on(process)
    assert stage.ends_at is not None
    with time_machine.travel(stage.ends_at, tick=False):
        assert house.ensure_open() == 1
        assert house.ensure_open() == 0
        house.enter_ready()
        following = house.running().get()
        assert (following.preset, following.rounds_planned) == ("hawaii", 1)
        assert entered(following) == {"Plum", "Kiri"}
        play_on(process)
    stage.refresh_from_db()
    assert (stage.state, stage.tournament.slug) == ("closed", f"ladder-hawaii-2-{stage.tournament.started_at:%Y-%m}")
    assert stage.revealed_at is not None
    assert Seat.objects.filter(match__stage=following).exists()


def test_the_end_of_a_month() -> None:
    assert end_of_month(datetime(2026, 12, 31, 23, 59, tzinfo=UTC)) == datetime(2027, 1, 1, tzinfo=UTC)
    assert end_of_month(datetime(2028, 2, 1, tzinfo=UTC)) == datetime(2028, 3, 1, tzinfo=UTC)


def test_one_that_was_called_off_or_given_up_is_not_opened_again() -> None:
    cancelled, given_up = opened(), opened("paradise")
    Tournament.objects.filter(pk=cancelled.tournament_id).update(state=Tournament.State.CANCELLED)
    call_command("open_ladders", "paradise", "--stop")
    Stage.objects.update(ends_at=timezone.now())
    assert house.ensure_open() == 0
    assert Tournament.objects.get(pk=given_up.tournament_id).official_deal_sets is None


def test_giving_up_a_ladder_loses_nothing_that_is_changed_meanwhile() -> None:
    stage = opened()
    Role.objects.create(user=stage.tournament.created_by, tournament=stage.tournament, role=Role.Kind.OWNER)
    seen = house.official().get()
    announce(tournament=stage.tournament, by=stage.tournament.created_by, text="Dinner at seven.")
    house.give_up(seen)
    assert not house.official().exists()
    assert [each.text for each in announcements_of(Tournament.objects.get())] == ["Dinner at seven."]


def test_the_command_opens_once_and_enters_who_is_ready() -> None:
    a_bot_of_two_versions()
    call_command("open_ladders", "hawaii", "oibana", "--deal-sets", "3")
    call_command("open_ladders", "hawaii", "oibana")
    assert sorted(house.running().values_list("preset", "seats_pref", "rounds_planned")) == [
        ("hawaii", 2, 3),
        ("oibana", 3, 3),
    ]
    assert Entry.objects.count() == 1
    with pytest.raises(CommandError, match="no preset chess"):
        call_command("open_ladders", "chess")
    with pytest.raises(CommandError):
        call_command("open_ladders", "poka5", "--seats", "5")
