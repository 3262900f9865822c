"""Substitutes of single people: who sits, whose results they are, whose points go on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.builders.clubs import a_called_night, a_club_night, person, tables_of
from tests.services.databases import on_sqlite
from tests.tournaments.pages.floor.test_my_day import a_phone, day_of, text
from tests.tournaments.presence.test_returning import next_round, seated
from tests.tournaments.presence.test_sitting_out import choose, link_of, terms_of
from tests.tournaments.progress.test_people import finish_round, refused, stage_of, with_role
from tests.tournaments.progress.test_undo import restores, undo_last
from tournaments.entries.links import link_token, read_link
from tournaments.entries.people import add_person, withdraw_person
from tournaments.models import Entry, Seat, Tournament
from tournaments.presence.substitutes import replace_person
from tournaments.progress.run import start_tournament
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
Become = Callable[[User | None], Client]


def players(event: Tournament, number: int) -> set[str]:
    """Names of those who sit, or sat, at the tables of a round."""
    seats = Seat.objects.filter(match__in=tables_of(event, number)).select_related("player")
    return {seat.player.name for seat in seats if seat.player is not None}


def test_a_substitute_goes_on_with_the_points_and_results_stay_with_who_sat() -> None:
    event = a_called_night(people=6, rounds=3)
    by, ben = event.created_by, person(event, "Ben")
    finish_round(event)
    before = terms_of(event, "Ben", "points")
    found = replace_person(entry=ben, by=by, name="Gen")
    assert replace_person(entry=found, by=by, name=" gen ") == found
    assert (found.pk, found.player.name) == (ben.pk, "Gen")
    assert terms_of(event, "Gen", "points") == before
    assert person(event, "Ben").state == Entry.State.WITHDRAWN
    next_round(event)
    assert "Ben" in players(event, 1)
    assert "Gen" in players(event, 2) | {str(found)}
    assert "Ben" not in players(event, 2)
    assert store.differences(stage_of(event)) == []


def test_they_sit_at_tables_that_are_drawn_and_not_begun() -> None:
    event = a_called_night(people=4, kind="round_robin")
    replace_person(entry=person(event, "Ben"), by=event.created_by, name="Gen")
    assert "Gen" in players(event, 1) & players(event, 2) & players(event, 3)


def test_with_zero_points_they_start_as_a_late_arrival() -> None:
    event = a_called_night(people=6, rounds=3)
    choose(event, substitutes_keep_points=False)
    finish_round(event)
    found = replace_person(entry=person(event, "Ben"), by=event.created_by, name="Gen")
    assert found.player.name == "Gen"
    assert person(event, "Ben").state == Entry.State.WITHDRAWN
    next_round(event)
    assert "Ben" not in seated(event, 2)
    assert terms_of(event, "Gen", "points")[0] == (1, "0", "absent")


def test_the_one_who_was_replaced_may_be_a_substitute_again() -> None:
    event = a_called_night(people=6, rounds=3)
    by = event.created_by
    replace_person(entry=person(event, "Ben"), by=by, name="Gen")
    replace_person(entry=person(event, "Gen"), by=by, name="Ben")
    assert person(event, "Ben").state == Entry.State.ACTIVE
    assert person(event, "Gen").state == Entry.State.WITHDRAWN
    assert event.entries.count() == 7


def test_what_is_refused() -> None:
    event = a_called_night(people=6, rounds=3)
    by, ben = event.created_by, person(event, "Ben")
    with refused("entry.duplicate"):
        replace_person(entry=ben, by=by, name="Aiko")
    with refused("entry.name_invalid"):
        replace_person(entry=ben, by=by, name=" ")
    with refused("tournament.not_organiser"):
        replace_person(entry=ben, by=with_role(event, "scorer"), name="Gen")
    withdraw_person(entry=person(event, "Chiyo"), by=by)
    with refused("entry.left"):
        replace_person(entry=ben, by=by, name="Chiyo")
    with refused("entry.gone"):
        replace_person(entry=person(event, "Chiyo"), by=by, name="Gen")
    add_person(tournament=event, by=by, name="Late")
    with refused("entry.duplicate"):
        replace_person(entry=ben, by=by, name="Late")


def test_undo() -> None:
    event = a_called_night(people=6, rounds=3)
    ben = person(event, "Ben")
    restores(event, lambda: replace_person(entry=ben, by=event.created_by, name="Gen"))
    choose(event, substitutes_keep_points=False)
    restores(event, lambda: replace_person(entry=ben, by=event.created_by, name="Gen"))


@on_sqlite
def test_the_desk_names_a_substitute_and_the_old_link_ends(as_user: Become) -> None:
    event = a_called_night(people=6, rounds=3)
    phone, here = a_phone(event, "Ben"), day_of(event, "Ben")
    uuid = str(person(event, "Ben").uuid)
    desk = as_user(event.created_by)
    assert "Name the substitute" in text(desk.get(f"/t/{event.slug}/entries/{uuid}/presence/"))
    answer = desk.post(f"/t/{event.slug}/desk/replace/", {"entry": uuid, "name": "Gen"}, follow=True)
    assert "Gen plays in place of Ben." in answer.content.decode()
    assert phone.get(here).status_code == 404


def status_of(phone: Client, token: str) -> tuple[int, bool]:
    """Return the status of the page behind a link's address, and whether it says that the link has ended."""
    answer = phone.get(f"/e/{token}/", follow=True)
    return answer.status_code, "link.ended" in answer.content.decode()


@pytest.mark.parametrize("is_known", [False, True])
def test_after_an_undo_the_link_of_who_plays_again_works_and_no_other(is_known: bool) -> None:
    event = a_club_night(people=6, rounds=3)
    by, ben = event.created_by, person(event, "Ben")
    if is_known:
        add_person(tournament=event, by=by, name="Gen")
    start_tournament(tournament=event, by=by)
    old = link_token(link_of(event, "Ben"))
    replace_person(entry=ben, by=by, name="Gen")
    # The card of the one who was replaced shows that they have left; the substitute has a card of their own.
    assert read_link(old, network="hall").entry == person(event, "Ben") != ben
    new = link_token(link_of(event, "Gen"))
    assert (old == new, read_link(new, network="hall").entry) == (False, ben)
    undo_last(event)
    assert read_link(old, network="hall").entry == ben
    assert ben.links.filter(ended_at=None).count() == 1
    assert status_of(Client(), old) == (200, False)
    if is_known:
        assert read_link(new, network="hall").entry == person(event, "Gen") != ben
    else:
        assert status_of(Client(), new) == (404, True)


def test_a_phone_that_had_opened_a_table_loses_it_with_the_seat() -> None:
    event = a_called_night(people=4, kind="round_robin")
    phone, ben = a_phone(event, "Ben"), person(event, "Ben")
    table = next(match for match in tables_of(event) if match.seats.filter(entry=ben).exists())
    assert phone.get(f"/e/my/{ben.uuid}/table/{table.uuid}/", follow=True).status_code == 200
    replace_person(entry=ben, by=event.created_by, name="Gen")
    assert phone.get(f"/x/{table.uuid}/").status_code == 404
