"""Any order of leaving, coming back, sitting out, arriving late and not coming, over a Swiss of five rounds."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import TournamentError
from tests.builders.clubs import a_club_night, round_of, tables_of, totals
from tests.tournaments.progress.test_people import draw_next, stage_of
from tournaments.entries.people import add_person, withdraw_person
from tournaments.matches.byes import requested_byes_in
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, Standing, Tournament
from tournaments.presence.returning import bring_back
from tournaments.presence.settings import choose_presence
from tournaments.presence.sitting_out import play_rounds, sit_out_rounds
from tournaments.presence.substitutes import replace_person
from tournaments.progress.rounds import call_round, preview_next
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(600)]
ROUNDS = 5
VERBS = ("leave", "back", "rest", "play", "late", "absent", "replace")
DEEDS = st.lists(st.tuples(st.sampled_from(VERBS), st.integers(0, 9), st.integers(1, ROUNDS)), max_size=5)
POLICIES = st.fixed_dictionaries(
    {
        "bye_worth": st.sampled_from(("0", "1/2", "1")),
        "bye_limit": st.integers(0, 3),
        "late_worth": st.sampled_from(("0", "1/2")),
        "walkover": st.sampled_from(("mean", "full", "share")),
        "no_show_limit": st.integers(0, 2),
        "substitutes_keep_points": st.booleans(),
    }
)


def do(event: Tournament, number: int, verb: str, who: int, when: int) -> None:
    """Do something about somebody, if it is possible now. number: of the round that is on."""
    by, entries = event.created_by, list(event.entries.select_related("player", "tournament").order_by("pk"))
    entry = entries[who % len(entries)]
    with suppress(TournamentError):
        if verb == "leave":
            withdraw_person(entry=entry, by=by)
        elif verb == "back":
            bring_back(entry=entry, by=by)
        elif verb == "rest":
            sit_out_rounds(entry=entry, by=by, first=when)
        elif verb == "play":
            play_rounds(entry=entry, by=by, first=when)
        elif verb == "late":
            add_person(tournament=event, by=by, name=f"Late {len(entries)}")
        elif verb == "replace":
            replace_person(entry=entry, by=by, name=f"Instead {len(entries)}")
        else:
            match = Match.objects.filter(round__number=number, stage__tournament=event, seats__entry=entry).first()
            if match is not None and match.state == Match.State.CALLED:
                side = match.seats.get(entry=entry).side
                submit_result(match=match, actor=Actor(user=by), claim=Claim(absent=(side,)))


def played_of(event: Tournament, up_to: int) -> dict[tuple[int, str], list[Any]]:
    """What every entry has from each round so far, by the explanation of its points.

    Rounds in which nobody played are left out: they are worth the mean of all rounds, so they follow later ones.
    """
    tables = Match.objects.filter(stage=stage_of(event), round__number__lte=up_to).prefetch_related("seats")
    played = {
        match.round.number for match in tables if match.round and all(not seat.fault for seat in match.seats.all())
    }
    rows = Standing.objects.filter(stage=stage_of(event), after_round=0)
    found: dict[tuple[int, str], list[Any]] = {}
    for row in rows:
        line = next(each for each in row.explanation if each["tie_break"] == "points")
        for term in line["terms"]:
            if term["round"] in played:
                found.setdefault((row.entry_id, str(term["round"])), []).append(term["amount"])
    return found


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(DEEDS, min_size=ROUNDS, max_size=ROUNDS), POLICIES)
def test_any_order(db: None, deeds: list[list[tuple[str, int, int]]], policies: dict[str, Any]) -> None:
    event = a_club_night(people=7, rounds=ROUNDS, name=f"Night {Tournament.objects.count()}")
    choose_presence(tournament=event, by=event.created_by, wanted=policies)
    start_tournament(tournament=event, by=event.created_by)
    before: dict[tuple[int, str], list[Any]] = {}
    for number in range(1, ROUNDS + 1):
        if number > 1:
            if preview_next(stage=stage_of(event), by=event.created_by).plan is None:
                break  # fewer than two are left
            draw_next(event)
        row = round_of(event, number)
        seated = [entry for pod in row.plan["pods"] for entry in pod["seats"]] + row.plan["byes"]
        assert len(seated) == len(set(seated))
        resting = {entry for entry, rounds in requested_byes_in(stage_of(event)).items() if number in rounds}
        gone = event.entries.exclude(state=Entry.State.ACTIVE).values_list("uuid", flat=True)
        assert not set(seated) & (resting | {str(uuid) for uuid in gone})
        call_round(round_row=row, by=event.created_by)
        for verb, who, when in deeds[number - 1]:
            do(event, number, verb, who, when)
        for match in tables_of(event, number):
            if match.state not in (Match.State.CONFIRMED, Match.State.VOID):
                submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
        now = played_of(event, number)
        assert {key: now[key] for key in before} == before
        before = now
        assert store.differences(stage_of(event)) == []
