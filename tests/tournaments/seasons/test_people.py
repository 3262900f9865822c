"""Who is who in a season, divisions, roles, and what becomes of them when the season is closed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from core.errors import TournamentError
from core.seasons.table import moves
from tests.builders import events as a
from tests.builders.seasons import a_finished_event, a_season, counted, in_order, rows_of
from tournaments.models import Player, Season, SeasonIdentity, SeasonPerson
from tournaments.people.leave import delete_account
from tournaments.seasons.access import give_season_role, take_season_role
from tournaments.seasons.closing import close_season, make_next_season, moves_of, reopen_season
from tournaments.seasons.events import add_event
from tournaments.seasons.people import alike, assign_division, merge_people, separate_person, undo_identity
from tournaments.seasons.set_up import DivisionPlan, change_season, plan_of
from tournaments.seasons.updating import differences, update

pytestmark = pytest.mark.django_db
TWO = (DivisionPlan("A", down=1), DivisionPlan("B", up=1))


def person(season: Season, name: str) -> str:
    """Return the id of somebody in a season."""
    return str(SeasonPerson.objects.get(season=season, name=name).uuid)


def a_year(**changes: object) -> Season:
    """Make a season of two nights; Élodie is spelled in two ways."""
    season = a_season(None, place_points=(1000, 600, 300), **changes)
    nights = (("Aiko", "Elodie", "Ben"), ("Élodie", "Aiko", "Ben"))
    by = season.created_by
    counted(season, [a_finished_event(by, in_order(*names), days=days) for days, names in enumerate(nights)])
    update(season.pk)
    return season


@pytest.mark.thorough
def test_two_spellings_become_one_person_and_two_again() -> None:
    season = a_year()
    by, before = season.created_by, rows_of(season)
    pair = alike(season)[0]
    assert {pair.one.name, pair.other.name} == {"Elodie", "Élodie"}
    row = merge_people(season=season, by=by, source=person(season, "Elodie"), target=person(season, "Élodie"))
    assert rows_of(season) == [(1, "Aiko", 1600), (1, "Élodie", 1600), (3, "Ben", 600)]
    assert differences(season) == []
    undo_identity(row=row, by=by)
    assert rows_of(season) == before
    row = SeasonIdentity.objects.get()
    assert (row.source_name, row.target_name, row.undone_by) == ("Elodie", "Élodie", by)


def everybody(season: Season) -> list[tuple[object, ...]]:
    """Return all that is stored of the people of a season."""
    columns = ("key", "uuid", "name", "club", "division__position", "is_assigned", "total", "rank", "shared", "row")
    return list(season.people.order_by("key").values_list(*columns))


def a_scattered_year() -> Season:
    """Make a season in which each of four people sat in an event of their own, in three divisions."""
    season = a_season(None, divisions=(DivisionPlan("A", down=1), DivisionPlan("B", up=1, down=1), DivisionPlan("C")))
    by = season.created_by
    counted(season, [a_finished_event(by, in_order(name), days=days) for days, name in enumerate("JKLM")])
    update(season.pk)
    return season


def merged(season: Season, one: str, other: str) -> SeasonIdentity:
    """Merge two people by their names."""
    by = season.created_by
    return merge_people(season=season, by=by, source=person(season, one), target=person(season, other))


def division_of(season: Season, name: str) -> int:
    """Return the position of the division that somebody is in."""
    return season.people.values_list("division__position", flat=True).get(name=name)


@pytest.mark.thorough
@pytest.mark.parametrize("chosen", [{}, {"J": 1}, {"K": 1}, {"J": 1, "K": 2}], ids=str)
def test_a_merge_that_is_taken_back_leaves_everybody_as_they_were(chosen: dict[str, int]) -> None:
    season = a_scattered_year()
    by = season.created_by
    for name, division in chosen.items():
        assign_division(season=season, by=by, person=person(season, name), division=division)
    before = everybody(season)
    row = merged(season, "J", "K")
    assert division_of(season, "K") == chosen.get("K", chosen.get("J", 3))
    undo_identity(row=row, by=by)
    assert everybody(season) == before
    assert differences(season) == []


@pytest.mark.thorough
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)], ids=str)
def test_merges_of_merges_are_taken_back_in_any_order(order: tuple[int, ...]) -> None:
    season = a_scattered_year()
    by = season.created_by
    for name, division in (("J", 1), ("L", 2)):
        assign_division(season=season, by=by, person=person(season, name), division=division)
    before = everybody(season)
    rows = [merged(season, "J", "K"), merged(season, "L", "M"), merged(season, "K", "M")]
    assert division_of(season, "M") == 2
    assert season.people.count() == 1
    for at in order:
        undo_identity(row=rows[at], by=by)
        assert differences(season) == []
    assert everybody(season) == before


@pytest.mark.thorough
def test_a_division_that_is_chosen_after_a_merge_stays_when_it_is_taken_back() -> None:
    season = a_scattered_year()
    by = season.created_by
    assign_division(season=season, by=by, person=person(season, "J"), division=1)
    row = merged(season, "J", "K")
    assign_division(season=season, by=by, person=person(season, "K"), division=2)
    undo_identity(row=row, by=by)
    assert [division_of(season, name) for name in "JK"] == [1, 2]


@pytest.mark.thorough
def test_the_address_of_a_merged_person_leads_to_whom_they_are_part_of(client: Client) -> None:
    season = a_scattered_year()
    here = f"/seasons/{season.slug}/people/"
    old = {name: f"{here}{person(season, name)}/" for name in "JKL"}
    rows = [merged(season, "J", "K"), merged(season, "K", "L")]
    assert client.get(old["J"])["Location"] == client.get(old["K"])["Location"] == old["L"]
    for row in rows:
        undo_identity(row=row, by=season.created_by)
    assert [client.get(old[name]).status_code for name in "JKL"] == [200, 200, 200]


@pytest.mark.thorough
def test_an_account_stays_whoever_is_merged_with_it() -> None:
    by, aiko = a.a_user(), a.a_user("aiko")
    season = a_season(by)
    nights = [in_order("Aiko S.", "Ben"), in_order("Ben", "A. Sato")]
    first, second = (a_finished_event(by, ranks, days=days) for days, ranks in enumerate(nights))
    Player.objects.filter(entries__tournament=first, name="Aiko S.").update(user=aiko)
    counted(season, [first, second])
    update(season.pk)
    entry = season.people.get(name="A. Sato").results.get().entry
    separate_person(season=season, by=by, entry=str(entry.uuid))
    merge_people(season=season, by=by, source=person(season, "Aiko S."), target=person(season, "A. Sato"))
    assert season.people.get(user=aiko).total == 4300


def test_who_sat_in_one_event_are_two_people() -> None:
    season = a_year()
    with pytest.raises(TournamentError) as refusal:
        merge_people(season=season, by=season.created_by, source=person(season, "Aiko"), target=person(season, "Ben"))
    assert refusal.value.code == "season.met"


@pytest.mark.thorough
def test_two_people_of_one_name_are_told_apart() -> None:
    season = a_year()
    by = season.created_by
    entry = SeasonPerson.objects.get(season=season, name="Ben").results.order_by("pk")[0].entry
    row = separate_person(season=season, by=by, entry=str(entry.uuid))
    assert [each for each in rows_of(season) if each[1] == "Ben"] == [(4, "Ben", 300), (4, "Ben", 300)]
    assert differences(season) == []
    undo_identity(row=row, by=by)
    assert [total for _rank, name, total in rows_of(season) if name == "Ben"] == [600]


@pytest.mark.thorough
def test_an_account_is_one_person_under_any_name_and_is_forgotten_with_it() -> None:
    by, aiko = a.a_user(), a.a_user("aiko")
    season = a_season(by)
    counted(
        season,
        [
            a_finished_event(by, in_order("Aiko", "Ben"), users={"Aiko": aiko}),
            a_finished_event(by, in_order("Ben", "A. Sato"), days=1, users={"A. Sato": aiko}),
        ],
    )
    update(season.pk)
    row = SeasonPerson.objects.get(season=season, user=aiko)
    assert (row.name, row.total, row.events_n) == ("A. Sato", 4300, 2)
    aiko.set_password("cherry-rain-88")
    aiko.save()
    delete_account(user=aiko, password="cherry-rain-88")
    update(season.pk, everything=True)
    assert not SeasonPerson.objects.filter(season=season, name__in=("Aiko", "A. Sato")).exists()
    assert not SeasonPerson.objects.filter(user=aiko).exists()
    assert not Player.objects.filter(name="A. Sato").exists()


@pytest.mark.parametrize(
    ("ranks", "up", "down", "expected"),
    [
        ((1, 2, 3, 4), 1, 1, {"p0": -1, "p3": 1}),
        ((1, 1, 3, 4), 1, 1, {"p0": -1, "p1": -1, "p3": 1}),
        ((1, 2, 3, 3), 0, 1, {}),
        ((1, 2, 2, 4), 0, 2, {"p3": 1}),
        ((1,), 1, 1, {"p0": -1}),
        ((), 2, 2, {}),
    ],
)
def test_those_level_on_the_line_go_up_and_nobody_level_goes_down(
    ranks: tuple[int, ...], up: int, down: int, expected: dict[str, int]
) -> None:
    assert moves([(f"p{at}", rank) for at, rank in enumerate(ranks)], up=up, down=down) == expected


@pytest.mark.thorough
def test_a_closed_season_leads_to_the_next_one() -> None:
    season = a_year(divisions=TWO)
    by = season.created_by
    merge_people(season=season, by=by, source=person(season, "Elodie"), target=person(season, "Élodie"))
    assign_division(season=season, by=by, person=person(season, "Ben"), division=1)
    assert [(move.person.name, move.goes_up) for move in moves_of(season)] == [
        ("Ben", False), ("Aiko", True), ("Élodie", True),
    ]  # fmt: skip
    with pytest.raises(TournamentError) as refusal:
        make_next_season(season=season, by=by, name="2028")
    assert refusal.value.code == "season.not_closed"
    close_season(season=season, by=by)
    reopen_season(season=season, by=by)
    close_season(season=season, by=by)
    made = make_next_season(season=season, by=by, name="2028")
    assert dict(made.people.values_list("name", "division__position")) == {"Aiko": 1, "Élodie": 1}
    with pytest.raises(TournamentError) as refusal:
        reopen_season(season=season, by=by)
    assert refusal.value.code == "season.leads_on"
    night = a_finished_event(by, in_order("Ben", "Elodie", "Aiko", "New"), days=400)
    add_event(season=made, by=by, slug=night.slug)
    table = made.people.order_by("division__position", "row").values_list("division__position", "name")
    assert list(table) == [(1, "Elodie"), (1, "Aiko"), (2, "Ben"), (2, "New")]
    assert differences(made) == []
    with pytest.raises(TournamentError) as refusal:
        change_season(season=season, by=by, plan=replace(plan_of(season), best=1))
    assert refusal.value.code == "season.wrong_state"


def test_a_season_keeps_one_owner_and_managers_close_nothing() -> None:
    season, other = a_season(), a.a_user()
    by = season.created_by
    with pytest.raises(TournamentError) as refusal:
        take_season_role(season=season, by=by, username=by.username)
    assert refusal.value.code == "role.last_owner"
    give_season_role(season=season, by=by, username=other.username, role="manager")
    for act in (
        lambda: close_season(season=season, by=other),
        lambda: give_season_role(season=season, by=other, username=other.username, role="owner"),
        lambda: take_season_role(season=season, by=other, username=by.username),
    ):
        with pytest.raises(TournamentError) as refusal:
            act()
        assert refusal.value.code == "season.not_organiser"
    take_season_role(season=season, by=other, username=other.username)


@pytest.mark.thorough
def test_it_is_all_done_on_the_pages(client: Client) -> None:
    season = a_year(divisions=TWO)
    by, here = season.created_by, f"/seasons/{season.slug}/"
    client.force_login(by, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(f"{here}people/").content.decode()
    assert "These may be one person" in page
    both = {"source": person(season, "Elodie"), "target": person(season, "Élodie")}
    assert client.post(f"{here}do/merge/", both).status_code == 302
    assert client.post(f"{here}do/undo/", {"identity": SeasonIdentity.objects.get().uuid}).status_code == 302
    ben = {"person": person(season, "Ben"), "division": "1"}
    assert client.post(f"{here}do/assign/", ben).status_code == 302
    assert client.post(f"{here}do/assign/", {**ben, "division": "x"}).status_code == 422
    assert client.post(f"{here}do/merge/", {"source": "x", "target": "y"}).status_code == 422
    page = client.get(f"{here}people/").content.decode()
    assert "taken back by" in page
    assert (
        client.post(f"{here}do/give-role/", {"user": a.a_user("kimi").username, "role": "manager"}).status_code == 302
    )
    page = client.get(f"{here}run/").content.decode()
    assert all(words in page for words in ("Who would change divisions now", "kimi", "merged two names"))
    assert client.post(f"{here}do/close/").status_code == 302
    answer = client.post(f"{here}next/", {"name": "2028"})
    assert answer.status_code == 302
    assert client.get(answer["Location"]).status_code == 200
    client.force_login(a.a_user(), backend="django.contrib.auth.backends.ModelBackend")
    for path in ("people/", "run/"):
        assert client.get(here + path).status_code == 404
    for path in ("do/merge/", "do/close/", "next/"):
        assert client.post(here + path, {"name": "Mine"}).status_code == 404
