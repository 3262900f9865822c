"""Slips and addresses of captains can be renewed: the new one opens, the old one is dead, and it is written down."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from bots.models import AuditEvent
from tests.builders import boards as b
from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of
from tests.builders.keys import Caller, problem
from tests.tournaments.entries.test_links import refused
from tests.tournaments.pages.floor.test_desk import a_phone, as_one
from tests.tournaments.progress.test_people import with_role
from tournaments.entries.captains import captain_token, captains_of, read_captain
from tournaments.models import Match, Role
from tournaments.scores.renewals import of_captain, of_slip
from tournaments.scores.renewed_slips import renew_captain, renew_slip
from tournaments.scores.slips import read_code, read_slip, slip_token, table_code

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_a_renewed_slip_opens_and_the_old_one_is_dead_on_phones_that_scanned_it_too() -> None:
    event = a_called_night(people=4)
    match, other = tables_of(event)
    thief, neighbour = a_phone(match, 0), a_phone(match, 1)
    old = slip_token(match, 0), table_code(match, 0)
    for _twice in range(2):
        renewal = renew_slip(match=match, side=0, by=event.created_by).pk
        with refused("slip.renewed"):
            read_slip(old[0])
        with refused("code.unknown"):
            read_code(old[1], network="hall")
        assert thief.get(f"/x/{match.uuid}/").status_code == 404
        old = slip_token(match, 0, renewal), table_code(match, 0, renewal)
        assert read_slip(old[0]) == (match, 0)
        assert read_code(old[1], network="hall") == (match, 0)
        thief = Client()
        thief.get(f"/e/{old[0]}/")
        assert thief.get(f"/x/{match.uuid}/").status_code == 200
    assert neighbour.get(f"/x/{match.uuid}/").status_code == 200
    assert read_slip(slip_token(other, 0)) == (other, 0)
    acts = AuditEvent.objects.filter(verb="slip.renew", subject=f"match:{match.uuid}")
    assert list(acts.values_list("actor", flat=True)) == [event.created_by_id] * 2


@pytest.mark.thorough
def test_an_arbiter_renews_by_a_button_and_the_sheet_prints_the_new_one() -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]
    arbiter = as_one(with_role(event, Role.Kind.ARBITER))
    page = arbiter.get(f"/m/{match.uuid}/result/").content.decode()
    assert page.count('name="side"') == 2
    answer = arbiter.post(f"/m/{match.uuid}/result/", {"verb": "slip", "side": "0"}, follow=True)
    assert "is renewed; the old one no longer works" in answer.content.decode()
    sheet = as_one(event.created_by).get(f"/t/{event.slug}/print/1/?sheet=slips").content.decode()
    assert table_code(match, 0, of_slip(match, 0)) in re.sub(r"[ \n-]|<[^>]+>", "", sheet)
    scorer = as_one(with_role(event, Role.Kind.SCORER))
    assert scorer.post(f"/m/{match.uuid}/result/", {"verb": "slip", "side": "1"}).status_code in (403, 422)
    assert arbiter.post(f"/m/{match.uuid}/result/", {"verb": "slip", "side": "9"}).status_code == 404
    assert of_slip(match, 1) == 0


@pytest.mark.thorough
def test_nobody_renews_what_is_over_or_not_theirs() -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]
    with refused("tournament.not_organiser"):
        renew_slip(match=match, side=0, by=a.a_user())
    with refused("slip.of_bot"):
        renew_slip(match=match, side=7, by=event.created_by)
    Match.objects.filter(pk=match.pk).update(state="void")
    with refused("slip.closed"):
        renew_slip(match=match, side=0, by=event.created_by)


@pytest.mark.thorough
def test_a_captain_gets_a_new_address_and_the_old_one_is_dead() -> None:
    event = b.a_team_night()
    team = b.named(event, "Boars")
    captain = captains_of(event)[team.pk]
    old = captain_token(captain)
    owner = as_one(event.created_by)
    assert f"/lineups/{old}/" in owner.get(f"/t/{event.slug}/lineups/").content.decode()
    owner.post(f"/t/{event.slug}/lineups/renew/", {"team": str(team.uuid)})
    with refused("captain.unknown"):
        read_captain(old, event)
    new = captain_token(captain, of_captain(team))
    assert read_captain(new, event) == team
    assert f"/lineups/{new}/" in owner.get(f"/t/{event.slug}/lineups/").content.decode()
    assert Client().get(f"/t/{event.slug}/lineups/{old}/").status_code == 422
    assert Client().get(f"/t/{event.slug}/lineups/{new}/").status_code == 200
    with refused("tournament.not_organiser"):
        renew_captain(team=team, by=a.a_user())
    stranger = as_one(a.a_user())
    assert stranger.post(f"/t/{event.slug}/lineups/renew/", {"team": str(team.uuid)}).status_code == 404
    assert AuditEvent.objects.filter(verb="captain.renew", subject=f"entry:{team.uuid}").count() == 1


@pytest.mark.thorough
def test_both_by_the_api() -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]
    said = Caller(event.created_by).post(f"/api/v1/tables/{match.uuid}/slips/0:renew").json()
    assert read_slip(said["address"].rstrip("/").rpartition("/")[2]) == (match, 0)
    assert read_code(said["letters"], network="hall") == (match, 0)
    stranger = Caller(a.a_user())
    assert problem(stranger.post(f"/api/v1/tables/{match.uuid}/slips/0:renew")) == (403, "tournament.not_organiser")
    night = b.a_team_night()
    team = b.named(night, "Boars")
    here = f"/api/v1/tournaments/{night.slug}/teams/{team.uuid}/captain:renew"
    first = Caller(night.created_by).get(here.removesuffix(":renew")).json()
    said = Caller(night.created_by).post(here).json()
    assert read_captain(said["address"].rstrip("/").rpartition("/")[2], night) == team
    assert Caller(night.created_by).get(here.removesuffix(":renew")).json() == said != first
    for other in (stranger, Caller(None)):
        assert problem(other.get(here.removesuffix(":renew")))[0] in (401, 404)
    assert problem(stranger.post(here)) == (403, "tournament.not_organiser")
