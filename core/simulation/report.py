"""Figures from runs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import fmean, quantiles

from core.ratings.intervals import wilson
from core.simulation.model import Course, Level, PartFigures, Rehearsal, RoundFigures, Sampled
from core.simulation.runs import PartPlayed, Run
from core.standings.table import Table

TOP = 3
SAMPLED = 8


def report(course: Course, order: Sequence[str], runs: Sequence[Run]) -> Rehearsal:
    """Work out the figures of all runs; parts in the order of play."""
    last = course.parts[-1].name
    winners = [_winner(run.parts[last]) for run in runs]
    best = [sorted(run.own, key=lambda entry: -run.own[entry]) for run in runs]
    wins = sum(winner == strong[0] for winner, strong in zip(winners, best, strict=True))
    hours = [sum(part.minutes for part in run.parts.values()) / 60 for run in runs]
    return Rehearsal(
        runs=len(runs),
        parts=tuple(_part(name, [run.parts[name] for run in runs], course.pace.tables_an_arbiter) for name in order),
        hours=_tenths(hours),
        strongest_wins=(wins / len(runs), *wilson(wins, len(runs))),
        strongest_last=fmean(strong[0] in run.parts[last].books for run, strong in zip(runs, best, strict=True)),
        top_wins=fmean(winner in strong[:TOP] for winner, strong in zip(winners, best, strict=True)),
    )


def _winner(part: PartPlayed) -> str:
    """Return the first of the last stage; with several groups the best value among the firsts."""
    firsts = [row for row in part.rows if row.rank == 1]
    return max(firsts, key=lambda row: row.value).entry


def _tenths(values: Sequence[float]) -> tuple[float, float, float]:
    if len(values) == 1:
        return values[0], values[0], values[0]
    cuts = quantiles(values, n=10, method="inclusive")
    return cuts[0], cuts[4], cuts[8]


def _part(name: str, played: Sequence[PartPlayed], tables_an_arbiter: int) -> PartFigures:
    rounds = [len(part.tables) for part in played]
    tables = max(max(part.tables) for part in played)
    return PartFigures(
        name=name,
        entries=fmean(part.entries for part in played),
        rounds=(min(rounds), fmean(rounds), max(rounds)),
        matches=fmean(sum(part.tables) for part in played),
        tables=tables,
        arbiters=-(-tables // tables_an_arbiter),
        hours=fmean(part.minutes for part in played) / 60,
        repeats=fmean(sum(group.repeats for group in part.groups) for part in played),
        byes=fmean(sum(group.byes for group in part.groups) for part in played),
        by_round=tuple(_round(turn, played, tables_an_arbiter) for turn in range(max(rounds))),
        levels=_levels([group.table for part in played for group in part.groups if group.table]),
        sample=_sample(played[0]),
        partners=_partners(played[0]),
        stand_in=any(group.stand_in for group in played[0].groups),
    )


def _partners(part: PartPlayed) -> tuple[int, int] | None:
    """Return partners again and the fewest possible, of all groups, where partners change; the same in every run."""
    found = [group.partners for group in part.groups if group.partners is not None]
    return (sum(again for again, _least in found), sum(least for _again, least in found)) if found else None


def _sample(part: PartPlayed) -> tuple[Sampled, ...]:
    """Return the first rows of each group of one run."""
    listed: list[Sampled] = []
    groups = {name: number for number, name in enumerate(dict.fromkeys(row.group for row in part.rows), start=1)}
    for row in sorted(part.rows, key=lambda row: (groups[row.group], row.rank)):
        if sum(each.group == groups[row.group] for each in listed) < SAMPLED:
            value = float(row.value[0]) if row.value else None
            listed.append(Sampled(groups[row.group], row.rank, int(row.entry), value))
    return tuple(listed)


def _round(turn: int, played: Sequence[PartPlayed], tables_an_arbiter: int) -> RoundFigures:
    here = [part for part in played if turn < len(part.pace)]
    tables = [part.tables[turn] for part in here]
    return RoundFigures(
        round=turn + 1,
        tables=fmean(tables),
        arbiters=fmean(-(-count // tables_an_arbiter) for count in tables),
        minutes=fmean(part.pace[turn] for part in here),
        share=len(here) / len(played),
    )


def _levels(tables: Sequence[Table]) -> tuple[Level, ...]:
    """Return the levels of the first, second, third, the middle and the last of a group."""
    if not tables:
        return ()
    size = min(len(table.rows) for table in tables)
    ranks = sorted({rank for rank in (1, 2, 3, (size + 1) // 2, size) if rank <= size})
    return tuple(
        Level(
            rank=rank,
            value=fmean(_first_key(table, rank) for table in tables),
            shared=fmean(sum(row.rank == table.rows[rank - 1].rank for row in table.rows) > 1 for table in tables),
        )
        for rank in ranks
    )


def _first_key(table: Table, rank: int) -> float:
    value = table.rows[rank - 1].key[0]
    return float(value) if isinstance(value, Fraction) else 0.0
