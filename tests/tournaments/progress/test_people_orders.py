"""People act at tables in any order, at once or twice: one result counts, and the standings follow from it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import DomainError
from tests.builders.clubs import a_called_night, round_of, tables_of, totals
from tests.tournaments.progress.test_people import stage_of
from tournaments.entries.people import add_person, withdraw_person
from tournaments.models import Match, ResultReport, Standing, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.rounds import call_round, preview_next, publish_next, take_back_round
from tournaments.scores.actions import Actor, accept_result, dispute_result, rule_result, submit_result
from tournaments.standings import store

M, S = Match.State, ResultReport.State
SCORES = ((130, 110), (110, 130), (120, 120), (-20, 210))

acts = st.tuples(
    st.sampled_from(
        [
            "report",
            "report",
            "accept",
            "object",
            "rule",
            "enter",
            "correct",
            "draw",
            "draw",
            "back",
            "late",
            "leave",
            "void",
        ]
    ),
    st.integers(0, 5),
    st.integers(0, 1),
    st.sampled_from(SCORES),
)


def do(event: Tournament, verb: str, table: int, side: int, score: tuple[int, int]) -> None:
    """One act at one table; what cannot be done now is refused and changes nothing."""
    matches = list(Match.objects.filter(stage__tournament=event).order_by("round__number", "table_no"))
    match, by, claim = matches[table % len(matches)], event.created_by, totals(*score)
    if verb == "report":
        submit_result(match=match, actor=Actor(side=side), claim=claim)
    elif verb == "accept":
        accept_result(match=match, actor=Actor(side=side))
    elif verb == "object":
        dispute_result(match=match, actor=Actor(side=side))
    elif verb == "rule":
        rule_result(match=match, by=by, claim=claim, reason="Seen.")
    elif verb == "enter":
        submit_result(match=match, actor=Actor(user=by), claim=claim)
    elif verb == "correct":
        seen = preview_correction(match=match, by=by, claim=claim).hash
        correct_result(match=match, by=by, claim=claim, reason="Misread.", seen=seen)
    elif verb == "void":
        void_match(match=match, by=by, reason="They left.")
    else:
        of_rounds(event, verb, table)


def of_rounds(event: Tournament, verb: str, number: int) -> None:
    """One act about rounds or people."""
    by, stage = event.created_by, stage_of(event)
    if verb == "draw":
        row = publish_next(stage=stage, by=by, seen=preview_next(stage=stage, by=by).hash)
        call_round(round_row=row, by=by) if number % 2 else None
    elif verb == "back":
        take_back_round(round_row=round_of(event, stage.rounds.count()), by=by)
    elif verb == "late":
        add_person(tournament=event, by=by, name=f"Late {number}")
    else:
        entries = list(event.entries.order_by("id"))
        withdraw_person(entry=entries[number % len(entries)], by=by)


def is_sound(event: Tournament) -> None:
    """At most one result counts, exactly where the match is confirmed; the standings are a fresh fold of those."""
    for match in Match.objects.filter(stage__tournament=event).prefetch_related("reports"):
        counted = [report for report in match.reports.all() if report.state == S.CONFIRMED]
        assert len(counted) == (match.state == M.CONFIRMED)
        versions = sorted(report.version for report in match.reports.all())
        assert versions == list(range(1, len(versions) + 1))
    assert store.differences(stage_of(event)) == []


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.timeout(240)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(acts, min_size=6, max_size=20))
def test_any_order_of_acts_keeps_results_and_standings_sound(
    sequence: list[tuple[str, int, int, tuple[int, int]]],
) -> None:
    with transaction.atomic():
        event = a_called_night(people=4, rounds=3)
        for verb, table, side, score in sequence:
            with suppress(DomainError):
                do(event, verb, table, side, score)
            is_sound(event)
        transaction.set_rollback(True)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_correction_and_its_reverse_leave_every_standing_as_it_was() -> None:
    event = a_called_night(people=4, rounds=3)
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
    shown = Standing.objects.filter(stage__tournament=event).order_by("after_round", "row")
    fields = ("after_round", "entry", "rank", "key", "explanation", "input_hash")
    before, match = list(shown.values(*fields)), tables_of(event)[0]
    for score in ((110, 130), (130, 110)):
        do(event, "correct", 0, 0, score)
    match.refresh_from_db()
    assert list(shown.values(*fields)) == before
    assert [seat.points for seat in match.seats.order_by("index")] == [130, 110]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("same", [True, False])
def test_two_phones_at_the_same_moment(same: bool) -> None:
    event = a_called_night(people=4)
    match = tables_of(event)[0]

    def send(side: int) -> None:
        try:
            claim = totals(130, 110) if same or side == 0 else totals(110, 130)
            submit_result(match=match, actor=Actor(side=side), claim=claim, key=f"phone {side}")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(send, side) for side in (0, 1)]:
            done.result()
    match.refresh_from_db()
    states = sorted(match.reports.values_list("state", flat=True))
    assert (match.state, states) == ((M.CONFIRMED, [S.CONFIRMED]) if same else (M.DISPUTED, [S.DISPUTED] * 2))
    is_sound(event)
