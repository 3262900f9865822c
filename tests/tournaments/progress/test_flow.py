"""Brackets that flow: each match is drawn once, as soon as its sides are known, and all that follows from it holds."""

from __future__ import annotations

from typing import Any

import pytest

from bots.jobs.process import Process
from bots.models import AuditEvent, Outbox
from core.errors import TournamentError
from core.formats.model import Plan
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, person, round_of, tables_of, totals
from tests.tournaments.progress.test_advancing import play_on
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.models import DealSet, Match, Round, Stage, Standing, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.progress import derive
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.rounds import call_round, take_back_round
from tournaments.progress.undo import last_undoable, undo
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = pytest.mark.django_db(transaction=True)


def a_flow(people: int = 8, kind: str = "double_elim", **changes: object) -> Tournament:
    """A bracket of people that flows, round 1 called."""
    return a_called_night(people=people, kind=kind, rounds=1, flows=True, **changes)


def entered(match: Match, *points: int) -> None:
    submit_result(match=match, actor=Actor(user=match.stage.tournament.created_by), claim=totals(*points or (80, 30)))


def called(event: Tournament) -> None:
    for row in Round.objects.filter(stage__tournament=event, matches__state="ready").distinct():
        call_round(round_row=row, by=event.created_by)


def names_at(match: Match) -> set[str]:
    return set(match.seats.values_list("entry__player__name", flat=True))


def labels(number: int) -> list[str]:
    return [pod.label for pod in Plan.from_json(Round.objects.get(number=number).plan).pods]


@pytest.mark.thorough
def test_a_match_is_drawn_while_its_round_before_is_played() -> None:
    event = a_flow()
    first, second, third, _fourth = tables_of(event)
    entered(first)
    assert Round.objects.count() == 1
    entered(second)
    row = round_of(event, 2)
    assert (row.state, labels(2)) == ("published", ["L1:1", "W2:1"])
    assert {match.state for match in tables_of(event, 2)} == {"ready"}
    assert round_of(event, 1).state == "playing"
    called(event)
    entered(tables_of(event, 2)[0])
    # Played, but more matches are to come: the round is not complete, nor is anything stored after it.
    assert round_of(event, 2).state == "playing"
    assert not Standing.objects.filter(after_round__gt=0).exists()
    entered(third)
    entered(_fourth)
    assert round_of(event, 1).state in ("complete", "locked")
    assert labels(2) == ["L1:1", "W2:1", "L1:2", "W2:2"]
    assert [match.table_no for match in tables_of(event, 2)] == [1, 2, 3, 4]
    assert store.differences(Stage.objects.get()) == []


@pytest.mark.thorough
def test_it_ends_with_a_table_a_file_and_a_copy_that_are_right() -> None:
    event = a_flow(people=7)
    while Match.objects.filter(state="called").exists():
        entered(Match.objects.filter(state="called").order_by("-pk")[0])
        assert store.differences(Stage.objects.get()) == []
        called(event)
    assert set(Round.objects.values_list("state", flat=True)) <= {"complete", "locked"}
    close_event(tournament=event, by=event.created_by)
    event.refresh_from_db()
    assert event.state == "finished"
    assert store.differences(Stage.objects.get()) == []
    assert 12 <= Match.objects.count() <= 13
    data = event_json(event)
    copy = importing.write(importing.validate_event(data), by=event.created_by, slug="again")
    assert event_json(copy) == data
    assert b'"flows":true' in data.replace(b" ", b"")


@pytest.mark.thorough
def test_a_file_of_whole_rounds_says_nothing_of_it() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1)
    assert b"flows" not in event_json(event)
    assert b"station" not in event_json(event)


@pytest.mark.thorough
def test_the_draw_of_a_round_that_flows_is_not_taken_back() -> None:
    event = a_flow(people=4)
    for match in tables_of(event):
        entered(match)
    with pytest.raises(TournamentError) as refused:
        take_back_round(round_row=round_of(event, 2), by=event.created_by)
    assert refused.value.code == "round.not_last"


@pytest.mark.thorough
def test_undoing_a_result_takes_the_match_that_followed_away() -> None:
    event = a_flow()
    first, second, *_others = tables_of(event)
    entered(first)
    entered(second)
    note = last_undoable(event)
    assert note is not None
    undo(tournament=event, by=event.created_by, seen=note.id)
    assert Round.objects.count() == 1
    entered(second, 10, 90)
    assert {name for match in tables_of(event, 2) for name in names_at(match)} == names_at(first) | names_at(second)


@pytest.mark.thorough
def test_undoing_takes_away_what_a_phone_drew_since() -> None:
    event = a_flow(people=4)
    first, second = tables_of(event)
    entered(first)
    note = last_undoable(event)
    assert note is not None
    # Both sides of the other table report on their phones: that is no act of an organiser.
    submit_result(match=second, actor=Actor(side=0), claim=totals(80, 30))
    submit_result(match=second, actor=Actor(side=1), claim=totals(80, 30))
    assert Match.objects.filter(round__number=2).count() == 2
    undo(tournament=event, by=event.created_by, seen=note.id)
    assert not Match.objects.filter(round__number=2).exists()
    entered(first, 10, 90)
    winner = first.seats.get(index=1).entry
    assert any(match.seats.filter(entry=winner).exists() for match in tables_of(event, 2))


@pytest.mark.thorough
def test_a_correction_reseats_what_waits_and_shows_who_plays_instead() -> None:
    event = a_flow(people=8, kind="single_elim")
    first, second, *_others = tables_of(event)
    entered(first)
    entered(second)
    (following,) = tables_of(event, 2)
    loser = first.seats.get(index=1).entry
    assert loser is not None
    wanted: dict[str, Any] = {"match": first, "by": event.created_by, "claim": totals(30, 80)}
    seen = preview_correction(**wanted)
    (row,) = [each for each in seen.others if each.kind == "table"]
    assert loser.player.name in (row.after or ("",))[0]
    correct_result(**wanted, reason="Misread.", seen=seen.hash)
    assert loser.player.name in names_at(following)
    assert store.differences(Stage.objects.get()) == []


@pytest.mark.thorough
def test_a_correction_of_what_was_played_draws_it_again_at_once() -> None:
    event = a_flow(people=8, kind="single_elim")
    first, second, *_others = tables_of(event)
    entered(first)
    entered(second)
    (following,) = tables_of(event, 2)
    called(event)
    loser = first.seats.get(index=1).entry
    assert loser is not None
    wanted: dict[str, Any] = {"match": first, "by": event.created_by, "claim": totals(30, 80), "then": "redo"}
    seen = preview_correction(**wanted)
    correct_result(**wanted, reason="Misread.", seen=seen.hash)
    following.refresh_from_db()
    assert following.state == "void"
    again = Match.objects.get(round__number=2, state="ready")
    assert loser.player.name in names_at(again)
    assert again.table_no != following.table_no


@pytest.mark.thorough
def test_a_correction_after_the_next_match_was_played_is_previewed_and_undone() -> None:
    event = a_flow(people=8, kind="single_elim")
    first, second, *_others = tables_of(event)
    entered(first)
    entered(second)
    called(event)
    (following,) = tables_of(event, 2)
    entered(following)
    loser = first.seats.get(index=1).entry
    assert loser is not None
    wanted: dict[str, Any] = {"match": first, "by": event.created_by, "claim": totals(30, 80), "then": "redo"}
    seen = preview_correction(**wanted)
    assert any(each.kind == "table" and each.round == 2 for each in seen.others)
    correct_result(**wanted, reason="Misread.", seen=seen.hash)
    following.refresh_from_db()
    assert following.state == "void"
    assert loser.player.name in names_at(Match.objects.get(round__number=2, state="ready"))
    note = last_undoable(event)
    assert note is not None
    undo(tournament=event, by=event.created_by, seen=note.id)
    following.refresh_from_db()
    assert following.state == "confirmed"
    assert Match.objects.filter(round__number=2).count() == 1
    assert store.differences(Stage.objects.get()) == []


@pytest.mark.thorough
def test_who_leaves_is_walked_over_as_soon_as_it_matters() -> None:
    from tournaments.entries.people import withdraw_person

    event = a_flow(people=8, kind="single_elim")
    first, second, third, fourth = tables_of(event)
    entered(first)
    winner = first.seats.get(index=0).entry
    assert winner is not None
    withdraw_person(entry=person(event, winner.player.name), by=event.created_by)
    for match in (second, third, fourth):
        entered(match)
    # Table 2's winner has nobody to play, and waits in the final.
    assert Match.objects.filter(round__number=2).count() == 1
    called(event)
    entered(tables_of(event, 2)[0])
    (final,) = tables_of(event, 3)
    assert second.seats.get(index=0).entry in [seat.entry for seat in final.seats.all()]


@pytest.mark.thorough
def test_a_cancelled_match_lets_the_others_go_on() -> None:
    event = a_flow(people=4, kind="single_elim")
    first, second = tables_of(event)
    void_match(match=first, by=event.created_by, reason="The hall burnt down.")
    entered(second)
    assert Match.objects.filter(round__number=2).count() == 1


@pytest.mark.thorough
def test_nothing_is_drawn_twice_and_what_is_lost_is_drawn_later() -> None:
    event = a_flow()
    first, second, *_others = tables_of(event)
    entered(first)
    entered(second)
    before = Match.objects.count()
    derive.fold_event(event)
    derive.fold_event(event)
    assert Match.objects.count() == before


@pytest.mark.thorough
def test_people_are_told_of_each_table() -> None:
    event = a_flow()
    first, second, third, fourth = tables_of(event)
    for match in (first, second, third, fourth):
        entered(match)
    rows = list(Outbox.objects.filter(topic="round.extend").order_by("pk"))
    assert [row.payload["tables"] for row in rows] == [[3, 4]]
    assert AuditEvent.objects.filter(verb="round.extend").count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["single_elim", "double_elim"])
def test_bots_flow_to_the_end_with_commitments_of_their_own(process: Process, kind: str) -> None:
    event = a.a_running_event(bots=6, kind=kind, rounds=1, flows=True)
    play_on(process)
    event.refresh_from_db()
    assert event.state == "finished"
    assert store.differences(Stage.objects.get()) == []
    assert set(Round.objects.values_list("state", flat=True)) == {"locked"}
    assert not DealSet.objects.filter(revealed_at=None).exists()
    commits = list(DealSet.objects.values_list("commit", flat=True))
    assert len(set(commits)) == len(commits)
