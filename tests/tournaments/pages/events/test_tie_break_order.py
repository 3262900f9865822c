"""Tie-breaks are compared in the order that the organiser chooses, from all of the catalogue."""

from __future__ import annotations

import re

import pytest
from django.http import QueryDict
from django.test import Client

from core.standings.tiebreaks import offered
from tests.builders import events as a
from tests.web.test_bad_input import form_of_an_event
from tournaments.models import Stage, Tournament
from tournaments.pages.events.ordering import ROWS, OrderedSelects


@pytest.mark.django_db
def test_the_order_of_the_form_is_the_order_of_the_stage(client: Client) -> None:
    client.force_login(a.a_user())
    page = client.get("/t/new/?for=both").content.decode()
    selects = re.findall(r'<select name="tie_breaks".*?</select>', page)
    assert len(selects) == ROWS
    assert set(re.findall(r'<option value="(\w+)"', selects[0])) == set(offered())
    sent = form_of_an_event(tie_breaks=["wins", "", "perf", "decider", "wins", "h2h"], bye_policy="zero")
    answer = client.post("/t/new/", sent)
    assert answer.status_code == 302, answer.content.decode()[:2000]
    stage = Stage.objects.get()
    assert (stage.tie_breaks, stage.bye_policy) == (["wins", "perf", "decider", "h2h"], "zero")
    refused = client.post("/t/new/", form_of_an_event(name="Other cup", tie_breaks=["lots", "luck"]))
    assert refused.status_code == 422
    assert 'value="lots" selected' in refused.content.decode()
    assert Tournament.objects.count() == 1


def test_more_than_there_is_room_for_are_shown_all() -> None:
    shown = OrderedSelects(choices=[(key, key) for key in offered()]).render("tie_breaks", list(offered()[:9]))
    assert re.findall(r'value="(\w+)" selected', shown) == list(offered()[:9])
    sent = QueryDict(mutable=True)
    sent.setlist("tie_breaks", ["", "<b>", "wins"])
    assert OrderedSelects().value_from_datadict(sent, {}, "tie_breaks") == ["<b>", "wins"]
