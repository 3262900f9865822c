"""People of a published round moved to other tables: checked, written, undone; called tables stay as they are."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.builders.clubs import a_club_night, tables_of, totals
from tests.builders.keys import Caller
from tests.services.databases import on_sqlite
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.progress.test_people import refused, stage_of, with_role
from tests.tournaments.progress.test_undo import restores
from tournaments.models import Match, Round, Seat, Tournament
from tournaments.progress.reseating import preview_reseating, publish_reseating
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    """Eight people at two tables of four, drawn and not called."""
    event = a_club_night(people=8, kind="pods", seats=4, rounds=2)
    start_tournament(tournament=event, by=event.created_by)
    return event


def round_of(event: Tournament) -> Round:
    return Round.objects.select_related("stage__tournament", "stage__ruleset").get(stage__tournament=event, number=1)


def at_table(event: Tournament, number: int) -> list[str]:
    """Return the entries of a table, by their UUID."""
    seats = Seat.objects.filter(match__stage__tournament=event, match__table_no=number)
    return sorted(str(uuid) for uuid in seats.values_list("entry__uuid", flat=True))


@pytest.mark.thorough
def test_one_moves_to_another_table_without_a_swap(event: Tournament) -> None:
    by, row = event.created_by, round_of(event)
    mover = at_table(event, 1)[0]
    old = {match.uuid for match in tables_of(event)}
    found = preview_reseating(round_row=row, by=by, seating={mover: 2})
    assert (found.errors, found.touched, len(found.moved)) == ((), (1, 2), 1)
    assert at_table(event, 2) != sorted([*at_table(event, 2), mover])
    restores(event, lambda: publish_reseating(round_row=row, by=by, seating={mover: 2}, seen=found.hash))
    again = preview_reseating(round_row=round_of(event), by=by, seating={mover: 2})
    publish_reseating(round_row=round_of(event), by=by, seating={mover: 2}, seen=again.hash)
    assert (len(at_table(event, 1)), len(at_table(event, 2))) == (3, 5)
    assert mover in at_table(event, 2)
    # Slips of tables that changed are dead.
    assert not old & {match.uuid for match in tables_of(event)}
    assert store.differences(stage_of(event)) == []


@pytest.mark.thorough
def test_what_is_wrong_is_said_and_nothing_is_written(event: Tournament) -> None:
    by, row = event.created_by, round_of(event)
    first = at_table(event, 1)
    two_leave = dict.fromkeys(first[:2], 2)
    found = preview_reseating(round_row=row, by=by, seating=two_leave)
    assert found.plan is None
    assert "Table 1 has 2 people" in " ".join(found.errors)
    with refused("hand.not_possible"):
        publish_reseating(round_row=row, by=by, seating=two_leave, seen=found.hash)
    with refused("swap.changed"):
        publish_reseating(round_row=row, by=by, seating={first[0]: 2}, seen="stale")
    for stranger in (a.a_user(), with_role(event, "scorer")):
        with refused("tournament.not_organiser"):
            preview_reseating(round_row=row, by=stranger)


@pytest.mark.thorough
def test_a_called_table_stays(event: Tournament) -> None:
    by = event.created_by
    one = tables_of(event)[0]
    # Entered by the desk before the round is called: the table is over, the others wait.
    submit_result(match=one, actor=Actor(user=by), claim=totals(90, 70, 50, 30))
    assert Match.objects.get(pk=one.pk).state == Match.State.CONFIRMED
    mover = at_table(event, 1)[0]
    found = preview_reseating(round_row=round_of(event), by=by, seating={mover: 2})
    assert "Table 1 is already called" in found.errors[0]
    page = as_one(by).get(f"/t/{event.slug}/by-hand/1/").content.decode()
    assert f'name="t_{mover}"' not in page
    assert "Already called" in page


def test_brackets_are_not_arranged_by_hand() -> None:
    event = a_club_night(people=4, kind="single_elim", seats=2)
    start_tournament(tournament=event, by=event.created_by)
    with refused("hand.format"):
        preview_reseating(round_row=round_of(event), by=event.created_by)


@pytest.mark.thorough
@on_sqlite
def test_the_page_works_without_javascript(event: Tournament) -> None:
    here, desk, mover = f"/t/{event.slug}/by-hand/1/", as_one(event.created_by), at_table(event, 1)[0]
    assert here in desk.get(f"/t/{event.slug}/desk/").content.decode()
    sent = {f"t_{entry}": str(number) for number in (1, 2) for entry in at_table(event, number)} | {f"t_{mover}": "2"}
    checked = desk.post(here, {**sent, "verb": "check"})
    assert "To be moved:" in checked.content.decode()
    stale = desk.post(here, {**sent, "verb": "publish", "seen": "stale"})
    assert (stale.status_code, "To be moved:" in stale.content.decode()) == (409, True)
    seen = checked.context["hand"].hash
    done = desk.post(here, {**sent, "verb": "publish", "seen": seen}, follow=True).content.decode()
    assert "Print the slips of table 1, 2 again" in done
    assert mover in at_table(event, 2)
    for reader in (with_role(event, "scorer"), a.a_user()):
        assert as_one(reader).get(here).status_code == 404
    assert desk.get(f"/t/{event.slug}/by-hand/7/").status_code == 404


@pytest.mark.thorough
def test_programs_move_people_after_a_look(event: Tournament) -> None:
    here, program = f"/api/v1/tournaments/{event.slug}/rounds/1:reseat", Caller(event.created_by)
    body = {"tables": {at_table(event, 1)[0]: 2}}
    looked = program.post(here, {**body, "dry_run": True}).json()
    assert [len(pod["seats"]) for pod in looked["plan"]["pods"]] == [3, 5]
    assert program.post(here, body).json()["code"] == "swap.changed"
    assert program.post(here, {**body, "seen": looked["seen"]}).status_code == 200
    assert len(at_table(event, 2)) == 5
