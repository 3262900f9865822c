"""Reference data (tests/data/golden, or `--golden PATH`) against the standings and the planners."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from tests.tournaments import trf
from tournaments.standings.carry import Carry, carried
from tournaments.standings.fold import fold
from tournaments.standings.model import (
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
from tournaments.standings.table import Table
from tournaments.standings.teams import team_table

Case = dict[str, Any]
CARRY = {"none": Carry.NONE, "half": Carry.HALF, "all": Carry.FULL}


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
    rows = team_table(_standings(golden_standings), team_of, columns) if team_of else ()
    got = [(row.rank, row.team, dict(zip(columns, row.totals, strict=True))) for row in rows]
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
    entries = {player: 1 for player in case["players"]}
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
    """What the carry rule makes of stage 1; must be what the case says is carried in."""
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
