"""`manage.py rehearse`: play an event many times in memory before it starts, and say what to expect."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.simulation import PartFigures, Rehearsal
from engine.errors import DomainError
from tournaments.models import Tournament
from tournaments.simulation.actions import Question, read_question
from tournaments.simulation.inputs import plan_hash, rehearse_now
from tournaments.simulation.jobs import RUNS


class Command(BaseCommand):
    """Print the figures of the page, calculated in this process, however long it takes."""

    help = "Rehearse an event: rounds, hours, tables, arbiters, repeats, chances and a sample of the standings"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="address of the event")
        parser.add_argument("--entries", type=int, help="how many; without it as many as are entered")
        parser.add_argument("--runs", type=int, default=RUNS, help="how often it is played")
        parser.add_argument("--deal-minutes", type=float, default=5.0)
        parser.add_argument("--match-minutes", type=float, help="counts instead of the minutes of a deal")
        parser.add_argument("--change-minutes", type=float, default=10.0, help="between two rounds")
        parser.add_argument("--tables", type=int, help="how many there are; without it as many as are needed")
        parser.add_argument("--tables-an-arbiter", type=int, default=8)

    def handle(self, *_args: Any, **options: Any) -> None:
        event = Tournament.objects.filter(slug=options["slug"]).first()
        if event is None:
            raise CommandError(f"There is no event with the address {options['slug']}.")
        fields = ("entries", "deal_minutes", "match_minutes", "change_minutes", "tables", "tables_an_arbiter")
        try:
            asked = read_question(event, Question(**{name: options[name] for name in fields}))
            rehearsal = rehearse_now(event, replace(asked, runs=options["runs"]))
        except DomainError as refused:
            raise CommandError(f"{refused.code}: {refused}") from refused
        self.stdout.write(f"{event.name}: {asked.entries} entries, {rehearsal.runs} runs, plan {plan_hash(event)[:19]}")
        self.stdout.write("\n".join(lines_of(rehearsal)))


def lines_of(rehearsal: Rehearsal) -> list[str]:
    """Return the figures, a line each."""
    wins, low, high = rehearsal.strongest_wins
    to_last = rehearsal.strongest_last
    quick, usual, slow = rehearsal.hours
    lines = [
        f"hours        {usual:.1f} (one in ten under {quick:.1f}, one in ten over {slow:.1f})",
        f"strongest    wins {wins:.0%} ({low:.0%} to {high:.0%}); gets to the last stage {to_last:.0%}",
        f"top three    win {rehearsal.top_wins:.0%}",
    ]
    for part in rehearsal.parts:
        lines += _part(part)
    return lines


def _part(part: PartFigures) -> list[str]:
    low, mean, high = part.rounds
    rounds = str(low) if low == high else f"{low} to {high}, {mean:.1f} on average"
    lines = [
        f"stage {part.name}: {part.entries:g} entries, rounds {rounds}, {part.matches:.4g} matches",
        f"  tables {part.tables}, arbiters {part.arbiters}, {part.hours:.1f} hours",
        f"  repeats {part.repeats:.4g}, byes {part.byes:.4g}",
    ]
    lines += [
        f"  round {turn.round}: {turn.tables:.4g} tables, {turn.arbiters:.4g} arbiters, {turn.minutes:.0f} minutes"
        f" (in {turn.share:.0%} of the runs)"
        for turn in part.by_round
    ]
    lines += [f"  rank {each.rank}: {each.value:.1f}, shared in {each.shared:.0%}" for each in part.levels]
    return [*lines, "  one run:", *(f"    {_row(row.rank, row.seed, row.value)}" for row in part.sample)]


def _row(rank: int, seed: int, value: float | None) -> str:
    return f"{rank:>3}. seed {seed}" + ("" if value is None else f"  {value:g}")
