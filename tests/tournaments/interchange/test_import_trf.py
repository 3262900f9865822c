"""FIDE reports become events: the same report comes out again, and an event that is not over goes on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from core.formats.model import Seats
from core.interchange import trf
from core.interchange.model import Away, Event, Game, Mark, Player, UnplayedRound
from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, person, round_of, tables_of, totals
from tests.builders.soundness import faults_of
from tests.core.formats.next_plan import plan as plan_next
from tests.core.formats.simulation import Simulation
from tests.core.interchange.checker import verdict
from tests.core.interchange.planner_input import planner_input
from tests.core.interchange.test_trf import exported
from tests.tournaments.progress.test_people import draw_next, finish_round, refused, stage_of
from tournaments.entries.people import add_person, withdraw_person
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.interchange.imports.trf_actions import Wanted, import_report, validate_trf
from tournaments.interchange.reports import trf_of
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, Round, Standing, Tournament
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.rounds import call_round, preview_next
from tournaments.progress.run import resume_tournament
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db


def imported(data: bytes, **wanted: object) -> Tournament:
    return import_report(by=a.a_user(), checked=validate_trf(data), wanted=Wanted(**wanted))  # type: ignore[arg-type]  # words of a test


def report(event: Tournament) -> bytes:
    return trf.encode(trf_of(stage_of(event)))


def a_simulated_report(count: int, rounds: int, seed: int, bye: Fraction = Fraction(1)) -> bytes:
    return trf.encode(trf.write(exported(Simulation("dutch", count, rounds, seed, bye=bye).play())))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "rounds", "seed", "bye"),
    [(8, 5, 1, Fraction(1)), (13, 6, 3, Fraction(1)), (15, 5, 7, Fraction(1, 2)), (20, 7, 4, Fraction(0))],
)
def test_a_simulated_event_comes_out_as_it_went_in(
    count: int, rounds: int, seed: int, bye: Fraction, tmp_path: Path
) -> None:
    """Byes, withdrawals, late entries and rests: the same report, accepted by the checker; nothing was left out."""
    data = a_simulated_report(count, rounds, seed, bye)
    judged = validate_trf(data)
    assert judged.reading.remarks == ()
    event = imported(data, sign=True)
    assert event.state == Tournament.State.FINISHED
    assert event.visibility == Tournament.Visibility.UNLISTED
    assert report(event) == data
    assert report(imported(report(event), sign=True)) == data
    assert faults_of(event) == []
    path = tmp_path / "again.trf"
    path.write_bytes(report(event))
    assert verdict(path).passed


@pytest.mark.slow
def test_a_night_of_ours_comes_back_with_its_ratings_ranks_and_open_tables() -> None:
    """Ranks by lots, which a report cannot name, are kept as well, until a result is another."""
    event = a_called_night(people=7, scoring="place", kind="dutch", rounds=3, tie_breaks=("bh", "lots"))
    by = event.created_by
    tables = tables_of(event)
    submit_result(match=tables[0], actor=Actor(user=by), claim=Claim(absent=(1,)))
    submit_result(match=tables[1], actor=Actor(user=by), claim=totals(100, 100))
    finish_round(event)
    withdraw_person(entry=person(event, "Dai"), by=by)
    add_person(tournament=event, by=by, name="José Ibarra")
    draw_next(event)
    ratings = {str(person(event, "Ben").uuid): 1800.0}
    event.stages.update(seeding="rating", seeding_ratings=ratings)
    data = report(event)
    assert b"1800" in data
    assert b"212 PTS,BH\n" in data
    copy = imported(data, kind="dutch")
    assert copy.state == Tournament.State.PAUSED
    assert report(copy) == data
    assert faults_of(copy) == []
    assert Match.objects.filter(stage__tournament=copy, state=Match.State.READY).count() == len(tables_of(event, 2))
    copied = imported(report(copy))
    assert report(copied) == data


@pytest.mark.slow
def test_an_imported_event_goes_on_by_the_same_rules() -> None:
    """The next round is the one that the planner draws from the file alone; results, a correction, the end."""
    data = a_simulated_report(13, 6, 3)
    read = validate_trf(data).event
    games = tuple(game for game in read.games if game.round < 6)
    cut = replace(read, games=games, unplayed=tuple(rest for rest in read.unplayed if rest.round < 6))
    judged = validate_trf(trf.encode(trf.write(cut)))
    event = import_report(by=a.a_user(), checked=judged, wanted=Wanted())
    by = event.created_by
    resume_tournament(tournament=event, by=by)
    drawn = preview_next(stage=stage_of(event), by=by).plan
    known = planner_input(judged.event, absent=judged.absent)
    wanted = plan_next(
        "dutch", known.entrants, 6, Seats(2, 2, 2), "any", history=known.history, finished=known.finished
    )
    numbers = {str(entry.uuid): f"{entry.seed:04}" for entry in Entry.objects.filter(tournament=event)}
    assert drawn is not None
    assert {tuple(numbers[each] for each in pod.seats) for pod in drawn.pods} == {pod.seats for pod in wanted.pods}
    draw_next(event)
    call_round(round_row=round_of(event, 6), by=by)
    finish_round(event, 6)
    first = next(match for match in tables_of(event) if match.state == Match.State.CONFIRMED)
    seen = preview_correction(match=first, by=by, claim=totals(30, 80))
    correct_result(match=first, by=by, claim=totals(30, 80), reason="The report had it wrong.", seen=seen.hash)
    assert faults_of(event) == []
    close_event(tournament=event, by=by)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED


@pytest.mark.thorough
def test_a_finished_import_travels_as_json_too() -> None:
    event = imported(a_simulated_report(9, 5, 2), sign=True)
    data = event_json(event)
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="again")
    assert event_json(copy) == data
    assert report(copy) == report(event)


def test_half_and_full_point_byes_count_and_announced_ones_are_kept() -> None:
    players = tuple(Player(at, f"Plum {at}") for at in range(1, 6))
    games = (Game(1, 1, 2, (Mark.WON, Mark.LOST)), Game(1, 3, 4, (Mark.DREW, Mark.DREW)))
    rests = (UnplayedRound(1, 5, Away.FULL), UnplayedRound(2, 3, Away.HALF))
    event = imported(trf.encode(trf.write(Event("Autumn open", players, games, rests, 3))))
    points = dict(Standing.objects.filter(stage__tournament=event, after_round=1).values_list("entry__seed", "key__0"))
    assert points == {1: "1", 2: "0", 3: "1/2", 4: "1/2", 5: "1"}
    resume_tournament(tournament=event, by=event.created_by)
    draw = preview_next(stage=stage_of(event), by=event.created_by)
    assert draw.plan is not None


def test_a_list_of_players_becomes_a_draft() -> None:
    event = imported(b"012 Winter open\nXXR 5\n001    1      Kimo\n001    2      Lani\n")
    assert event.state == Tournament.State.DRAFT
    assert [entry.player.name for entry in event.entries.order_by("seed")] == ["Kimo", "Lani"]
    assert stage_of(event).rounds_planned == 5
    assert not Round.objects.filter(stage__tournament=event).exists()


@pytest.mark.thorough
def test_a_round_robin_comes_back_whole_or_not_at_all() -> None:
    event = a_called_night(people=5, kind="round_robin", scoring="place")
    finish_round(event)
    data = report(event)
    assert b"092 Individual: Round-Robin" in data
    copy = imported(data)
    assert stage_of(copy).kind == "round_robin"
    assert report(copy) == data
    cut = trf.read(data.decode("latin-1"))
    some = replace(cut, games=cut.games[:3], unplayed=())
    with refused("trf.kind"):
        imported(trf.encode(trf.write(some)))


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"preset": "oibana"}, "tournament.bad_preset"),
        ({"kind": "lives"}, "tournament.bad_kind"),
        ({"rounds": 2}, "tournament.bad_rounds"),
        ({"rounds": 10**9}, "tournament.bad_rounds"),
        ({"name": "x"}, "tournament.name_invalid"),
        ({"left": [99]}, "trf.left"),
    ],
)
def test_what_cannot_be_wanted_is_refused_and_nothing_is_written(wanted: dict[str, object], code: str) -> None:
    data = a_simulated_report(8, 5, 1)
    with refused(code):
        imported(data, **wanted)
    assert not Tournament.objects.exists()
    assert not Entry.objects.exists()


def test_too_many_players_and_bytes_are_refused() -> None:
    lines = "".join(f"001 {at:>4}      Plum {at}\n" for at in range(1, 600))
    with pytest.raises(DomainError, match="players"):
        validate_trf(lines.encode())
    with refused("trf.too_large"):
        validate_trf(b" " * (2 * 1024 * 1024 + 1))


@pytest.mark.thorough
def test_the_command_says_what_is_left_out_and_imports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    owner = a.a_user("plum")
    path = tmp_path / "event.trf"
    data = a_simulated_report(8, 5, 1)
    path.write_bytes(b"022 Hilo\r\n" + data.replace(b"\n", b"\r\n"))
    call_command("import_trf", str(path), "--owner", "plum", "--check")
    said = capsys.readouterr().out
    assert "line 1: Left out: record 022, the town" in said
    assert not Tournament.objects.exists()
    call_command("import_trf", str(path), "--owner", "plum", "--preset", "paradise", "--sign")
    event = Tournament.objects.get()
    assert event.slug in capsys.readouterr().out
    assert (event.created_by, event.state) == (owner, Tournament.State.FINISHED)
    assert stage_of(event).preset == "paradise"
    assert report(event) == data
    path.write_bytes(data.replace(b" w 1", b" w ?", 1))
    with pytest.raises(CommandError, match=r"trf\.line: Line \d+"):
        call_command("import_trf", str(path), "--owner", "plum")
    with pytest.raises(CommandError, match="nobody"):
        call_command("import_trf", str(path), "--owner", "nobody")
