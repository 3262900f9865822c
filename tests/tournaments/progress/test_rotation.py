"""Rotating partners: drawn round by round, ranked one by one, late and leaving people, phones, corrections, a file."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from core.errors import TournamentError
from core.formats.model import Plan
from tests.builders import events as a
from tests.builders import rotating as r
from tests.builders.clubs import close_event
from tests.builders.soundness import faults_of
from tournaments.entries.people import add_person, withdraw_person
from tournaments.events.create import create_tournament
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.matches.report_bodies import Claim
from tournaments.matches.schedule import round_blocks
from tournaments.models import Entry, Match, RatingEvent, RatingPool, Seat, Standing, Tournament
from tournaments.pairing.constraints import pairs_of
from tournaments.pairing.constraints_actions import fix_table, separate_two
from tournaments.progress import undo
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.draws.swaps import preview_swap, swap_places
from tournaments.progress.rounds import call_round, close_stage, preview_next, take_back_round
from tournaments.progress.run import start_tournament
from tournaments.progress.stage_actions import draw_stage
from tournaments.ratings import pools
from tournaments.ratings.actions import rate_event
from tournaments.scores.actions import Actor, accept_result, submit_result
from tournaments.standings import store
from tournaments.standings.explanations import sources_of

pytestmark = pytest.mark.django_db(transaction=True)


def partners(event: Tournament, rounds: int) -> list[frozenset[str]]:
    pairs: list[frozenset[str]] = []
    for number in range(1, rounds + 1):
        for match in r.tables(event, number):
            pairs += [frozenset(two) for side in r.sides(match) for two in combinations(side, 2)]
    return pairs


@pytest.mark.slow
def test_everybody_sits_with_everybody_and_points_of_a_side_are_everybodys() -> None:
    event = r.a_running_night(rounds=7)
    r.play_out(event, 7)
    stage = r.stage_of(event)
    pairs = partners(event, 7)
    assert len(pairs) == len(set(pairs)) == 28
    (first, *_rest) = r.tables(event, 1)
    seats = list(Seat.objects.filter(match=first).order_by("index"))
    assert [seat.side for seat in seats] == [0, 1, 0, 1]
    assert seats[0].points == seats[2].points
    assert {seat.player_id for seat in seats} == {seat.entry.player_id for seat in seats if seat.entry}
    rows = list(Standing.objects.filter(stage=stage, after_round=0).order_by("row"))
    assert len(rows) == 8
    assert rows[0].entry.player.name == "Aiko"
    assert Fraction(rows[0].key[0]) == 7 * 300
    assert sum(Fraction(row.key[0]) for row in rows) == 7 * 2 * 2 * 510
    assert store.differences(stage) == []
    plan = Plan.from_json(r.round_of(event, 7).plan)
    assert plan.rotation is not None
    assert plan.rotation.partners.is_optimal
    assert plan.rotation.opponents.is_optimal
    sat = sources_of(stage, rows).sat
    aiko = rows[0].entry_id
    said = {text for (entry, _match), text in sat.items() if entry == aiko}
    assert len(said) == 7
    assert all(text.startswith("with ") and " against " in text and " & " in text for text in said)
    assert close_event(tournament=event, by=event.created_by).state == "finished"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("teams", "seats", "sides"),
    [
        ("3x2", 6, [0, 1, 2, 0, 1, 2]),
        pytest.param("2x3", 6, [0, 1] * 3, marks=pytest.mark.slow),
    ],
)
def test_three_pairs_and_two_trios_sit_in_turn(teams: str, seats: int, sides: list[int]) -> None:
    event = r.a_running_night(people=13, seats=seats, rounds=2, options={"rounds": 3, "teams": teams})
    r.play_out(event, 2)
    for number in (1, 2):
        assert all([seat.side for seat in match.seats.order_by("index")] == sides for match in r.tables(event, number))
    assert len(set(partners(event, 2))) == len(partners(event, 2))
    (bye,) = r.round_of(event, 1).plan["byes"]
    assert [bye] != r.round_of(event, 2).plan["byes"]


@pytest.mark.thorough
def test_deals_won_count_for_both_and_so_do_an_absence_and_units_taken() -> None:
    event = r.a_running_night(preset="paradise", options={"rounds": 3, "teams": "2x2"}, rounds=2)
    call_round(round_row=r.round_of(event, 1), by=event.created_by)
    one, other = r.tables(event, 1)
    claim = Claim(deals=((50, 90), (120, 100), (100, 120)))
    submit_result(match=one, actor=Actor(user=event.created_by), claim=claim)
    r.enter(event, other, absent=(1,))
    rows = {str(row.entry): row for row in Standing.objects.filter(stage=r.stage_of(event), after_round=0)}
    winners, losers = r.sides(one)[1], r.sides(one)[0]
    assert {rows[name].key[0] for name in winners} == {"2"}
    assert {rows[name].key[0] for name in losers} == {"1"}
    assert {rows[name].key[1] for name in winners} == {"310"}, "the points of their side, the same for both"
    assert {rows[name].key[1] for name in losers} == {"270"}
    away = r.sides(other)[1]
    assert {rows[name].key[0] for name in away} == {"0"}
    assert set(Seat.objects.filter(match=other, side=1).values_list("outcome", flat=True)) == {"forfeit"}


@pytest.mark.slow
def test_who_comes_late_or_leaves_is_heeded_and_what_was_played_counts() -> None:
    event = r.a_running_night(rounds=3, people=9)
    by = event.created_by
    r.play(event, 1)
    late = add_person(tournament=event, by=by, name="Zoe")
    withdraw_person(entry=Entry.objects.get(tournament=event, player__name="Ben"), by=by)
    r.draw(event)
    names = {name for match in r.tables(event, 2) for side in r.sides(match) for name in side}
    assert "Ben" not in names
    assert "Zoe" in names or str(late.uuid) in r.round_of(event, 2).plan["byes"]
    r.play(event, 2)
    r.draw(event)
    r.play(event, 3)
    pairs = partners(event, 3)
    assert len(pairs) == len(set(pairs))
    byes = [entry for number in range(1, 4) for entry in r.round_of(event, number).plan["byes"]]
    assert len(byes) == len(set(byes))
    rows = Standing.objects.filter(stage=r.stage_of(event), after_round=0)
    assert rows.count() == 10
    assert faults_of(event) == []


@pytest.mark.slow
def test_the_same_people_follow_the_plan_and_a_round_taken_back_comes_back_the_same() -> None:
    event = r.a_running_night(people=10, rounds=4)
    r.play(event, 1)
    r.draw(event)
    drawn = [r.sides(match) for match in r.tables(event, 2)]
    take_back_round(round_row=r.round_of(event, 2), by=event.created_by)
    seen = preview_next(stage=r.stage_of(event), by=event.created_by)
    assert seen.plan is not None
    assert seen.plan.rotation is not None
    assert seen.plan.rotation.rounds == 4
    r.draw(event)
    assert [r.sides(match) for match in r.tables(event, 2)] == drawn
    last = undo.offered(event, event.created_by)
    assert last is not None
    undo.undo(tournament=event, by=event.created_by, seen=last.id)
    assert r.stage_of(event).rounds.count() == 1
    assert faults_of(event) == []


@pytest.mark.slow
def test_club_mates_are_never_partners() -> None:
    event = r.a_running_night(people=8, rounds=5, apart="club", club="Kyoto")
    for number in range(1, 6):
        if number > 1:
            r.draw(event)
        r.play(event, number)
    assert frozenset({"Aiko", "Ben"}) not in partners(event, 5)
    assert any("Club mates" in reason["text"] for reason in r.round_of(event, 1).plan["reasons"])


@pytest.mark.slow
def test_couples_are_never_partners_once_somebody_said_so() -> None:
    event = r.a_rotating_night(people=8, rounds=3)
    by = event.created_by
    couple = [str(Entry.objects.get(tournament=event, player__name=name).uuid) for name in ("Aiko", "Ben")]
    with pytest.raises(TournamentError) as refused:
        separate_two(tournament=event, by=by, one=couple[0], other=couple[0])
    assert refused.value.code == "wishes.same"
    for _twice in range(2):
        separate_two(tournament=event, by=by, one=couple[0], other=couple[1])
    event.refresh_from_db()
    assert pairs_of(event) == ((couple[0], couple[1]),)
    separate_two(tournament=event, by=by, one=couple[1], other=couple[0], apart=False)
    event.refresh_from_db()
    assert pairs_of(event) == ()
    separate_two(tournament=event, by=by, one=couple[0], other=couple[1])
    start_tournament(tournament=event, by=by)
    r.play_out(event, 3)
    assert frozenset({"Aiko", "Ben"}) not in partners(event, 3)
    with pytest.raises(TournamentError) as refused:
        separate_two(tournament=event, by=by, one=couple[0], other=couple[1], apart=False)
    assert refused.value.code == "wishes.frozen"
    close_event(tournament=event, by=by)
    event.refresh_from_db()
    data = event_json(event)
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="couples")
    assert len(pairs_of(copy)) == 1
    assert event_json(copy) == data


@pytest.mark.thorough
def test_a_phone_of_a_side_reports_and_the_other_side_confirms() -> None:
    event = r.a_running_night()
    call_round(round_row=r.round_of(event, 1), by=event.created_by)
    match = r.tables(event, 1)[0]
    submit_result(match=match, actor=Actor(side=0), claim=Claim(totals=(240, 300)))
    accept_result(match=match, actor=Actor(side=1))
    match.refresh_from_db()
    assert match.state == Match.State.CONFIRMED
    assert set(match.seats.values_list("side", "points")) == {(0, 240), (1, 300)}


@pytest.mark.slow
def test_a_correction_moves_both_partners() -> None:
    event = r.a_running_night()
    r.play(event, 1)
    match = r.tables(event, 1)[0]
    claim = Claim(totals=(150, 400))
    seen = preview_correction(match=match, by=event.created_by, claim=claim)
    correct_result(match=match, by=event.created_by, claim=claim, reason="read wrongly", seen=seen.hash)
    rows = {str(row.entry): row.key[0] for row in Standing.objects.filter(stage=r.stage_of(event), after_round=0)}
    assert {rows[name] for name in r.sides(match)[1]} == {"400"}
    assert store.differences(r.stage_of(event)) == []


@pytest.mark.thorough
def test_two_who_change_places_change_partners_and_the_figures_are_counted_again() -> None:
    event = r.a_running_night(rounds=7)
    table = r.tables(event, 1)[0]
    (one, _mate), (other, _its) = (
        Seat.objects.filter(match=table, side=side).order_by("index").values_list("entry__uuid", flat=True)
        for side in (0, 1)
    )
    args = {"round_row": r.round_of(event, 1), "by": event.created_by, "one": str(one), "other": str(other)}
    before = r.sides(table)
    found = swap_places(**args, seen=preview_swap(**args).hash)  # type: ignore[arg-type]  # by name
    after = r.sides(r.tables(event, 1)[0])
    assert {frozenset(side) for side in before} != {frozenset(side) for side in after}
    assert found.plans[0].rotation is not None
    assert found.plans[0].rotation.partners.method == "hand"


@pytest.mark.thorough
def test_pages_show_partners_together() -> None:
    event = r.a_running_night()
    blocks = round_blocks(r.stage_of(event), [r.round_of(event, 1)])
    names = [row.name for table in blocks[0].tables for row in table.rows]
    assert len(names) == 4
    assert all(" & " in name for name in names)


@pytest.mark.slow
def test_the_file_comes_back_the_same_bit_for_bit() -> None:
    event = r.a_running_night(people=9, rounds=3, club="Kyoto", apart="club")
    r.play_out(event, 3)
    close_event(tournament=event, by=event.created_by)
    event.refresh_from_db()
    data = event_json(event)
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data


@pytest.mark.thorough
def test_bots_rotate_too_and_a_deal_is_played_from_every_seat() -> None:
    event = a.a_running_event(
        bots=4, kind="rotation", seats=4, rounds=2, legs="cyclic", options={"rounds": 1, "teams": "2x2"}
    )
    stage = r.stage_of(event)
    legs = list(Match.objects.filter(stage=stage).order_by("leg"))
    assert [match.leg for match in legs] == [1, 2, 3, 4]
    pairs = {frozenset(frozenset(side) for side in r.sides(match)) for match in legs}
    assert len(pairs) == 1
    sat: dict[str, set[int]] = {str(seat.entry): set() for seat in Seat.objects.filter(match=legs[0])}
    for match in legs:
        for seat in match.seats.all():
            sat[str(seat.entry)].add(seat.index)
    assert all(indices == {0, 1, 2, 3} for indices in sat.values())


@pytest.mark.parametrize(
    "changes",
    [
        {"options": {"rounds": 1}},
        {"seats": 2, "options": {"rounds": 1}},
        {"partners": "drawn"},
        {
            "min_entries": 8,
            "then": (StagePlan(kind="single_elim"),),
            "ways": (AdvancementPlan(source=1, target=2, last=2),),
        },
    ],
)
def test_what_cannot_rotate_is_refused_with_a_stable_code(changes: dict[str, object]) -> None:
    asked = {"who": "people", "kind": "rotation", "seats": 4, "options": {"rounds": 1, "teams": "2x2"}, **changes}
    with pytest.raises(TournamentError) as refused:
        create_tournament(by=a.a_user(), plan=a.a_plan(**asked))
    assert refused.value.code in ("tournament.bad_rotation", "tournament.bad_seating")


def test_people_and_bots_together_do_not_rotate() -> None:
    with pytest.raises(TournamentError) as refused:
        options = {"rounds": 1, "teams": "2x2"}
        create_tournament(by=a.a_user(), plan=a.a_plan(who="both", kind="rotation", seats=4, options=options))
    assert refused.value.code == "tournament.mixed_teams"


@pytest.mark.slow
def test_partners_are_rated_together_sit_where_they_must_and_go_on_to_other_partners() -> None:
    """Ratings by sides, a fixed table, and a second stage of rotating partners that takes points along."""
    event = r.a_rotating_night(
        rounds=2,
        min_entries=8,
        then=(StagePlan(kind="rotation", name="Final", rounds=3),),
        ways=(AdvancementPlan(source=1, target=2, last=4, carry="full"),),
    )
    by, aiko = event.created_by, Entry.objects.get(tournament=event, player__name="Aiko")
    rate_event(tournament=event, by=by, rated=True)
    fix_table(entry=aiko, by=by, table=9)
    start_tournament(tournament=event, by=by)
    r.play_out(event, 2)
    stage = r.stage_of(event)
    assert set(Match.objects.filter(stage=stage, seats__entry=aiko).values_list("table_no", flat=True)) == {9}
    pools.fold_stale()
    pool = RatingPool.objects.get(stage=None, who="people")
    assert (pool.seats, pool.sides) == (4, 2)
    assert RatingEvent.objects.filter(pool=pool).count() == 2 * 8
    first = Seat.objects.filter(match__round=r.round_of(event, 1), match__seats__entry=aiko).select_related("player")
    for seat in first:
        assert seat.player is not None
        rated = RatingEvent.objects.get(pool=pool, line=seat.player.line, nth=1)
        assert (rated.mu_after > rated.mu_before) == (seat.place == 1), "partners win and lose together"
    close_stage(stage=stage, by=by)
    draw_stage(tournament=event, by=by, order=2)
    final = event.stages.get(order=2)
    points = {row.entry_id: row.key[0] for row in Standing.objects.filter(stage=stage, after_round=0)}
    brought = dict(final.stage_entries.values_list("entry", "carry_in"))
    assert brought == {entry: points[entry] for entry in brought}
    assert sorted(brought.values(), key=int) == sorted(points.values(), key=int)[-4:]
    (table,) = Match.objects.filter(stage=final, round__number=1)
    assert table.table_no == 9
    call_round(round_row=final.rounds.get(number=1), by=by)
    table.refresh_from_db()
    r.enter(event, table)
    row = Standing.objects.get(stage=final, after_round=0, entry=aiko)
    assert Fraction(row.key[0]) == Fraction(brought[aiko.pk]) + 300
    assert (store.differences(stage), store.differences(final), faults_of(event)) == ([], [], [])
