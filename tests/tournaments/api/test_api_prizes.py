"""The ranking of an event and its prizes by the API."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of, totals
from tests.builders.keys import Caller, problem
from tests.tournaments.progress.test_people import with_role
from tournaments.models import Prize
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_prizes_are_set_marked_and_seen_by_everybody_once_published(client: Client) -> None:
    event = a_called_night(people=4)
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(140, 100))
    ann, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}"
    plan = {"categories": [{"name": "Novice"}], "prizes": [{"words": "Cup"}, {"words": "Fan", "category": 1}]}
    made = ann.send("PUT", f"{here}/prizes", plan)
    assert made.status_code == 200, made.content
    lines = client.get(f"{here}/ranking").json()["lines"]
    assert [line["rank"] for line in lines] == [1, 1, 3, 3]
    category = made.json()["categories"][0]["id"]
    marks = f"{here}/prizes/categories/{category}"
    marked = ann.send("PUT", marks, {"entries": [lines[3]["entry"]]})
    assert marked.status_code == 200, marked.content
    assert marked.json()["categories"][0]["entries"] == [lines[3]["entry"]]
    assert [each["name"] for each in marked.json()["awards"][1]["winners"]] == [lines[3]["name"]]
    assert client.get(f"{here}/ranking").json()["awards"] == []
    read = ann.get(f"{here}/prizes").json()
    sent = {name: value for name, value in read.items() if name != "awards"}
    sent["categories"] = [{name: value for name, value in read["categories"][0].items() if name != "entries"}]
    same = ann.send("PUT", f"{here}/prizes", {**sent, "publish": "now"})
    assert same.json() == {**read, "publish": "now"}
    awards = client.get(f"{here}/ranking").json()["awards"]
    assert [(each["words"], each["pool"]) for each in awards] == [("Cup", "overall"), ("Fan", "")]
    assert "Novice" not in client.get(f"{here}/ranking").content.decode()


@pytest.mark.thorough
def test_prizes_are_for_organisers_and_refused_with_a_reason() -> None:
    event = a_called_night(people=4)
    here = f"/api/v1/tournaments/{event.slug}/prizes"
    plan = {"prizes": [{"words": "Cup"}]}
    for who in (a.a_user(), with_role(event, "scorer")):
        assert problem(Caller(who).get(here)) == (404, "not_found")
        assert problem(Caller(who).send("PUT", here, plan))[0] == 403
        assert problem(Caller(who).send("PUT", f"{here}/categories/{event.uuid}", {"entries": []}))[0] == 404
    ann = Caller(event.created_by)
    wrong = ann.send("PUT", here, {"prizes": [{"words": "Cup", "category": 1}]})
    assert problem(wrong)[1] == "prizes.bad_prize"
    assert problem(ann.send("PUT", here, {"prizes": [{"words": "Cup", "amount": "-1"}]}))[1] == "prizes.bad_prize"
    assert problem(ann.send("PUT", here, {"prizes": [{"words": ""}]}))[0] == 400
    assert not Prize.objects.exists()
