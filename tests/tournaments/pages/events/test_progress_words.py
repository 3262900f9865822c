"""Words on how far an event is: rounds that are still to be drawn are no part of "all", and what is level says so."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.builders.clubs import a_called_night, close_event, round_of, tables_of, totals
from tests.builders.teams import a_drawn_night
from tests.tournaments.progress.test_people import draw_next
from tests.tournaments.progress.test_people_chains import a_night, play_and_close
from tournaments.models import Match, Tournament
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db


def play(event: Tournament, number: int = 1) -> None:
    for match in tables_of(event, number):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))


def said(client: Client, event: Tournament) -> tuple[str, str]:
    """The sentence, and the bar as "value/max" ("" without one), of rounds drawn in turn a part each."""
    page = client.get(f"/t/{event.slug}/").content.decode()
    words = re.search(r"<p[^>]* data-say>(.*?)</p>", " ".join(page.split()))
    bars = re.findall(r'<progress\s+class="bar"\s+value="(\d+)"\s+max="(\d+)"', page)
    assert words is not None
    return words[1].strip(), " ".join("/".join(bar) for bar in bars)


@pytest.mark.thorough
def test_a_swiss_after_its_first_round_is_not_all_done(client: Client) -> None:
    event = a_called_night(people=4, kind="swiss", rounds=3)
    play(event)
    bars = "100/100 0/100 0/100"
    assert said(client, event) == ("2 of 2 matches finished so far. 2 more rounds will be drawn.", bars)
    draw_next(event)
    call_round(round_row=round_of(event, 2), by=event.created_by)
    assert said(client, event) == ("2 of 4 matches finished so far. 1 more round will be drawn.", bars)


@pytest.mark.thorough
def test_a_list_says_which_round_is_complete_and_draws_no_full_ring(client: Client) -> None:
    event = a_called_night(people=4, kind="swiss", rounds=3)
    play(event)
    for path in ("/t/", f"/u/{event.created_by.username}/"):
        page = client.get(path).content.decode()
        assert "Round 1 complete" in page
        assert 'class="ring"' not in page
        assert "<progress" not in page


@pytest.mark.thorough
def test_an_event_that_is_over_has_them_all(client: Client) -> None:
    event = a_called_night(people=4, kind="swiss", rounds=1)
    play(event)
    assert said(client, event) == ("2 of 2 matches finished.", "2/2")
    close_event(tournament=event, by=event.created_by)
    page = " ".join(client.get(f"/t/{event.slug}/").content.decode().split())
    assert "2 matches" in page.partition('id="state-line"')[2].partition("</p>")[0]
    assert "<progress" not in page


@pytest.mark.slow
def test_pools_are_not_all_of_a_chain(client: Client) -> None:
    event = a_night()
    play_and_close(event, 1)
    done = Match.objects.filter(stage__tournament=event, state="confirmed").count()
    assert said(client, event) == (f"{done} of {done} matches finished so far. One more stage follows.", "")


@pytest.mark.thorough
def test_a_bracket_has_as_many_rounds_as_it_takes(client: Client) -> None:
    event = a_called_night(people=4, kind="single_elim")
    play(event)
    words, bar = said(client, event)
    assert words.startswith("2 of ")
    assert "so far" in words
    assert bar == ""


@pytest.mark.thorough
def test_the_first_rows_are_counted_and_level_ones_are_marked(client: Client) -> None:
    event = a_called_night(people=4, kind="swiss", rounds=1)
    play(event)
    page = client.get(f"/t/{event.slug}/").content.decode()
    top = page[page.index('id="top"') :].partition("</section>")[0]
    assert "The first 4" in top
    assert re.findall(r'<td class="rank">(.*?)</td>', top) == ["1=", "1=", "3=", "3="]


@pytest.mark.slow
def test_level_members_are_marked(client: Client) -> None:
    event = a_drawn_night()
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    play(event)
    page = client.get(f"/t/{event.slug}/standings/").content.decode()
    members = page[page.index("Results of each member's sides") :]
    assert re.findall(r'<td class="rank">(.*?)</td>', members) == ["1="] * 4 + ["5="] * 4


@pytest.mark.thorough
def test_who_won_a_bracket_is_said_before_it_is_confirmed(client: Client) -> None:
    event = a_called_night(people=4, kind="single_elim")
    play(event)
    pages = ("/t/", "/", f"/t/{event.slug}/")
    assert not any("Champion:" in client.get(path).content.decode() for path in pages)
    assert "Round 1 complete" in client.get("/t/").content.decode()
    draw_next(event)
    call_round(round_row=round_of(event, 2), by=event.created_by)
    assert "Champion:" not in client.get("/").content.decode()
    play(event, 2)
    winner = tables_of(event, 2)[0].seats.get(place=1).entry
    assert winner is not None
    listed, home, own = (client.get(path).content.decode() for path in pages)
    assert f'<span class="won">{winner.player.name}</span>' in listed
    assert "Round 2 complete" not in listed + home
    assert f"Champion: {winner.player.name}" in home
    assert f"Champion: {winner.player.name}" in own


@pytest.mark.thorough
def test_matches_of_an_overview_stand_under_their_rounds(client: Client) -> None:
    event = a_called_night(people=4, kind="swiss", rounds=3)
    play(event)
    draw_next(event)
    call_round(round_row=round_of(event, 2), by=event.created_by)
    page = client.get(f"/t/{event.slug}/").content.decode()
    lines = page.partition('id="lines"')[2].partition("</section>")[0]
    found = re.findall(r'<li class="of-round[^>]*>(.*?)</li>', lines, re.DOTALL)
    assert [each.strip() for each in found] == ["Round 2", "Round 1"]
