"""Reports of simulated events: an outside checker accepts every round, and agrees on the tie-breaks."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats.model import Finished, Plan, Pod
from core.interchange import trf
from core.interchange.errors import InterchangeError
from core.interchange.model import Away, Event, Game, Mark, Player, UnplayedRound
from core.interchange.swiss import About, event_of
from core.standings.fold import fold
from core.standings.model import ByePolicy, PlaceBy, Scoring, Spec, UnplayedRule
from tests.core import trf as results_of
from tests.core.formats.simulation import HALF, Simulation
from tests.core.interchange.checker import tie_breaks, verdict
from tests.core.interchange.planner_input import UNCOUNTED, UNPROVED, planner_input

CODES = ("PTS", "BH", "BH/C1", "SB")
OURS = ("place", "bh", "bhc1", "sb")


def exported(played: Simulation) -> Event:
    names = {item.entry: f"Maple, {item.entry}" for item in played.entrants}
    about = About("A simulated event", names, {}, date(2026, 11, 20), date(2026, 11, 21))
    return event_of(about, played.entrants, played.plans, played.finished, rounds=played.rounds, bye=played.bye)


def written(event: Event, folder: Path) -> Path:
    path = folder / "event.trf"
    path.write_bytes(trf.encode(trf.write(event)))
    return path


def check_event(seed: int, count: int, rounds: int, folder: Path, bye: Fraction = Fraction(1)) -> None:
    """The checker accepts all rounds; its tie-breaks equal the fold's; the file reads back as it was."""
    played = Simulation("dutch", count, rounds, seed, bye=bye).play()
    event = exported(played)
    path = written(event, folder)
    found = verdict(path)
    assert found.passed, found.output
    assert found.output.count("= Round #") == len(played.plans)
    assert set(trf.read(path.read_text(encoding="latin-1")).games) == set(event.games)
    check_tie_breaks(path, bye)


def check_tie_breaks(path: Path, bye: Fraction) -> None:
    told = results_of.read(path)
    spec = Spec(
        scoring=Scoring.PLACE,
        tie_breaks=OURS[1:],
        bye=ByePolicy(place=bye),
        place_by=PlaceBy.POINTS,
        unplayed=UnplayedRule.FIDE,
    )
    table = fold(told.results, [], spec, entries=told.entries, unplayed=told.unplayed)
    theirs = tie_breaks(path, CODES)
    assert len(theirs) == len(told.entries)
    for number, figures in theirs.items():
        assert [table.row(str(number)).value(code) for code in OURS] == figures, number


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("seed", "count", "rounds"), [(1, 8, 5), (2, 9, 5), (3, 13, 6), (4, 20, 7), (5, 33, 7), (6, 47, 9)]
)
def test_simulated_events_are_accepted_in_every_round(seed: int, count: int, rounds: int, tmp_path: Path) -> None:
    check_event(seed, count, rounds, tmp_path)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("bye", [HALF, Fraction(0)])
def test_a_bye_may_be_worth_less(bye: Fraction, tmp_path: Path) -> None:
    check_event(7, 15, 5, tmp_path, bye)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_events_of_8_to_200_players(seed: int, tmp_path: Path) -> None:
    count = 8 + (seed - 100) * 192 // 59
    check_event(seed, count, 5 if count < 14 else 9, tmp_path)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_read_plans_on_as_what_was_played(seed: int) -> None:
    """Reading a report back gives planners the same entrants, rounds and ends."""
    played = Simulation("dutch", 17, 6, seed).play()
    known = planner_input(exported(played))
    number = {item.entry: f"{item.seed:04}" for item in played.entrants}
    assert [item.score for item in known.entrants] == [item.score for item in played.entrants]
    assert [sorted(tuple(number[e] for e in pod.seats) for pod in p.pods) for p in played.plans] == [
        sorted(pod.seats for pod in p.pods) for p in known.history
    ]
    assert [tuple(number[e] for e in p.byes) for p in played.plans] == [p.byes for p in known.history]


SMALL = Event(
    "Spring & Fuji: 花見",
    (Player(1, "José Ibarra"), Player(2, "花子"), Player(3, "A" * 50, rating=1800)),
    (Game(1, 1, 2, (Mark.WON, Mark.LOST)), Game(2, 3, 1, (Mark.DREW, Mark.DREW))),
    (UnplayedRound(1, 3, Away.BYE), UnplayedRound(2, 2, Away.HALF)),
    rounds=3,
    top_first=True,
)


def test_the_columns_of_a_report() -> None:
    lines = trf.write(SMALL).splitlines()
    assert lines[:4] == ["012 Spring & Fuji: ??", "062 3", "092 Individual: Swiss-System", "142 3"]
    assert lines[4:7] == ["152 W", "XXR 3", "XXC white1"]
    assert lines[7][14:47].rstrip() == "José Ibarra"
    assert lines[7][80:89] == " 1.5    1"
    assert lines[7][89:] == "     2 w 1     3 b ="
    assert lines[8][89:] == "     1 b 0  0000 - H"
    assert lines[9][89:] == "  0000 - U     1 w ="
    assert lines[9][48:52] == "1800"
    assert trf.encode(lines[7])[14:18] == "José".encode("latin-1")


@given(st.lists(st.text(max_size=40), min_size=3, max_size=3))
def test_no_name_moves_a_column(names: list[str]) -> None:
    players = tuple(Player(at, name) for at, name in enumerate(names, start=1))
    event = Event(names[0], players, SMALL.games, SMALL.unplayed, 3, top_first=True)
    back = trf.read(trf.encode(trf.write(event)).decode("latin-1"))
    assert (back.games, back.unplayed, back.rounds) == (SMALL.games, SMALL.unplayed, 3)
    assert [player.name for player in back.players] == [trf.plain(name) for name in names]


def test_what_is_not_told_is_an_absence() -> None:
    event = Event("x", SMALL.players, SMALL.games, (), 2)
    assert [line[89:] for line in trf.write(event).splitlines() if line.startswith("001")][1:] == [
        "     1 b 0  0000 - Z",
        "  0000 - Z     1 w =",
    ]


def test_a_match_without_a_result_is_told_as_not_played() -> None:
    plans = [Plan(1, (Pod(1, ("a", "b")), Pod(2, ("c", "d"))), (), UNCOUNTED, UNPROVED)]
    played = Simulation("dutch", 4, 3, 1)
    entrants = [type(item)(name, item.seed) for name, item in zip("abcd", played.entrants)]
    ends = [Finished(1, 1, (2, 1), (Fraction(0), Fraction(1)), (True, False))]
    event = event_of(About("x", {}, {}), entrants, plans, ends, rounds=3)
    assert [game.marks for game in event.games] == [
        (Mark.NO_SHOW, Mark.WALKOVER),
        (Mark.NO_SHOW, Mark.NO_SHOW),
    ]


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Event("x", (Player(1, "a"), Player(3, "b")), ()), "trf.number"),
        (Event("x", (), ()), "trf.number"),
        (Event("x", SMALL.players, (*SMALL.games, Game(2, 1, 2, (Mark.WON, Mark.LOST)))), "trf.twice"),
    ],
)
def test_what_cannot_be_written_is_refused(event: Event, code: str) -> None:
    with pytest.raises(InterchangeError) as refused:
        trf.write(event)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("     2 w 1", "     3 w 1", "trf.opponent"),
        ("     2 w 1", "     2 b 1", "trf.opponent"),
        ("     2 w 1", "     2 w ?", "trf.line"),
        ("     2 w 1", "     2 x 1", "trf.line"),
        ("001    2", "001   no", "trf.line"),
        ("152 W", "162  P?", "trf.line"),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(old: str, new: str, code: str) -> None:
    with pytest.raises(InterchangeError) as refused:
        trf.read(trf.write(SMALL).replace(old, new, 1))
    assert refused.value.code == code
