"""An organiser changes an event on its page: a draft at once, one that people may have entered after a preview."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night
from tests.builders.event_forms import fields_of
from tournaments.entries.people import add_list
from tournaments.events.create import create_tournament
from tournaments.events.plan_rows import plan_of
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.models import Tournament
from tournaments.pages.events.set_up_form import SetUpForm

pytestmark = pytest.mark.django_db
FINAL = StagePlan(kind="single_elim", name="Final")
BEST_FOUR = AdvancementPlan(source=1, target=2, last=4)


def as_organiser(event: Tournament) -> Client:
    client = Client()
    client.force_login(event.created_by)
    return client


PLANS: Any = (
    {},
    {"who": "people", "kind": "swiss", "rounds": 5, "seats": 2, "scoring": "place", "tie_breaks": ("wins", "h2h")},
    {"who": "people", "preset": "paradise", "options": {"rounds": 6}, "seats": 2, "visibility": "private"},
    {"who": "people", "options": {"teams": "2x2"}, "seats": 4, "partners": "drawn", "round_minutes": 40},
    {"who": "people", "boards": 3, "partners": "entered", "team_score": "best", "team_best": 2, "seats": 2},
    {"who": "both", "draws": "organiser", "clock": "custom", "figures": {"move_ms": 50}},
    {"groups": 2, "min_entries": 8, "then": (FINAL,), "ways": (BEST_FOUR,), "stage_name": "Pools", "seeding": "draw"},
    {"kind": "swiss", "min_entries": 8, "then": (FINAL,), "ways": (BEST_FOUR,), "name": "Swiss and a cup"},
    {"min_entries": 8, "then": (StagePlan(kind="swiss", rounds=2), FINAL), "ways": (
        BEST_FOUR, AdvancementPlan(source=2, target=3, last=2, carry="half"))},
    {"kind": "pods", "seats": 4, "seats_min": 4, "seats_max": 4, "apart": "club", "bye_policy": "zero"},
    {"who": "people", "kind": "pods", "seats": 4, "seats_min": 3, "seats_max": 4},
    {"who": "people", "kind": "pods", "seats": 4, "seats_min": 3, "seats_max": 6},
    {"kind": "ladder", "rounds": 3},
)  # fmt: skip


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("changes", PLANS, ids=str)
def test_the_form_that_is_sent_back_as_it_is_changes_nothing(changes: dict[str, Any]) -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan(**changes))
    form = SetUpForm(fields_of(event), event=event)
    assert form.is_valid(), form.errors
    assert form.plan() == plan_of(event)


@pytest.mark.thorough
def test_a_draft_is_edited_whole_and_keeps_its_people() -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan(who="people", kind="swiss", max_entries=16))
    add_list(tournament=event, by=event.created_by, data=b"Aiko\nBen\nChiyo")
    organiser, here = as_organiser(event), f"/t/{event.slug}/edit/"
    page = organiser.get(here).content.decode()
    assert 'value="16"' in page
    assert here in organiser.get(f"/t/{event.slug}/").content.decode()
    sent = fields_of(event) | {"max_entries": "22", "rounds": "4", "preset": "paradise", "option_rounds": "6"}
    answer = organiser.post(here, sent)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/t/{event.slug}/")
    event.refresh_from_db()
    stage = event.stages.get()
    assert (event.max_entries, stage.rounds_planned, stage.preset) == (22, 4, "paradise")
    assert event.entries.count() == 3
    assert "Maximum entries" in organiser.get(f"/t/{event.slug}/feed/").content.decode()


def test_a_form_of_before_is_refused_and_what_was_typed_stays() -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan(who="people"))
    sent = fields_of(event) | {"name": "A name typed just now"}
    Tournament.objects.filter(pk=event.pk).update(row_version=7)
    answer = as_organiser(event).post(f"/t/{event.slug}/edit/", sent)
    assert answer.status_code == 422
    assert "A name typed just now" in answer.content.decode()
    assert Tournament.objects.get(pk=event.pk).name != "A name typed just now"


def test_others_do_not_find_it_and_an_event_that_is_over_says_so() -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan(who="people"))
    stranger = Client()
    stranger.force_login(a.a_user())
    assert stranger.get(f"/t/{event.slug}/edit/").status_code == 404
    Tournament.objects.filter(pk=event.pk).update(state="finished")
    assert as_organiser(event).get(f"/t/{event.slug}/edit/").status_code == 409


@pytest.mark.thorough
def test_a_running_swiss_gets_a_round_and_a_final_after_a_preview() -> None:
    event = a_called_night(people=8, kind="swiss", seats=2, rounds=2)
    organiser, here = as_organiser(event), f"/t/{event.slug}/edit/"
    sent = fields_of(event)
    assert "kind" not in sent
    assert "preset" not in sent
    sent |= {"rounds": "3", "template": "next", "go_on": "4", "final": "single_elim", "max_entries": "30"}
    shown = organiser.post(here, sent)
    text = shown.content.decode()
    assert shown.status_code == 200
    assert "Rounds that are drawn stay as they are" in text
    event.refresh_from_db()
    assert event.stages.count() == 1
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text[text.index("What follows") :])
    done = organiser.post(here, {name: value for name, value in hidden if name != "csrfmiddlewaretoken"})
    assert done.status_code == 302, done.content.decode()
    event.refresh_from_db()
    first, final = event.stages.order_by("order")
    assert (first.rounds_planned, final.kind, event.max_entries) == (3, "single_elim", 30)
    # Round 3 is drawn already? No: one is, so two are the fewest that make sense here, and none too few says so.
    answer = organiser.post(here, fields_of(event) | {"rounds": "0"})
    assert answer.status_code == 422


@pytest.mark.thorough
def test_the_deadline_of_a_league_of_bots_moves_after_it_has_passed() -> None:
    event = a.an_open_event()
    Tournament.objects.filter(pk=event.pk).update(entries_close_at="2026-01-01T10:00Z")
    event.refresh_from_db()
    assert event.has_closed_entries
    organiser, here = as_organiser(event), f"/t/{event.slug}/edit/"
    sent = fields_of(event) | {"entries_close_at": ""}
    text = organiser.post(here, sent).content.decode()
    assert "Entries open again" in text
    seen = re.search(r'name="seen" value="(\w+)"', text)
    assert seen is not None
    assert organiser.post(here, sent | {"seen": seen[1]}).status_code == 302
    event.refresh_from_db()
    assert event.has_open_entries


def test_more_people_than_places_are_offered_the_places() -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan(who="people", kind="swiss", max_entries=4))
    organiser = as_organiser(event)
    names = "\n".join(f"Person {n}" for n in range(1, 23))
    refused = organiser.post(f"/t/{event.slug}/desk/paste/", {"list": names})
    text = refused.content.decode()
    assert refused.status_code == 422
    assert 'name="raise"' in text
    assert "Person 22" in text
    done = organiser.post(f"/t/{event.slug}/desk/paste/", {"list": names, "raise": "22"})
    assert done.status_code == 302
    event.refresh_from_db()
    assert (event.max_entries, event.entries.count()) == (22, 22)


def test_the_open_event_offers_the_same_to_a_list_that_is_too_long_while_it_takes_entries() -> None:
    event = a_club_night(people=4, max_entries=4)
    text = as_organiser(event).post(f"/t/{event.slug}/desk/paste/", {"list": "Nora\nOlaf"}).content.decode()
    assert 'value="6"' in text
