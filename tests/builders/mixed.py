"""Builders for events of people and bots, and what desk and workers do until nothing waits."""

from __future__ import annotations

from collections.abc import Iterable

from bots.jobs.process import Process
from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.clubs import NAMES, totals
from tests.tournaments.progress.test_advancing import GREEDY, play_on
from tournaments.entries.people import add_list, check_in_all
from tournaments.events.create import create_tournament
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, Round, Tournament
from tournaments.progress import stages
from tournaments.progress.rounds import call_round
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.scores.actions import Actor, submit_result

M = Match.State


def a_mixed_event(*, people: int = 3, bots: int = 3, **changes: object) -> Tournament:
    """Make an event of people and bots that takes entries, everybody entered and here."""
    by = a.a_user()
    plan = a.a_plan(**{"name": "Open house", "who": "both", "kind": "swiss", "rounds": 2, **changes})
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    a.entered(event, [a.a_bot(source=(a.FIRST, GREEDY)[number % 2]) for number in range(bots)])
    add_list(tournament=event, by=by, data="\n".join(NAMES[:people]).encode())
    check_in_all(tournament=event, by=by)
    return event


def a_running_mixed_event(*, people: int = 3, bots: int = 3, **changes: object) -> Tournament:
    """Make the same, started."""
    event = a_mixed_event(people=people, bots=bots, **changes)
    return start_tournament(tournament=event, by=event.created_by)


def at_tables(event: Tournament) -> list[Match]:
    """Return matches at which a person sits."""
    return [match for match in a.matches_of(event) if match.deal_set_id is None]


def of_workers(event: Tournament) -> list[Match]:
    """Return matches of bots alone."""
    return [match for match in a.matches_of(event) if match.deal_set_id is not None]


def call_all(event: Tournament) -> None:
    """Call every round that has a table to call, unless its people still sit elsewhere."""
    waiting = Round.objects.filter(stage__tournament=event, matches__state=M.READY).distinct()
    for row in waiting.select_related("stage__tournament").order_by("stage__order", "number"):
        try:
            call_round(round_row=row, by=event.created_by)
        except TournamentError as refusal:
            if refusal.code != "round.people_busy":
                raise


def enter_called(event: Tournament) -> int:
    """Enter a result as a scorer at every table that is called; the first seats win. Returns how many."""
    called = Match.objects.filter(stage__tournament=event, state=M.CALLED)
    for match in called:
        submit_result(match=match, actor=Actor(user=event.created_by), claim=result_of(match.seats_n))
    return len(called)


def result_of(seats: int) -> Claim:
    """Return totals that the rules can give, no two alike."""
    points: Iterable[int] = {2: (130, 110), 3: (100, 80, 60), 4: (75, 65, 55, 45)}[seats]
    return totals(*points)


def to_the_end(event: Tournament, process: Process) -> None:
    """Let desk and workers act in turn until nothing is left to play or to draw without hands."""
    while True:
        play_on(process)
        while stages.begin_waiting():
            play_on(process)
        event.refresh_from_db()
        if event.state != Tournament.State.RUNNING:
            return
        call_all(event)
        if not enter_called(event):
            return
