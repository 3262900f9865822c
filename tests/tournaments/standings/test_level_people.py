"""Knock-out matches of people that end level: nobody is told apart in silence, and the bracket waits for an answer."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from bots.models import AuditEvent
from core.errors import TournamentError
from engine.deck import match_seed
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, person, round_of, tables_of, totals
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, ResultReport, Role, Round, Stage, Standing, Tournament
from tournaments.progress.corrections.level_decisions import accept_extra, draw_level_lots, rule_level, submit_extra
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.rounds import call_round, preview_next, publish_next
from tournaments.progress.undo import last_undoable, undo
from tournaments.scores.actions import Actor, accept_result, submit_result
from tournaments.standings import level_matches, store

pytestmark = pytest.mark.django_db(transaction=True)


def a_knock_out(people: int = 4, **changes: object) -> Tournament:
    """A single elimination of people, round 1 called, everything decided but table 1, which is level."""
    event = a_called_night(people=people, **{"kind": "single_elim", "rounds": 1, **changes})
    first, *others = tables_of(event)
    sides = len({seat.side for seat in first.seats.all()})
    entered(first, *(60,) * sides)
    for match in others:
        entered(match, *range(100, 100 - 10 * len({seat.side for seat in match.seats.all()}), -10))
    return event


def entered(match: Match, *points: int) -> None:
    submit_result(match=match, actor=Actor(user=match.stage.tournament.created_by), claim=totals(*points))


def next_drawn(event: Tournament) -> Round:
    stage = Stage.objects.get(tournament=event)
    found = preview_next(stage=stage, by=event.created_by)
    publish_next(stage=stage, by=event.created_by, seen=found.hash)
    return round_of(event, found.number)


def names_in(row: Round) -> set[str]:
    return set(Match.objects.filter(round=row).values_list("seats__entry__player__name", flat=True))


def names_at(match: Match) -> list[str]:
    return list(match.seats.order_by("index").values_list("entry__player__name", flat=True))


@pytest.mark.thorough
def test_a_level_match_is_not_decided_and_the_round_waits() -> None:
    event = a_knock_out()
    first = tables_of(event)[0]
    assert Match.objects.get(pk=first.pk).state == "confirmed"
    assert round_of(event, 1).state == "playing"
    places = dict(Standing.objects.filter(after_round=0).values_list("entry__player__name", "key__0"))
    assert {places[name] for name in names_at(first)} == {"1"}
    with pytest.raises(TournamentError) as refused:
        preview_next(stage=Stage.objects.get(), by=event.created_by)
    assert refused.value.code == "round.level"
    assert "table 1" in str(refused.value)
    assert [(each.round, each.pod.table, each.room) for each in level_matches.undecided(Stage.objects.get())] == [
        (1, 1, 1)
    ]


@pytest.mark.thorough
def test_an_extra_deal_decides_and_its_points_are_in_no_total() -> None:
    event = a_knock_out()
    first = tables_of(event)[0]
    actor = Actor(user=event.created_by)
    submit_extra(match=first, actor=actor, claim=totals(50, 50))
    assert round_of(event, 1).state == "playing"
    report = submit_extra(match=first, actor=actor, claim=totals(40, 90), key="two")
    assert submit_extra(match=first, actor=actor, claim=totals(40, 90), key="two") == report
    assert [deal["rank"] for deal in report.body["extra"]] == [[1, 1], [2, 1]]
    assert round_of(event, 1).state == "complete"
    assert names_at(first)[1] in names_in(next_drawn(event))
    points = dict(Standing.objects.filter(after_round=0).values_list("entry__player__name", "key__1"))
    assert {points[name] for name in names_at(first)} == {"60"}
    assert store.differences(Stage.objects.get()) == []
    assert AuditEvent.objects.filter(verb="match.decide").count() == 2
    with pytest.raises(TournamentError) as late:
        submit_extra(match=first, actor=actor, claim=totals(90, 40))
    assert late.value.code == "report.not_level"


@pytest.mark.slow
def test_sides_report_an_extra_deal_and_confirm_it() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1)
    first, other = tables_of(event)
    entered(other, 100, 20)
    submit_result(match=first, actor=Actor(side=0), claim=totals(60, 60))
    accept_result(match=first, actor=Actor(side=1))
    said = submit_extra(match=first, actor=Actor(side=0), claim=totals(90, 40))
    assert said.state == "submitted"
    assert round_of(event, 1).state == "playing"
    for actor, code in ((Actor(side=0), "report.own"), (Actor(side=1), "report.moved")):
        with pytest.raises(TournamentError) as refused:
            accept_extra(match=first, actor=actor, version=said.version + (code == "report.moved"))
        assert refused.value.code == code
    accept_extra(match=first, actor=Actor(side=1), version=said.version)
    accept_extra(match=first, actor=Actor(side=1), version=said.version)
    assert round_of(event, 1).state == "complete"
    assert names_at(first)[0] in names_in(next_drawn(event))


@pytest.mark.slow
def test_sides_that_disagree_about_an_extra_deal_leave_it_to_the_organiser() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1)
    first, other = tables_of(event)
    entered(other, 100, 20)
    entered(first, 60, 60)
    submit_extra(match=first, actor=Actor(side=0), claim=totals(90, 40))
    assert submit_extra(match=first, actor=Actor(side=1), claim=totals(40, 90)).state == "disputed"
    with pytest.raises(TournamentError) as refused:
        submit_extra(match=first, actor=Actor(side=0), claim=totals(90, 40))
    assert refused.value.code == "report.in_dispute"
    submit_extra(match=first, actor=Actor(user=event.created_by), claim=totals(40, 90))
    assert not ResultReport.objects.filter(match=first, state__in=("submitted", "disputed")).exists()
    assert names_at(first)[1] in names_in(next_drawn(event))


@pytest.mark.slow
def test_who_won_is_for_arbiters_to_say_with_a_reason() -> None:
    event = a_knock_out()
    first = tables_of(event)[0]
    scorer = a.a_user()
    Role.objects.create(tournament=event, user=scorer, role="scorer")
    by = event.created_by
    wrong = (
        ({"by": scorer, "sides": [0], "reason": "toss"}, "tournament.not_organiser"),
        ({"by": by, "sides": [0], "reason": " "}, "report.reason_needed"),
        ({"by": by, "sides": [0, 1], "reason": "toss"}, "report.winner_needed"),
        ({"by": by, "sides": [5], "reason": "toss"}, "report.winner_needed"),
    )
    for said, code in wrong:
        with pytest.raises(TournamentError) as refused:
            rule_level(match=first, **said)  # type: ignore[arg-type]  # a test's own words
        assert refused.value.code == code
    report = rule_level(match=first, by=by, sides=[1], reason="won the extra deal")
    assert report.body["decided"] == {"by": "ruling", "rank": [2, 1]}
    assert names_at(first)[1] in names_in(next_drawn(event))


@pytest.mark.thorough
def test_lots_are_drawn_only_when_asked_for_and_anybody_can_draw_them_again() -> None:
    event = a_knock_out()
    first = tables_of(event)[0]
    report = draw_level_lots(match=first, by=event.created_by)
    decided, stage = report.body["decided"], Stage.objects.get()
    assert decided["by"] == "lots"
    assert decided["seed"] == match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), first.uuid.bytes).hex()
    entries = [str(uuid) for uuid in first.seats.order_by("index").values_list("entry__uuid", flat=True)]
    lots = [sha256(f"{decided['seed']} {entry}".encode()).hexdigest() for entry in entries]
    assert decided["rank"] == [1 + sorted(lots).index(lot) for lot in lots]
    assert names_at(first)[decided["rank"].index(1)] in names_in(next_drawn(event))


@pytest.mark.slow
def test_a_decision_is_undone_and_a_correction_asks_again() -> None:
    event = a_knock_out()
    first, by = tables_of(event)[0], event.created_by
    rule_level(match=first, by=by, sides=[0], reason="toss")
    last = last_undoable(event)
    assert last is not None
    undo(tournament=event, by=by, seen=last.id)
    assert round_of(event, 1).state == "playing"
    assert len(level_matches.undecided(Stage.objects.get())) == 1
    rule_level(match=first, by=by, sides=[1], reason="toss")
    final = next_drawn(event)
    assert names_at(first)[1] in names_in(final)
    seen = preview_correction(match=tables_of(event)[1], by=by, claim=totals(70, 70))
    correct_result(match=tables_of(event)[1], by=by, claim=totals(70, 70), reason="added wrongly", seen=seen.hash)
    assert Match.objects.get(round=final).state == "void"
    with pytest.raises(TournamentError) as refused:
        preview_next(stage=Stage.objects.get(), by=by)
    assert refused.value.code == "round.level"
    rule_level(match=tables_of(event)[1], by=by, sides=[0], reason="toss")
    again = next_drawn(event)
    assert names_in(again) == {names_at(first)[1], names_at(tables_of(event)[1])[0]}


@pytest.mark.slow
def test_a_final_and_a_match_for_third_place_wait_as_well() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1, third_place=True)
    for match in tables_of(event):
        entered(match, 100, 20)
    last = next_drawn(event)
    call_round(round_row=last, by=event.created_by)
    for match in tables_of(event, 2):
        entered(match, 60, 60)
    with pytest.raises(TournamentError) as refused:
        close_event(tournament=event, by=event.created_by)
    assert refused.value.code in ("stage.not_complete", "round.not_complete", "round.level")
    for match in tables_of(event, 2):
        rule_level(match=match, by=event.created_by, sides=[1], reason="toss")
    assert close_event(tournament=event, by=event.created_by).state == "finished"
    ranks = dict(Standing.objects.filter(after_round=0).values_list("entry__player__name", "rank"))
    assert sorted(ranks.values()) == [1, 2, 3, 4]


@pytest.mark.thorough
def test_a_tie_below_the_cut_of_a_table_is_nobody_s_question() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1, seats=4, seats_min=4, seats_max=4)
    entered(tables_of(event)[0], 100, 40, 40, 20)
    assert round_of(event, 1).state == "complete"
    assert close_event(tournament=event, by=event.created_by).state == "finished"
    places = sorted(Standing.objects.filter(after_round=0).values_list("key__0", flat=True))
    assert places == ["1", "2", "2", "4"]


@pytest.mark.thorough
def test_who_is_level_at_a_larger_table_plays_the_extra_deal() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1, seats=4, seats_min=4, seats_max=4)
    match = tables_of(event)[0]
    entered(match, 60, 60, 20, 20)
    actor = Actor(user=event.created_by)
    with pytest.raises(TournamentError) as refused:
        submit_extra(match=match, actor=actor, claim=Claim(totals=(0, 50, 50, 0), absent=(0, 3)))
    assert refused.value.code == "report.extra_sides"
    submit_extra(match=match, actor=actor, claim=Claim(totals=(50, 90, 0, 0), absent=(2, 3)))
    assert round_of(event, 1).state == "complete"
    champion = Standing.objects.get(after_round=0, rank=1).entry
    assert champion == person(event, names_at(match)[1])
    assert json.dumps(ResultReport.objects.get(match=match, state="confirmed").body["score"]) == "[60, 60, 20, 20]"
