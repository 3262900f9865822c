"""Any chain of stages in the browser: cards that are added, moved and removed; events made by programs keep theirs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from tests.builders import events as a
from tests.tournaments.pages.events.test_form_for_people import sent_by
from tournaments.events.create import create_tournament
from tournaments.events.plan_rows import plan_of
from tournaments.lifecycle.event_plan import AdvancementPlan as Way
from tournaments.lifecycle.event_plan import EventPlan, StagePlan
from tournaments.models import Tournament
from tournaments.pages.events.create_form import EventForm

pytestmark = pytest.mark.django_db
FORM = {"name": "Three stages", "preset": "hawaii", "seats": "2", "who": "people", "rounds": "1", "legs": "single"}
FORM |= {"min_entries": "16", "max_entries": "24", "entries_per_owner": "1", "visibility": "public"}


def sent_with_cards(form: EventForm) -> dict[str, object]:
    """Return what a browser sends of a form with cards."""
    sent = {**sent_by(form), "shape": "chain"}
    cards = form.cards.shown if form.cards else []
    sent["chain-stages"] = len(cards)
    for card in cards:
        for part in (card.form, *card.ways):
            values = {part[name].html_name: part[name].value() for name in part.fields}
            sent |= {name: value for name, value in values.items() if value not in (None, False, "")}
    return sent


def names_of(form: EventForm) -> list[str]:
    """Return the names on the cards."""
    return [card.fields["name"] for card in form.cards.raw] if form.cards else []


def a_program_made(owner: object, **changes: object) -> Tournament:
    """An event with stages that the short fields cannot say: an A and a B final, carried points, chosen table sizes."""
    plan = EventPlan(
        name="By program",
        preset="hawaii",
        who="people",
        seats=4,
        kind="tables",
        groups=4,
        rounds=2,
        min_entries=32,
        max_entries=40,
        stage_name="Premier tour",
        seats_min=4,
        then=(
            StagePlan(
                kind="pods", rounds=3, name="Swiss", scoring="place", tie_breaks=("bh", "wins"), bye_policy="zero"
            ),
            StagePlan(kind="single_elim", seats=2, third_place=True, name="B final", waits=True),
            StagePlan(kind="double_elim", seats=2, name="A final"),
        ),
        ways=(
            Way(source=1, target=2, last=4, carry="half"),
            Way(source=2, target=3, first=9, last=16),
            Way(source=2, target=4, first=1, last=7),
            Way(source=1, target=4, first=5, last=5, most=1, by="draw"),
        ),
    )
    return create_tournament(by=owner, plan=replace(plan, **changes))  # type: ignore[arg-type]


@pytest.mark.thorough
def test_a_chain_made_by_a_program_is_shown_and_saved_as_it_is(client: Client) -> None:
    owner = a.a_user()
    client.force_login(owner)
    event = a_program_made(owner)
    before = plan_of(event)
    answer = client.get(f"/t/{event.slug}/edit/")
    assert "<svg" in answer.content.decode()
    sent = {**sent_with_cards(answer.context["form"]), "row_version": event.row_version}
    assert client.post(f"/t/{event.slug}/edit/", sent, follow=True).context["messages"]
    assert plan_of(event) == before
    client.post(f"/t/{event.slug}/edit/", {**sent, "s2-rounds": 4})
    now = plan_of(event)
    assert now.stages[1].rounds == 4
    assert replace(now, then=before.then) == before
    assert [replace(stage, rounds=3) for stage in now.then[:1]] == list(before.then[:1])


@pytest.mark.thorough
def test_stages_are_added_moved_and_removed_without_loss(client: Client) -> None:
    client.force_login(a.a_user())

    def press(sent: dict[str, object], act: str) -> tuple[EventForm, str]:
        answer = client.post("/t/new/", {**sent, "act": act})
        assert answer.status_code == 200, answer.context["form"].errors
        return answer.context["form"], answer.content.decode()

    form, _page = press({**FORM, "template": "chain"}, "shape")
    for act in ("add", "add"):
        form, page = press(sent_with_cards(form), act)
    assert form.cards
    assert form["name"].value() == "Three stages"
    sent = sent_with_cards(form)
    sent |= {"s1-name": "Pools", "s1-kind": "", "s1-groups": 4, "s1-w1-last": 2, "s2-name": "Swiss", "s2-kind": "swiss"}
    sent |= {"s2-rounds": 3, "s2-w1-last": 4, "s3-name": "Knock-out"}
    form, page = press(sent, "preview")
    assert "<svg" in page
    assert "one time in ten longer" in page
    form, _page = press(sent_with_cards(form), "down-1")
    assert names_of(form) == ["Swiss", "Pools", "Knock-out"]
    form, _page = press(sent_with_cards(form), "up-2")
    assert names_of(form) == ["Pools", "Swiss", "Knock-out"]
    form, _page = press(sent_with_cards(form), "way-1")
    again = {**sent_with_cards(form), "s1-w1-to": 2, "s1-w1-first": 1, "s1-w1-last": 2}
    made = client.post("/t/new/", again)
    assert made.status_code == 302, (made.context["form"].errors, made.context["form"].card_forms)
    plan = plan_of(Tournament.objects.get())
    assert [stage.kind for stage in plan.stages] == ["round_robin", "swiss", "single_elim"]
    assert [stage.name for stage in plan.stages] == ["Pools", "Swiss", "Knock-out"]
    assert plan.groups == 4


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"s2-rounds": "many"}, "progression.stage"),
        ({"s1-w1-first": 3, "s1-w1-last": 2}, "progression.stage"),
        ({"s1-groups": 12, "s1-w1-last": 1}, "tournament.bad_groups"),
        ({"s1-w1-to": 3}, "progression.start"),
        ({"s1-w1-last": 9, "s1-groups": 4}, "progression.places"),
        ({"chain-stages": "99999999"}, "progression.stage"),
        ({"s2-kind": "chess"}, "progression.stage"),
        ({"act": "preview", "s1-w1-last": 9, "s1-groups": 4}, "progression.places"),
    ],
)
def test_what_cannot_be_played_is_refused_and_stays_on_its_card(
    client: Client, changes: dict[str, object], code: str
) -> None:
    client.force_login(a.a_user())
    form = client.post("/t/new/", {**FORM, "template": "chain", "act": "shape"}).context["form"]
    for act in ("add", "add"):
        form = client.post("/t/new/", {**sent_with_cards(form), "act": act}).context["form"]
    answer = client.post("/t/new/", {**sent_with_cards(form), **changes})
    assert answer.status_code == 422
    form = answer.context["form"]
    found = [
        error.code
        for part in (form, *form.card_forms.values())
        for each in part.errors.as_data().values()
        for error in each
    ]
    assert code in found
    assert not Tournament.objects.exists()


@pytest.mark.thorough
@pytest.mark.parametrize("act", ["", "remove-9", "up-1", "down-x", "add-1-2-3", "way-99", "unway-1-5", "-" * 30])
def test_buttons_that_are_not_there_change_nothing(client: Client, act: str) -> None:
    client.force_login(a.a_user())
    form = client.post("/t/new/", {**FORM, "template": "chain", "act": "shape"}).context["form"]
    answer = client.post("/t/new/", {**sent_with_cards(form), "act": act})
    assert answer.status_code == 200
    assert len(answer.context["form"].cards.raw) == (2 if act.startswith("add") else 1)


@pytest.mark.thorough
def test_six_stages_are_the_most(client: Client) -> None:
    client.force_login(a.a_user())
    form = client.post("/t/new/", {**FORM, "template": "chain", "act": "shape"}).context["form"]
    for _ in range(8):
        form = client.post("/t/new/", {**sent_with_cards(form), "act": "add"}).context["form"]
    assert form.cards
    assert len(form.cards.raw) == 6
