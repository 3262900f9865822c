"""The order that an organiser chose is the order: nothing unseen is compared before it."""

from __future__ import annotations

import importlib
import json
from html import unescape

import pytest
from django.apps import apps
from django.test import Client

from core.standings.model import EDITION
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, round_of, tables_of
from tests.tournaments.progress.test_people import draw_next
from tests.web.test_bad_input import form_of_an_event
from tournaments.events.create import create_tournament
from tournaments.interchange.clone import clone_tournament
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.matches.records.results import ranking_of
from tournaments.matches.report_bodies import Claim
from tournaments.models import Stage, Standing, Tournament
from tournaments.progress.rounds import call_round
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = pytest.mark.django_db
PARADISE = {"preset": "paradise", "seats": 2, "kind": "swiss", "rounds": 2, "options": {"rounds": 12}}


def stage_of(event: Tournament) -> Stage:
    return event.stages.select_related("tournament", "ruleset").get()


def won(*victories: int, points: tuple[int, int] = (700, 500)) -> Claim:
    return Claim(totals=points, victories=victories)


def play(event: Tournament, *claims: Claim, number: int = 1) -> None:
    for match, claim in zip(tables_of(event, number), claims, strict=True):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=claim)


def columns(event: Tournament) -> tuple[str, ...]:
    return store.fold_stage(stage_of(event)).columns


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("scoring", "chosen", "compared"),
    [
        ("round_victory", ("bh", "points"), ("victories", "bh", "points")),
        ("round_victory", (), ("victories",)),
        ("round_victory", None, ("victories", "points", "vshare")),
        ("cumulative", ("wins", "victories"), ("points", "wins", "victories")),
        ("cumulative", None, ("points", "victories")),
        ("place", ("h2h",), ("place", "h2h")),
        ("place", None, ("place",)),
    ],
)
def test_a_stage_compares_what_ranks_first_and_then_what_was_chosen(
    scoring: str, chosen: tuple[str, ...] | None, compared: tuple[str, ...]
) -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan(**PARADISE, scoring=scoring, tie_breaks=chosen))
    assert ranking_of(stage_of(event)) == compared
    assert columns(event) == compared


@pytest.mark.thorough
def test_the_first_chosen_tie_break_decides() -> None:
    """Two are level in deals won; points, which were compared unseen, would say the opposite of the seed."""
    event = a_called_night(people=4, **PARADISE, tie_breaks=("seed", "points"))
    winners = [match.seats.get(index=0).entry for match in tables_of(event)]
    seeds = [stage_of(event).stage_entries.get(entry=each).seed for each in winners]
    low, high = won(7, 5, points=(400, 300)), won(7, 5, points=(900, 800))
    play(event, *([low, high] if seeds[0] < seeds[1] else [high, low]))
    rows = list(Standing.objects.filter(stage=stage_of(event), after_round=0).order_by("row"))
    assert [line["tie_break"] for line in rows[0].explanation] == ["victories", "seed", "points"]
    assert rows[0].explanation[2]["value"] == "400"
    decided = {line["tie_break"] for row in rows for line in row.explanation if line["decided_against"]}
    assert decided == {"victories", "seed"}


@pytest.mark.thorough
def test_the_form_proposes_them_all_in_sight_and_keeps_what_is_left(client: Client) -> None:
    client.force_login(a.a_user())
    page = client.get("/t/new/?for=both").content.decode()
    assert [page.count(f'value="{each}" selected') > 0 for each in ("victories", "points", "h2h", "wins")] == [True] * 4
    answer = client.post("/t/new/", form_of_an_event(tie_breaks=["bh", "", "wins"], scoring="round_victory"))
    assert answer.status_code == 302
    stage = Stage.objects.select_related("tournament").get()
    assert ranking_of(stage) == ("victories", "bh", "wins")
    shown = unescape(client.get(answer["Location"]).content.decode())
    listed = shown[shown.index('id="ranked-by"') :].split("</dd>")[0]
    names = ["Victories", "Buchholz", "Tables won"]
    assert [listed.index(f">{name}<") for name in names] == sorted(listed.index(f">{name}<") for name in names)
    assert ">Points<" not in listed
    told = client.get(f"/api/v1/tournaments/{stage.tournament.slug}/stages").json()
    assert told["items"][0]["ranked_by"] == ["victories", "bh", "wins"]


def test_a_stage_that_had_not_begun_gets_what_was_unseen_written_into_its_list(monkeypatch: pytest.MonkeyPatch) -> None:
    # The migration reads settings where they lay at that time.
    monkeypatch.setattr(Tournament, "policies", {}, raising=False)
    by = a.a_user()
    plans = [
        a.a_plan(**PARADISE, name=name, scoring=scoring, tie_breaks=("bh", "wins"))
        for name, scoring in (("One", "cumulative"), ("Two", "round_victory"), ("Three", "place"))
    ]
    events = [create_tournament(by=by, plan=plan) for plan in plans]
    begun = create_tournament(by=by, plan=a.a_plan(**PARADISE, name="Begun", tie_breaks=("bh",)))
    Stage.objects.update(edition=1)
    Stage.objects.filter(tournament=begun).update(state=Stage.State.ACTIVE)
    before = {event.pk: ranking_of(stage_of(event)) for event in (*events, begun)}
    assert before[events[1].pk] == ("victories", "points", "vshare", "bh", "wins")
    importlib.import_module("tournaments.migrations.0029_editions_of_standings").begin_by_the_second(apps, None)
    assert {event.pk: ranking_of(stage_of(event)) for event in (*events, begun)} == before
    assert [stage_of(event).edition for event in (*events, begun)] == [2, 2, 2, 1]
    assert stage_of(events[1]).tie_breaks == ["points", "vshare", "bh", "wins"]
    assert stage_of(begun).tie_breaks == ["bh"]


@pytest.mark.slow
def test_an_event_of_before_keeps_its_tables_and_its_file_is_still_what_it_was(transactional_db: None) -> None:
    event = a_called_night(people=3, **PARADISE, tie_breaks=("bh",))
    Stage.objects.update(edition=1)
    play(event, won(8, 4))
    draw_next(event)
    call_round(round_row=round_of(event, 2), by=event.created_by)
    play(event, Claim(absent=(0,)), number=2)
    close_event(tournament=event, by=event.created_by)
    compared = ("victories", "points", "vshare", "bh")
    assert columns(event) == compared
    data = event_json(event)
    assert "edition" not in json.loads(data)["stages"][0]
    copy = import_event.write(import_event.validate_event(data), by=event.created_by, slug="copy")
    assert event_json(copy) == data
    assert stage_of(copy).edition == 1
    new = clone_tournament(tournament=event, by=event.created_by)
    assert (stage_of(new).edition, ranking_of(stage_of(new))) == (EDITION, compared)


@pytest.mark.slow
def test_a_bye_and_a_walk_over_are_worth_the_rounds_mean_of_deals_won(transactional_db: None) -> None:
    event = a_called_night(people=5, **PARADISE)
    play(event, won(7, 5), Claim(absent=(1,)))
    draw_next(event)
    rows = Standing.objects.filter(stage=stage_of(event), after_round=1)
    figures = {row.entry_id: row.explanation[0] for row in rows}
    worth = {line["terms"][0].get("note", ""): line["value"] for line in figures.values() if line["value"] != "0"}
    assert worth["bye"] == worth["unplayed"] == "6"
    assert sorted(line["value"] for line in figures.values()) == ["0", "5", "6", "6", "7"]
    call_round(round_row=round_of(event, 2), by=event.created_by)
    for match in tables_of(event, 2):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=won(6, 6))
    close_event(tournament=event, by=event.created_by)
    data = event_json(event)
    assert json.loads(data)["stages"][0]["edition"] == EDITION
    assert event_json(import_event.write(import_event.validate_event(data), by=event.created_by, slug="copy")) == data
