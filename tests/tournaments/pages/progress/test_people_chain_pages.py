"""People's chains, corrections and wishes through their pages, in few queries for events of any size."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders import events as a
from tests.builders.clubs import totals
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.progress.test_cascade import a_bracket, seated, tables
from tests.tournaments.progress.test_people import with_role
from tests.tournaments.progress.test_people_chains import a_night, by_strength, play_and_close, stage_no
from tournaments.entries.people import withdraw_person
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.models import Match, Progression, Round, Stage, StageEntry, Tournament
from tournaments.progress.rounds import call_round
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
FORM = {"name": "Pools night", "who": "people", "preset": "hawaii", "seats": "2", "rounds": "1", "option_rounds": "1"}
FORM |= {"legs": "cyclic", "clock": "standard", "visibility": "public", "max_entries": "16", "entries_per_owner": "2"}
FORM |= {"template": "pools", "groups": "3", "go_on": "2", "cut": "4", "min_entries": "9", "apart": "on"}
MAX_QUERIES = 10


def step(client: Client, here: str) -> str:
    """Return what the desk says comes next."""
    return str(client.get(f"{here}/desk/").context["step"])


def enter_open(client: Client, event: Tournament) -> None:
    """A result at every table that is called."""
    for match in Match.objects.filter(stage__tournament=event, state="called").order_by("pk"):
        one, other = by_strength(match)
        sent = {"verb": "enter", "total_0": str(one), "total_1": str(other)}
        assert client.post(f"/m/{match.uuid}/result/", sent).status_code == 302


def pools_by_pages(client: Client) -> Tournament:
    """Made with the form, written down, checked in, started; the pools played and signed."""
    client.post("/t/new/", FORM)
    event = Tournament.objects.get(name="Pools night")
    way = Progression.objects.get(source__tournament=event)
    assert (way.last, way.most, event.apart) == (2, 4, "club")
    here = f"/t/{event.slug}"
    for verb in ("publish", "open_registration"):
        client.post(f"{here}/do/{verb}/")
    client.post(f"{here}/desk/paste/", {"list": "\n".join(f"Player {number:02}" for number in range(1, 10))})
    client.post(f"{here}/desk/all-here/")
    client.post(f"{here}/do/start/")
    for number in (1, 2, 3):
        assert step(client, here) == "call"
        assert "Group B" in client.get(f"{here}/desk/?round={number}").content.decode()
        client.post(f"{here}/desk/call/", {"stage": "1", "round": str(number)})
        enter_open(client, event)
    assert step(client, here) == "close"
    assert "Confirm final standings" in client.get(f"{here}/desk/").content.decode()
    client.post(f"{here}/desk/close/", {"stage": "1"})
    return event


@pytest.mark.slow
def test_pools_and_a_knock_out_of_winners_and_the_best_second_through_the_pages() -> None:
    client = as_one(a.a_user("organiser"))
    event = pools_by_pages(client)
    here = f"/t/{event.slug}"
    desk = client.get(f"{here}/desk/").content.decode()
    assert "can be drawn" in desk
    look = client.get(f"{here}/draw/2/")
    assert look.content.decode().count("place 1 of group") == 3
    assert look.content.decode().count("place 2 of group") == 1
    assert "Its first round" in look.content.decode()
    sent = {"stage": "2", "seen": look.context["seen"], "next": f"{here}/desk/"}
    assert client.post(f"{here}/do/draw_stage/", sent)["Location"] == f"{here}/desk/"
    assert StageEntry.objects.filter(stage__order=2).count() == 4
    assert 'value="2"' in client.get(f"{here}/desk/").content.decode()
    client.post(f"{here}/desk/take-back/", {"stage": "2", "round": "1"})
    assert stage_no(event, 2).state == Stage.State.PLANNED
    client.post(f"{here}/do/draw_stage/", sent)
    client.post(f"{here}/desk/call/", {"stage": "2", "round": "1"})
    enter_open(client, event)
    drawn = client.get(f"{here}/next/?stage=2")
    client.post(f"{here}/desk/draw/", {"stage": "2", "seen": drawn.context["drawn"].hash})
    client.post(f"{here}/desk/call/", {"stage": "2", "round": "2"})
    enter_open(client, event)
    client.post(f"{here}/desk/close/", {"stage": "2"})
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    for tab in ("desk/", "desk/?stage=1", "print/1/?stage=2", "screen/", "rounds/", "standings/?stage=all", "wishes/"):
        assert client.get(f"{here}/{tab}").status_code == 200, tab
    assert client.get(f"{here}/desk/?stage=3").status_code == 404


@pytest.mark.slow
def test_what_moved_since_it_was_looked_at_is_a_conflict() -> None:
    event = a_night()
    play_and_close(event, 1)
    client = as_one(event.created_by)
    here = f"/t/{event.slug}"
    seen = client.get(f"{here}/draw/2/").context["seen"]
    withdraw_person(entry=event.entries.get(seed=1), by=event.created_by)
    answer = client.post(f"{here}/do/draw_stage/", {"stage": "2", "seen": seen})
    assert (answer.status_code, "stage.draw_changed" in answer.content.decode()) == (409, True)
    swiss = a_bracket("single_elim")
    by = swiss.tournament.created_by
    answer = as_one(by).post(f"/t/{swiss.tournament.slug}/desk/draw/", {"stage": "1", "seen": "x"})
    assert answer.status_code in (302, 409)
    row = Round.objects.select_related("stage__tournament").get(stage=swiss, number=2)
    call_round(round_row=row, by=by)
    for match in tables(swiss, 2):
        submit_result(match=match, actor=Actor(user=by), claim=totals(*by_strength(match)))
    answer = as_one(by).post(f"/t/{swiss.tournament.slug}/desk/draw/", {"stage": "1", "seen": "x"})
    assert (answer.status_code, "round.draw_changed" in answer.content.decode()) == (409, True)


@pytest.mark.slow
def test_a_correction_lists_what_follows_and_offers_the_other_choice() -> None:
    stage = a_bracket("single_elim")
    by = stage.tournament.created_by
    call_round(round_row=Round.objects.select_related("stage__tournament").get(stage=stage, number=2), by=by)
    client = as_one(by)
    match = next(each for each in tables(stage, 1) if 1 in seated(each))
    one, other = reversed(by_strength(match))
    sent = {"total_0": str(one), "total_1": str(other), "verb": "preview"}
    page = client.post(f"/m/{match.uuid}/result/", sent)
    text = page.content.decode()
    assert "Other changes" not in text
    assert "drawn and played again from here" in text
    page = client.post(f"/m/{match.uuid}/result/", {**sent, "then": "redo"})
    text = page.content.decode()
    assert "Other changes" in text
    assert "What if it stays as it was drawn and played?" in text
    done = {**sent, "verb": "correct", "reason": "Misread.", "seen": page.context["correction"].hash}
    assert client.post(f"/m/{match.uuid}/result/", done).status_code == 409
    assert client.post(f"/m/{match.uuid}/result/", {**done, "then": "more"}).status_code == 422
    assert client.post(f"/m/{match.uuid}/result/", {**done, "then": "redo"}).status_code == 302
    assert "void" in {each.state for each in tables(stage, 2)}


@pytest.mark.slow
def test_wishes_are_kept_by_organisers_and_refused_with_their_code() -> None:
    event = a_night(start=False)
    here, client = f"/t/{event.slug}/wishes/", as_one(event.created_by)
    entry = event.entries.order_by("pk")[2]
    assert client.post(here, {"verb": "settings", "part": "apart", "apart": "on"}).status_code == 302
    assert client.post(here, {"verb": "table", "entry": str(entry.uuid), "table": "7"}).status_code == 302
    numbers = {f"n_{entry.uuid}": "1"}
    assert client.post(here, {"verb": "seeding", "stage": "1", "seeding": "hand", **numbers}).status_code == 302
    text = client.get(here).content.decode()
    assert f"{entry.player.name}: table 7" in text
    assert 'name="apart" checked' in text
    assert 'value="1"' in text
    refusals = (
        ({"verb": "table", "entry": str(entry.uuid), "table": "many"}, "wishes.bad_table"),
        ({"verb": "seeding", "stage": "1", "seeding": "rating", f"n_{entry.uuid}": "high"}, "wishes.bad_number"),
        ({"verb": "seeding", "stage": "1", "seeding": "luck"}, "tournament.bad_seeding"),
    )
    for sent, code in refusals:
        answer = client.post(here, sent)
        assert (answer.status_code, code in answer.content.decode()) == (422, True), sent
    for lost in ({"verb": "no"}, {"verb": "table", "entry": "x"}, {"verb": "seeding", "stage": "9"}):
        assert client.post(here, lost).status_code == 404
    for role in ("arbiter", "scorer"):
        assert as_one(with_role(event, role)).get(here).status_code == 404
    assert as_one(a.a_user()).post(here, {"verb": "settings", "part": "apart"}).status_code == 404


@pytest.mark.slow
def test_pages_of_a_large_chain_ask_no_more_than_those_of_a_small_one() -> None:
    asked: list[list[int]] = []
    for people, groups in ((6, 2), (28, 4)):  # odd groups: in both somebody sits out, whose name is asked for
        way = (AdvancementPlan(source=1, target=2, last=2),)
        then = (StagePlan(kind="double_elim", name="Final"),)
        event = a_night(people=people, groups=groups, min_entries=people, then=then, ways=way, name=f"Of {people}")
        client, counts = as_one(event.created_by), []
        for tab in ("desk/", "desk/?stage=1&round=2", "screen/", "standings/?stage=1", "wishes/", "print/1/?stage=1"):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(f"/t/{event.slug}/{tab}").status_code == 200
            counts.append(len(queries))
        asked.append(counts)
    assert asked[0] == asked[1]
    assert max(asked[0]) <= MAX_QUERIES, asked[0]
