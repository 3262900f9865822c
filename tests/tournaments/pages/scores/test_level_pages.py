"""A level knock-out match on its pages: the desk and the phones ask, the bracket waits, what decided is shown."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from django.test import Client

from bots.jobs.process import Process
from core.formats.elimination.advance import BY_LOTS
from tests.builders import events as a
from tests.builders.clubs import a_called_night, round_of, tables_of, totals
from tests.tournaments.pages.floor.test_desk import a_phone, as_one
from tests.tournaments.progress.test_advancing import play_on
from tests.tournaments.progress.test_people import with_role
from tests.tournaments.standings.test_level_bots import level_event
from tournaments.models import Match, ResultReport, Stage, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db(transaction=True)


def a_level_night(**changes: object) -> tuple[Tournament, Match]:
    """Four people, table 2 won, table 1 level."""
    event = a_called_night(people=4, **{"kind": "single_elim", "rounds": 1, **changes})
    enter(event, (60, 60), (100, 20))
    return event, tables_of(event)[0]


def enter(event: Tournament, *points: tuple[int, int]) -> None:
    """Enter the results of the first tables of round 1."""
    for match, each in zip(tables_of(event), points, strict=True):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(*each))


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def names_at(match: Match) -> list[str]:
    return list(match.seats.order_by("index").values_list("entry__player__name", flat=True))


@pytest.mark.thorough
def test_the_desk_asks_and_an_extra_deal_answers() -> None:
    event, first = a_level_night()
    client, names = as_one(event.created_by), names_at(first)
    desk = text(client, f"/t/{event.slug}/desk/")
    assert "tied: the advancing entry is not decided" in desk
    assert "A match ended tied" in desk
    page = text(client, f"/m/{first.uuid}/result/")
    assert "Enter an extra deal" in page
    assert "Or say who won it" in page
    sent = {"verb": "extra", "total_0": "40", "total_1": "90", "key": "one"}
    answer = client.post(f"/m/{first.uuid}/result/", sent, follow=True)
    assert "Table 1 is decided." in answer.content.decode()
    assert round_of(event, 1).state == "complete"
    match = text(Client(), f"/m/{first.uuid}/")
    assert f"Extra deal 1: {names[0]} 40; {names[1]} 90" in match
    bracket = text(Client(), f"/t/{event.slug}/bracket/")
    assert f"{names[1]} beat {names[0]} 60 : 60" in bracket
    assert "separated afterwards: by extra deals" in bracket


@pytest.mark.thorough
def test_until_then_the_bracket_and_the_match_say_that_it_waits() -> None:
    event, first = a_level_night()
    names = names_at(first)
    bracket = text(Client(), f"/t/{event.slug}/bracket/")
    assert (
        f"Tied: {names[0]} 60, {names[1]} 60. An extra deal, or your choice of the winner, decides who advances."
        in bracket
    )
    assert f"{names[0]} beat" not in bracket
    match = text(Client(), f"/m/{first.uuid}/")
    assert f"Tied: {names[0]}, {names[1]}. 1 of them advances." in match
    standings = text(Client(), f"/t/{event.slug}/standings/")
    assert "Tied, so nobody advances yet: round 1, table 1." in standings
    refused = as_one(event.created_by).get(f"/t/{event.slug}/next/")
    assert (refused.status_code, "round.level" in refused.content.decode()) == (409, True)


@pytest.mark.slow
def test_an_arbiter_says_who_won_and_a_scorer_cannot() -> None:
    event, first = a_level_night()
    scorer = with_role(event, "scorer")
    assert "Or say who won it" not in text(as_one(scorer), f"/m/{first.uuid}/result/")
    sent = {"verb": "decide", "side": "1", "reason": "Won the extra deal"}
    assert as_one(scorer).post(f"/m/{first.uuid}/result/", sent).status_code == 403
    client = as_one(event.created_by)
    nobody = client.post(f"/m/{first.uuid}/result/", {**sent, "side": ""})
    assert (nobody.status_code, "report.winner_needed" in nobody.content.decode()) == (422, True)
    assert "Table 1 is decided." in client.post(f"/m/{first.uuid}/result/", sent, follow=True).content.decode()
    page = text(Client(), f"/m/{first.uuid}/")
    assert f"Decided by an arbiter: {names_at(first)[1]}" in page
    assert "Won the extra deal" in page


@pytest.mark.thorough
def test_lots_are_shown_with_what_they_come_from() -> None:
    event, first = a_level_night()
    as_one(event.created_by).post(f"/m/{first.uuid}/result/", {"verb": "lots"})
    page = text(Client(), f"/m/{first.uuid}/verify/")
    seed = ResultReport.objects.get(match=first, state="confirmed").body["decided"]["seed"]
    assert seed in page
    for uuid in first.seats.values_list("entry__uuid", flat=True):
        assert sha256(f"{seed} {uuid}".encode()).hexdigest() in page


@pytest.mark.thorough
def test_a_round_from_before_extra_deals_says_that_lots_decided() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1)
    Stage.objects.update(lots_rounds=1)
    enter(event, (60, 60), (100, 20))
    page = text(Client(), f"/t/{event.slug}/bracket/")
    assert re.search(rf"60 : 60[^<]*{BY_LOTS.rstrip('.')}", page)
    assert not re.search(rf"100 : 20[^<]*{BY_LOTS.rstrip('.')}", page)
    assert round_of(event, 1).state == "complete"


@pytest.mark.thorough
def test_where_nothing_is_level_nobody_speaks_of_lots() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1)
    Stage.objects.update(lots_rounds=1)
    enter(event, (90, 60), (100, 20))
    assert BY_LOTS.rstrip(".") not in text(Client(), f"/t/{event.slug}/bracket/")


@pytest.mark.thorough
def test_of_a_cancelled_match_lots_say_who_goes_on_and_the_bracket_says_so() -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1)
    first, other = tables_of(event)
    submit_result(match=other, actor=Actor(user=event.created_by), claim=totals(100, 20))
    void_match(match=first, by=event.created_by, reason="Both left early.")
    assert BY_LOTS.rstrip(".") in text(Client(), f"/t/{event.slug}/bracket/")


@pytest.mark.slow
def test_two_phones_report_and_confirm_an_extra_deal() -> None:
    event, first = a_level_night()
    names = names_at(first)
    one, other = a_phone(first, 0), a_phone(first, 1)
    assert "Report the extra deal" in text(one, f"/x/{first.uuid}/")
    sent = {"total_0": "90", "total_1": "40", "key": "phone"}
    assert one.post(f"/x/{first.uuid}/extra/", sent).status_code == 302
    assert "Your extra deal is sent" in text(one, f"/x/{first.uuid}/")
    asked = text(other, f"/x/{first.uuid}/")
    assert "The other side reported this extra deal. Is it right?" in asked
    version = ResultReport.objects.get(match=first, state="submitted").version
    assert other.post(f"/x/{first.uuid}/extra-same/", {"version": version}).status_code == 302
    assert "The result is confirmed and counts." in text(other, f"/x/{first.uuid}/")
    assert f"Extra deal 1: {names[0]} 90; {names[1]} 40" in text(one, f"/x/{first.uuid}/")
    assert round_of(event, 1).state == "complete"


@pytest.mark.slow
def test_programs_do_what_the_buttons_do() -> None:
    event, first = a_level_night()
    client = as_one(event.created_by)
    address = f"/api/v1/tables/{first.uuid}/reports"
    refused = client.post(f"{address}:decide", {"sides": [0, 1], "reason": "x"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "report.winner_needed")
    said = client.post(f"{address}:extra", {"totals": [50, 50]}, content_type="application/json")
    assert said.status_code == 200, said.content
    said = client.post(f"{address}:decide", {"sides": [0], "reason": "toss"}, content_type="application/json")
    assert said.status_code == 200, said.content
    late = client.post(f"{address}:lots", {}, content_type="application/json")
    assert (late.status_code, late.json()["code"]) == (422, "report.not_level")


@pytest.mark.slow
def test_bots_extra_deals_and_lots_are_on_the_pages_of_the_match(process: Process) -> None:
    level_event()
    play_on(process)
    stage = Stage.objects.get()
    slug, first = stage.tournament.slug, Match.objects.get(extra=0, leg=1)
    extra = Match.objects.get(extra=1, leg=1)
    for address in (f"/m/{first.uuid}/", f"/m/{Match.objects.get(extra=0, leg=2).uuid}/"):
        page = text(Client(), address)
        assert "Extra deal 4" in page
        assert "Decided by lots:" in page
    seed = ResultReport.objects.get(match=first, state="confirmed").body["decided"]["seed"]
    proof = text(Client(), f"/m/{first.uuid}/verify/")
    assert proof.count(seed) > 1
    own = text(Client(), f"/m/{extra.uuid}/")
    assert "An extra deal of a match that ended tied" in own
    assert "waiting" not in text(Client(), f"/m/{extra.uuid}/verify/?check=server")
    for part in ("", "rounds/", "bracket/", "standings/", "feed/"):
        text(Client(), f"/t/{slug}/{part}")
    rounds = text(Client(), f"/t/{slug}/rounds/")
    assert str(extra.uuid) not in rounds


@pytest.mark.thorough
def test_the_words_of_a_double_elimination() -> None:
    event = a_called_night(people=5, kind="double_elim", rounds=1)
    page = text(Client(), f"/t/{event.slug}/bracket/")
    assert "Winners&#x27; final" in page
    assert "Losers&#x27; final" in page
    assert "Deciding final (if needed)" in page
    assert "loser of Winners&#x27; round 1, match 1" not in page
    assert "Bye: Aiko → Winners&#x27; round 2, match 2" in page
    assert "Aiko against winner of match 1" in page
    assert "of Losers&#x27; round 1" not in page
    assert "bye" in page
    assert a.a_user().pk
