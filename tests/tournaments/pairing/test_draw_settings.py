"""Settings for the draws of a stage: who may choose what, what the next draw makes of it, what its preview says."""

from __future__ import annotations

from typing import Any

import pytest

from core.formats.model import DrawRules, Priority
from tests.builders.clubs import totals
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.pairing.test_draw_wishes import CLUBS, ONE, person
from tests.tournaments.progress.test_people import refused, with_role
from tests.tournaments.progress.test_people_chains import a_night, enter_round, stage_no
from tournaments.models import Match, PairRule, Round, Seat, Stage, Tournament
from tournaments.pairing import plans
from tournaments.pairing.constraints_actions import separate_clubs
from tournaments.pairing.draw_settings import choose_draw_settings
from tournaments.pairing.pair_rules import add_pair_rule, remove_pair_rule
from tournaments.pairing.table_sizes import choose_table_sizes, layouts_of, sizes_in_use
from tournaments.progress import undo
from tournaments.progress.rounds import call_round, preview_next, publish_next
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
SWISS: dict[str, Any] = {**ONE, "kind": "swiss", "seats": 2, "rounds": 4}
TABLES: dict[str, Any] = {**ONE, "kind": "pods", "seats": 4, "rounds": 3}


def enter_tables(stage: Stage, number: int) -> None:
    """Call a round and enter every table of it: the earlier seats win."""
    by = stage.tournament.created_by
    call_round(round_row=Round.objects.select_related("stage__tournament").get(stage=stage, number=number), by=by)
    for match in Match.objects.filter(stage=stage, round__number=number).order_by("table_no"):
        submit_result(match=match, actor=Actor(user=by), claim=totals(90, 70, 50, 30))


def draw(stage: Stage) -> Round:
    """The next round as it was previewed."""
    by = stage.tournament.created_by
    return publish_next(stage=stage, by=by, seen=preview_next(stage=stage, by=by).hash)


def tables_of(stage: Stage, number: int) -> list[set[str]]:
    """The names at each table of a round."""
    rows = Match.objects.filter(stage=stage, round__number=number).order_by("table_no")
    return [set(Seat.objects.filter(match=match).values_list("entry__player__name", flat=True)) for match in rows]


def together(event: Tournament, number: int, *people: int) -> bool:
    """Whether these sit at one table in a round."""
    names = {f"Player {each:02}" for each in people}
    return any(names <= table for table in tables_of(stage_no(event, 1), number))


def a_swiss(**changes: Any) -> Tournament:
    """Eight people of two clubs in turn, everybody here."""
    return a_night(listed=CLUBS, start=False, min_entries=8, **{**SWISS, **changes})


def test_settings_reach_the_planner_and_are_undone() -> None:
    event = a_swiss()
    by, stage = event.created_by, stage_no(event, 1)
    assert plans.shape_of(stage).draw == DrawRules()
    wanted = {"priorities": "clubs,scores,repeats", "leader_rounds": 1, "leader_tables": 2, "accelerated_rounds": 2}
    for _twice in range(2):
        choose_draw_settings(stage=stage, by=by, changes=wanted)
    shape = plans.shape_of(stage_no(event, 1))
    assert shape.draw == DrawRules((Priority.CLUBS, Priority.SCORES, Priority.REPEATS), 2, False, 2)
    assert shape.leaders == 1
    offered = undo.offered(event, by)
    assert offered is not None
    undo.undo(tournament=event, by=by, seen=offered.id)
    assert plans.shape_of(stage_no(event, 1)).draw == DrawRules()


@pytest.mark.thorough
def test_who_may_choose_and_what_is_refused() -> None:
    event = a_swiss()
    by, stage = event.created_by, stage_no(event, 1)
    for wrong, code in (
        ({"priorities": "luck"}, "tournament.bad_priorities"),
        ({"leader_rounds": 4}, "tournament.bad_leader_rounds"),
        ({"leader_tables": -1}, "tournament.bad_leader_tables"),
        ({"accelerated_rounds": True}, "tournament.bad_accelerated_rounds"),
        ({"leader_first": "yes"}, "tournament.bad_leader_first"),
    ):
        with refused(code):
            choose_draw_settings(stage=stage, by=by, changes=wrong)
    for role in ("arbiter", "scorer"):
        with refused("tournament.not_organiser"):
            choose_draw_settings(stage=stage, by=with_role(event, role), changes={"accelerated_rounds": 1})
        with refused("tournament.not_organiser"):
            choose_table_sizes(stage=stage, by=with_role(event, role), smallest=2, largest=2)
    fixed = stage_no(a_night(start=False), 1)
    with refused("draw.fixed"):
        choose_draw_settings(stage=fixed, by=fixed.tournament.created_by, changes={"accelerated_rounds": 1})


@pytest.mark.thorough
def test_rules_about_two_people_are_kept_by_the_draw() -> None:
    event = a_swiss()
    by = event.created_by
    one, two, three, four = (str(person(event, number).uuid) for number in (1, 2, 3, 4))
    add_pair_rule(tournament=event, by=by, kind="together", one=two, other=one, round_number=1)
    add_pair_rule(tournament=event, by=by, kind="later", one=three, other=four, round_number=1, reason="on holiday")
    add_pair_rule(tournament=event, by=by, kind="together", one=three, other=four, round_number=2)
    add_pair_rule(tournament=event, by=by, kind="never", one=one, other=three)
    for _twice in range(2):
        rule = add_pair_rule(tournament=event, by=by, kind="never", one=one, other=four, reason="siblings")
    assert event.pair_rules.count() == 5
    with refused("wishes.contrary"):
        add_pair_rule(tournament=event, by=by, kind="together", one=four, other=one, round_number=2)
    start_tournament(tournament=event, by=by)
    stage = stage_no(event, 1)
    for number in (1, 2):
        assert together(event, number, 1, 2) == (number == 1) or number == 2
        assert together(event, number, 3, 4) == (number == 2)
        assert not together(event, number, 1, 3)
        enter_round(stage, number)
        draw(stage)
    remove_pair_rule(tournament=event, by=by, rule=rule.pk)
    remove_pair_rule(tournament=event, by=by, rule=rule.pk)
    assert event.pair_rules.count() == 4


def test_wrong_rules_about_two_people_are_refused() -> None:
    event = a_swiss()
    by, one, other = event.created_by, str(person(event, 1).uuid), str(person(event, 2).uuid)

    def add(**changes: Any) -> PairRule:
        return add_pair_rule(**{"tournament": event, "by": by, "kind": "never", "one": one, "other": other, **changes})

    for changes, code in (
        ({"kind": "always"}, "tournament.bad_pair_rule"),
        ({"kind": "later"}, "wishes.bad_round"),
        ({"kind": "together", "round_number": 65}, "wishes.bad_round"),
        ({"other": one}, "wishes.same"),
        ({"other": "nobody"}, "wishes.unknown_entry"),
        ({"reason": "x" * 121}, "wishes.bad_reason"),
        ({"by": with_role(event, "scorer")}, "tournament.not_organiser"),
    ):
        with refused(code):
            add(**changes)


@pytest.mark.thorough
def test_table_sizes_are_chosen_with_their_effect_and_used_from_the_next_draw() -> None:
    event = a_night(people=22, start=False, min_entries=4, max_entries=30, **TABLES)
    by, stage = event.created_by, stage_no(event, 1)
    found = {(each.smallest, each.largest): each.text for each in layouts_of(stage, 22)}
    assert found[3, 5] == "5+5+4+4+4"
    assert found[3, 4] == "4+4+4+4+3+3"
    with refused("tournament.bad_table_sizes"):
        choose_table_sizes(stage=stage, by=by, smallest=5, largest=4)
    choose_table_sizes(stage=stage, by=by, smallest=3, largest=4)
    start_tournament(tournament=event, by=by)
    stage = stage_no(event, 1)
    assert sizes_in_use(stage) == [3, 4]
    text = as_one(by).get(f"/t/{event.slug}/").content.decode()
    assert "at tables of 4 (some of 3)" in text


@pytest.mark.thorough
def test_the_preview_shows_what_each_priority_costs_and_rules_that_it_breaks() -> None:
    listed = "name,club\n" + "".join(f"Player {n:02},{'Kyoto' if n <= 4 else 'Lyon'}\n" for n in range(1, 9))
    event = a_night(listed=listed, start=False, min_entries=8, **{**TABLES, "rounds": 4})
    by = event.created_by
    separate_clubs(tournament=event, by=by, apart=True)
    start_tournament(tournament=event, by=by)
    stage = stage_no(event, 1)
    enter_tables(stage, 1)
    one, other = (person(event, number) for number in (1, 2))
    add_pair_rule(tournament=event, by=by, kind="never", one=str(one.uuid), other=str(other.uuid), reason="siblings")
    text = as_one(by).get(f"/t/{event.slug}/next/").content.decode()
    assert "What the draw keeps, and what that costs" in text
    assert "As drawn" in text
    assert 'id="sizes-now"' in text
    assert "siblings" not in text


@pytest.mark.thorough
def test_the_page_stores_what_is_sent_and_is_for_organisers_alone() -> None:
    event = a_swiss()
    here, client = f"/t/{event.slug}/draws/", as_one(event.created_by)
    one, other = (str(person(event, number).uuid) for number in (1, 2))
    sent = {"verb": "draw", "stage": "1", "priorities": "scores,repeats,clubs", "leader_rounds": "2"}
    assert client.post(here, {**sent, "leader_tables": "3", "leader_first": "on"}).status_code == 302
    stage = stage_no(event, 1)
    assert (stage.priorities, stage.leader_rounds, stage.leader_tables) == ("scores,repeats,clubs", 2, 3)
    rule = {"verb": "rule", "kind": "together", "round": "2", "one": one, "other": other, "reason": "a film crew"}
    assert client.post(here, rule).status_code == 302
    text = client.get(here).content.decode()
    assert "Player 01 and Player 02 sit together in round 2." in text
    assert "a film crew" in text
    for wrong, code in (
        ({**sent, "priorities": "no"}, "tournament.bad_priorities"),
        ({**rule, "round": "soon"}, "wishes.bad_round"),
        ({"verb": "sizes", "stage": "1", "sizes": "9-1"}, "tournament.bad_table_sizes"),
    ):
        answer = client.post(here, wrong)
        assert (answer.status_code, code in answer.content.decode()) == (422, True), wrong
    for lost in ({"verb": "no"}, {**sent, "stage": "9"}):
        assert client.post(here, lost).status_code == 404
    (made,) = event.pair_rules.all()
    assert client.post(here, {"verb": "unrule", "rule": str(made.pk)}).status_code == 302
    assert not event.pair_rules.exists()
    for role in ("arbiter", "scorer"):
        assert as_one(with_role(event, role)).get(here).status_code == 404
