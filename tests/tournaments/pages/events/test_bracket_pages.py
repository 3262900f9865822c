"""The bracket page: every match drawn and to come, the same in the drawing and in the list, in few queries."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders import events as a
from tests.builders.clubs import a_called_night, totals
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.progress.test_cascade import draw_next, tables
from tests.tournaments.progress.test_people_chains import a_night, play_and_close, stage_no, strength
from tournaments.entries.people import withdraw_person
from tournaments.models import Entry, Match, Round, Stage, Standing, Tournament
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.rounds import call_round, preview_next, waits_for_draw
from tournaments.progress.stage_actions import draw_stage
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
MAX_QUERIES = 10
ALONE: dict[str, Any] = {"groups": 1, "then": (), "ways": (), "stage_name": ""}
KINDS: Any = [
    ("single_elim", 6, {"third_place": True}),
    ("double_elim", 5, {}),
    pytest.param("single_elim", 9, {"seats": 3}, marks=pytest.mark.slow),
    pytest.param("double_elim", 12, {"seats": 3}, marks=pytest.mark.slow),
]


def a_bracket(kind: str, people: int, **changes: Any) -> Stage:
    """A bracket of people, round 1 drawn."""
    event = a_night(people=people, kind=kind, min_entries=people, **{**ALONE, **changes})
    return stage_no(event, 1)


def shown(client: Client, stage: Stage, query: str = "") -> Any:
    """The one bracket of the page, which took few queries."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(f"/t/{stage.tournament.slug}/bracket/{query}")
    assert answer.status_code == 200
    assert len(queries) <= MAX_QUERIES, len(queries)
    assert len(answer.content) < 60_000
    assert "data-live" in answer.content.decode() or stage.tournament.state == Tournament.State.FINISHED
    return answer.context["brackets"][0]


def enter(stage: Stage, match: Match) -> None:
    """The better seed is first, and so on down."""
    seeds = strength(match)
    order = sorted(seeds)
    most = 100 if len(seeds) == 2 else 90  # at a table of four all cards together are 240
    points = tuple(most - 20 * order.index(seed) for seed in seeds)
    submit_result(match=match, actor=Actor(user=stage.tournament.created_by), claim=totals(*points))


def call(stage: Stage, number: int) -> None:
    row = Round.objects.select_related("stage__tournament").get(stage=stage, number=number)
    call_round(round_row=row, by=stage.tournament.created_by)


def test_an_emblem_stands_clear_of_the_number_in_the_draw() -> None:
    stage = a_bracket("single_elim", 4)
    page = as_one(None).get(f"/t/{stage.tournament.slug}/bracket/").content.decode()
    ends = {int(x) for x in re.findall(r'class="seed" x="(\d+)"', page)}
    begins = {int(x) for x in re.findall(r'class="face"><use [^>]* x="(\d+)"', page)}
    assert min(begins) - max(ends) >= 8


def is_whole(bracket: Any, stage: Stage) -> None:
    """Drawing and list have the same matches with the same people and figures; every row is linked once."""
    listed = {line.id: line for each in bracket.rounds for line in each.lines}
    drawn = {one.said.id: one for one in bracket.boxes}
    assert listed.keys() == drawn.keys()
    for name, one in drawn.items():
        seated = [seat.name for _top, _base, seat, _short in one.lines]
        assert sorted(seated) == sorted(seat.name for seat in listed[name].seats)
        assert one.said.text == listed[name].text != ""
    rows = [line.row.pk for line in listed.values() if line.row is not None]
    open_or_over = Match.objects.filter(stage=stage).exclude(state="void").values_list("pk", flat=True)
    assert sorted(rows) == sorted(open_or_over)
    places = [(box.x, box.y, box.height) for box in (one.box for one in bracket.boxes)]
    for x, y, height in places:
        assert [each for each in places if each[0] == x and y <= each[1] < y + height] == [(x, y, height)]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "people", "changes"), KINDS)
def test_a_bracket_is_whole_from_its_draw_to_its_champion(kind: str, people: int, changes: dict[str, Any]) -> None:
    stage = a_bracket(kind, people, **changes)
    event, client, number = stage.tournament, as_one(None), 1
    is_whole(shown(client, stage), stage)
    while True:
        call(stage, number)
        for match in tables(stage, number):
            enter(stage, match)
        number += 1
        if not waits_for_draw(stage) or preview_next(stage=stage, by=event.created_by).plan is None:
            break
        draw_next(stage)
        is_whole(shown(client, stage), stage)
    bracket = shown(client, stage)
    is_whole(bracket, stage)
    best = Standing.objects.select_related("entry__player").get(stage=stage, after_round=0, row=1)
    assert bracket.champion == best.entry.player.name == "Player 001"
    text = client.get(f"/t/{event.slug}/bracket/").content.decode()
    assert "Champion: Player 001" in text
    assert "Player 001 wins the bracket" in text
    assert ("Third place" in text) == bool(changes.get("third_place"))


@pytest.mark.thorough
def test_words_say_who_beat_whom_and_where_everybody_goes() -> None:
    stage = a_bracket("single_elim", 4)
    before = {line.id: line.text for each in shown(as_one(None), stage).rounds for line in each.lines}
    assert before["W2:1"] == "winner of Semi-final 1 against winner of Semi-final 2"
    call(stage, 1)
    enter(stage, tables(stage, 1)[0])
    said = {line.id: (line.title, line.text) for each in shown(as_one(None), stage).rounds for line in each.lines}
    title, text = said["W1:1"]
    assert title == "Semi-final 1"
    assert text == "Player 001 beat Player 004 100 : 80; Player 001 goes to Final; Player 004 is out"
    assert said["W2:1"] == ("Final", "Player 001 against winner of Semi-final 2")


@pytest.mark.thorough
def test_who_leaves_while_the_first_round_is_on_stays_in_the_drawing() -> None:
    stage = a_bracket("single_elim", 8)
    call(stage, 1)
    names = {seat.name for one in shown(as_one(None), stage).boxes for seat in one.said.seats if seat.is_known}
    gone = Entry.objects.get(tournament=stage.tournament, player__name="Player 003")
    withdraw_person(entry=gone, by=stage.tournament.created_by)
    after = {seat.name for one in shown(as_one(None), stage).boxes for seat in one.said.seats if seat.is_known}
    assert names == after
    assert len(names) == 8


@pytest.mark.slow
def test_a_correction_moves_who_goes_on() -> None:
    stage = a_bracket("single_elim", 4)
    by = stage.tournament.created_by
    call(stage, 1)
    for match in tables(stage, 1):
        enter(stage, match)
    match = tables(stage, 1)[0]
    claim = totals(*(80 if seed == min(strength(match)) else 100 for seed in strength(match)))
    seen = preview_correction(match=match, by=by, claim=claim, version=None, then="keep").hash
    correct_result(match=match, by=by, claim=claim, version=None, reason="Misread.", seen=seen, then="keep")
    said = {line.id: line.text for each in shown(as_one(None), stage).rounds for line in each.lines}
    assert said["W2:1"].startswith("Player 004 against")


@pytest.mark.slow
def test_a_large_bracket_is_listed_round_by_round_and_asks_no_more() -> None:
    counts = []
    for people in (8, 80):
        stage = a_bracket("double_elim", people, max_entries=128, name=f"Of {people}")
        with CaptureQueriesContext(connection) as queries:
            answer = as_one(None).get(f"/t/{stage.tournament.slug}/bracket/")
        counts.append(len(queries))
    bracket = answer.context["brackets"][0]
    assert (bracket.drawing, [each.label for each in bracket.rounds]) == (None, ["W1"])
    assert len(answer.content) < 60_000
    assert [each.label for each in shown(as_one(None), stage, "?round=L3").rounds] == ["L3"]
    assert as_one(None).get(f"/t/{stage.tournament.slug}/bracket/?round=L99").status_code == 404
    assert counts[1] <= counts[0] + 1  # names of who has no table in the first round


@pytest.mark.slow
def test_pools_lead_to_the_bracket_of_the_event_and_other_events_have_none() -> None:
    event = a_night()
    client, here = as_one(None), f"/t/{event.slug}/bracket/"
    assert "drawn when its stage starts" in client.get(here).content.decode()
    assert client.get(f"{here}?stage=1").status_code == 404
    play_and_close(event, 1)
    draw_stage(tournament=event, by=event.created_by, order=2)
    page = client.get(here)
    assert len(page.context["brackets"][0].boxes) == 3
    assert here in client.get(f"/t/{event.slug}/").content.decode()
    other = a_called_night(people=4, name="No bracket")
    assert client.get(f"/t/{other.slug}/bracket/").status_code == 404
    assert "/bracket/" not in client.get(f"/t/{other.slug}/").content.decode()
    private = a_bracket("single_elim", 4, visibility="private", name="Hidden")
    assert client.get(f"/t/{private.tournament.slug}/bracket/").status_code == 404


def test_bots_have_brackets_too() -> None:
    event = a.a_running_event(bots=5, kind="single_elim", min_entries=4)
    stage = event.stages.select_related("tournament", "ruleset").get()
    bracket = shown(as_one(None), stage)
    assert len(bracket.boxes) == 7
    assert sum(line.row is not None for each in bracket.rounds for line in each.lines) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["single_elim", "double_elim"])
def test_every_column_of_a_phone_begins_at_the_top(kind: str) -> None:
    bracket = shown(as_one(None), a_bracket(kind, 6))
    spots = [one.spot for one in bracket.boxes] + [spot for _x, _y, _name, spot in bracket.heads]
    assert len(set(spots)) == len(spots)
    assert {spot.split()[0] for spot in spots if spot.endswith(" k0")} == {spot.split()[0] for spot in spots}


@pytest.mark.thorough
def test_an_emblem_stands_beside_everybody_who_is_known_in_the_drawing() -> None:
    stage = a_bracket("single_elim", 6)
    bracket = shown(as_one(None), stage)
    known = [seat for one in bracket.boxes for seat in one.said.seats if seat.is_known]
    assert known
    assert all(seat.player is not None and seat.player.name == seat.name for seat in known)
    page = as_one(None).get(f"/t/{stage.tournament.slug}/bracket/").content.decode()
    drawing = page[page.index('<svg class="bracket ') : page.index("</svg>", page.index('<svg class="bracket '))]
    assert drawing.count("emblems") == len(known)


@pytest.mark.thorough
@pytest.mark.parametrize(("people", "width"), [(8, 1068), (16, 1070)])
def test_the_champion_of_a_bracket_stands_on_the_page(client: Client, people: int, width: int) -> None:
    """A page is 1072 px wide."""
    bracket = shown(client, a_bracket("single_elim", people))
    assert bracket.drawing.width == width
    assert bracket.best.x + bracket.drawing.grid.box == width
