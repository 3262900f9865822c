"""Reads the results of a two-seat event from a TRF file: only what the tie-break tests need."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from core.standings.model import Forfeit, MatchResult, SeatResult, Unplayed, UnplayedKind

POINTS = {"1": Fraction(1), "0": Fraction(0), "=": Fraction(1, 2), "+": Fraction(1), "-": Fraction(0)}
BYES = {"U": UnplayedKind.BYE, "F": UnplayedKind.FULL, "H": UnplayedKind.HALF, "Z": UnplayedKind.ABSENT}


@dataclass(frozen=True)
class Event:
    entries: dict[str, int]
    results: list[MatchResult]
    unplayed: list[Unplayed]


def read(path: Path, *, forfeits_count_as_played: bool = False) -> Event:
    """Entries are the starting numbers as text; a bye is `Unplayed`, a no-show has `is_played` False."""
    games: dict[tuple[int, frozenset[str]], list[tuple[str, str]]] = {}
    unplayed: list[Unplayed] = []
    entries: dict[str, int] = {}
    for row in path.read_text(encoding="utf-8").splitlines():
        if row.startswith("001"):
            own = row[4:8].strip()
            entries[own] = int(own)
            for number, at in enumerate(range(91, len(row.rstrip()), 10), start=1):
                rival, mark = row[at : at + 4].strip(), row[at + 7 : at + 8]
                if rival.strip("0"):
                    games.setdefault((number, frozenset((own, rival))), []).append((own, mark))
                elif mark in BYES:
                    unplayed.append(Unplayed(own, number, BYES[mark]))
    results = [_match(number, sides, forfeits_count_as_played) for (number, _), sides in games.items()]
    return Event(entries, results, unplayed)


def _match(number: int, sides: list[tuple[str, str]], forfeits_count_as_played: bool) -> MatchResult:
    is_played = forfeits_count_as_played or not {mark for _, mark in sides} & {"+", "-"}
    marks = dict(sides)
    return MatchResult(
        match=f"{number}:" + "-".join(sorted(marks)),
        round=number,
        table=1,
        seats=tuple(
            SeatResult(
                entry,
                seat,
                seat,
                POINTS[mark],
                victories=0,
                forfeit=None if is_played or mark != "-" else Forfeit("no_show"),
            )
            for seat, (entry, mark) in enumerate(sides)
        ),
        is_played=is_played,
    )
