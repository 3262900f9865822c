"""A name, club, seed or rating is corrected at any time; it shows everywhere, and organisers read what it was."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.builders import events as a
from tests.builders.boards import a_team_night
from tests.builders.clubs import a_called_night, a_club_night, person
from tests.builders.keys import Caller
from tests.tournaments.events.test_services import refused
from tournaments.entries.corrections import ERASED, correct_entry, history_of
from tournaments.events.log import feed_lines, feed_of
from tournaments.models import Entry, Stage, Tournament
from tournaments.progress.undo import last_undoable, undo

pytestmark = pytest.mark.django_db


def as_one(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def correct(event: Tournament, who: str, /, **changes: Any) -> Entry:
    return correct_entry(entry=person(event, who), by=event.created_by, changes=changes)


@pytest.mark.thorough
def test_a_corrected_name_shows_everywhere_and_its_history_to_organisers_alone() -> None:
    event = a_called_night(people=4)
    aiko = person(event, "Aiko")
    organiser, here = as_one(event.created_by), f"/t/{event.slug}/entries/{aiko.uuid}/"
    assert here in organiser.get(f"/t/{event.slug}/entries/").content.decode()
    sent = {"name": " Aïko   Mori ", "club": "Lyon", "seed": "3"}
    assert organiser.post(here, sent).headers["Location"] == f"/t/{event.slug}/entries/"
    for path in ("standings/", "rounds/", "desk/", "print/1/", "files/event.json"):
        text = organiser.get(f"/t/{event.slug}/{path}").content.decode()
        assert "Aïko Mori" in text, path
    for path in ("", "standings/", "rounds/", "entries/", "feed/"):
        assert "Aiko" not in Client().get(f"/t/{event.slug}/{path}").content.decode(), path
    (done,) = history_of(Entry.objects.get(pk=aiko.pk))
    assert done.by == event.created_by
    assert ("name", "Aiko", "Aïko Mori") in done.changes
    page = organiser.get(here).content.decode()
    assert '<td class="words" data-label="Before">Aiko</td>' in page
    assert as_one(a.a_user()).get(here).status_code == 404
    assert "Club, Name, Seed" in feed_lines(list(feed_of(event)[:1]))[0].about


@pytest.mark.thorough
def test_the_same_again_notes_nothing_and_others_keep_their_names() -> None:
    event = a_club_night(people=4)
    correct(event, "Aiko", name="Aiko", club="")
    assert history_of(person(event, "Aiko")) == []
    by, ben = event.created_by, person(event, "Ben")

    def change(**changes: Any) -> Any:
        return lambda: correct_entry(entry=ben, by=by, changes=changes)

    refused("entry.duplicate", change(name=" AIKO "))
    refused("entry.name_invalid", change(name="\u202eBen"))
    refused("entry.name_invalid", change(name=""))
    refused("entry.name_invalid", change(club="x" * 61))
    refused("entry.bad_seed", change(seed=0))
    refused("entry.no_rating", change(rating=1500.0))
    refused("tournament.not_organiser", lambda: correct_entry(entry=ben, by=a.a_user(), changes={"name": "B"}))
    # The same name with a club of its own is somebody else.
    assert correct(event, "Ben", name="Aiko", club="Hilo").player.name == "Aiko"


@pytest.mark.thorough
def test_a_finished_event_takes_corrections_and_an_archived_one_does_not() -> None:
    event = a_called_night(people=4)
    Tournament.objects.filter(pk=event.pk).update(state="finished")
    assert correct(event, "Aiko", name="Aiko Mori").player.name == "Aiko Mori"
    Tournament.objects.filter(pk=event.pk).update(state="archived")
    refused("entry.closed", lambda: correct(event, "Ben", name="Benjamin"))


def test_seeds_and_ratings_count_for_what_is_still_to_be_drawn() -> None:
    event = a_club_night(people=4)
    dai = person(event, "Dai")
    Stage.objects.filter(tournament=event).update(seeding="rating", seeding_ratings={str(dai.uuid): 1500.0})
    correct(event, "Aiko", rating=1812.5, seed=1)
    correct(event, "Dai", rating=None)
    stage = event.stages.get()
    assert stage.seeding_ratings == {str(person(event, "Aiko").uuid): 1812.5}
    assert person(event, "Aiko").seed == 1


@pytest.mark.thorough
def test_a_drawn_stage_keeps_its_seeds() -> None:
    event = a_called_night(people=4)
    before = list(event.stages.get().stage_entries.order_by("pk").values_list("entry", "seed"))
    correct(event, "Dai", seed=1)
    assert before == list(event.stages.get().stage_entries.order_by("pk").values_list("entry", "seed"))


def test_a_correction_is_undone() -> None:
    event = a_club_night(people=4)
    correct(event, "Aiko", name="Aika", club="Lyon")
    noted = last_undoable(event)
    assert noted is not None
    assert "Aik" in noted.what
    undo(tournament=event, by=event.created_by, seen=noted.id)
    assert person(event, "Aiko").player.club == ""


@pytest.mark.thorough
def test_teams_bots_and_deleted_accounts_keep_what_is_not_the_organisers() -> None:
    teams = a_team_night(count=2)
    team = Entry.objects.filter(tournament=teams, members__isnull=False).distinct().order_by("pk")[0]
    by = teams.created_by
    assert correct_entry(entry=team, by=by, changes={"name": "Herons"}).player.name == "Herons"
    refused("entry.name_invalid", lambda: correct_entry(entry=team, by=by, changes={"club": "Lyon"}))
    league = a.an_open_event()
    (bot,) = a.entered(league, [a.a_bot()])
    refused("entry.of_bot", lambda: correct_entry(entry=bot, by=league.created_by, changes={"name": "Mine"}))
    event = a_club_night(people=4)
    erased = person(event, "Aiko")
    correct(event, "Aiko", name="Aiko Mori")
    erased.player.name = f"{ERASED}12345678"
    erased.player.save()
    refused("entry.erased", lambda: correct_entry(entry=erased, by=event.created_by, changes={"name": "Aiko"}))
    assert history_of(Entry.objects.get(pk=erased.pk)) == []


def test_a_refused_form_comes_back_with_its_code() -> None:
    event = a_club_night(people=4)
    here = f"/t/{event.slug}/entries/{person(event, 'Ben').uuid}/"
    answer = as_one(event.created_by).post(here, {"name": "Aiko", "club": ""})
    assert answer.status_code == 422
    assert "entry.duplicate" in answer.content.decode()


@pytest.mark.thorough
def test_programs_correct_entries() -> None:
    event = a_club_night(people=4)
    caller = Caller(event.created_by)
    path = f"/api/v1/tournaments/{event.slug}/entries/{person(event, 'Ben').uuid}"
    answer = caller.patch(path, {"name": "Benjamin", "club": "Hilo", "seed": 2})
    assert answer.status_code == 200, answer.content
    assert (answer.json()["name"], answer.json()["club"], answer.json()["seed"]) == ("Benjamin", "Hilo", 2)
    wrong = caller.patch(path, {"name": "Aiko", "club": ""})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "entry.duplicate")
    both = caller.patch(path, {"name": "Bo", "present": True})
    assert both.status_code == 400
