"""What pages of an event show first: the deciding column, matches to open, people to check in, each thing once."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from tests.builders import events as a
from tests.builders import rotating
from tests.builders.clubs import a_called_night, tables_of
from tests.builders.ladders import a_ladder
from tests.builders.leagues import League
from tests.tournaments.progress.test_people import finish_round
from tournaments.events.create import create_tournament
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Tournament
from tournaments.progress.run import open_registration, publish_tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings.entry_records import records_of
from web.presets import ladder_name

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_a_crosstable_shows_the_figure_that_orders_it(client: Client) -> None:
    event = a_called_night(people=8, rounds=2)
    finish_round(event)
    page = client.get(f"/t/{event.slug}/crosstable/").content.decode()
    (ranked_by,) = re.findall(r"In the order of the standings: (\w+)\.", page)
    heads = re.findall(r'<th scope="col" class="sum">\s*(\w+)\s*<span class="sub">\s*([\w ]+?)\s*</span>', page)
    assert heads == [("Sum", "of the row"), (ranked_by, "for the rank")]
    shown = [int(each) for each in re.findall(r'<td class="sum"><strong>(-?\d+)</strong></td>', page)]
    assert len(shown) == 8
    assert shown == sorted(shown, reverse=True)


@pytest.mark.thorough
def test_a_crosstable_says_why_a_side_with_fewer_points_finished_above(client: Client) -> None:
    options = {"rounds": 12}
    event = a_called_night(people=4, rounds=1, preset="paradise", seats=2, scoring="round_victory", options=options)
    table, _other = tables_of(event)
    won = Claim(totals=(1100, 1200), victories=(7, 5))
    submit_result(match=table, actor=Actor(user=event.created_by), claim=won)
    page = " ".join(client.get(f"/t/{event.slug}/crosstable/").content.decode().split())
    assert re.findall(r'<td class="is-won".*?<span class="sub">(.*?)</span>', page) == ["7:5"]
    assert ", 7 : 5, 1100 : 1200 pts" in page
    assert "deals won, which decide" in page


@pytest.mark.thorough
def test_entries_count_what_was_won_outright_as_the_standings_do() -> None:
    event = a_called_night(people=4)
    one, other = tables_of(event)
    submit_result(match=one, actor=Actor(user=event.created_by), claim=Claim(totals=(130, 110)))
    submit_result(match=other, actor=Actor(user=event.created_by), claim=Claim(totals=(120, 120)))
    found = records_of(one.stage, list(Entry.objects.filter(tournament=event)), is_drawn=True)
    assert sorted((record.won, record.played) for record in found.values()) == [(0, 1)] * 3 + [(1, 1)]


def test_partners_of_one_round_both_win_its_table() -> None:
    event = rotating.a_running_night(people=4)
    rotating.play(event, 1)
    found = records_of(rotating.stage_of(event), list(Entry.objects.filter(tournament=event)), is_drawn=True)
    assert sorted((record.won, record.played) for record in found.values()) == [(0, 1)] * 2 + [(1, 1)] * 2


@pytest.mark.thorough
def test_a_bracket_has_places_and_no_figure_that_did_not_decide(client: Client) -> None:
    event = a_called_night(people=4, kind="single_elim", rounds=1)
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=Claim(totals=(130, 110)))
    page = client.get(f"/t/{event.slug}/").content.decode()
    top = page[page.index('<section id="top"') :].partition("</section>")[0]
    assert top.count("<tr") == 1 + 4
    assert 'class="num"' not in top


@pytest.mark.thorough
def test_a_paused_event_is_not_called_live(client: Client) -> None:
    event = a_called_night(people=4)
    assert "Live, updated" in client.get(f"/t/{event.slug}/").content.decode()
    Tournament.objects.filter(pk=event.pk).update(state="paused")
    page = client.get(f"/t/{event.slug}/").content.decode()
    assert "Live, updated" not in page
    assert "The event is paused; updated" in page
    bar = page.partition('<span class="word">')[2].partition("</span>")[0]
    assert bar.strip() == "Event paused"


def test_a_table_of_a_finished_round_is_one_link_and_the_rounds_have_no_checks(league: League, client: Client) -> None:
    page = client.get(f"/t/{league.finished.slug}/rounds/").content.decode()
    tabs = re.findall(r'<nav class="tabs" data-sideways id="round-list".*?</nav>', page, re.DOTALL)
    assert all("#check" not in each for each in tabs)
    for table in re.findall(r'<table class="legs">.*?</table>', page, re.DOTALL):
        assert len(re.findall(r'<a class="go" href="/m/', table)) == 1
        assert '<thead class="sr">' in table


def test_an_organiser_adds_people_in_one_line_within_their_frame(client: Client) -> None:
    by = a.a_user()
    event = create_tournament(by=by, plan=a.a_plan(name="Club night", who="people", kind="swiss", rounds=2))
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    client.force_login(by)
    here = f"/t/{event.slug}"
    page = client.get(f"{here}/entries/").content.decode()
    assert '<nav class="rail"' in page
    assert "<strong>0</strong>/64" in page
    assert re.search(r"<details open>\s*<summary>Paste a list", page)
    answer = client.post(f"{here}/desk/add/", {"name": "Aiko"})
    assert answer.headers["Location"] == f"{here}/entries/#add-name"
    page = client.get(f"{here}/entries/").content.decode()
    assert re.search(r"<details>\s*<summary>Paste a list", page)
    refused = client.post(f"{here}/desk/add/", {"name": "Aiko"}).content.decode()
    assert re.search(r'id="add-name"[^>]*value="Aiko"[^>]*aria-invalid', refused)
    client.logout()
    assert 'class="rail"' not in client.get(f"{here}/entries/").content.decode()


@pytest.mark.thorough
def test_the_page_of_a_result_belongs_to_tournaments_and_has_one_picture_for_a_state(client: Client) -> None:
    event = a_called_night(people=4)
    finish_round(event)
    client.force_login(event.created_by)
    page = client.get(f"/m/{tables_of(event)[0].uuid}/result/").content.decode()
    bar = page[page.index('<nav class="nav"') : page.index("</nav>")]
    assert re.findall(r'aria-current="true">\s*<svg.*?</svg>(\w+)</a>', bar) == ["Tournaments"]
    assert re.search(r'<p class="here" aria-hidden="true">Table \d+</p>', page)
    states = re.findall(r'<span class="state ok">.*?#(\w+)".*?</svg>confirmed</span>', page)
    assert set(states) == {"check"}
    assert len(states) == 2


@pytest.mark.thorough
def test_the_month_of_the_ladders_is_said_once(client: Client) -> None:
    event = a_ladder(name=ladder_name("hawaii", datetime(2026, 11, 1, tzinfo=UTC)))
    page = client.get("/t/").content.decode()
    section = page[page.index('<section class="ladders"') :].partition("</section>")[0]
    assert section.count("November 2026") == 1
    assert re.search(rf'<a href="/t/{event.slug}/">Hawaii</a>', section)
