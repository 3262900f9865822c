"""Refused forms of pairing constraints: the page says why at the field, and nothing that was typed is lost."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.builders.clubs import a_club_night
from tests.builders.teams import a_pairs_night
from tests.tournaments.pages.entries.test_refused_teams import REFUSAL, blamed, typed
from tests.tournaments.pages.entries.test_teams_pages import as_one
from tournaments.models import Tournament
from tournaments.pairing.constraints import pairs_of, separates_clubs

pytestmark = pytest.mark.django_db


def refused(client: Client, event: Tournament, **sent: str) -> str:
    """The page that comes back, with a summary."""
    answer = client.post(f"/t/{event.slug}/wishes/", sent)
    page = answer.content.decode()
    assert (answer.status_code, len(REFUSAL.findall(page))) == (422, 1), page[:2000]
    return page


@pytest.mark.thorough
def test_a_table_that_is_none_stays_beside_its_person() -> None:
    event = a_club_night(people=4)
    entry = event.entries.order_by("pk")[2]
    for text in ("many", "0", "1000"):
        page = refused(as_one(event.created_by), event, verb="table", entry=str(entry.uuid), table=text)
        assert blamed(page) == "table"
        assert (typed(page, "entry"), typed(page, "table")) == (str(entry.uuid), text)
    entry.refresh_from_db()
    assert entry.fixed_table is None


def test_somebody_apart_from_themselves_stays_chosen() -> None:
    event = a_club_night(people=4)
    uuid = str(event.entries.order_by("pk")[2].uuid)
    page = refused(as_one(event.created_by), event, verb="pair", one=uuid, other=uuid)
    assert blamed(page) == "pair-other"
    assert {typed(page, "pair-one"), typed(page, "pair-other")} == {uuid}
    assert not pairs_of(event)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("text", ["61000", "many", "-1", "1000"])
def test_years_that_are_none_are_refused_and_stay(text: str) -> None:
    event = a_pairs_night(age_gap=20)
    page = refused(as_one(event.created_by), event, verb="settings", part="ages", age_gap=text)
    assert (blamed(page), typed(page, "age-gap")) == ("age-gap", text)
    event.refresh_from_db()
    assert event.age_gap == 20


def test_settings_are_saved_together_and_none_if_one_is_refused() -> None:
    event = a_pairs_night(age_gap=20)
    client, both = as_one(event.created_by), {"part": ["apart", "rated", "ages"], "apart": "on", "rated": "on"}
    answer = client.post(f"/t/{event.slug}/wishes/", {**both, "verb": "settings", "age_gap": "many"})
    page = answer.content.decode()
    assert (answer.status_code, blamed(page), typed(page, "age-gap")) == (422, "age-gap", "many")
    assert 'name="apart" checked' in page
    event.refresh_from_db()
    assert (event.age_gap, event.rated, separates_clubs(event)) == (20, False, False)
    assert client.post(f"/t/{event.slug}/wishes/", {**both, "verb": "settings", "age_gap": "30"}).status_code == 302
    event.refresh_from_db()
    assert (event.age_gap, event.rated, separates_clubs(event)) == (30, True, True)
    assert client.post(f"/t/{event.slug}/wishes/", {"verb": "settings", "part": "luck"}).status_code == 404


def test_rounds_of_the_leaders_that_are_none_are_refused() -> None:
    event = a_club_night(people=8, kind="pods", seats=4)
    page = refused(as_one(event.created_by), event, verb="settings", part="leaders", leaders="many")
    assert blamed(page) == "leaders-meet"


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("number", "is_entry"), [("high", True), ("", False)])
def test_seeds_stay_as_they_were_typed(number: str, is_entry: bool) -> None:
    event = a_club_night(people=4)
    one, other = (str(entry.uuid) for entry in event.entries.order_by("pk")[:2])
    numbers = {f"n_{one}": "1.5" if is_entry else "", f"n_{other}": number}
    page = refused(as_one(event.created_by), event, verb="seeding", stage="1", seeding="rating", **numbers)
    assert blamed(page) == (f"n-1-{other}" if is_entry else "seeding-1")
    assert typed(page, "seeding-1") == "rating"
    assert [typed(page, f"n-1-{each}") for each in (one, other)] == list(numbers.values())
