"""House rules stand in words wherever the rules of an event are named, and on a page of the event's own."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of
from tests.builders.keys import Caller
from tournaments.events.create import create_tournament
from tournaments.lifecycle.house_rules import house_rules, rules_name
from tournaments.models import Stage, Tournament
from tournaments.pages.lifecycle.words import sentence_of
from tournaments.progress.run import publish_tournament

pytestmark = pytest.mark.django_db


def a_night(**changes: object) -> Tournament:
    return a_called_night(people=4, preset="paradise", options={"rounds": 6}, **changes)


def test_a_rule_that_differs_is_named_and_counted() -> None:
    event = a_night()
    stage = event.stages.select_related("ruleset").get()
    (only,) = house_rules(stage)
    assert (only.id, only.here, only.usual) == ("rounds", "6", "12")
    assert rules_name(stage) == "Paradise Factors, with 1 house rule"


@pytest.mark.thorough
def test_every_page_that_names_the_rules_says_that_there_are_house_rules() -> None:
    event = a_night()
    reader, organiser = Client(), Client()
    organiser.force_login(event.created_by)
    match = tables_of(event)[0]
    named, link = "Paradise Factors, with 1 house rule", f'href="/t/{event.slug}/rules/"'
    for client, path in (
        (reader, f"/t/{event.slug}/"),
        (reader, f"/t/{event.slug}/entries/"),
        (reader, f"/m/{match.uuid}/"),
        (organiser, f"/t/{event.slug}/print/1/?sheet=rules"),
    ):
        text = client.get(path).content.decode()
        assert named in text, path
        assert link in text or "print" in path, path


@pytest.mark.thorough
def test_the_page_of_the_event_marks_what_differs_and_says_the_figures_that_hold() -> None:
    event = a_night()
    text = Client().get(f"/t/{event.slug}/rules/").content.decode()
    assert "What differs here from Paradise Factors." in text
    assert text.count("house rule:") == 1
    assert '<tr id="rounds" class="first">' in text
    tabs = text.partition('class="tabs"')[2].partition("</nav>")[0]
    here = re.findall(r'href="([^"]+)" aria-current="page"', tabs)
    assert here == [f"/t/{event.slug}/rules/"], "a tab of its own, while it is read"
    assert f'href="/t/{event.slug}/rules/"' not in Client().get(f"/t/{event.slug}/rounds/").content.decode()
    ways = re.findall(r'<p class="crumbs">(.*?)</p>', text)
    assert ways == ['<a href="/t/">Tournaments</a>'], "one way back; the other is the tab before"
    assert Client().get(f"/t/{event.slug}/rules/?stage=7").status_code == 404
    draft = create_tournament(by=a.a_user(), plan=a.a_plan(options={}))
    assert Client().get(f"/t/{draft.slug}/rules/").status_code == 404
    publish_tournament(tournament=draft, by=draft.created_by)
    plain = Client().get(f"/t/{draft.slug}/rules/").content.decode()
    assert "No house rules" in plain
    # Beside the game's name: the format in a sentence, and what is dealt in figures.
    card = plain.partition('<section class="box rules-head')[2].partition("</section>")[0]
    assert sentence_of(draft, draft.stages.get()) in unescape(card)
    assert "What is dealt" in card
    assert re.findall(r'<th scope="col">([^<]+)', card) == ["Players", "In each hand", "On the field", "In the pile"]
    assert re.findall(r"<t[hd](?: scope=\"row\")?>(\d+)<", card) == ["2", "8", "8", "24"]


def test_a_preset_that_is_no_longer_known_has_the_name_of_its_game() -> None:
    event = a_night()
    Stage.objects.filter(tournament=event).update(preset="forgotten")
    text = Client().get(f"/t/{event.slug}/rules/").content.decode()
    assert "house rule:" not in text


@pytest.mark.thorough
def test_programs_read_the_house_rules() -> None:
    event = a_night()
    stage = Caller(event.created_by).get(f"/api/v1/tournaments/{event.slug}/stages").json()["items"][0]
    assert stage["rules_name"] == "Paradise Factors, with 1 house rule"
    assert [(each["id"], each["value"], each["usual"]) for each in stage["house_rules"]] == [("rounds", 6, "12")]
