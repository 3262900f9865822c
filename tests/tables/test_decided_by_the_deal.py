"""A match that its deal decides: a lucky hand ends Koi-Koi of one deal before anybody is asked for anything."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from engine.deck import commitment
from engine.record import verify
from engine.record_fair import nonce_hash, seed_from
from tables.actions.dealing import show_nonce
from tables.actions.folding import own_clock, rules_of
from tables.actions.opening import TablePlan, open_table, sit_down
from tables.actions.sitters import Sitter
from tables.events.seats import sit_reserved
from tables.jobs.levels import version_of_level
from tables.jobs.sweep import sweep
from tables.models import LiveTable
from tables.play.fold import begin
from tables.play.shuffle import Nonce, of_browser
from tables.programs.calls import Calls
from tables.programs.challenges import accept, challenge
from tables.programs.lines import Line
from tables.programs.playing import Turns
from tables.programs.registry import sitter_for
from tests.builders.clubs import tables_of
from tests.services.databases import on_both
from tests.tables.players import again, guest, nonce_of
from tests.tables.programs.building import a_plan, a_program
from tests.tables.test_events import on_site, table_at

pytestmark = [pytest.mark.django_db, on_both]
PLAN = TablePlan(preset="koikoi_nintendo", seats=2, options={"rounds": 1})


def hidden(seat: int) -> Nonce:
    return of_browser(nonce_hash(nonce_of(seat)))


def make_lucky(table: LiveTable) -> None:
    """Give a full table a secret with which its nonces deal somebody a lucky hand: about one of seventy does."""
    seats = list(table.seats.order_by("index"))
    nonces = [seat.nonce or nonce_of(seat.index) for seat in seats]
    for number in range(10_000):
        secret = number.to_bytes(32, "big")
        seed = seed_from(secret, nonces, table.deal_set)
        match = begin(rules_of(table), table.seats_n, seed, own_clock(table), timezone.now()).match
        # Of some seeds both hands are lucky: then nobody wins.
        if match.is_over and len(set(match.result().rank)) > 1:
            LiveTable.objects.filter(pk=table.pk).update(secret=secret, commitment=commitment(secret))
            return
    raise AssertionError("no secret deals a lucky hand")


def show_all(table: LiveTable, people: list[Sitter]) -> None:
    """Show the nonces of everybody who sits at seats 0, 1, ...; the last one deals."""
    for number, person in enumerate(people):
        show_nonce(table, person, nonce_of(number))


def a_lucky_table(captured: Any, plan: TablePlan = PLAN, *, is_recorded: bool = True) -> tuple[LiveTable, list[Sitter]]:
    """A table at which everybody sits and the deal has just decided the match."""
    people = [guest("Plum"), guest("Crane")][: 2 - len(plan.bots)]
    with captured(execute=is_recorded):
        table = open_table(people[0], plan, hidden(0))
        for person in people[1:]:
            sit_down(table, person, hidden(1))
        make_lucky(table)
        show_all(table, people)
    return again(table), people


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("is_with_bot", [False, True])
def test_the_match_is_over_and_recorded(is_with_bot: bool, django_capture_on_commit_callbacks: Any) -> None:
    plan = replace(PLAN, bots=[version_of_level("1")]) if is_with_bot else PLAN
    table, _people = a_lucky_table(django_capture_on_commit_callbacks, plan)
    assert (table.state, table.answered, table.deadline_at, table.bot_asked_at) == ("finished", 0, None, None)
    assert table.finished_at == table.dealt_at
    assert table.match is not None
    report = table.match.reports.get()
    assert report.record is not None
    document = json.loads(report.record.data())
    assert verify(document).ok
    assert document["record"]["result"]["rank"] != [1, 1]


def test_the_page_shows_the_result(django_capture_on_commit_callbacks: Any, client: Client) -> None:
    table, _people = a_lucky_table(django_capture_on_commit_callbacks)
    view = client.get(f"/play/{table.uuid}/view/").json()
    assert (view["state"], view["turn"]) == ("finished", None)
    assert view["result"] is not None
    assert client.get(f"/m/{table.uuid}/").status_code == 200


@pytest.mark.thorough(keep=1)
def test_a_match_of_an_event_counts(django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        match = tables_of(on_site(options={"rounds": 1}))[0]
    table, people = table_at(match), [guest("Plum"), guest("Crane")]
    with django_capture_on_commit_callbacks(execute=True):
        for number, person in enumerate(people):
            sit_reserved(table, person, hidden(number), [number])
        make_lucky(table)
        show_all(table, people)
    match.refresh_from_db()
    assert (again(table).state, match.state) == ("finished", "confirmed")


@pytest.mark.thorough(keep=1)
def test_programs_are_told_of_the_table_and_its_end(django_capture_on_commit_callbacks: Any) -> None:
    plum, crane = a_program("Plum"), a_program("Crane")
    sitters = [sitter_for(plum), sitter_for(crane)]
    calls = [Calls(plum), Calls(crane)]
    with django_capture_on_commit_callbacks(execute=True):
        plan = a_plan(options={"rounds": 1})
        table = challenge(sitters[0], [crane], plan, hidden(0), program=plum)
        assert [[line.type for line in call.fresh()] for call in calls] == [[], ["challenge"]]
        accept(table.challenges.get().uuid, crane, hidden(1))
        make_lucky(table)
        show_all(table, sitters)
    for call in calls:
        told = call.fresh()
        assert [line.type for line in told if line.type != "challenge_end"] == ["table_start", "table_end"]
        assert told[-1].content["state"] == "finished"
        assert call.fresh() == []
    turns: list[Line] = Turns(plum, table.uuid).fresh()
    assert [line.type for line in turns] == ["hello", "end"]


def test_a_table_that_waits_for_nobody_since_an_earlier_version_is_ended_by_the_sweep(
    django_capture_on_commit_callbacks: Any,
) -> None:
    table, _people = a_lucky_table(django_capture_on_commit_callbacks, is_recorded=False)
    LiveTable.objects.filter(pk=table.pk).update(state="playing", finished_at=None)
    import_module("tables.migrations.0006_tables_decided_by_their_deal").wake_tables(apps, None)
    with django_capture_on_commit_callbacks(execute=True):
        sweep()
    assert (again(table).state, again(table).reason) == ("finished", "")
    assert again(table).match is not None
