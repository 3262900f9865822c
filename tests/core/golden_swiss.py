"""swiss_pairing.json: what must come out, and what an outside checker says about whole files. Run by test_golden.py."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.formats.model import Seats
from core.interchange import trf
from core.interchange.model import Event
from core.standings.fold import fold
from core.standings.model import ByePolicy, PlaceBy, Scoring, Spec
from tests.core import trf as results_of
from tests.core.formats.next_plan import plan
from tests.core.interchange.checker import verdict
from tests.core.interchange.planner_input import planner_input

Case = dict[str, Any]
TWO = Seats(2, 2, 2)


def read(case: Case) -> Event:
    return trf.read((Path(case["folder"]) / case["trf"]).read_text(encoding="latin-1"))


def seed_of_the_lot(event: Event) -> int:
    """A seed that gives the top board of round 1 the seats that the file records."""
    return next(seed for seed in range(99) if event.top_first in (None, Random(seed).random() < 0.5))


@pytest.mark.golden_kind("next_round")
def test_the_next_round_comes_out_equal(golden_swiss_pairing: Case) -> None:
    """Through Hanami's own entrants, plans and results."""
    case = golden_swiss_pairing
    event = read(case)
    known = planner_input(event, absent=case["absent"])
    rounds, seed = max(event.rounds, case["round"]), seed_of_the_lot(event)
    drawn = plan("dutch", known.entrants, rounds, TWO, seed, history=known.history, finished=known.finished)
    pairs = [[int(entry) for entry in pod.seats] for pod in drawn.pods] + [[int(entry), 0] for entry in drawn.byes]
    assert drawn.round == case["round"]
    assert sorted(pairs) == sorted(case["pairs"])


@pytest.mark.golden_kind("check")
def test_the_checker_agrees_with_the_files(golden_swiss_pairing: Case) -> None:
    """The files themselves, and where they are right also the same event as Hanami writes it."""
    case = golden_swiss_pairing
    path = Path(case["folder"]) / case["trf"]
    found = verdict(path)
    assert (found.passed, found.bad_rounds) == (case["expected"] == "PASS", case["bad_rounds"])


@pytest.mark.golden_kind("check")
def test_what_is_read_and_written_again_is_judged_alike(golden_swiss_pairing: Case, tmp_path: Path) -> None:
    case = golden_swiss_pairing
    copy = tmp_path / "copy.trf"
    copy.write_bytes(trf.encode(trf.write(read(case))))
    found = verdict(copy)
    if case["expected"] == "PASS" or case["bad_rounds"]:  # a wrong points column is put right by writing
        assert (found.passed, found.bad_rounds) == (case["expected"] == "PASS", case["bad_rounds"])
    else:
        assert found.passed


def test_rankings_by_points_and_direct_encounter(golden_swiss_tiebreaks: Case) -> None:
    """Our "h2h" after the points gives FIDE's ranking by points and DE, shared ranks and all."""
    case = golden_swiss_tiebreaks
    fixed_pairings = case["system"].startswith("round_robin")
    event = results_of.read(Path(case["folder"]) / case["trf"], forfeits_count_as_played=fixed_pairings)
    spec = Spec(scoring=Scoring.PLACE, tie_breaks=("h2h",), bye=ByePolicy(place=1), place_by=PlaceBy.POINTS)
    table = fold(event.results, [], spec, entries=event.entries, unplayed=event.unplayed)
    rules = case["rules"].get("any_date") or case["rules"]["from_2026_03_01"]
    assert {row.entry: row.rank for row in table.rows} == rules["rank_PTS_DE"]
