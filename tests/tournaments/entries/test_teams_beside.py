"""Teams beside the rest of an evening: undone acts, who comes late, swaps, spreadsheets, set-ups from files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.interchange.documents.tables import entries_csv, matches_csv, pairings_csv
from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.clubs import person, round_of, tables_of
from tests.builders.teams import a_drawn_night, a_pairs_night, called, teams
from tests.tournaments.progress.test_people import draw_next, finish_round
from tournaments.entries.partners import draw_partners
from tournaments.entries.people import add_list, add_person, check_in, withdraw_person
from tournaments.entries.substitutes import substitute
from tournaments.entries.teams import break_team, make_team, rename_team
from tournaments.interchange.export import document_of, event_json
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.actions import import_event
from tournaments.models import Entry, Match, Member, Seat, StageEntry, Tournament
from tournaments.progress import undo
from tournaments.progress.draws.swaps import preview_swap, swap_places
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db
E = Entry.State


def a_running_swiss() -> Tournament:
    """Four pairs, a Swiss of three rounds, the first one called."""
    event = a_pairs_night(names="Aiko & Ben\nChiyo & Dai\nEmi & Fumi\nGoro & Hana", kind="swiss", rounds=3)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    return event


def rows_of(event: Tournament) -> list[set[tuple[object, ...]]]:
    """Everything that acts on teams change."""
    entries = Entry.objects.filter(tournament=event).values_list("uuid", "player__name", "state")
    members = Member.objects.filter(team__tournament=event)
    told = members.values_list("team__uuid", "person__uuid", "number", "from_round", "until_round")
    seats = Seat.objects.filter(match__stage__tournament=event).values_list("match__uuid", "index", "player__name")
    return [set(entries), set(told), set(seats)]


def _make(event: Tournament) -> None:
    make_team(tournament=event, by=event.created_by, people=[person(event, "Aiko"), person(event, "Ben")])


def _break(event: Tournament) -> None:
    break_team(team=next(iter(teams(event).values())), by=event.created_by)


def _rename(event: Tournament) -> None:
    rename_team(team=next(iter(teams(event).values())), by=event.created_by, name="Plum")


def _substitute(event: Tournament) -> None:
    team = teams(event)["Aiko & Ben"]
    substitute(team=team, by=event.created_by, member=person(event, "Ben"), name="Ike", from_round=None)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("before", "act"),
    [(a_pairs_night, _make), (a_drawn_night, _break), (a_drawn_night, _rename), (a_running_swiss, _substitute)],
    ids=lambda value: value.__name__.strip("_"),
)
def test_what_is_done_to_a_team_can_be_undone(
    before: Callable[[], Tournament], act: Callable[[Tournament], None]
) -> None:
    event = before()
    was = rows_of(event)
    act(event)
    assert rows_of(event) != was
    last = undo.last_undoable(event)
    assert last is not None
    undo.undo(tournament=event, by=event.created_by, seen=last.id)
    assert rows_of(event) == was


def test_a_draw_is_public_so_it_is_taken_back_and_not_undone() -> None:
    event = a_drawn_night()
    with pytest.raises(DomainError) as refused:
        undo.preview(tournament=event, by=event.created_by)
    assert refused.value.code == "undo.never"
    assert "undo it on the page of partners" in str(refused.value).casefold()


@pytest.mark.slow
def test_teams_that_come_late_play_from_the_next_round_and_singles_wait_for_a_partner() -> None:
    event = a_running_swiss()
    by = event.created_by
    add_list(tournament=event, by=by, data=b"Ike & Jun")
    single = add_person(tournament=event, by=by, name="Kei")
    check_in(entry=single, by=by)
    assert not StageEntry.objects.filter(entry=single).exists()
    other = add_person(tournament=event, by=by, name="Leo")
    late = make_team(tournament=event, by=by, people=[single, other])
    assert late.state == E.ACTIVE
    finish_round(event)
    draw_next(event)
    playing = Seat.objects.filter(match__in=tables_of(event, 2)).values_list("player__name", flat=True)
    assert {"Ike", "Jun", "Kei", "Leo"} <= set(playing)
    assert Member.objects.filter(team=late).count() == 2


@pytest.mark.thorough
def test_a_team_that_leaves_during_the_event_is_drawn_no_more() -> None:
    event = a_running_swiss()
    finish_round(event)
    withdraw_person(entry=teams(event)["Aiko & Ben"], by=event.created_by)
    draw_next(event)
    playing = set(Seat.objects.filter(match__in=tables_of(event, 2)).values_list("player__name", flat=True))
    assert not {"Aiko", "Ben"} & playing


@pytest.mark.slow
def test_two_teams_that_change_places_take_their_members_along() -> None:
    event = a_running_swiss()
    finish_round(event)
    row = draw_next(event)
    one, other = (str(tables_of(event, 2)[at].seats.filter(side=0)[0].entry.uuid) for at in (0, 1))  # type: ignore[union-attr]  # everybody sits
    seen = preview_swap(round_row=row, by=event.created_by, one=one, other=other).hash
    swap_places(round_row=row, by=event.created_by, one=one, other=other, seen=seen)
    for seat in Seat.objects.filter(match__in=tables_of(event, 2)).select_related("entry", "player"):
        assert seat.entry is not None
        assert seat.player is not None
        assert seat.player.name in called(seat.entry)


@pytest.mark.thorough
def test_spreadsheets_name_the_members() -> None:
    event = a_running_swiss()
    document = document_of(event)
    people = entries_csv(document).decode()
    assert "Aiko & Ben" in people
    assert ",partnered," in people
    pairings = pairings_csv(document).decode().splitlines()
    assert len(pairings) == 1 + 4 * 2
    for name in ("Aiko", "Ben", "Hana"):
        assert sum(f",{name}," in line for line in pairings) == 1
    assert ",Aiko," in matches_csv(document).decode()


def test_a_set_up_from_a_file_has_partners_and_a_commitment_of_its_own() -> None:
    event = a_drawn_night()
    copy = import_event(by=a.a_user(), checked=importing.validate_event(event_json(event)))
    assert (copy.partners, copy.entries.count()) == ("drawn", 0)
    assert copy.partner_draws.get().commitment not in set(event.partner_draws.values_list("commitment", flat=True))


def test_an_open_draw_s_seed_is_in_no_file() -> None:
    event = a_drawn_night()
    secrets = [bytes(draw.secret).hex().encode() for draw in event.partner_draws.order_by("number")]
    data = event_json(event)
    assert secrets[0] in data
    assert secrets[1] not in data
    assert Match.objects.filter(stage__tournament=event).count() == 0


def test_drawing_on_for_those_who_came_later_leaves_the_others_together() -> None:
    event = a_drawn_night()
    before = {name: called(team) for name, team in teams(event).items()}
    add_list(tournament=event, by=event.created_by, data=b"Ike\nJun")
    draw_partners(tournament=event, by=event.created_by, seen=2, who="all")
    after = {name: called(team) for name, team in teams(event).items()}
    assert before.items() <= after.items()
    assert len(after) == len(before) + 1
