"""The set-up of an event is changed: everything of a draft, later what is still harmless, with what follows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from django.db import transaction

from core.interchange.tables import EntryRow
from tests.builders import events as a
from tests.builders.boards import members
from tests.builders.clubs import a_called_night, a_club_night, round_of, tables_of, totals
from tests.builders.rotating import a_rotating_night
from tests.tournaments.events.test_services import refused
from tournaments.entries.people import add_list, add_people
from tournaments.events.create import create_tournament
from tournaments.events.plan_rows import plan_of
from tournaments.events.set_up import change_plan
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.lifecycle.locks import lock_standings
from tournaments.models import Entry, Match, Progression, Stage, Tournament
from tournaments.progress import derive
from tournaments.progress.draws import next_round
from tournaments.progress.rounds import call_round, preview_next, publish_next
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.progress.undo import last_undoable, undo
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
FINAL = StagePlan(kind="single_elim", name="Final")
BEST_FOUR = AdvancementPlan(source=1, target=2, last=4)


def changed(event: Tournament, **changes: Any) -> Tournament:
    """Change some of the plan, as the organiser."""
    change_plan(tournament=event, by=event.created_by, plan=replace(plan_of(event), **changes))
    event.refresh_from_db()
    return event


def a_draft(**changes: Any) -> Tournament:
    return create_tournament(by=a.a_user(), plan=a.a_plan(**{"who": "people", "max_entries": 16, **changes}))


PLANS: Any = (
    {},
    {"who": "people", "kind": "swiss", "rounds": 5, "seats": 2, "scoring": "place", "tie_breaks": ("wins", "h2h")},
    {"who": "people", "preset": "paradise", "options": {"rounds": 6}, "seats": 2, "visibility": "private"},
    {"who": "people", "options": {"teams": "2x2"}, "seats": 4, "partners": "drawn", "round_minutes": 40},
    {"who": "people", "boards": 3, "partners": "entered", "team_score": "best", "team_best": 2, "seats": 2},
    {"who": "both", "draws": "organiser", "clock": "custom", "figures": {"move_ms": 50}},
    {"groups": 2, "min_entries": 8, "then": (FINAL,), "ways": (BEST_FOUR,), "stage_name": "Pools", "seeding": "draw"},
    {
        "kind": "pods",
        "seats": 4,
        "seats_min": 4,
        "seats_max": 4,
        "apart": "club",
        "legs": "cyclic",
        "bye_policy": "zero",
    },
)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("changes", PLANS, ids=str)
def test_the_plan_that_is_read_back_makes_the_same_event(changes: dict[str, Any]) -> None:
    """An event made from the plan of another one has the same columns and stages."""
    one = create_tournament(by=a.a_user(), plan=a.a_plan(**changes))
    other = create_tournament(by=a.a_user(), plan=plan_of(one))
    assert plan_of(one) == plan_of(other)
    passed = ("id", "uuid", "slug", "created_by_id", "created_at", "tournament_id", "_state", "row_version")

    def columns(row: Any) -> dict[str, Any]:
        return {name: value for name, value in vars(row).items() if name not in passed}

    assert columns(Tournament.objects.get(pk=one.pk)) == columns(Tournament.objects.get(pk=other.pk))
    pairs = zip(one.stages.order_by("order"), other.stages.order_by("order"), strict=True)
    assert all(columns(mine) == columns(theirs) for mine, theirs in pairs)


def test_everything_of_a_draft_changes_and_its_entries_stay() -> None:
    event = a_draft(kind="swiss", seats=2, rounds=3, min_entries=8)
    add_people(tournament=event, by=event.created_by, rows=a_list(10))
    stage = event.stages.get()
    changed(
        event,
        name="Friday pairs",
        preset="paradise",
        options={"rounds": 6},
        kind="round_robin",
        rounds=2,
        max_entries=22,
        visibility="private",
        tie_breaks=("wins",),
        then=(FINAL,),
        ways=(BEST_FOUR,),
    )
    first, final = event.stages.order_by("order")
    assert (first.pk, first.kind, first.preset, first.rounds_planned) == (stage.pk, "round_robin", "paradise", 2)
    assert (final.kind, final.name, final.preset) == ("single_elim", "Final", "paradise")
    assert Progression.objects.get(target=final).last == 4
    assert (event.name, event.max_entries, event.visibility) == ("Friday pairs", 22, "private")
    assert event.entries.count() == 10
    # Back again: the second stage goes, and the way to it.
    changed(event, then=(), ways=())
    assert (event.stages.count(), Progression.objects.count()) == (1, 0)


def a_list(n: int) -> Any:
    return [EntryRow(line=number, name=f"Person {number}") for number in range(1, n + 1)]


def test_a_change_that_the_entries_do_not_fit_is_refused() -> None:
    event = a_draft()
    add_people(tournament=event, by=event.created_by, rows=a_list(12))
    by, plan = event.created_by, plan_of(event)

    def change(**changes: Any) -> Any:
        return lambda: change_plan(tournament=event, by=by, plan=replace(plan, **changes))

    over = refused("tournament.entries_over", change(max_entries=11))
    assert over.extra == {"field": "max_entries", "n": 12, "least": 12}
    refused("tournament.entries_kept", change(who="bots"))
    refused("tournament.bad_max_entries", change(max_entries=1000))
    refused("tournament.bad_visibility", change(visibility="unlisted"))
    refused("tournament.not_organiser", lambda: change_plan(tournament=event, by=a.a_user(), plan=plan))
    refused(
        "tournament.changed",
        lambda: change_plan(tournament=event, by=by, plan=replace(plan, rounds=2), expected_version=99),
    )
    assert plan_of(event) == plan


def test_teams_that_would_not_fit_are_taken_apart_first() -> None:
    event = a_draft(kind="swiss", rounds=3, boards=3, partners="entered")
    lines = [f"{name},{team}" for team in ("Cranes", "Boars") for name in members(team, 3)]
    add_list(tournament=event, by=event.created_by, data="\n".join(["name,team", *lines]).encode())
    plan = replace(plan_of(event), boards=2)
    refused("tournament.entries_kept", lambda: change_plan(tournament=event, by=event.created_by, plan=plan))
    changed(event, team_score="best", team_best=2)
    assert (event.team_score, event.team_best, event.boards) == ("best", 2, 3)


def test_once_entries_are_open_the_rules_stay_and_the_format_may_change() -> None:
    event = a_club_night(people=6, kind="swiss", seats=2, rounds=3, min_entries=6)
    assert event.state == "registration"
    by, plan = event.created_by, plan_of(event)
    wrong = replace(plan, preset="paradise", options={}, who="both")
    fixed = refused("tournament.fixed_field", lambda: change_plan(tournament=event, by=by, plan=wrong))
    assert {"who", "preset"} <= set(cast("list[str]", fixed.extra["fields"]))
    changed(event, kind="round_robin", rounds=1, then=(FINAL,), ways=(BEST_FOUR,), max_entries=30)
    first, final = event.stages.order_by("order")
    assert first.kind == "round_robin"
    # A stage that comes while entries are open commits to its randomness like the others.
    assert final.commitment.startswith("sha256:")
    assert first.commitment != final.commitment


@pytest.mark.thorough
def test_a_swiss_gets_a_round_more_while_it_runs_and_no_fewer_than_drawn() -> None:
    event = a_called_night(people=6, kind="swiss", seats=2, rounds=1)
    by = event.created_by
    changed(event, rounds=2)
    assert event.stages.get().rounds_planned == 2
    refused(
        "tournament.fixed_field",
        lambda: change_plan(tournament=event, by=by, plan=replace(plan_of(event), kind="round_robin")),
    )
    play_round(event)
    following = preview_next(stage=event.stages.get(), by=by)
    assert (following.number, following.plan is not None) == (2, True)
    publish_next(stage=event.stages.get(), by=by, seen=following.hash)
    too_few = refused(
        "tournament.bad_rounds",
        lambda: change_plan(tournament=event, by=by, plan=replace(plan_of(event), rounds=1)),
    )
    assert too_few.extra["drawn"] == 2


def play_round(event: Tournament) -> None:
    """Enter and confirm a result at every table that is called."""
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(100, 80))


@pytest.mark.thorough
def test_partners_rotate_one_round_more() -> None:
    event = a_rotating_night(rounds=1)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    changed(event, rounds=2)
    play_round(event)
    following = preview_next(stage=event.stages.get(), by=event.created_by)
    assert (following.number, following.plan is not None) == (2, True)


@pytest.mark.thorough
def test_a_swiss_of_bots_ends_with_the_round_that_is_drawn_if_no_other_is_wanted() -> None:
    event = a.a_running_event(bots=4, kind="swiss", rounds=3)
    changed(event, rounds=1)
    Match.objects.filter(stage__tournament=event).update(state=Match.State.VOID)
    with transaction.atomic():
        lock_standings(event)
        derive.refresh(event)
    next_round.advance_waiting()
    stage = event.stages.get()
    assert (stage.rounds.count(), stage.state in ("settling", "closed")) == (1, True)


@pytest.mark.thorough
def test_a_final_is_added_while_the_swiss_runs_and_undone_again() -> None:
    event = a_called_night(people=6, kind="swiss", seats=2, rounds=2)
    changed(event, then=(FINAL,), ways=(BEST_FOUR,))
    final = event.stages.get(order=2)
    assert (final.state, final.kind, bool(final.commitment)) == ("planned", "single_elim", True)
    noted = last_undoable(event)
    assert noted is not None
    assert noted.act == "plan"
    undo(tournament=event, by=event.created_by, seen=noted.id)
    assert (event.stages.count(), Progression.objects.count()) == (1, 0)


def test_an_undo_brings_a_removed_stage_back_with_a_commitment() -> None:
    event = a.an_open_event(then=(FINAL,), ways=(BEST_FOUR,), min_entries=8)
    changed(event, then=(), ways=())
    noted = last_undoable(event)
    assert noted is not None
    undo(tournament=event, by=event.created_by, seen=noted.id)
    final = event.stages.get(order=2)
    assert (Progression.objects.get().target_id, bool(final.commitment), bool(final.secret)) == (final.pk, True, True)


def test_waiting_bots_move_up_as_soon_as_there_are_more_places() -> None:
    event = a.an_open_event(max_entries=2, entries_per_owner=5)
    owner = a.a_user()
    entries = a.entered(event, [a.a_bot(owner, name=f"Crow {n}") for n in range(3)])
    assert entries[2].state == Entry.State.WAITLISTED
    outcome = change_plan(tournament=event, by=event.created_by, plan=replace(plan_of(event), max_entries=3))
    entries[2].refresh_from_db()
    assert (outcome.moved_up, entries[2].state) == (1, Entry.State.ENTERED)


def test_the_same_plan_changes_nothing_and_an_event_that_is_over_takes_none() -> None:
    event = a_draft()
    version = event.row_version
    assert change_plan(tournament=event, by=event.created_by, plan=plan_of(event)).differences == ()
    assert Tournament.objects.get(pk=event.pk).row_version == version
    plan: EventPlan = replace(plan_of(event), name="Another name")
    Tournament.objects.filter(pk=event.pk).update(state="finished")
    refused("tournament.wrong_state", lambda: change_plan(tournament=event, by=event.created_by, plan=plan))


def test_seeds_by_hand_stay_when_something_else_changes() -> None:
    event = a_draft()
    publish_tournament(tournament=event, by=event.created_by)
    Stage.objects.filter(tournament=event).update(seeding="hand", seeding_order=["x"])
    changed(event, rounds=2, kind="swiss", seats=2)
    assert event.stages.get().seeding == "hand"
    open_registration(tournament=event, by=event.created_by)
    changed(event, seeding="draw")
    assert event.stages.get().seeding == "draw"
