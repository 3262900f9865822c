"""Refused forms: one summary at the top that leads to the fields, in the words of the page, with bounds that hold."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django import forms
from django.template import Context, Template
from django.test import Client
from django.utils.translation import override

from accounts.models import User
from bots.templatetags.errors import error_summary, target_of
from core.errors import TournamentError
from core.formats import offered
from tests.builders import events as a
from tests.tournaments.pages.floor.test_desk import as_one
from tests.web.test_bad_input import form_of_an_event
from tournaments.events.create import create_tournament
from tournaments.lifecycle.field_words import CHOICES, LABELS, choice_of
from tournaments.models import Tournament
from tournaments.pages.comparisons.comparison_form import ChallengeForm
from tournaments.pages.events.clocks_form import ClockFields
from tournaments.pages.events.create_form import EventForm
from tournaments.pages.events.details_form import DetailsForm
from tournaments.pages.simulation.rehearsal_form import RehearsalForm
from tournaments.pages.webhooks.forms import RotateForm

pytestmark = pytest.mark.django_db
NUMBER = re.compile(r"<input([^>]*type=\"number\"[^>]*)>")
SUMMARY = re.compile(r'<div class="note error" role="alert" tabindex="-1" autofocus id="errors">(.*?)</div>', re.S)
AT_MOST = "Ensure this value is less than or equal to"
THIRD = (
    "A match for third place needs “single elimination” at two sides a table; the format here is “double elimination”."
)
NO_PEOPLE = "This cannot be “people, at tables”. Allowed: bots, on the server."
LINK = re.compile(r'<a href="#([^"]+)">([^<]*)</a>')


def summary(page: str) -> dict[str, str]:
    """Target and text of every link of the summary."""
    [found] = SUMMARY.findall(page)
    return {target: html.unescape(text) for target, text in LINK.findall(found)}


def attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1] if found else ""


def post(owner: Client, **changes: str) -> Any:
    """A new event with these changes, which cannot be."""
    answer = owner.post("/t/new/", form_of_an_event(**changes))
    assert answer.status_code == 422
    return answer


REFUSED = [
    ({"kind": "double_elim", "third_place": "on", "seats": "2"}, "third_place", f"Match for third place: {THIRD}"),
    ({"max_entries": "2000"}, "max_entries", f"Maximum entries: {AT_MOST} 512."),
    ({"kind": "swiss", "rounds": "65"}, "rounds", f"Rounds: {AT_MOST} 64."),
    ({"kind": "ladder", "rounds": "1001"}, "rounds", f"Rounds: {AT_MOST} 1000."),
    ({"kind": "single_elim", "seats": "4", "advance": "4"}, "advance", f"Advancing per table: {AT_MOST} 3."),
    ({"kind": "ladder", "who": "people"}, "who", f"Who plays: {NO_PEOPLE}"),
    ({"name": "A"}, "name", "Name: Give the event a name of 3 to 80 printable characters."),
    ({"option_rounds": "4000"}, "option_rounds", f"Deals per match: {AT_MOST} 1000."),
]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("changes", "name", "says"), REFUSED)
def test_an_error_names_its_field_and_the_choice_as_the_page_does(
    changes: dict[str, str], name: str, says: str
) -> None:
    at = f"id_{name}"
    page = post(as_one(a.a_user()), **changes).content.decode()
    assert summary(page) == {at: says}
    text = html.unescape(page)
    assert says.partition(": ")[2] in text.partition(f'id="{at}_error"')[2][:400]
    [field] = [tag for tag in re.findall(r"<(?:input|select|textarea)[^>]*>", page) if attribute(tag, "id") == at]
    assert attribute(field, "aria-invalid") == "true"
    assert f"{at}_error" in attribute(field, "aria-describedby").split()
    assert page.index("note error") < page.index("<h1>")
    assert not Tournament.objects.exists()


def test_what_was_typed_stays_and_every_error_has_its_link() -> None:
    page = post(as_one(a.a_user()), name="", venue="Hall & more", rounds="x", max_entries="1", tie_breaks="nothing")
    text = page.content.decode()
    assert set(summary(text)) == {"id_name", "id_rounds", "id_max_entries", "id_tie_breaks_0"}
    assert 'value="Hall &amp; more"' in text
    assert re.search(r'<input[^>]*name="rounds"[^>]*value="x"', text) or re.search(r'value="x"[^>]*name="rounds"', text)
    for target in summary(text):
        assert f'id="{target}"' in text
    assert re.search(r'<details class="more" open>\s*<summary>Byes', text)


def numbers(page: str) -> Iterator[tuple[str, str, int, int]]:
    """id, name, min and max of every number field of a page; each has both."""
    for tag in NUMBER.findall(page):
        low, high = (int(float(attribute(tag, each))) for each in ("min", "max"))
        yield attribute(tag, "id"), attribute(tag, "name"), low, high


@pytest.mark.thorough
@pytest.mark.parametrize("kind", sorted({*offered(), ""} - {"round_robin", "tables"}))
def test_every_bound_that_the_form_of_an_event_shows_is_the_one_that_holds(kind: str) -> None:
    """One above the most and one below the least are refused, with the label and the same bound; the bound is not."""
    owner = as_one(a.a_user())
    shown = post(owner, name="", kind=kind).content.decode()
    found = list(numbers(shown))
    assert len(found) > 12
    for step in (1, -1):
        edges = {name: (high if step == 1 else low) for _at, name, low, high in found}
        wrong = {name: str(edge + step) for name, edge in edges.items()}
        said = summary(post(owner, name="", kind=kind, **wrong).content.decode())
        for at, name, _low, _high in found:
            [label] = re.findall(rf'<label for="{at}">([^<]*)</label>', shown)
            assert said[at].startswith(f"{html.unescape(label)}:"), (name, said)
            assert str(edges[name]) in re.findall(r"-?\d+", said[at]), (name, said[at])
        form = EventForm(form_of_an_event(kind=kind, **{name: str(edge) for name, edge in edges.items()}))
        form.is_valid()
        codes = {error.code for errors in form.errors.as_data().values() for error in errors}
        assert not codes & {"min_value", "max_value"}, form.errors


JUDGED = [
    *(("swiss", name) for name in ("rounds", "min_entries", "max_entries", "entries_per_owner", "round_minutes")),
    *(("ladder", name) for name in ("rounds", "min_entries", "max_entries", "entries_per_owner")),
    *((kind, "advance") for kind in ("single_elim", "double_elim", "lives")),
]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("kind", "name"), JUDGED)
def test_the_service_allows_what_the_form_shows_and_no_more(kind: str, name: str) -> None:
    """Programs reach the service without a form: for them the same bounds hold."""
    field: Any = EventForm(form_of_an_event(kind=kind, seats="4")).fields[name]
    plan = a.a_plan(kind=kind, seats=4, rounds=1, min_entries=4, max_entries=2_000 if kind == "ladder" else 512)
    codes = {}
    for value in (field.max_value, field.max_value + 1, field.min_value - 1):
        try:
            create_tournament(by=a.a_user(), plan=replace(plan, **{name: value}))
        except TournamentError as refusal:
            codes[value] = refusal.code
    bad = "round_clock.minutes" if name == "round_minutes" else f"tournament.bad_{name}"
    assert codes.get(field.max_value) != bad
    assert codes[field.max_value + 1] == bad
    assert name == "round_minutes" or codes[field.min_value - 1] == bad


def test_labels_of_forms_are_those_that_refusals_use() -> None:
    event, owner = a.an_open_event(), a.a_user()
    for form in (EventForm(), ClockFields(), DetailsForm(event=event), ChallengeForm(owner=owner)):
        for name, field in form.fields.items():
            if name in LABELS and name != "preset":
                assert str(field.label) == str(LABELS[name]), name
            words = dict(getattr(field, "choices", ()))
            for value, word in CHOICES.get(name, {}).items():
                if value in words and name not in ("clock", "kind"):
                    assert str(words[value]) == str(word), (name, value)
    with override("fr"):
        kinds = dict(EventForm().fields["kind"].choices)  # type: ignore[attr-defined]
        assert str(kinds["single_elim"]) == choice_of("kind", "single_elim") != "single elimination"


@pytest.mark.parametrize("form", [RehearsalForm, RotateForm, ClockFields])
def test_other_numbers_hold_their_bounds(form: Callable[..., forms.Form]) -> None:
    names = [name for name, field in form().fields.items() if isinstance(field, forms.IntegerField)]
    assert names
    for name in names:
        field: Any = form().fields[name]
        for wrong, bound in ((field.max_value + 1, field.max_value), (field.min_value - 1, field.min_value)):
            bad = form({"clock": "custom", name: str(wrong)})
            lines = {line.target: line for line in summary_of(bad)}
            assert str(lines[f"id_{name}"].label) == str(field.label)
            assert f"{bound:g}" in lines[f"id_{name}"].text


def summary_of(form: forms.Form) -> Any:
    form.is_valid()
    return error_summary(Context({"form": form}))["lines"]


PAGES = {
    "/login/": {"username": "nobody", "password": "wrong"},
    "/signup/": {"username": "-", "password1": "a", "password2": "b"},
    "/me/": {"time_zone": "Plum/Garden"},
    "/me/tokens/": {"name": ""},
    "/me/hooks/": {"name": "", "url": "x"},
    "/b/new/": {},
    "/t/new/": {"name": ""},
    "/reset/": {"address": "x"},
}
"""Pages with a form of their own, and what none of them takes."""


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("path", PAGES)
def test_every_form_has_the_same_summary(path: str) -> None:
    reader = Client() if path in ("/login/", "/signup/", "/reset/") else as_one(a.a_user())
    page = reader.post(path, PAGES[path]).content.decode()
    found = summary(page)
    assert found, path
    assert page.count('role="alert"') == 1
    for target in found:
        assert f'id="{target}"' in page, (path, target)
        assert 'aria-invalid="true"' in page
    assert page.count('class="wrong" id="') == len(found)


def test_a_refusal_of_no_field_stands_in_the_summary_with_its_code(as_user: Callable[[User | None], Client]) -> None:
    class Two(forms.Form):
        one = forms.CharField()

    form = Two({"one": "x"})
    form.add_error(None, forms.ValidationError("Both at once.", code="two.both"))
    [line] = summary_of(form)
    assert (line.text, line.target, line.code) == ("Both at once.", "", "two.both")
    assert target_of(form["one"]) == "id_one"


@pytest.mark.parametrize(
    ("asked", "is_marked"),
    [("box.is_wrong", True), ("refusal", False), ('refusal_at "name"', True), ('refusal_at "kind"', False)],
)
def test_a_refused_field_points_to_the_summary_of_errors(asked: str, is_marked: bool) -> None:
    field = Template(f"{{% load errors %}}<input{{% invalid {asked} %}}>")
    shown = field.render(Context({"box": {"is_wrong": True}, "refusal": None, "refusal_at": "name"}))
    marks = ' aria-invalid="true" aria-describedby="refusal"' if is_marked else ""
    assert shown == f"<input{marks}>"
