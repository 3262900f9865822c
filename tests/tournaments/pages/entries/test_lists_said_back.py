"""Lists of people come back whole, nothing is dropped without a word, people are counted; days that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.boards import a_team_night
from tests.builders.clubs import a_club_night
from tests.tournaments.pages.floor.test_my_day import Become
from tournaments.entries.people import add_list, check_in_all
from tournaments.events.create import create_tournament
from tournaments.events.edit import edit_tournament
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def test_a_refused_list_comes_back_whole(as_user: Become) -> None:
    event = a_club_night(people=4, max_entries=400)
    lines = [f"{'Somebody' * 6} {number},{'Club' * 12}" for number in range(300)]
    typed = "\n".join([*lines, "Aiko", "the last line"])
    answer = as_user(event.created_by).post(f"/t/{event.slug}/desk/paste/", {"list": typed})
    assert answer.status_code == 422
    assert len(typed) > 20_000
    page = answer.content.decode()
    assert "the last line</textarea>" in page
    assert lines[0] in page


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("Aya,Kyoto,1\nBeni,Lyon,2,1500", (2, 4)),
        ("name,club\nAya,Kyoto\nBeni,Lyon,1500", (3, 3)),
        ("name,,club\nAya,x,Kyoto", (2, 2)),
    ],
)
def test_a_cell_that_no_heading_names_is_refused(text: str, where: tuple[int, int]) -> None:
    event = a_club_night(people=4)
    with pytest.raises(DomainError) as found:
        add_list(tournament=event, by=event.created_by, data=text.encode())
    assert found.value.code == "csv.columns"
    assert (found.value.extra["line"], found.value.extra["column"]) == where
    assert Entry.objects.filter(tournament=event).count() == 4


@pytest.mark.thorough
def test_headed_columns_that_are_not_read_are_named(as_user: Become) -> None:
    event = a_club_night(people=4)
    text = "name,rating,club,e-mail\nAya,1500,Kyoto,aya@example.org\nBeni,1400,,\n"
    client = as_user(event.created_by)
    page = client.post(f"/t/{event.slug}/desk/paste/", {"list": text}, follow=True).content.decode()
    assert "2 people are entered. We did not read these columns: rating, e-mail." in page
    page = client.post(
        f"/t/{event.slug}/desk/paste/", {"list": "name,club,,\nCaro,Nice,,"}, follow=True
    ).content.decode()
    assert "1 person is entered." in page
    assert "not read" not in page


@pytest.mark.thorough
def test_people_of_teams_are_counted(as_user: Become) -> None:
    event = a_team_night(count=2, people=3)
    event.entries.filter(state=Entry.State.ACTIVE).update(state=Entry.State.ENTERED)
    assert check_in_all(tournament=event, by=event.created_by) == 6
    event.entries.filter(members__isnull=False).update(state=Entry.State.ENTERED)
    client = as_user(event.created_by)
    page = client.post(f"/t/{event.slug}/desk/all-here/", follow=True).content.decode()
    assert "6 more people are checked in." in page
    text = "name,team\n" + "\n".join(f"Ge{n},Geese\nDe{n},Deer" for n in (1, 2, 3))
    page = client.post(f"/t/{event.slug}/desk/paste/", {"list": text}, follow=True).content.decode()
    assert "6 people in 2 teams entered." in page


YEAR = timedelta(days=365)


def code_of(act: Callable[[], object]) -> str:
    """With which code it is refused; "" for what is done."""
    try:
        act()
    except DomainError as refusal:
        return str(refusal.code)
    return ""


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("ahead", "is_taken"), [(-27, False), (-2, False), (-0.5, True), (1, True), (6, False)])
def test_an_event_begins_within_sensible_years(ahead: float, is_taken: bool) -> None:
    at = timezone.now() + ahead * YEAR
    by, plan = a.a_user(), a.a_plan(starts_at=at)
    event = a_club_night(people=4)
    codes = [
        code_of(lambda: create_tournament(by=by, plan=plan)),
        code_of(lambda: edit_tournament(tournament=event, by=event.created_by, changes={"starts_at": at})),
    ]
    assert codes == ["" if is_taken else "tournament.bad_starts_at"] * 2


def test_entries_close_within_five_years() -> None:
    at = timezone.now() + 6 * YEAR
    plan = a.a_plan(entries_close_at=at)
    assert code_of(lambda: create_tournament(by=a.a_user(), plan=plan)) == "tournament.bad_entries_close_at"


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("day", ["1999-01-01T10:00", "9999-12-31T23:59", "0001-01-01T00:00"])
def test_the_form_says_beside_the_field_that_a_day_cannot_be(day: str, as_user: Become) -> None:
    event = a_club_night(people=4)
    Tournament.objects.filter(pk=event.pk).update(time_zone="Pacific/Honolulu")
    said = {"name": "Club night", "description": "", "venue": "", "starts_at": day}
    answer = as_user(event.created_by).post(f"/t/{event.slug}/details/", said)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Choose a time within" in page or "Enter a valid" in page
