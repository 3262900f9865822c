"""Reference data (tests/data/golden, or `--golden PATH`) against the standings and the planners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.formats import schedule
from core.formats.model import Entrant, Plan, Seats, Shape, StageSoFar
from core.formats.rotation.figures import opponents_in, partners_in
from core.formats.rotation.stage import RotatingPartners
from core.formats.round_robin import berger
from core.formats.schedules import bounds, designs, seating
from core.formats.sizes import split
from core.standings.figures import Carry, carried
from core.standings.fold import fold
from core.standings.model import (
    Adjustment,
    Basis,
    ByePolicy,
    MatchResult,
    PlaceBy,
    Scoring,
    SeatResult,
    Spec,
    Unplayed,
    UnplayedKind,
    UnplayedRule,
    VictoryOnTie,
)
from core.standings.table import Table
from tests.core import trf
from tests.core.golden_elimination import test_elimination
from tests.core.golden_option import HERE, unknown
from tests.core.golden_ratings import (
    test_bootstrap_of_a_mean,
    test_elo_intervals,
    test_match_win_percentages,
    test_match_wins_of_an_event,
    test_opponents_match_win_percentages,
    test_plackett_luce,
    test_plackett_luce_sequence,
    test_proportion_intervals,
    test_sprt,
)
from tests.core.golden_swiss import (
    test_rankings_by_points_and_direct_encounter,
    test_the_checker_agrees_with_the_files,
    test_the_next_round_comes_out_equal,
    test_what_is_read_and_written_again_is_judged_alike,
)
from tests.core.standings.team_sums import team_sums

__all__ = [
    "test_bootstrap_of_a_mean",
    "test_elimination",
    "test_elo_intervals",
    "test_match_win_percentages",
    "test_match_wins_of_an_event",
    "test_opponents_match_win_percentages",
    "test_plackett_luce",
    "test_plackett_luce_sequence",
    "test_proportion_intervals",
    "test_rankings_by_points_and_direct_encounter",
    "test_sprt",
    "test_the_checker_agrees_with_the_files",
    "test_the_next_round_comes_out_equal",
    "test_what_is_read_and_written_again_is_judged_alike",
]

Case = dict[str, Any]
CARRY = {"none": Carry.NONE, "half": Carry.HALF, "all": Carry.FULL}


def test_every_file_and_every_kind_of_case_is_taken(request: pytest.FixtureRequest) -> None:
    """The data that are here are all of the format; a folder with more is told what was not looked at."""
    assert unknown(HERE) == []
    reporter = request.config.pluginmanager.get_plugin("terminalreporter")  # None on a node of several
    if reporter is not None:
        for line in unknown(Path(str(request.config.getoption("--golden")))):
            reporter.write_line(f"not looked at: {line}")


# -- standings.json ------------------------------------------------------------------------------------------------


@pytest.mark.golden_kind("standings")
def test_standings(golden_standings: Case) -> None:
    table = _standings(golden_standings)
    assert sorted(_shown(table)) == sorted(
        (row["rank"], row["player"], Fraction(row["points"]), Fraction(row["victories"]), row["tables_played"])
        for row in golden_standings["expected"]
    )


@pytest.mark.golden_kind("standings")
def test_standings_tie_breaks(golden_standings: Case) -> None:
    """Buchholz and Sonneborn-Berger at n seats."""
    table = _standings(golden_standings)
    for player, expected in golden_standings.get("expected_tiebreaks", {}).items():
        row = table.row(player)
        assert row.value("bh") == Fraction(expected["buchholz_n"]), player
        assert row.value("sb") == Fraction(expected["sb_n"]), player


@pytest.mark.golden_kind("standings")
def test_standings_teams(golden_standings: Case) -> None:
    team_of = {player: team for team, own in golden_standings.get("teams", {}).items() for player in own}
    columns = _keys(golden_standings)
    rows = team_sums(_standings(golden_standings), team_of, columns)
    got = [(rank, team, dict(zip(columns, totals, strict=True))) for rank, team, totals in rows]
    assert got == [
        (row["rank"], row["team"], {column: Fraction(row[column]) for column in columns})
        for row in golden_standings.get("expected_teams", [])
    ]


@pytest.mark.golden_kind("reduction")
def test_two_seats_reduce_to_fide(golden_standings: Case) -> None:
    event = trf.read(golden_standings["folder"] / golden_standings["trf"])
    table = fold(event.results, [], _fide(), entries=event.entries)
    for player, expected in golden_standings["expected"].items():
        row = table.row(player)
        assert row.value("place") == Fraction(expected["points"]), player
        assert row.value("bh") == Fraction(expected["buchholz"]), player
        assert row.value("sb") == Fraction(expected["sb"]), player


def _keys(case: Case) -> tuple[str, str]:
    return ("points", "victories") if case["format"] == "cumulative" else ("victories", "points")


def _standings(case: Case) -> Table:
    """The case through the fold. bh and sb come after the keys and a shared rank is read off the keys alone."""
    bye = ByePolicy(points=Fraction(case["bye"]["points"]), victories=Fraction(case["bye"]["victories"]))
    spec = Spec(
        scoring=Scoring.CUMULATIVE,
        basis=Basis.RAW,
        keys=_keys(case),
        tie_breaks=("bh", "sb") if "expected_tiebreaks" in case else (),
        bye=bye,
        victory_on_tie=VictoryOnTie(case["victory_on_tie"]),
        score=case.get("score_basis", ""),
        place_by=PlaceBy.POINTS,
    )
    results = [
        _totals(number, table, seats)
        for number, played in enumerate(case["rounds"], start=1)
        for table, seats in enumerate(played["tables"], start=1)
    ]
    adjustments = [
        Adjustment(
            str(index),
            item["player"],
            points=Fraction(item["points"]),
            victories=Fraction(item["victories"]),
            round=item["after_round"],
        )
        for index, item in enumerate(case.get("adjustments", []))
    ]
    entries = dict.fromkeys(case["players"], 1)
    return fold(results, [*adjustments, *_carry(case)], spec, entries=entries, unplayed=_unplayed(case))


def _totals(number: int, table: int, seats: Mapping[str, Any]) -> MatchResult:
    """A table entered as totals: one deal."""
    return MatchResult(
        match=f"{number}.{table}",
        round=number,
        table=table,
        seats=tuple(
            SeatResult(player, seat, seat, points)
            for seat, (player, points) in enumerate(zip(seats["seats"], seats["points"], strict=True))
        ),
    )


def _unplayed(case: Case) -> list[Unplayed]:
    kinds = {"byes": UnplayedKind.BYE, "absent": UnplayedKind.ABSENT}
    return [
        Unplayed(player, number, kind)
        for number, played in enumerate(case["rounds"], start=1)
        for word, kind in kinds.items()
        for player in played.get(word, [])
    ]


def _carry(case: Case) -> list[Adjustment]:
    """Return what the carry rule makes of stage 1; must be what the case says is carried in."""
    rule = CARRY[case.get("carry_rule", "none")]
    made = {
        player: carried(player, rule, points=Fraction(own["points"]), victories=Fraction(own["victories"]))
        for player, own in case.get("stage1", {}).items()
    }
    for player, given in case.get("carry_in", {}).items():
        assert (made[player].points, made[player].victories) == (
            Fraction(given["points"]),
            Fraction(given["victories"]),
        )
    return list(made.values())


def _shown(table: Table) -> list[tuple[int, str, Fraction, Fraction, int]]:
    """(rank by the two keys, player, points, victories, tables played)."""
    keys = [row.key[:2] for row in table.rows]
    return [
        (
            keys.index(row.key[:2]) + 1,
            row.entry,
            _exact(row.value("points")),
            _exact(row.value("victories")),
            row.played,
        )
        for row in table.rows
    ]


def _exact(value: object) -> Fraction:
    assert isinstance(value, Fraction)
    return value


# -- swiss_tiebreaks.json --------------------------------------------------------------------------------------------

FIDE_CODES = {"PTS": "place", "BH": "bh", "BH/C1": "bhc1", "BH/M1": "bhm", "SB": "sb", "PS": "ps", "AOB": "aob",
              "WON": "wins"}  # fmt: skip


def test_fide_tie_breaks(golden_swiss_tiebreaks: Case) -> None:
    case = golden_swiss_tiebreaks
    fixed_pairings = case["system"].startswith("round_robin")
    event = trf.read(case["folder"] / case["trf"], forfeits_count_as_played=fixed_pairings)
    table = fold(event.results, [], _fide(), entries=event.entries, unplayed=event.unplayed)
    rules = case["rules"].get("any_date") or case["rules"]["from_2026_03_01"]
    wrong = [
        (code, player, table.row(player).value(FIDE_CODES[code]), text)
        for code, values in rules["values"].items()
        if code in FIDE_CODES and not (fixed_pairings and code in ("WON", "AOB"))  # they still tell forfeits apart
        for player, text in values.items()
        if text is not None and abs(_exact(table.row(player).value(FIDE_CODES[code])) - Fraction(text)) > _slack(text)
    ]
    assert wrong == []


def _fide() -> Spec:
    return Spec(
        scoring=Scoring.PLACE,
        tie_breaks=tuple(code for code in FIDE_CODES.values() if code != "place"),
        bye=ByePolicy(place=1),
        place_by=PlaceBy.POINTS,
        unplayed=UnplayedRule.FIDE,
    )


def _slack(text: str) -> Fraction:
    """Half a unit of the last printed digit."""
    return Fraction(1, 2 * 10 ** len(text.partition(".")[2]))


# -- round_robin.json ------------------------------------------------------------------------------------------------


def test_berger_tables(golden_round_robin: Case) -> None:
    case = golden_round_robin
    players = case["players"]
    drawn = [berger(players, turn) for turn in range(len(case["rounds"]))]
    assert [{tuple(board) for board in boards} for boards, _ in drawn] == [
        {tuple(board) for board in boards} for boards in case["rounds"]
    ]
    assert [free for _, free in drawn] == case["byes"]


def test_round_robin_plans(golden_round_robin: Case) -> None:
    """Through the registry, two cycles: the second is the first with seats exchanged."""
    case = golden_round_robin
    entrants = [Entrant(str(number), number) for number in range(case["players"], 0, -1)]
    plans = schedule("round_robin", entrants, 2, Seats(2, 2, 2), seed=1)
    rounds = [{(int(pod.seats[0]), int(pod.seats[1])) for pod in plan.pods} for plan in plans]
    once = [{(first, second) for first, second in boards} for boards in case["rounds"]]
    assert rounds == once + [{(second, first) for first, second in boards} for boards in once]
    assert plans[len(once) - 1].quality.first_seat == case["max_first_seat_imbalance"]
    assert plans[-1].quality.first_seat == 0
    first = Counter(pod.seats[0] for plan in plans[: len(once)] for pod in plan.pods)
    assert [first[str(number + 1)] for number in range(case["players"])] == case["first_seat_counts"]


# -- tables.json -----------------------------------------------------------------------------------------------------


@pytest.mark.golden_kind("partition")
def test_table_sizes(golden_tables: Case) -> None:
    case = golden_tables
    for pref in range(case["min_seats"], case["max_seats"] + 1):
        sizes, byes = split(case["players"], Seats(case["min_seats"], pref, case["max_seats"]))
        assert byes == case["min_sitting_out"]
        assert sum(sizes) == case["players"] - byes
        assert all(case["min_seats"] <= size <= case["max_seats"] for size in sizes)
        assert not sizes or max(sizes) - min(sizes) <= 1
        if not byes:
            assert len(sizes) in case["feasible_table_counts"]
            known = case["all_even_partitions"] or {
                str(len(case[word])): case[word] for word in ("fewest_tables", "most_tables")
            }
            assert list(sizes) == known.get(str(len(sizes)), list(sizes))


@pytest.mark.golden_kind("bound")
def test_bounds(golden_tables: Case) -> None:
    case = golden_tables
    rounds = [tuple(case["table_sizes"])] * case["rounds"]
    players = sum(case["table_sizes"])
    assert bounds.meetings(rounds) == case["meetings_total"]
    assert bounds.pigeonhole(players, rounds) == case["intersection_bound_sum_c2"]
    assert bounds.averaging(players, rounds) == case["convexity_bound_sum_c2"]
    assert max(bounds.pigeonhole(players, rounds), bounds.averaging(players, rounds)) == case["lower_bound_sum_c2"]


@pytest.mark.golden_kind("exact_optimum")
def test_small_fields_reach_the_true_minimum(golden_tables: Case) -> None:
    """Never below it; a tenth of slack for a search."""
    case = golden_tables
    sizes = case["table_sizes"]
    plans = _schedule(sum(sizes), case["rounds"], sizes)
    assert sorted((len(pod.seats) for pod in plans[0].pods), reverse=True) == sizes
    assert plans[-1].certificate.bound == case["lower_bound_sum_c2"]
    assert case["min_sum_c2"] <= plans[-1].quality.repeats <= case["min_sum_c2"] * 1.1


@pytest.mark.golden_kind("design")
def test_designs_are_reached(golden_tables: Case) -> None:
    case = golden_tables
    plans = _schedule(case["players"], case["rounds"], [case["table_size"]] * case["tables"])
    assert plans[-1].certificate.bound == case["lower_bound_sum_c2"]
    assert case["lower_bound_sum_c2"] <= plans[-1].quality.repeats <= case["achievable_sum_c2"] * 1.1
    assert plans[-1].quality.repeats > case["achievable_sum_c2"] or (
        (plans[-1].quality.most, plans[-1].quality.again)
        == (case["achievable_max_meetings"], case["achievable_repeat_meetings"])
    )


@pytest.mark.golden_kind("social_golfer_max")
def test_no_schedule_beats_the_literature(golden_tables: Case) -> None:
    case = golden_tables
    longest = designs.rounds_without_repeat(case["tables"], case["table_size"])
    assert longest <= case["max_rounds_without_repeat"] <= case["counting_upper_bound"]
    assert len(designs.design(case["tables"], case["table_size"])) == longest


@pytest.mark.golden_kind("seat_balance")
def test_seats_are_shared_evenly(golden_tables: Case) -> None:
    """At three tables, tables drawn at random: every player has every seat floor(R/t) or ceil(R/t) times."""
    case = golden_tables
    size, rng = case["table_size"], Random(case["id"])
    players = list(range(3 * size))
    rounds = []
    for _ in range(case["rounds"]):
        rng.shuffle(players)
        rounds.append([players[start : start + size] for start in range(0, len(players), size)])
    seated = seating.seat(rounds, len(players), [[0] * 7 for _ in players])
    assert [[set(table) for table in turn] for turn in seated] == [[set(table) for table in turn] for turn in rounds]
    had = Counter((player, place) for turn in seated for table in turn for place, player in enumerate(table))
    counts = [had[player, place] for player in players for place in range(size)]
    assert min(counts) == case["min_times_per_seat"]
    assert max(counts) == case["max_times_per_seat"]


@pytest.mark.golden_kind("whist")
def test_partners_change_as_in_a_whist_tournament(golden_tables: Case) -> None:
    """Through the planner: everybody everybody's partner as often, and their opponent, as the case says."""
    case = golden_tables
    entrants = [Entrant(f"{number:03}", number) for number in range(1, case["players"] + 1)]
    shape = Shape(Seats(4, 4, 4), case["rounds"], sides=(0, 1, 0, 1))
    plans = RotatingPartners().ahead(StageSoFar(entrants, shape), Random(1))
    assert len(plans) == case["rounds"]
    assert {len(plan.pods) for plan in plans} == {case["tables_per_round"]}
    assert {len(plan.byes) for plan in plans} == {case["sitting_out_per_round"]}
    rested = Counter(entry for plan in plans for entry in plan.byes)
    assert len({rested[item.entry] for item in entrants}) == 1, "sitting out goes round"
    pods = [pod for plan in plans for pod in plan.pods]
    every = list(combinations([item.entry for item in entrants], 2))
    assert partners_in(pods) == dict.fromkeys(every, case["each_pair_partners"])
    assert opponents_in(pods) == dict.fromkeys(every, case["each_pair_opposes"])


def _schedule(players: int, rounds: int, sizes: list[int]) -> list[Plan]:
    entrants = [Entrant(f"{number:03}", number) for number in range(1, players + 1)]
    return schedule("tables", entrants, rounds, Seats(min(sizes), max(sizes), max(sizes)), seed=1)
