"""Refused forms of partners: the page says why at the field, and nothing that was typed is lost."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.builders import events as a
from tests.builders.clubs import person
from tests.builders.teams import a_drawn_night, a_pairs_night, teams
from tests.tournaments.pages.entries.test_teams_pages import as_one
from tests.web.test_form_errors import attribute
from tournaments.models import Entry, PartnerDraw, Tournament
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db
REFUSAL = re.compile(r'<div class="note error" role="alert" tabindex="-1" autofocus id="refusal">(.*?)</div>', re.S)
FIELD = re.compile(r"<(?:input|select)[^>]*>")


def refused(client: Client, event: Tournament, verb: str, sent: dict[str, str], *, status: int = 422) -> str:
    """The page that comes back, with this status and a summary."""
    answer = client.post(f"/t/{event.slug}/partners/{verb}/", sent)
    page = answer.content.decode()
    assert (answer.status_code, len(REFUSAL.findall(page))) == (status, 1), page[:2000]
    return page


def blamed(page: str) -> str:
    """The field that the summary leads to, the only one that is marked."""
    [target] = re.findall(r'href="#([^"]+)"', REFUSAL.findall(page)[0])
    [marked] = [tag for tag in FIELD.findall(page) if 'aria-invalid="true"' in tag]
    assert attribute(marked, "id") == target
    return str(target)


def typed(page: str, field: str) -> str:
    """The value of an input, or the chosen one of a select."""
    [tag] = [tag for tag in FIELD.findall(page) if attribute(tag, "id") == field]
    if tag.startswith("<input"):
        return attribute(tag, "value")
    options = re.findall(r"<option[^>]*>", page[page.index(tag) :].partition("</select>")[0])
    return next(attribute(each, "value") for each in options if re.search(r"\sselected\b", each))


@pytest.mark.thorough
def test_a_new_draw_without_a_reason_keeps_its_choices() -> None:
    event = a_drawn_night()
    sent = {"seen": "2", "who": "all", "rule": "clubs", "redraw": "1", "reason": " "}
    page = refused(as_one(event.created_by), event, "draw", sent)
    assert blamed(page) == "redraw-reason"
    assert (typed(page, "redraw-who"), typed(page, "redraw-rule")) == ("all", "clubs")
    assert re.search(r'<details class="more" open>\s*<summary>Redraw everybody', page)
    undo = refused(as_one(event.created_by), event, "undo", {"number": "1", "reason": "x" * 400})
    assert (blamed(undo), typed(undo, "undo-reason")) == ("undo-reason", "x" * 400)
    assert PartnerDraw.objects.get(tournament=event, number=1).undone_at is None


def test_a_draw_by_a_rule_that_is_none_keeps_who_takes_part() -> None:
    event = a_pairs_night()
    page = refused(as_one(event.created_by), event, "draw", {"seen": "1", "who": "all", "rule": "luck"})
    assert (blamed(page), typed(page, "draw-who")) == ("draw-rule", "all")


@pytest.mark.thorough
def test_a_team_of_one_person_twice_keeps_who_was_chosen_and_its_name() -> None:
    event = a_pairs_night()
    uuid = str(person(event, "Chiyo").uuid)
    page = refused(as_one(event.created_by), event, "make", {"person1": uuid, "person2": uuid, "name": "Plum & pine"})
    assert blamed(page) == "make-1"
    assert {typed(page, "make-1"), typed(page, "make-2")} == {uuid}
    assert typed(page, "make-name") == "Plum &amp; pine"
    assert re.search(r'<details class="more" open>\s*<summary>Make a team by hand', page)
    named = {"person1": uuid, "person2": str(person(event, "Dai").uuid), "name": "Aiko"}
    assert blamed(refused(as_one(event.created_by), event, "make", named)) == "make-name"


def test_a_name_that_another_team_has_stays_in_the_form_of_its_team() -> None:
    event = a_drawn_night()
    one, other = list(teams(event).values())[:2]
    page = refused(as_one(event.created_by), event, "rename", {"team": str(one.uuid), "name": other.player.name})
    assert blamed(page) == "team-name"
    assert typed(page, "team-name") == other.player.name.replace("&", "&amp;")
    assert f'<h2 id="one-team">{one.player.name.replace("&", "&amp;")}</h2>' in page


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "number", "field"),
    [("Ike\u200b", "3", "sub-name"), ("Ike", "next", "sub-round"), ("Ike", "0", "sub-round")],
)
def test_a_substitute_that_cannot_be_keeps_the_whole_form(name: str, number: str, field: str) -> None:
    event = a_drawn_night()
    start_tournament(tournament=event, by=event.created_by)
    team = next(iter(teams(event).values()))
    leaving = team.members.order_by("-number")[0].person
    sent = {"team": str(team.uuid), "member": str(leaving.uuid), "person": "", "name": name, "round": number}
    page = refused(as_one(event.created_by), event, "substitute", sent)
    assert blamed(page) == field
    shown = [typed(page, each) for each in ("sub-member", "sub-name", "sub-round")]
    assert shown == [str(leaving.uuid), name, number]
    assert not Entry.objects.filter(tournament=event, player__name__startswith="Ike").exists()


def test_links_of_a_page_that_came_back_lead_to_the_page_of_partners() -> None:
    event = a_drawn_night()
    page = refused(as_one(event.created_by), event, "undo", {"number": "1", "reason": ""})
    assert f'href="/t/{event.slug}/partners/?team=' in page
    assert 'href="?' not in page.partition("<main")[2].partition("</main>")[0]
    assert as_one(a.a_user()).post(f"/t/{event.slug}/partners/undo/", {"number": "1"}).status_code == 404
