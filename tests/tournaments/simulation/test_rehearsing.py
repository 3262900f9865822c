"""Rehearsals in workers: asked for twice, taken over from who died, replaced, stopped; one through real processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from activity import wake_ups
from bots.jobs import process as processes
from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.clubs import NAMES
from tests.services.processes import Project
from tournaments.entries.people import add_list
from tournaments.events.create import create_tournament
from tournaments.models import Match, Round, StageEntry, Tournament
from tournaments.operations import sweep
from tournaments.simulation import inputs as rehearsing
from tournaments.simulation import jobs as rehearsals
from tournaments.simulation.actions import Question, plan_hash, rehearsal_of, rehearse_event

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = Question(entries=8, match_minutes=20)


@pytest.fixture(autouse=True)
def _nothing_waits(redis_url: str) -> Iterator[None]:
    """Delete what other tests asked for."""
    wake_ups.redis_client().delete(rehearsals.WAITING)
    yield
    wake_ups.redis_client().delete(rehearsals.WAITING)


def a_draft(**changes: object) -> Tournament:
    """A planned event."""
    return create_tournament(by=a.a_user(), plan=a.a_plan(**{"kind": "swiss", "rounds": 3, **changes}))


def asked_of(event: Tournament, question: Question = ASKED) -> rehearsals.Job:
    """Its organiser's asking."""
    return rehearse_event(tournament=event, by=event.created_by, question=question)


def told_of(event: Tournament) -> rehearsals.Job:
    """Return the result."""
    job = rehearsal_of(event)
    assert job is not None
    return job


@pytest.mark.thorough
def test_a_rehearsal_is_played_and_leaves_no_row() -> None:
    event = a_draft()
    asked_of(event)
    assert rehearsals.waiting() == [str(event.uuid)]
    assert rehearsing.work_off()
    job = told_of(event)
    assert (job.state, job.done, job.plan) == ("done", 200, plan_hash(event))
    assert job.told["parts"][0]["rounds"] == [3, 3, 3]
    assert job.told["parts"][0]["tables"] == 4
    for model in (Round, Match, StageEntry):
        assert not model.objects.exists()
    assert not rehearsing.work_off()


@pytest.mark.slow
def test_asked_twice_is_one_and_another_question_replaces_it() -> None:
    event = a_draft()
    first = asked_of(event)
    assert asked_of(event).token == first.token
    second = asked_of(event, replace(ASKED, entries=6))
    assert second.token != first.token
    assert rehearsing.work_off()
    assert told_of(event).told["parts"][0]["entries"] == 6
    assert not rehearsing.work_off()
    assert asked_of(event, replace(ASKED, entries=6)).token != second.token  # it is over: the same is asked again


@pytest.mark.slow
def test_a_later_question_wins_over_the_one_under_way() -> None:
    event = a_draft()
    asked_of(event)
    uuid = str(event.uuid)
    mine = rehearsals.claim(uuid)
    assert mine is not None
    assert rehearsals.claim(uuid) is None
    later = asked_of(event, replace(ASKED, entries=6))
    assert rehearsals.waiting() == []
    assert not rehearsals.write(uuid, replace(mine, done=3))
    assert rehearsals.waiting() == [uuid]
    assert not rehearsals.write(uuid, replace(mine, state=rehearsals.DONE))
    assert told_of(event).token == later.token
    assert rehearsing.work_off()
    assert told_of(event).asked.entries == 6


def test_what_a_dead_worker_left_is_taken_again_and_given_up_in_the_end() -> None:
    event = a_draft()
    asked_of(event)
    uuid = str(event.uuid)
    for tries in range(1, rehearsals.TRIES + 1):
        dead = rehearsals.claim(uuid)
        assert dead is not None
        assert dead.tries == tries
        assert sweep.sweep().notified == 0  # somebody holds it
        assert not rehearsing.work_off()
        wake_ups.redis_client().delete(f"hanami:rehearsal:{uuid}:lease")  # it ran out
        assert sweep.sweep().notified == 1
    assert rehearsing.work_off()
    assert (told_of(event).state, told_of(event).code) == ("failed", "rehearsal.lost")
    assert rehearsals.waiting() == []


def test_a_worker_that_is_asked_to_end_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    event = a_draft()
    asked_of(event)
    monkeypatch.setattr(processes, "STOPPING", bytearray(b"\x01" + bytes(15)))
    assert rehearsing.work_off()
    job = told_of(event)
    assert (job.state, job.tries) == ("waiting", 0)
    assert rehearsals.waiting() == [str(event.uuid)]


@pytest.mark.thorough
def test_the_plan_that_was_played_is_named() -> None:
    event = a_draft()
    asked_of(event)
    before = plan_hash(event)
    event.stages.update(rounds_planned=2)
    assert rehearsing.work_off()
    assert told_of(event).plan == plan_hash(event) != before
    assert told_of(event).told["parts"][0]["rounds"] == [2, 2, 2]
    event.stages.update(rounds_planned=3)
    assert told_of(event).plan != plan_hash(event)


def test_so_many_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    event = a_draft()
    monkeypatch.setattr("tournaments.simulation.actions.PER_HOUR", 2)
    asked_of(event)
    asked_of(event)
    with pytest.raises(TournamentError) as refused:
        asked_of(event)
    assert refused.value.code == "rehearsal.rate"
    assert "retry_after" in refused.value.extra


@pytest.mark.slow
def test_a_real_worker_rehearses_with_nobody_waiting_for_it(project: Project, wait_until: Callable[..., Any]) -> None:
    project.worker(concurrency=1)
    event = a_draft(groups=2, min_entries=8, kind="round_robin", rounds=1)
    asked_of(event)
    wait_until(lambda: told_of(event).state == "done", 60, "a worker played it")
    assert told_of(event).told["parts"][0]["matches"] == 12
    assert "stage 1: 8 entries, rounds 3, 12 matches" in project.manage(
        "rehearse", event.slug, "--entries", "8", "--runs", "2"
    )


@pytest.mark.thorough
def test_teams_are_counted_where_people_share_a_side() -> None:
    changes = {"who": "people", "partners": "drawn", "seats": 4, "options": {"rounds": 1, "teams": "2x2"}}
    event = a_draft(kind="round_robin", rounds=1, **changes)
    add_list(tournament=event, by=event.created_by, data="\n".join(NAMES[:7]).encode())
    asked_of(event, Question())
    assert rehearsing.work_off()
    assert told_of(event).asked.entries == 3
    assert told_of(event).told["parts"][0]["matches"] == 3


def test_a_ladder_is_not_rehearsed() -> None:
    event = a_draft()
    event.stages.update(kind="ladder")
    with pytest.raises(TournamentError) as refused:
        asked_of(event)
    assert refused.value.code == "rehearsal.ladder"
