"""Consequences of a correction: the design's table, line by line; the preview lists exactly what then changes."""

from __future__ import annotations

from typing import Any

import pytest

from bots.models import AuditEvent
from tests.builders.clubs import totals
from tests.tournaments.progress.test_people import refused, with_role
from tests.tournaments.progress.test_people_chains import (
    KNOCK_OUT,
    Died,
    a_night,
    by_strength,
    enter_round,
    play_and_close,
    stage_no,
)
from tournaments.entries.people import withdraw_person
from tournaments.events.log import feed_lines
from tournaments.lifecycle.event_plan import AdvancementPlan
from tournaments.models import Match, ResultReport, Round, Seat, Stage, Tournament
from tournaments.progress.corrections.affected import TABLE, rows_of
from tournaments.progress.corrections.results import (
    Correction,
    correct_result,
    play_again,
    preview_correction,
    who_belongs,
)
from tournaments.progress.rounds import call_round, close_stage, preview_next, publish_next
from tournaments.progress.stage_actions import draw_stage
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = pytest.mark.django_db
M = Match.State


def a_bracket(kind: str = "single_elim", people: int = 8, **changes: Any) -> Stage:
    """A bracket of people, round 1 entered: the better seed won everywhere; round 2 is drawn."""
    one: dict[str, Any] = {"kind": kind, "groups": 1, "then": (), "ways": (), "stage_name": "", **changes}
    event = a_night(people=people, min_entries=people, **one)
    stage = stage_no(event, 1)
    enter_round(stage, 1)
    draw_next(stage)
    return stage


def draw_next(stage: Stage) -> Round:
    """The next round, published."""
    by = stage.tournament.created_by
    return publish_next(stage=stage, by=by, seen=preview_next(stage=stage, by=by).hash)


def tables(stage: Stage, number: int) -> list[Match]:
    """The tables of a round by number."""
    return list(Match.objects.filter(stage=stage, round__number=number).order_by("table_no"))


def seated(match: Match) -> list[int]:
    """The seeds of who sits there, in order."""
    seeds = Seat.objects.filter(match=match).order_by("index").values_list("entry__seed", flat=True)
    return [seed or 0 for seed in seeds]


def planned(stage: Stage, number: int) -> list[list[str]]:
    """The entries of every pod as the plan has them."""
    return [pod["seats"] for pod in Round.objects.get(stage=stage, number=number).plan["pods"]]


def stored(stage: Stage, number: int) -> list[list[str]]:
    """The same as matches have them, without those that are cancelled."""
    rows = Match.objects.filter(stage=stage, round__number=number).exclude(state=M.VOID).order_by("table_no")
    return [[str(seat.entry.uuid) for seat in row.seats.order_by("index") if seat.entry] for row in rows]


def turned(match: Match, then: str = "keep") -> Correction:
    """The other side won after all; what was previewed is what changes."""
    event, claim = match.stage.tournament, totals(*reversed(by_strength(match)))
    by = event.created_by
    before = rows_of(event)
    seen = preview_correction(match=match, by=by, claim=claim, then=then)
    assert rows_of(event) == before, "looking changes nothing"
    correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=seen.hash, then=then)
    after = rows_of(event)
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    listed = {(row.kind, row.stage, row.round, row.table, row.name) for row in seen.changes}
    assert listed == {(*key[:4], key[5]) for key in changed}
    for stage in event.stages.exclude(state="planned").select_related("tournament", "ruleset"):
        assert store.differences(stage) == []
    return seen


def finish(stage: Stage) -> None:
    """Play what is left, better seeds winning, and sign."""
    by = stage.tournament.created_by
    while True:
        for row in Round.objects.filter(stage=stage).exclude(state__in=("complete", "locked")):
            if Match.objects.filter(round=row, state=M.READY).exists():
                call_round(round_row=row, by=by)
            for match in Match.objects.filter(round=row).exclude(state__in=(M.CONFIRMED, M.VOID)):
                submit_result(match=match, actor=Actor(user=by), claim=totals(*by_strength(match)))
        drawn = preview_next(stage=stage, by=by)
        if drawn.plan is None:
            break
        publish_next(stage=stage, by=by, seen=drawn.hash)
    close_stage(stage=stage, by=by)
    assert store.differences(stage_no(stage.tournament, stage.order)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["single_elim", pytest.param("double_elim", marks=pytest.mark.slow)])
def test_a_fed_match_that_nobody_was_called_for_is_reseated(kind: str) -> None:
    stage = a_bracket(kind)
    first = next(match for match in tables(stage, 1) if 1 in seated(match))
    loser = next(seed for seed in seated(first) if seed != 1)
    fed = next(match for match in tables(stage, 2) if 1 in seated(match))
    seen = turned(first)
    assert loser in seated(fed)
    assert 1 not in seated(fed)
    touched = [each.table_no for each in tables(stage, 2) if {1, loser} & set(seated(each))]
    assert [row.table for row in seen.others if row.kind == TABLE] == touched
    assert planned(stage, 2) == stored(stage, 2)
    back = preview_correction(match=first, by=stage.tournament.created_by, version=1)
    correct_result(match=first, by=stage.tournament.created_by, version=1, reason="Back.", seen=back.hash)
    assert 1 in seated(fed)
    assert planned(stage, 2) == stored(stage, 2)
    finish(stage)


@pytest.mark.slow
def test_a_fed_match_in_play_is_finished_first_unless_it_is_to_be_played_again() -> None:
    stage = a_bracket()
    by = stage.tournament.created_by
    call_round(round_row=Round.objects.select_related("stage__tournament").get(stage=stage, number=2), by=by)
    first = next(match for match in tables(stage, 1) if 1 in seated(match))
    fed = next(match for match in tables(stage, 2) if 1 in seated(match))
    seen = turned(first)
    fed.refresh_from_db()
    assert (fed.state, 1 in seated(fed), [row for row in seen.others if row.kind == TABLE]) == (M.CALLED, True, [])
    back = preview_correction(match=first, by=by, version=1)
    correct_result(match=first, by=by, version=1, reason="Back.", seen=back.hash)
    turned(first, "redo")
    fed.refresh_from_db()
    assert fed.state == M.VOID
    other = next(match for match in tables(stage, 2) if match.pk != fed.pk)
    submit_result(match=other, actor=Actor(user=by), claim=totals(*by_strength(other)))
    row = draw_next(stage)
    (again,) = tables(stage, row.number)
    assert 1 not in seated(again)
    assert set(seated(again)) & set(seated(fed))
    finish(stage)


@pytest.mark.slow
def test_a_match_that_was_kept_may_be_played_again_later() -> None:
    stage = a_bracket()
    by = stage.tournament.created_by
    call_round(round_row=Round.objects.select_related("stage__tournament").get(stage=stage, number=2), by=by)
    first = next(match for match in tables(stage, 1) if 1 in seated(match))
    fed = next(match for match in tables(stage, 2) if 1 in seated(match))
    assert who_belongs(fed) == ()
    with refused("match.not_misplaced"):
        play_again(match=fed, by=by, reason="I wish.")
    turned(first)
    for match in tables(stage, 2):
        submit_result(match=match, actor=Actor(user=by), claim=totals(*by_strength(match)))
    row = draw_next(stage)
    assert len(who_belongs(Match.objects.select_related("stage__tournament", "round").get(pk=fed.pk))) == 2
    with refused("tournament.not_organiser"):
        play_again(match=fed, by=with_role(stage.tournament, "scorer"), reason="Seen.")
    play_again(match=fed, by=by, reason="They asked for it.")
    assert [match.state for match in (*tables(stage, 2), *tables(stage, row.number))].count("void") == 2
    with refused("match.not_misplaced"):
        play_again(match=fed, by=by, reason="They asked for it.")
    again = tables(stage, draw_next(stage).number)
    assert 1 not in seated(again[0])
    assert planned(stage, 2) == stored(stage, 2)
    finish(stage)


@pytest.mark.slow
@pytest.mark.parametrize("then", ["redo", "keep"])
@pytest.mark.parametrize("kind", ["single_elim", "double_elim"])
def test_a_fed_match_that_is_over_is_kept_or_played_again_with_all_it_fed(kind: str, then: str) -> None:
    stage = a_bracket(kind)
    enter_round(stage, 2)
    draw_next(stage)
    first = next(match for match in tables(stage, 1) if 1 in seated(match))
    loser = next(seed for seed in seated(first) if seed != 1)
    was = {match.pk: match.state for number in (2, 3) for match in tables(stage, number)}
    turned(first, then)
    now = {match.pk: match.state for number in (2, 3) for match in tables(stage, number)}
    assert planned(stage, 2) == stored(stage, 2)
    assert planned(stage, 3) == stored(stage, 3)
    if then == "keep":
        assert now == was
    else:
        gone = [pk for pk, state in now.items() if state == M.VOID]
        assert len(gone) > 1
        assert not ResultReport.objects.filter(match__in=gone, state="confirmed").exists()
        open_rows = Round.objects.filter(stage=stage).exclude(state__in=("complete", "locked"))
        for row in open_rows:
            enter_rest(row)
        number = draw_next(stage).number
        assert any(loser in seated(match) for match in tables(stage, number))
    finish(stage)


def enter_rest(row: Round) -> None:
    """Every table of a round that is not over."""
    for match in Match.objects.filter(round=row).exclude(state__in=(M.CONFIRMED, M.VOID)):
        submit_result(match=match, actor=Actor(user=row.stage.tournament.created_by), claim=totals(*by_strength(match)))


@pytest.mark.thorough
@pytest.mark.parametrize("then", ["keep", pytest.param("redo", marks=pytest.mark.slow)])
def test_the_next_round_of_a_swiss_stays_or_is_drawn_again_while_nobody_was_called(then: str) -> None:
    one: dict[str, Any] = {"kind": "swiss", "rounds": 3, "groups": 1, "then": (), "ways": ()}
    event = a_night(people=8, min_entries=8, **one)
    stage = stage_no(event, 1)
    enter_round(stage, 1)
    draw_next(stage)
    was = planned(stage, 2)
    turned(tables(stage, 1)[0], then)
    assert (planned(stage, 2) == was) == (then == "keep")
    assert planned(stage, 2) == stored(stage, 2)
    assert [row.state for row in Round.objects.filter(stage=stage)] == ["locked", "published"]
    enter_round(stage, 2)
    now = planned(stage, 2)
    turned(tables(stage, 1)[1], then)
    assert planned(stage, 2) == now, "people have sat there"


def a_chain(*, drawn: bool = True) -> tuple[Tournament, Match]:
    """Pools that are signed, the knock-out drawn; and a table that decides who goes on."""
    event = a_night(people=6, min_entries=6, then=(KNOCK_OUT,), ways=(AdvancementPlan(source=1, target=2, last=2),))
    pools = play_and_close(event, 1)
    if drawn:
        draw_stage(tournament=event, by=event.created_by, order=2)
    groups: dict[int, list[int]] = {}
    for group, seed in pools.stage_entries.order_by("seed").values_list("group", "seed"):
        groups.setdefault(group, []).append(seed)
    second, third = groups[min(groups)][1:3]
    rows = Match.objects.filter(stage=pools).select_related("stage__tournament", "round")
    return event, next(match for match in rows if set(seated(match)) == {second, third})


def came(event: Tournament) -> list[int]:
    """Return the entries of the second stage, by seed in the event."""
    seeds = stage_no(event, 2).stage_entries.order_by("seed").values_list("entry__seed", flat=True)
    return [seed or 0 for seed in seeds]


@pytest.mark.slow
def test_a_next_stage_that_nobody_was_called_in_is_drawn_again() -> None:
    event, decider = a_chain()
    was = came(event)
    turned(decider)
    now = came(event)
    assert set(was) ^ set(now) == set(seated(decider))
    assert stage_no(event, 2).state == Stage.State.ACTIVE
    assert planned(stage_no(event, 2), 1) == stored(stage_no(event, 2), 1)
    play_and_close(event, 2)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED


@pytest.mark.slow
def test_a_next_stage_that_began_stays_and_the_log_says_so() -> None:
    event, decider = a_chain()
    enter_round(stage_no(event, 2), 1)
    was = came(event)
    turned(decider)
    assert came(event) == was
    kept = AuditEvent.objects.get(verb="stage.keep")
    assert [(line.what, line.about) for line in feed_lines([kept])] == [
        ("kept a table as it was drawn, although a correction would seat others there:", "Knock-out")
    ]
    stage = stage_no(event, 2)
    finish(stage)


@pytest.mark.slow
def test_a_stage_that_waits_sees_only_the_corrected_table() -> None:
    event, decider = a_chain(drawn=False)
    turned(decider)
    draw_stage(tournament=event, by=event.created_by, order=2)
    assert set(seated(decider)) & set(came(event)) == {max(seated(decider))}


@pytest.mark.slow
def test_a_finished_event_is_corrected_by_its_organisers_and_signed_again() -> None:
    event, _decider = a_chain()
    play_and_close(event, 2)
    event.refresh_from_db()
    final = Match.objects.filter(stage__order=2).order_by("-round__number")[0]
    claim = totals(*reversed(by_strength(final)))
    with refused("tournament.not_organiser"):
        preview_correction(match=final, by=with_role(event, "arbiter"), claim=claim)
    turned(final)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert AuditEvent.objects.filter(verb="tournament.sign_again").count() == 1


@pytest.mark.slow
def test_what_moved_since_it_was_looked_at_is_not_done() -> None:
    stage = a_bracket()
    by, match = stage.tournament.created_by, tables(stage, 1)[0]
    claim = totals(*reversed(by_strength(match)))
    seen = preview_correction(match=match, by=by, claim=claim)
    row = Round.objects.select_related("stage__tournament").get(stage=stage, number=2)
    call_round(round_row=row, by=by)
    before = rows_of(stage.tournament)
    for hashed in (seen.hash, preview_correction(match=match, by=by, claim=claim, then="redo").hash):
        with refused("report.moved"):
            correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=hashed)
    with refused("report.bad_then"):
        correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=seen.hash, then="more")
    with refused("tournament.not_organiser"):
        preview_correction(match=match, by=with_role(stage.tournament, "scorer"), claim=claim)
    assert rows_of(stage.tournament) == before
    now = preview_correction(match=match, by=by, claim=claim)
    correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=now.hash)
    with refused("report.same_result"):
        correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=now.hash)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "at",
    [*(pytest.param(at, marks=pytest.mark.slow) for at in ("cascade._reseat", "results._write_down")), "results._fold"],
)
def test_a_process_that_dies_in_the_middle_of_a_correction_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    def die(*_args: object, **_rest: object) -> None:
        raise Died

    stage = a_bracket()
    by, match = stage.tournament.created_by, next(each for each in tables(stage, 1) if 1 in seated(each))
    claim = totals(*reversed(by_strength(match)))
    seen = preview_correction(match=match, by=by, claim=claim)
    before = rows_of(stage.tournament)
    with monkeypatch.context() as patch:
        patch.setattr(f"tournaments.progress.corrections.{at}", die)
        with pytest.raises(Died):
            correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=seen.hash)
    assert rows_of(stage.tournament) == before
    assert store.differences(stage) == []
    correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=seen.hash)
    assert rows_of(stage.tournament) != before


@pytest.mark.slow
def test_who_has_left_is_not_put_into_a_fed_match() -> None:
    stage = a_bracket()
    by, first = stage.tournament.created_by, next(match for match in tables(stage, 1) if 1 in seated(match))
    loser = next(seed for seed in seated(first) if seed != 1)
    withdraw_person(entry=stage.tournament.entries.get(seed=loser), by=by)
    turned(first)
    assert planned(stage, 2) == stored(stage, 2)
    finish(stage)


@pytest.mark.slow
def test_an_event_is_played_to_its_end_after_a_correction_in_a_bracket_with_byes() -> None:
    stage = a_bracket("double_elim", people=5)
    turned(tables(stage, 1)[0])
    finish(stage)
    stage.tournament.refresh_from_db()
    assert stage.tournament.state == Tournament.State.FINISHED
