"""The sums of matches and entries by state are what counting says, anyone who changed what, on both databases."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction
from django.db.models import Sum

from bots.jobs.process import Process
from tests.builders import events as a
from tests.services.processes import Project
from tournaments import tallies
from tournaments.entries.bots import withdraw_entry
from tournaments.lifecycle.visibility import event_page, progress_of
from tournaments.matches import counters
from tournaments.models import Entry, EntryTally, Match, MatchTally, Tournament
from tournaments.operations import sweep
from tournaments.operations.quarantine import void_match
from tournaments.people.event_lists import with_figures
from tournaments.progress import undo
from tournaments.progress.run import pause_tournament

pytestmark = pytest.mark.django_db


def differences() -> list[str]:
    return list(counters.differences())


@pytest.mark.thorough
def test_whatever_is_done_to_an_event_is_counted(process: Process) -> None:
    event = a.a_running_event(bots=4)
    assert differences() == []
    assert (progress_of(event.pk).total, progress_of(event.pk).queued) == (6, 6)
    for match in a.matches_of(event)[:2]:
        Match.objects.filter(pk=match.pk).update(state="confirmed")
    assert (progress_of(event.pk).done, differences()) == (2, [])
    Match.objects.filter(pk=a.matches_of(event)[5].pk).update(state="quarantined")
    void_match(match=a.matches_of(event)[5], by=event.created_by, reason="Our fault")
    assert (progress_of(event.pk).total, differences()) == (5, [])
    shown: Any = with_figures(Tournament.objects.filter(pk=event.pk)).get()
    assert (shown.entries_n, shown.matches_n, shown.done_n) == (4, 5, 2)
    assert event_page(event.slug, None).entered == 4
    counters.add_up()
    assert not MatchTally.objects.filter(is_fresh=True).exists()
    assert (progress_of(event.pk).total, differences()) == (5, [])


@pytest.mark.thorough
def test_undo_and_what_is_taken_back_are_counted() -> None:
    event = a.an_open_event()
    entries = a.entered(event, [a.a_bot() for _each in range(3)])
    withdraw_entry(entry=entries[0], by=entries[0].player.bot.owner)  # type: ignore[union-attr]  # of a bot
    assert (event_page(event.slug, None).entered, differences()) == (2, [])
    pause_tournament(tournament=a.a_running_event(bots=2), by=Tournament.objects.order_by("-pk")[0].created_by)
    with transaction.atomic():
        a.a_running_event(bots=3)
        transaction.set_rollback(True)
    assert differences() == []
    paused = Tournament.objects.get(state="paused")
    undo.undo(tournament=paused, by=paused.created_by, seen=undo.last_undoable(paused).id)  # type: ignore[union-attr]  # just done
    Match.objects.filter(stage__tournament=paused).delete()
    counters.add_up()
    assert differences() == []
    assert not MatchTally.objects.filter(stage__tournament=paused).exists()


@pytest.mark.thorough
def test_a_sweep_adds_up_and_nothing_is_lost_by_two_at_once() -> None:
    event = a.a_running_event(bots=5)
    for state in ("ready", "queued"):
        for match in a.matches_of(event):
            Match.objects.filter(pk=match.pk).update(state=state)
    before = MatchTally.objects.count()
    sweep.sweep()
    assert MatchTally.objects.count() < before
    assert counters.add_up() == 0
    assert differences() == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_sums_are_true_while_many_write_and_others_add_up() -> None:
    event = a.a_running_event(bots=6)
    keys = [match.pk for match in a.matches_of(event)]
    wrong: list[str] = []

    def write(mine: list[int]) -> None:
        for state in ("claimed", "queued") * 6:
            for pk in mine:
                Match.objects.filter(pk=pk).update(state=state)
        connections.close_all()

    def look() -> None:
        for _time in range(40):
            counters.add_up()
            total = MatchTally.objects.filter(stage__tournament=event).aggregate(total=Sum("n"))["total"]
            if total != len(keys):
                wrong.append(f"{total} matches")
        connections.close_all()

    threads = [threading.Thread(target=write, args=(keys[n::3],)) for n in range(3)]
    threads += [threading.Thread(target=look) for _each in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert (wrong, differences()) == ([], [])
    assert progress_of(event.pk).queued == len(keys)


@pytest.mark.thorough
def test_a_sum_that_is_wrong_is_found_and_put_right(capsys: Any) -> None:
    event = a.a_running_event(bots=3)
    MatchTally.objects.filter(stage__tournament=event).update(n=7)
    EntryTally.objects.create(tournament=event, state="entered", n=1)
    with pytest.raises(CommandError):
        call_command("refold", "--check")
    assert "matchtally" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("refold")
    call_command("refold", "--check")
    assert "0 tables differed, 0 sums" in capsys.readouterr().out
    assert Entry.objects.filter(tournament=event).count() == event_page(event.slug, None).entered


@pytest.mark.thorough
def test_triggers_that_were_gone_come_back_with_what_happened_meanwhile() -> None:
    tallies.take_down(connection)
    event = a.a_running_event(bots=3)
    assert differences() != []
    tallies.put_up(connection)
    assert differences() == []
    assert progress_of(event.pk).queued == 3


@pytest.mark.slow
def test_a_laptop_s_database_counts_as_well(embedded_project: Project) -> None:
    steps = (
        "from tests.builders import events as a",
        "from tournaments.matches import counters",
        "from tournaments.models import Entry, Match, MatchTally",
        "a.a_running_event(bots=3)",
        "assert MatchTally.objects.count() and not list(counters.differences())",
        "Match.objects.filter(table_no=1).update(state='void')",
        "Entry.objects.filter(seed=1).update(state='withdrawn')",
        "assert not list(counters.differences())",
        "counters.add_up()",
        "print('left', MatchTally.objects.filter(is_fresh=True).count(), list(counters.differences()))",
    )
    assert "left 0 []" in embedded_project.manage("shell", "-c", "; ".join(steps))
