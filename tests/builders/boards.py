"""Builders for events of teams whose members sit apart: named teams, their tables, results that are not level."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.teams import teams
from tournaments.entries.people import add_list, check_in_all
from tournaments.events.create import create_tournament
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, Member, Round, Seat, Stage, Tournament
from tournaments.progress.rounds import call_round, preview_next, publish_next, waits_for_draw
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.scores.actions import Actor, submit_result

M = Match.State
NAMES = ("Cranes", "Boars", "Deer", "Geese", "Swallows", "Cuckoos")


def members(team: str, count: int) -> list[str]:
    """Return the names of a team's people, the captain first."""
    return [f"{team[:2]}{number}" for number in range(1, count + 1)]


def a_team_night(*, count: int = 4, people: int = 3, **changes: object) -> Tournament:
    """Make an event of teams that sit apart, which takes entries; everybody entered and here."""
    by = a.a_user()
    asked = {"name": "Team night", "who": "people", "kind": "swiss", "rounds": 3, "seats": 2, "boards": 3}
    plan = a.a_plan(**{**asked, **changes})
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    lines = [f"{name},{team}" for team in NAMES[:count] for name in members(team, people)]
    add_list(tournament=event, by=by, data="\n".join(["name,team", *lines]).encode())
    check_in_all(tournament=event, by=by)
    return event


def a_running_night(**changes: object) -> Tournament:
    """Make the same, started; the first round is drawn."""
    event = a_team_night(**changes)  # type: ignore[arg-type]  # by name, as the builder has them
    start_tournament(tournament=event, by=event.created_by)
    event.refresh_from_db()
    return event


def stage_of(event: Tournament) -> Stage:
    """Return the event's first stage."""
    return event.stages.select_related("tournament", "ruleset").get(order=1)


def round_of(event: Tournament, number: int) -> Round:
    """Return a round of it."""
    return Round.objects.select_related("stage__tournament").get(stage__tournament=event, number=number)


def call(event: Tournament, number: int) -> list[Match]:
    """Call a round; its tables that wait for a result."""
    call_round(round_row=round_of(event, number), by=event.created_by)
    return list(Match.objects.filter(round=round_of(event, number), state=M.CALLED).order_by("table_no"))


def enter(event: Tournament, match: Match, *points: int) -> None:
    """Enter a table as a scorer, points by seat."""
    submit_result(match=match, actor=Actor(user=event.created_by), claim=Claim(totals=points))


def play(event: Tournament, number: int) -> None:
    """Call a round and enter all of it: whose name comes first in the alphabet makes more, no two the same."""
    for match in call(event, number):
        names = [seat.player.name if seat.player else "" for seat in match.seats.order_by("index")]
        order = sorted(names)
        points = {name: 90 - 20 * order.index(name) for name in names}
        enter(event, match, *(points[name] if name else 0 for name in names))


def play_on(event: Tournament) -> None:
    """Play all rounds, drawn on as long as that goes."""
    play_on_from(event, 1)


def play_on_from(event: Tournament, first: int) -> None:
    """Play the rounds from this one on."""
    stage, number = stage_of(event), first - 1
    while True:
        while stage.rounds.filter(number=number + 1).exists():
            number += 1
            play(event, number)
        stage.refresh_from_db()
        if not waits_for_draw(stage):
            return
        seen = preview_next(stage=stage, by=event.created_by)
        if seen.plan is None:
            return
        publish_next(stage=stage, by=event.created_by, seen=seen.hash)


def draw(event: Tournament) -> Round:
    """Draw the next round from the results."""
    seen = preview_next(stage=stage_of(event), by=event.created_by)
    return publish_next(stage=stage_of(event), by=event.created_by, seen=seen.hash)


def seated(event: Tournament, number: int) -> dict[int, list[tuple[str, int, str]]]:
    """Return per table (team, board, who sits there or "") in the order of the seats."""
    found: dict[int, list[tuple[str, int, str]]] = {}
    seats = Seat.objects.filter(match__round=round_of(event, number)).order_by("match__table_no", "index")
    rows = seats.values_list("match__table_no", "entry__player__name", "board", "player__name")
    for table, team, board, player in rows:
        found.setdefault(table or 0, []).append((team or "", board or 0, player or ""))
    return found


def refusal(act: Callable[[], object]) -> str:
    """Return the code with which something is refused."""
    with pytest.raises(DomainError) as refused:
        act()
    return refused.value.code


def named(event: Tournament, name: str) -> Entry:
    """Return somebody's entry, or a team's."""
    return Entry.objects.select_related("player", "tournament").get(tournament=event, player__name=name)


__all__ = [
    "Member",
    "a_running_night",
    "a_team_night",
    "call",
    "draw",
    "enter",
    "named",
    "play",
    "play_on",
    "seated",
    "teams",
]
