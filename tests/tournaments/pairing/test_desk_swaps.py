"""Two people change places before the call: what it breaks is shown, what is written agrees, old slips are dead."""

from __future__ import annotations

import pytest

from bots.models import AuditEvent
from core.formats.model import Plan
from core.formats.pools import rescored
from tests.builders import events as a
from tests.builders.clubs import a_club_night, person, round_of, tables_of, totals
from tests.tournaments.progress.test_people import draw_next, finish_round, refused, stage_of, with_role
from tournaments.models import Entry, Match, Player, Tournament
from tournaments.pairing import plans
from tournaments.progress.draws.swaps import Swap, entries_of, preview_swap, swap_places
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.progress.undo import last_undoable, undo
from tournaments.scores.actions import Actor, submit_result
from tournaments.scores.slips import read_code, read_slip, slip_token, table_code
from tournaments.standings import store

pytestmark = pytest.mark.django_db


def a_drawn_night(*, people: int = 6, **changes: object) -> Tournament:
    """Round 1 (or all rounds) drawn, nothing called."""
    event = a_club_night(people=people, **changes)
    start_tournament(tournament=event, by=event.created_by)
    return event


def ids(*entries: Entry) -> dict[str, str]:
    """Two entries as the service takes them."""
    return dict(zip(("one", "other"), (str(entry.uuid) for entry in entries), strict=True))


def seated(event: Tournament, number: int = 1) -> list[list[str]]:
    """Return the entries at each table."""
    rows = [match.seats.order_by("index").values_list("entry__player__name", flat=True)
            for match in tables_of(event, number)]  # fmt: skip
    return [list(names) for names in rows]


def planned(event: Tournament, number: int = 1) -> list[list[str]]:
    """Return the entries at each table by the round's plan."""
    names = {str(entry.uuid): entry.player.name for entry in event.entries.select_related("player")}
    pods = Plan.from_json(round_of(event, number).plan).pods
    return [[names[entry] for entry in pod.seats] for pod in pods]


def agrees(event: Tournament) -> None:
    """Plan, seats, figures and standings of the stage tell one story."""
    stage = stage_of(event)
    history = plans.history_of(stage)
    counted = rescored(history, plans.pools_of(stage), plans.constraints_of(stage))
    assert [plan.quality for plan in counted] == [plan.quality for plan in history]
    for plan in history:
        assert planned(event, plan.round) == seated(event, plan.round)
        assert round_of(event, plan.round).quality == plan.to_json()["quality"]
    assert store.differences(stage) == []


def done(event: Tournament, number: int, one: Entry, other: Entry) -> Swap:
    """Look and exchange."""
    by, row = event.created_by, round_of(event, number)
    seen = preview_swap(round_row=row, by=by, **ids(one, other)).hash
    return swap_places(round_row=row, by=by, **ids(one, other), seen=seen)


def two_of(event: Tournament, number: int = 1) -> tuple[Entry, Entry]:
    """The first of table 1 and the first of table 2."""
    first, second = (each[0] for each in seated(event, number)[:2])
    return person(event, first), person(event, second)


@pytest.mark.thorough
def test_two_change_tables_and_everything_agrees() -> None:
    event = a_drawn_night()
    before = seated(event)
    one, other = two_of(event)
    old = tables_of(event)
    slip, code = slip_token(old[0], 0), table_code(old[0], 0)
    swap = done(event, 1, one, other)
    expected = [[other.player.name, before[0][1]], [one.player.name, before[1][1]], before[2]]
    assert seated(event) == expected
    assert {pod.table for pod in swap.touched} == {1, 2}
    agrees(event)
    fresh = tables_of(event)
    assert [match.pk == kept.pk for match, kept in zip(fresh, old, strict=True)] == [False, False, True]
    assert [match.state for match in fresh] == [Match.State.READY] * 3
    assert one.player.name in fresh[0].why
    assert fresh[0].why == fresh[1].why != fresh[2].why
    with refused("slip.old"):
        read_slip(slip)
    with refused("code.unknown"):
        read_code(code, network="hall")
    done(event, 1, one, other)
    assert seated(event) == before
    said = AuditEvent.objects.filter(verb="round.swap").order_by("id")
    assert [set(act.after["entries"]) for act in said] == [{one.player.name, other.player.name}] * 2


@pytest.mark.thorough
def test_round_is_played_and_the_next_one_drawn_after_it() -> None:
    event = a_drawn_night()
    one, other = two_of(event)
    done(event, 1, one, other)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    finish_round(event)
    draw_next(event)
    met = {frozenset(names) for names in seated(event, 1)}
    assert not met & {frozenset(names) for names in seated(event, 2)}
    agrees(event)


@pytest.mark.thorough
def test_what_it_breaks_is_said_before() -> None:
    event = a_drawn_night(people=4, kind="round_robin", rounds=1)
    for name in ("Aiko", "Ben"):
        Player.objects.filter(entries__tournament=event, name=name).update(club="Kyoto")
    number = next(n for n in (1, 2, 3) if ["Aiko", "Ben"] not in [sorted(names) for names in seated(event, n)])
    mate = next(name for names in seated(event, number) for name in names if "Aiko" in names and name != "Aiko")
    swap = done(event, number, person(event, "Ben"), person(event, mate))
    assert any("meet in round" in line for line in swap.breaks)
    assert any("both of Kyoto" in line for line in swap.breaks)
    assert (swap.before.repeats, swap.plans[-1].quality.repeats) == (0, 2)
    agrees(event)


@pytest.mark.thorough
def test_who_sits_out_may_take_a_place() -> None:
    event = a_drawn_night(people=5)
    playing = {name for names in seated(event) for name in names}
    rests = next(name for name in ("Aiko", "Ben", "Chiyo", "Dai", "Emi") if name not in playing)
    plays = seated(event)[0][1]
    done(event, 1, person(event, rests), person(event, plays))
    assert round_of(event, 1).plan["byes"] == [str(person(event, plays).uuid)]
    assert seated(event)[0][1] == rests
    agrees(event)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    finish_round(event)
    row = draw_next(event)
    assert str(person(event, plays).uuid) not in row.plan["byes"]
    again = person(event, plays)
    bye = Entry.objects.get(uuid=row.plan["byes"][0])
    swap = preview_swap(round_row=round_of(event, 2), by=event.created_by, **ids(bye, again))
    assert any("second bye" in line for line in swap.breaks)
    agrees(event)


@pytest.mark.thorough
def test_seats_of_one_table_may_be_exchanged() -> None:
    event = a_drawn_night()
    first, second = seated(event)[0]
    done(event, 1, person(event, first), person(event, second))
    assert seated(event)[0] == [second, first]
    agrees(event)


@pytest.mark.thorough
def test_groups_play_among_themselves() -> None:
    event = a_drawn_night(people=8, kind="round_robin", groups=2, min_entries=8)
    groups = plans.pools_of(stage_of(event))
    here, there = (Entry.objects.get(uuid=members[0]) for members in groups)
    with refused("swap.other_group"):
        preview_swap(round_row=round_of(event, 1), by=event.created_by, **ids(here, there))
    tables = seated(event)
    mates = [person(event, names[0]) for names in tables if str(person(event, names[0]).uuid) in groups[0]]
    done(event, 1, *mates[:2])
    agrees(event)


@pytest.mark.thorough
def test_wrong_person_late_and_twice() -> None:
    event = a_drawn_night()
    one, other = two_of(event)
    row, by = round_of(event, 1), event.created_by
    for who in (a.a_user(), with_role(event, "scorer"), with_role(event, "arbiter")):
        with refused("tournament.not_organiser"):
            preview_swap(round_row=row, by=who, **ids(one, other))
    with refused("swap.same"):
        preview_swap(round_row=row, by=by, **ids(one, one))
    for wrong in ("", "x", str(event.uuid)):
        with refused("swap.not_in_round"):
            preview_swap(round_row=row, by=by, one=wrong, other=str(other.uuid))
    seen = preview_swap(round_row=row, by=by, **ids(one, other)).hash
    swap_places(round_row=row, by=by, **ids(one, other), seen=seen)
    with refused("swap.changed"):
        swap_places(round_row=row, by=by, **ids(one, other), seen=seen)
    assert one in entries_of(row)
    call_round(round_row=row, by=by)
    assert entries_of(row) == []
    with refused("swap.called"):
        preview_swap(round_row=row, by=by, **ids(one, other))
    match = tables_of(event)[0]
    submit_result(match=match, actor=Actor(user=by), claim=totals(130, 110))
    finish_round(event)
    with refused("swap.not_open"):
        preview_swap(round_row=round_of(event, 1), by=by, **ids(one, other))


def test_a_bracket_follows_from_its_seeds() -> None:
    event = a_drawn_night(people=4, kind="single_elim")
    with refused("swap.bracket"):
        preview_swap(round_row=round_of(event, 1), by=event.created_by, **ids(*two_of(event)))


@pytest.mark.thorough
def test_an_exchange_can_be_undone() -> None:
    event = a_drawn_night()
    before = seated(event)
    done(event, 1, *two_of(event))
    found = last_undoable(event)
    assert found is not None
    undo(tournament=event, by=event.created_by, seen=found.id)
    assert seated(event) == before
    agrees(event)
