"""Choices that differ by a number alone: a field for all of them and buttons for the usual ones."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from engine.action import FORMS, Form
from tables.models import Answer, LiveTable
from tables.view.amounts import MANY, gathered
from tests.tables.players import again, folded
from tests.tables.test_pages import opened, view

BUTTON = re.compile(r'<button name="a" value="([^"]*)"[^>]*?(?: aria-label="([^"]*)")?>')
OPTION = re.compile(r'<option value="(\d+)">(\d+)</option>')


def choices_of(kind: str, numbers: range) -> list[dict[str, Any]]:
    return [{"i": index, "a": {kind: number}, "text": f"{kind} {number}"} for index, number in enumerate(numbers)]


def three_guests() -> tuple[LiveTable, list[Client]]:
    """A table of Oi-bana: a deal begins with three bids from 1 to 100."""
    clients = [Client(), Client(), Client()]
    table = opened(clients[0], preset="oibana", seats="3", name="Plum")
    for name, client in zip(("Crane", "Moon"), clients[1:], strict=True):
        client.post(f"/play/{table.uuid}/do/sit/", {"name": name, "phrase": name})
    return again(table), clients


def bids(table: LiveTable, clients: list[Client], a: str, **field: str) -> object:
    """Send the form of who is asked; returns the action that was answered with."""
    question = folded(again(table)).question
    assert question is not None
    sent = {"n": question.n, "a": a, **field}
    reply = clients[question.seat].post(f"/play/{table.uuid}/do/answer/", sent)
    assert reply.status_code == 302
    row = Answer.objects.filter(table=table).order_by("n").last()
    return row and row.index is not None and question.legal[row.index].to_json()


@pytest.mark.parametrize("n", [1, 2, MANY])
def test_a_few_numbers_have_a_button_each_and_no_field(n: int) -> None:
    choices = choices_of("bid", range(1, n + 1))
    assert gathered(choices) == {"fields": [], "choices": choices}


def test_many_numbers_have_one_field_and_the_usual_ones_a_button() -> None:
    found = gathered(choices_of("bid", range(1, 101)))
    (field,) = found["fields"]
    assert (field.text, field.options[0], field.options[-1], len(field.options)) == ("Bid", (1, 0), (100, 99), 100)
    assert [number for number, _index, _text in field.usual] == [1, 5, 10, 20, 50]
    assert found["choices"] == []


def test_the_lowest_number_has_a_button_and_what_is_not_legal_has_none() -> None:
    (field,) = gathered(choices_of("bid", range(17, 60)))["fields"]
    assert field.usual == ((17, 0, "bid 17"), (20, 3, "bid 20"), (50, 33, "bid 50"))


def test_the_shape_of_the_question_decides_and_no_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMS, "raise", Form("raise", "amount"))
    other = {"i": 30, "a": {"pass": True}, "text": "Pass"}
    found = gathered([*choices_of("raise", range(2, 32)), other])
    assert [(field.name, field.text) for field in found["fields"]] == [("number-raise", "raise")]
    assert found["choices"] == [other]
    months = choices_of("hiki", range(1, 13))
    assert gathered(months) == {"fields": [], "choices": months}, "a month is no mere number"


@pytest.mark.django_db
def test_a_bid_by_a_button_and_by_the_field_without_a_script(django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table, clients = three_guests()
    question = folded(table).question
    assert question is not None
    page = clients[question.seat].get(f"/play/{table.uuid}/").content.decode()
    form = page.partition("data-choices")[2].partition("</form>")[0]
    buttons, options = BUTTON.findall(form), OPTION.findall(form)
    assert [text for _value, text in buttons] == ["", "Bid 1", "Bid 5", "Bid 10", "Bid 20", "Bid 50"]
    assert [number for _value, number in options] == [str(number) for number in range(1, 101)]
    name, values = buttons[0][0], dict(map(reversed, options))
    assert f'<label for="{name}">' in form
    assert len(view(clients[question.seat], table)["turn"]["legal"]) == 100, "the view is what it was"
    # A button is sent together with what stands in the field.
    assert bids(table, clients, buttons[3][0], **{name: values["1"]}) == {"bid": 10}
    assert bids(table, clients, name, **{name: values["37"]}) == {"bid": 37}


@pytest.mark.django_db
@pytest.mark.parametrize(("a", "field"), [("number-bid", {}), ("number-bid", {"number-bid": "x"}), ("n-bid", {})])
def test_a_field_that_is_not_filled_in_is_refused(
    a: str, field: dict[str, str], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table, clients = three_guests()
    assert not bids(table, clients, a, **field)
    assert again(table).answered == 0


@pytest.mark.django_db
def test_a_game_without_such_numbers_has_no_field(django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table = opened(client := Client(), preset="koikoi_nintendo", opponent="1")
    page = client.get(f"/play/{table.uuid}/").content.decode()
    assert "rp-table" in page
    assert "live-amount" not in page
