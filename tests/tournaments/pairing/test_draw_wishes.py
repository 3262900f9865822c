"""Wishes of organisers for draws: club mates apart, a fixed table, seeds by hand, by rating, by lots."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.progress.test_people import refused, with_role
from tests.tournaments.progress.test_people_chains import KNOCK_OUT, a_night, enter_round, play_and_close, stage_no
from tournaments.lifecycle.event_plan import AdvancementPlan
from tournaments.models import Entry, Match, Round, Seat, Stage, Tournament
from tournaments.pairing import plans
from tournaments.pairing.constraints import fixed_tables
from tournaments.pairing.constraints_actions import fix_table, let_leaders_meet, seed_stage, separate_clubs
from tournaments.progress.rounds import preview_next, publish_next
from tournaments.progress.run import start_tournament
from tournaments.progress.stage_actions import draw_stage
from tournaments.standings import store

pytestmark = pytest.mark.django_db
ONE: dict[str, Any] = {"groups": 1, "then": (), "ways": (), "stage_name": ""}
CLUBS = "name,club\n" + "".join(f"Player {n:02},{'Kyoto' if n % 2 else 'Lyon'}\n" for n in range(1, 9))
"""Eight people of two clubs in turn: seeds 1 and 3, 2 and 4, .. are mates."""


def pairs_of(stage: Stage, number: int = 1) -> list[set[str]]:
    """The clubs at each table of a round."""
    rows = Match.objects.filter(stage=stage, round__number=number).order_by("table_no")
    return [set(Seat.objects.filter(match=match).values_list("entry__player__club", flat=True)) for match in rows]


def person(event: Tournament, number: int) -> Entry:
    """By the number in their name."""
    return Entry.objects.select_related("player", "tournament").get(
        tournament=event, player__name__endswith=f"{number:02}"
    )


def names_by_seed(stage: Stage) -> list[int]:
    """The numbers in the names, in the order of the seeds."""
    rows = stage.stage_entries.order_by("seed").values_list("entry__player__name", flat=True)
    return [int(name.split()[1]) for name in rows]


SLOWER: Any = [pytest.param(kind, marks=pytest.mark.slow) for kind in ("double_elim", "lives", "tables")]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["swiss", "single_elim", *SLOWER])
def test_club_mates_are_kept_apart_where_the_format_leaves_a_choice(kind: str) -> None:
    seats = {"seats": 2} if kind != "tables" else {"seats": 3, "seats_min": 2, "rounds": 1}
    together, apart = (
        a_night(listed=CLUBS, start=False, min_entries=8, kind=kind, name=f"Night {wish}", **{**ONE, **seats})
        for wish in ("without", "with")
    )
    separate_clubs(tournament=apart, by=apart.created_by, apart=True)
    for event in (together, apart):
        start_tournament(tournament=event, by=event.created_by)
    if kind != "tables":
        assert all(len(clubs) == 2 for clubs in pairs_of(stage_no(apart, 1)))
    plan = Round.objects.get(stage=stage_no(apart, 1), number=1).plan
    assert "apart.club" in {reason["code"] for reason in plan["reasons"]}
    assert "apart.club" not in str(Round.objects.get(stage=stage_no(together, 1), number=1).plan)


@pytest.mark.slow
def test_a_swiss_without_the_wish_pairs_club_mates_and_with_it_says_where_it_could_not() -> None:
    event = a_night(listed=CLUBS, start=False, min_entries=8, kind="swiss", rounds=6, **ONE)
    by = event.created_by
    separate_clubs(tournament=event, by=by, apart=True)
    start_tournament(tournament=event, by=by)
    stage = stage_no(event, 1)
    for number in range(1, 6):
        if number <= 4:
            assert all(len(clubs) == 2 for clubs in pairs_of(stage, number)), number
        enter_round(stage, number)
        publish_next(stage=stage, by=by, seen=preview_next(stage=stage, by=by).hash)
    same = [
        match.why for match in Match.objects.filter(stage=stage, round__number__gt=4) if "no better draw" in match.why
    ]
    assert same, "four of the other club are used up after four rounds"
    assert store.differences(stage) == []


@pytest.mark.slow
def test_club_mates_are_spread_over_groups_and_meet_late_in_the_bracket_after_them() -> None:
    listed = "name,club\n" + "".join(f"Player {n:02},{'Kyoto' if n < 5 else ''}\n" for n in range(1, 17))
    event = a_night(listed=listed, start=False, groups=4, min_entries=16, then=(KNOCK_OUT,))
    separate_clubs(tournament=event, by=event.created_by, apart=True)
    start_tournament(tournament=event, by=event.created_by)
    pools = stage_no(event, 1)
    groups = dict(pools.stage_entries.values_list("entry__player__name", "group"))
    assert len({groups[f"Player {n:02}"] for n in range(1, 5)}) == 4
    play_and_close(event, 1)
    draw_stage(tournament=event, by=event.created_by, order=2)
    final = stage_no(event, 2)
    assert all(clubs != {"Kyoto"} for clubs in pairs_of(final))
    play_and_close(event, 2)
    assert store.differences(final) == []


@pytest.mark.slow
def test_a_fixed_table_is_kept_from_round_to_round_and_said() -> None:
    event = a_night(people=8, start=False, min_entries=8, kind="swiss", rounds=3, **ONE)
    by = event.created_by
    names = sorted(Entry.objects.filter(tournament=event).values_list("player__name", flat=True))
    here = Entry.objects.select_related("player", "tournament").get(tournament=event, player__name=names[-1])
    fix_table(entry=here, by=by, table=9)
    fix_table(entry=here, by=by, table=9)
    start_tournament(tournament=event, by=by)
    stage = stage_no(event, 1)
    for number in (1, 2, 3):
        match = Match.objects.get(stage=stage, round__number=number, seats__entry=here)
        assert (match.table_no, "Table 9 is fixed" in match.why) == (9, True)
        tables = Match.objects.filter(stage=stage, round__number=number).values_list("table_no", flat=True)
        assert sorted(table or 0 for table in tables) == [1, 2, 3, 9]
        if number == 3:
            break
        enter_round(stage, number)
        publish_next(stage=stage, by=by, seen=preview_next(stage=stage, by=by).hash)
    assert store.differences(stage) == []


def test_of_two_who_need_the_same_table_one_gets_it_and_the_other_is_told() -> None:
    event = a_night(people=4, start=False, min_entries=4, kind="swiss", rounds=1, **ONE)
    by = event.created_by
    entries = list(Entry.objects.filter(tournament=event).select_related("player", "tournament").order_by("pk"))
    for entry in entries[:2]:
        fix_table(entry=entry, by=by, table=2)
    start_tournament(tournament=event, by=by)
    tables = Match.objects.filter(stage=stage_no(event, 1)).order_by("table_no")
    assert [match.table_no for match in tables] == [1, 2]
    together = len({seat.match_id for seat in Seat.objects.filter(entry__in=entries[:2])}) == 1
    assert [("it is taken" in match.why) for match in tables] == [not together, False]


@pytest.mark.thorough
def test_seeds_by_hand_by_rating_and_by_lots() -> None:
    for by_what, numbers, wanted in (
        ("hand", {3: 1.0, 1: 2.0}, [3, 1, 2, 4]),
        ("rating", {2: 1500.0, 4: 1800.5}, [4, 2, 1, 3]),
        ("", {}, [1, 2, 3, 4]),
    ):
        event = a_night(people=4, start=False, min_entries=4, kind="swiss", name=f"By {by_what}!", **ONE)
        by, stage = event.created_by, stage_no(event, 1)
        given = {str(person(event, number).uuid): value for number, value in numbers.items()}
        seed_stage(stage=stage, by=by, seeding="draw")
        seed_stage(stage=stage, by=by, seeding=by_what, numbers=given)
        start_tournament(tournament=event, by=by)
        assert names_by_seed(stage) == wanted
        with refused("wishes.drawn"):
            seed_stage(stage=stage, by=by, seeding="draw")


@pytest.mark.thorough
def test_lots_for_seeds_come_from_the_committed_secret() -> None:
    orders = set()
    for number in range(4):
        event = a_night(people=8, min_entries=8, kind="swiss", name=f"Lots {number}", seeding="draw", **ONE)
        orders.add(tuple(names_by_seed(stage_no(event, 1))))
    assert len(orders) > 1, "four secrets give one order of eight people in one of 6 * 10^13 runs"


@pytest.mark.slow
def test_the_next_stage_is_seeded_by_hand() -> None:
    event = a_night(people=6, then=(KNOCK_OUT,), ways=(AdvancementPlan(source=1, target=2, last=2),))
    by = event.created_by
    play_and_close(event, 1)
    target = stage_no(event, 2)
    last = person(event, 3)
    seed_stage(stage=target, by=by, seeding="hand", numbers={str(last.uuid): 1.0})
    draw_stage(tournament=event, by=by, order=2)
    order = names_by_seed(target)
    assert order[0] == 3
    assert sorted(order) == [1, 2, 3, 4]


@pytest.mark.thorough
def test_who_may_wish_what_and_when() -> None:
    event = a_night(start=False)
    by, stage, entry = event.created_by, stage_no(event, 1), person(event, 1)
    for who in (with_role(event, "arbiter"), with_role(event, "scorer")):
        with refused("tournament.not_organiser"):
            separate_clubs(tournament=event, by=who, apart=True)
        with refused("tournament.not_organiser"):
            fix_table(entry=entry, by=who, table=1)
        with refused("tournament.not_organiser"):
            seed_stage(stage=stage, by=who, seeding="draw")
    for table in (0, 1000, -1):
        with refused("wishes.bad_table"):
            fix_table(entry=entry, by=by, table=table)
    with refused("tournament.bad_seeding"):
        seed_stage(stage=stage, by=by, seeding="luck")
    with refused("wishes.no_numbers"):
        seed_stage(stage=stage, by=by, seeding="hand")
    with refused("wishes.bad_number"):
        seed_stage(stage=stage, by=by, seeding="rating", numbers={str(entry.uuid): float("nan")})
    with refused("wishes.unknown_entry"):
        seed_stage(stage=stage, by=by, seeding="hand", numbers={"nobody": 1.0})
    fix_table(entry=entry, by=by, table=7)
    fix_table(entry=entry, by=by, table=None)
    assert fixed_tables(event) == {}
    start_tournament(tournament=event, by=by)
    with refused("wishes.frozen"):
        separate_clubs(tournament=event, by=by, apart=True)


def test_the_leaders_of_swiss_tables_meet_in_the_last_round_unless_the_organiser_says_otherwise() -> None:
    event = a_night(
        listed=CLUBS, start=False, min_entries=8, kind="pods", name="Tables", **{**ONE, "seats": 4, "rounds": 2}
    )
    stage = stage_no(event, 1)
    assert plans.shape_of(stage).leaders == 1
    let_leaders_meet(tournament=event, by=event.created_by, rounds=0)
    stage.tournament.refresh_from_db()
    assert plans.shape_of(stage).leaders == 0
    with refused("tournament.bad_leaders"):
        let_leaders_meet(tournament=event, by=event.created_by, rounds=4)
    with refused("tournament.not_organiser"):
        let_leaders_meet(tournament=event, by=with_role(event, "scorer"), rounds=2)
