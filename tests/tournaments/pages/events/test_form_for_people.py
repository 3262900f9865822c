"""The form of an event for people: a few questions, formats that fit, a form without anything of bots."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.events import an_open_event
from tournaments.events.plan_rows import plan_of
from tournaments.events.proposals.choice import Proposal, proposals
from tournaments.events.proposals.question import TEAM_SIZES, Question
from tournaments.models import Tournament
from tournaments.pages.events.audiences import AUDIENCES, HIDDEN
from tournaments.pages.events.form_choices import seats_text

pytestmark = pytest.mark.django_db
CLUB = {"for": "people", "people": "22", "hours": "2½", "tables": "6", "preset": "hawaii", "company": "alone"}
OF_BOTS = ("clock", "move_ms", "legs", "ends_at", "entries_per_owner", "draws", "who")
OF_HALLS = ("venue", "partners", "boards", "round_minutes", "apart", "draws", "who")


def names_on(page: str) -> set[str]:
    """Return the names of the fields of a page."""
    return set(re.findall(r'<(?:input|select|textarea)[^>]* name="([^"]+)"', page))


def sent_by(form: object) -> dict[str, object]:
    """Return what a browser sends of a form that nobody touches."""
    fields = [form[name] for name in form.fields if not form[name].is_hidden]  # type: ignore[attr-defined, index]
    values = {field.name: field.value() for field in fields}
    return {name: value for name, value in values.items() if value not in (None, False, "")}


def test_no_line_ends_between_a_game_and_its_seats() -> None:
    said = seats_text()
    assert "Poka\u00a02" in said
    assert "Hachi-hachi\u00a02\u2060–\u20604" in said


@pytest.mark.thorough
def test_the_first_page_asks_who_plays(client: Client) -> None:
    client.force_login(a.a_user())
    page = client.get("/t/new/").content.decode()
    assert "People at tables" in page
    assert 'href="?for=bots"' in page
    assert names_on(page) >= {"people", "hours", "tables", "company"}
    assert "max_entries" not in names_on(page)
    assert '<a href="#question" aria-current="true">People at tables</a>' in page


@pytest.mark.thorough
def test_a_format_of_ones_own_is_headed_by_what_was_answered(client: Client) -> None:
    client.force_login(a.a_user())
    for sent, said in (
        (CLUB, "22 people · 2\u00a0h\u00a030 · 6 tables · Hawaii"),
        ({"for": "people"}, "People at tables"),
    ):
        page = client.get("/t/new/", {**sent, "format": "own"}).content.decode()
        assert re.findall(r"<summary>\s*<strong>([^<]+)</strong>", page) == [said]


@pytest.mark.thorough
def test_twenty_two_people_get_formats_that_fit_their_evening(client: Client) -> None:
    client.force_login(a.a_user())
    answer = client.get("/t/new/", CLUB)
    cards = answer.context["cards"]
    assert 3 <= len(cards) <= 5
    assert cards[0].key == "swiss_final"
    assert all(card.fits for card in cards)
    assert "Use this" in answer.content.decode()
    late = client.get("/t/new/", {**CLUB, "hours": "0:30", "tables": "1"})
    assert not any(card.fits for card in late.context["cards"])
    assert "It does not fit in 0:30 hours." in late.content.decode()
    assert "it is played in turns" in late.content.decode()


@pytest.mark.thorough
def test_a_link_that_leaves_questions_out_means_the_usual_answers(client: Client) -> None:
    client.force_login(a.a_user())
    short = {"people": "22", "hours": "2.5", "tables": "6"}
    answer = client.get("/t/new/", short)
    assert answer.status_code == 200, answer.context["question"].errors
    usual = client.get("/t/new/", {**short, "for": "people", "preset": "hawaii", "company": "alone"})
    assert [card.title for card in answer.context["cards"]] == [card.title for card in usual.context["cards"]]
    card = answer.context["cards"][0]
    chosen = client.get(f"/t/new/{card.address.partition('#')[0]}")
    assert chosen.context["form"].initial["max_entries"] >= 22
    assert client.get("/t/new/?people=22").status_code == 200
    assert client.get("/t/new/", {**short, "hours": ""}).status_code == 422
    assert client.get("/t/new/", {**short, "preset": "poker"}).status_code == 422


@pytest.mark.thorough
def test_every_proposal_fills_in_a_form_that_makes_its_plan(client: Client) -> None:
    client.force_login(a.a_user())
    for number, card in enumerate(client.get("/t/new/", CLUB).context["cards"]):
        answer = client.get("/t/new/", {**CLUB, "format": card.key})
        form = answer.context["form"]
        assert not names_on(answer.content.decode()) & set(OF_BOTS), card.key
        sent = {**sent_by(form), "name": f"Club night {number}"}
        made = client.post(f"/t/new/?for=people&format={card.key}", sent)
        assert made.status_code == 302, made.context["form"].errors
        event = Tournament.objects.get(name=f"Club night {number}")
        question = Question(people=22, hours=2.5, tables=6)
        wanted = next(each.plan for each in proposals(question) if each.key == card.key)
        plan = plan_of(event)
        assert event.max_entries >= 22
        assert [(s.kind, s.rounds, s.groups, s.advance) for s in plan.stages] == [
            (s.kind, s.rounds, s.groups, s.advance) for s in wanted.stages
        ]
        assert plan.ways == wanted.ways
        assert plan.options == dict(wanted.options)
        assert plan.who == "people"


def test_a_form_of_bots_shows_nothing_of_halls(client: Client) -> None:
    client.force_login(a.a_user())
    answer = client.get("/t/new/", {"for": "bots"})
    names = names_on(answer.content.decode())
    assert not names & set(OF_HALLS)
    assert names >= {"clock", "legs", "ends_at", "entries_per_owner"}
    made = client.post(
        "/t/new/?for=bots",
        {**sent_by(answer.context["form"]), "name": "Moon league", "who": "people", "visibility": "public"},
    )
    assert made.status_code == 302, made.context["form"].errors
    assert Tournament.objects.get().who == "bots"


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"people": "1"}, "people"),
        ({"people": "many"}, "people"),
        ({"people": "100000"}, "people"),
        ({"hours": "soon"}, "hours"),
        ({"hours": "0"}, "hours"),
        ({"hours": "9999"}, "hours"),
        ({"tables": "0"}, "tables"),
        ({"people": "600"}, "people"),
        ({"preset": "poka5", "company": "drawn"}, "company"),
        ({"preset": "oibana", "people": "2"}, "people"),
        ({"preset": "nuki88", "seats": "6"}, "seats"),
        ({"preset": "poker"}, "preset"),
        ({"company": "x" * 90}, "company"),
        ({"deal_minutes": "nan"}, "deal_minutes"),
    ],
)
def test_nonsense_is_refused_beside_its_field(client: Client, changes: dict[str, str], field: str) -> None:
    client.force_login(a.a_user())
    answer = client.get("/t/new/", {**CLUB, **changes})
    assert answer.status_code == 422
    assert list(answer.context["question"].errors) == [field]


@pytest.mark.thorough
@pytest.mark.parametrize("text", ["2.5", "2,5", "2½", "2:30", "2h30", "2 h 30"])
def test_hours_are_read_as_people_write_them(client: Client, text: str) -> None:
    client.force_login(a.a_user())
    answer = client.get("/t/new/", {**CLUB, "hours": text})
    assert answer.context["question"].cleaned_data["hours"] == 2.5


def answered(question: Question) -> tuple[list[Proposal], str]:
    """Return the proposals, or the code of the refusal."""
    try:
        return proposals(question), ""
    except TournamentError as refusal:
        return [], refusal.code


@pytest.mark.thorough
@pytest.mark.parametrize("company", TEAM_SIZES)
@pytest.mark.parametrize(("hours", "tables"), [(0.5, 1), (2.5, 6), (12.0, None)])
def test_every_question_within_the_bounds_has_an_answer(company: str, hours: float, tables: int | None) -> None:
    for preset in ("hawaii", "oibana", "nuki88", "poka5"):
        for people in (2, 3, 4, 5, 7, 8, 9, 13, 22, 40, 144, 500):
            question = Question(people=people, hours=hours, tables=tables, preset=preset, company=company)
            found, code = answered(question)
            assert found or code in ("proposal.too_few", "proposal.pairs"), question
            for each in found:
                assert each.plan.min_entries <= question.entries <= each.plan.max_entries
                assert each.fits == (each.forecast.hours[1] <= hours)


@pytest.mark.thorough
def test_editing_shows_what_concerns_the_event_and_keeps_the_rest(client: Client) -> None:
    owner = a.a_user()
    client.force_login(owner)
    form = client.get("/t/new/", {**CLUB, "format": "swiss"}).context["form"]
    client.post("/t/new/?for=people", {**sent_by(form), "name": "Club night"})
    event = Tournament.objects.get()
    before = plan_of(event)
    answer = client.get(f"/t/{event.slug}/edit/")
    assert not names_on(answer.content.decode()) & set(OF_BOTS)
    assert "who" in names_on(client.get(f"/t/{event.slug}/edit/?for=both").content.decode())
    sent = {**sent_by(answer.context["form"]), "max_entries": 40, "row_version": event.row_version}
    assert client.post(f"/t/{event.slug}/edit/", sent).status_code == 302
    event.refresh_from_db()
    assert event.max_entries == 40
    assert plan_of(event).who == before.who == "people"
    assert plan_of(event).stages == before.stages


def test_a_page_of_people_speaks_of_draws_and_not_of_decks(client: Client) -> None:
    event = an_open_event(who="people", kind="swiss", legs="single")
    page = client.get(f"/t/{event.slug}/").content.decode()
    assert "Proof of the decks" not in page
    assert "Proof of the draws" in page
    league = an_open_event(name="Moon league")
    assert "Proof of the decks" in client.get(f"/t/{league.slug}/").content.decode()


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_form_lays_out_all_its_fields(client: Client, audience: str) -> None:
    client.force_login(a.a_user())
    answer = client.get("/t/new/", {**CLUB, "for": audience, "format": "pools_final"})
    form = answer.context["form"]
    names = names_on(answer.content.decode())
    # A box that is missing on the page would be off without a word.
    assert set(form.fields) - {*HIDDEN[audience]} - names == set()
    assert ("flows" in names, "age_gap" in names) == (audience != "bots",) * 2


@pytest.mark.thorough
def test_sizes_of_tables_are_chosen_with_their_effect_in_words(client: Client) -> None:
    client.force_login(a.a_user())
    here = "/t/new/?for=people&format=own&people=22&hours=2&preset=hawaii&company=alone"
    answer = client.get(here)
    choices = dict(answer.context["form"].fields["sizes"].choices)
    assert str(choices[""]).endswith("5+5+4+4+4")
    assert str(choices["fewer"]).endswith("4+4+4+4+3+3")
    assert "2 byes" in str(choices["same"])
    assert "Shown for 22 entries." in answer.content.decode()
    sent = {
        **sent_by(answer.context["form"]),
        "name": "Fours and threes",
        "visibility": "public",
        "kind": "pods",
        "sizes": "fewer",
    }
    made = client.post(here, sent)
    assert made.status_code == 302, made.context["form"].errors
    stage = Tournament.objects.get(name="Fours and threes").stages.get()
    assert (stage.seats_min, stage.seats_pref, stage.seats_max) == (3, 4, 4)


def test_sizes_that_no_table_can_have_are_refused_beside_their_field(client: Client) -> None:
    client.force_login(a.a_user())
    here = "/t/new/?for=people&format=own&people=22&hours=2&preset=hawaii&company=alone"
    sent = {**sent_by(client.get(here).context["form"]), "name": "None of them", "kind": "pods"}
    answer = client.post(here, {**sent, "visibility": "public", "seats": "3", "sizes": "fewer"})
    assert answer.status_code == 422
    assert "sizes" in answer.context["form"].errors, answer.context["form"].errors


def test_a_game_for_two_offers_no_sizes(client: Client) -> None:
    client.force_login(a.a_user())
    page = client.get("/t/new/?for=people&format=own&people=22&hours=2&preset=poka5&company=alone")
    assert "sizes" not in names_on(page.content.decode())


def test_the_usual_hours_are_enough_for_an_event_that_is_held_often_and_the_shortest_comes_first(
    client: Client,
) -> None:
    client.force_login(a.a_user())
    shown = client.get("/t/new/").context
    hours = [offer.hours for offer in shown["offers"]]
    assert hours == sorted(hours)
    usual = shown["question"].fields["hours"].clean(shown["question"]["hours"].value())
    assert hours[0] <= usual
