"""Builders for events with rotating partners: people entered one by one, their tables, results of sides."""

from __future__ import annotations

from tests.builders import events as a
from tests.builders.clubs import NAMES
from tournaments.entries.people import add_list, check_in_all
from tournaments.events.create import create_tournament
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, Round, Seat, Stage, Tournament
from tournaments.progress.rounds import call_round, preview_next, publish_next
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.scores.actions import Actor, submit_result

MORE = ("Iku", "Jun", "Kiri", "Lani", "Momo", "Nao", "Plum", "Ran", "Sumi", "Taro")
EVERYBODY = NAMES + MORE


def a_rotating_night(*, people: int = 8, club: str = "", **changes: object) -> Tournament:
    """Make an event of people that takes entries, everybody entered and here. club: of the first two."""
    by = a.a_user()
    asked: dict[str, object] = {
        "name": "Rotating night",
        "who": "people",
        "kind": "rotation",
        "seats": 4,
        "rounds": 3,
        "options": {"rounds": 3, "teams": "2x2"},
    }
    event = create_tournament(by=by, plan=a.a_plan(**{**asked, **changes}))
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    lines = [f"{name},{club if place < 2 else ''}" for place, name in enumerate(EVERYBODY[:people])]
    add_list(tournament=event, by=by, data="\n".join(["name,club", *lines]).encode())
    check_in_all(tournament=event, by=by)
    return event


def a_running_night(**changes: object) -> Tournament:
    """Make the same, started; the first round is drawn."""
    event = a_rotating_night(**changes)  # type: ignore[arg-type]  # by name, as the builder has them
    start_tournament(tournament=event, by=event.created_by)
    event.refresh_from_db()
    return event


def stage_of(event: Tournament) -> Stage:
    """Return the event's stage."""
    return event.stages.select_related("tournament", "ruleset").get(order=1)


def round_of(event: Tournament, number: int) -> Round:
    """Return a round of it."""
    return Round.objects.select_related("stage__tournament").get(stage__tournament=event, number=number)


def tables(event: Tournament, number: int) -> list[Match]:
    """Return the tables of a round."""
    return list(Match.objects.filter(round=round_of(event, number)).order_by("table_no"))


def sides(match: Match) -> list[tuple[str, ...]]:
    """Return the names of every side of a table, in the order of seats."""
    rows = list(Seat.objects.filter(match=match).order_by("index").select_related("entry__player"))
    numbers = sorted({row.side for row in rows})
    return [tuple(str(row.entry) for row in rows if row.side == number) for number in numbers]


def play(event: Tournament, number: int) -> None:
    """Call a round; the side with the first name by the alphabet wins by 30 points for every table."""
    call_round(round_row=round_of(event, number), by=event.created_by)
    for match in tables(event, number):
        if match.state == Match.State.CALLED:
            enter(event, match)


def enter(event: Tournament, match: Match, *, absent: tuple[int, ...] = ()) -> None:
    """Enter the result of one table: 3 deals, all won by the side of the first name."""
    seated = sides(match)
    best = min(range(len(seated)), key=lambda side: min(seated[side]))
    points = tuple(300 if side == best else 210 for side in range(len(seated)))
    claim = Claim(totals=points) if not absent else Claim(absent=absent)
    submit_result(match=match, actor=Actor(user=event.created_by), claim=claim)


def draw(event: Tournament) -> Round:
    """Draw the next round, as it was previewed."""
    stage = stage_of(event)
    seen = preview_next(stage=stage, by=event.created_by)
    return publish_next(stage=stage, by=event.created_by, seen=seen.hash)


def play_out(event: Tournament, rounds: int) -> None:
    """Play all rounds."""
    for number in range(1, rounds + 1):
        if number > 1:
            draw(event)
        play(event, number)
