"""Play of one stage, or one group of it, to its final order, with the real planner and the real standings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

from core.formats import FORMATS, schedule
from core.formats.model import Entrant, Finished, Plan, Pod, Shape, StageSoFar
from core.formats.progression import Finisher
from core.formats.rotation.figures import sides_at
from core.simulation.flowing import Waits, waits_of
from core.simulation.model import Part, Scores
from core.simulation.people import deals_won, names, points
from core.standings.figures import Carry, carried
from core.standings.fold import fold
from core.standings.model import Adjustment, MatchResult, SeatResult, Unplayed
from core.standings.table import Table

# A guard: a planner that never ends must not hold a worker for ever.
MAX_ROUNDS = 500


@dataclass(slots=True)
class Drawn:
    """Rounds that do not depend on results: drawn once for a size and used in every run."""

    seed: str
    plans: dict[tuple[str, int], list[Plan]] = field(default_factory=dict)

    def rounds(self, part: Part, size: int, history: Sequence[Plan], state: Group) -> list[Plan]:
        """Return the rounds that can be drawn now; entries are named by their place in the group."""
        key = (part.name, size)
        # Partners change by a plan for all rounds, which is drawn once and serves every run.
        if part.sides and key not in self.plans:
            self.plans[key] = _changing(part, state.entrants(part), self.seed)
        elif FORMATS[part.kind].needs_results and not part.sides:
            # With the lot of this run: otherwise all runs would share the same draws of chance, and their spread would
            # be too small.
            return self._draw(part, state.entrants(part), history, state.finished, f"{self.seed}/{state.lot}")
        if key not in self.plans:
            self.plans[key] = self._draw(part, state.entrants(part), (), (), self.seed)
        return self.plans[key][len(history) :]

    def _draw(
        self, part: Part, entrants: Sequence[Entrant], history: Sequence[Plan], done: Sequence[Finished], seed: str
    ) -> list[Plan]:
        return schedule(
            stand_in(part, len(entrants)) or part.kind,
            entrants,
            part.rounds,
            part.seats,
            seed,
            history=history,
            finished=done,
            advance=part.advance,
            third_place=part.third_place,
            consolation=part.consolation,
        )


def stand_in(part: Part, entries: int) -> str:
    """Return the format that draws in place of this one in a field this large; "" if its planner is quick enough."""
    found = FORMATS[part.kind].rehearsed_as
    return found[0] if found is not None and entries > found[1] else ""


def _changing(part: Part, entrants: Sequence[Entrant], seed: str) -> list[Plan]:
    """Plan all rounds in which partners change: they depend on who is there, and here nobody comes or goes."""
    shape = Shape(part.seats, part.rounds, sides=part.sides)
    return FORMATS[part.kind].ahead(StageSoFar(entrants, shape), Random(seed))


@dataclass(slots=True)
class Group:
    """A group under way. own: strength by place in the group; carried: what each brought along. lot: of this run."""

    own: Mapping[str, float]
    carried: Sequence[Adjustment]
    lot: str
    history: list[Plan] = field(default_factory=list)
    finished: list[Finished] = field(default_factory=list)
    results: list[MatchResult] = field(default_factory=list)

    def entrants(self, part: Part) -> list[Entrant]:
        """Return the entrants as the planner wants them, with the scores of now."""
        everybody = [Entrant(name, seed) for seed, name in enumerate(names(len(self.own)), start=1)]
        if not FORMATS[part.kind].needs_results or not self.history or by_exit(part):
            return everybody
        scores = {row.entry: row.key[0] for row in self.table(part).rows}
        exact = {entry: score for entry, score in scores.items() if isinstance(score, Fraction)}
        return [replace(item, score=exact[item.entry]) for item in everybody]

    def table(self, part: Part) -> Table:
        """Return the standings of now."""
        seeds = {name: seed for seed, name in enumerate(names(len(self.own)), start=1)}
        sat_out = [Unplayed(entry, plan.round) for plan in self.history for entry in plan.byes]
        return fold(self.results, self.carried, part.spec, entries=seeds, unplayed=sat_out)

    def play(self, plan: Plan, scores: Scores, rng: Random, deals: int = 0) -> None:
        """Play one round. deals: of a match, 0: it counts as one."""
        self.history.append(plan)
        for pod in plan.pods:
            sides = sides_at(pod) if pod.sides else [(entry,) for entry in pod.seats]
            won = [points(_mean(self.own[entry] for entry in side), scores, rng) for side in sides]
            at = pod.sides or range(len(pod.seats))
            order = tuple(1 + sum(other > won[side] for other in won) for side in at)
            here = tuple(Fraction(won[side]) for side in at)
            away = (False,) * len(here)
            self.finished.append(Finished(plan.round, pod.table, order, here, away, by_lots=True))
            # None: the fold then counts the match as one deal.
            wins = deals_won(won, deals, scores, rng) if deals else [None] * len(won)
            self.results.append(_result(plan.round, pod, won, wins))


@dataclass(frozen=True, slots=True)
class GroupPlayed:
    """A group that was played. rows: final order. tables: of each round.

    Of a bracket whose matches start one by one, labels: the matches of each round; waits: what each waits for.
    """

    rows: tuple[Finisher, ...]
    tables: tuple[int, ...]
    repeats: int
    byes: int
    table: Table | None
    partners: tuple[int, int] | None = None
    stand_in: bool = False
    labels: tuple[tuple[str, ...], ...] = ()
    waits: Waits = field(default_factory=dict)


def by_exit(part: Part) -> bool:
    """Return whether the final order is that of going out, not of totals."""
    return FORMATS[part.kind].ranks_by_bracket


def play_group(
    part: Part, own: Mapping[str, float], scores: Scores, drawn: Drawn, rng: Random, carry: Sequence[Adjustment] = ()
) -> GroupPlayed:
    """Play a group. own: strength by place in the group ("0001" first)."""
    state = Group(own, carry, f"{rng.getrandbits(64):016x}")
    while len(state.history) < MAX_ROUNDS and (plans := drawn.rounds(part, len(own), state.history, state)):
        state.play(plans[0], scores, rng, part.deals)
    table = None if by_exit(part) else state.table(part)
    last = state.history[-1].quality
    return GroupPlayed(
        rows=_by_totals(table) if table else _by_exit(part, state, drawn),
        tables=tuple(len(plan.pods) for plan in state.history),
        repeats=last.repeats,
        byes=sum(len(plan.byes) for plan in state.history),
        table=table,
        partners=_partners(state.history),
        stand_in=bool(stand_in(part, len(own))),
        labels=tuple(tuple(pod.label for pod in plan.pods) for plan in state.history),
        waits=_waits(part, state, drawn) if part.flows else {},
    )


def _waits(part: Part, state: Group, drawn: Drawn) -> Waits:
    """Return what each match of a bracket waited for."""
    found: Any = FORMATS[part.kind]
    now, _late = found.bracket(_so_far(part, state), Random(f"{drawn.seed}/{state.lot}"))
    return waits_of(now, [pod.label for plan in state.history for pod in plan.pods])


def _so_far(part: Part, state: Group) -> StageSoFar:
    shape = Shape(
        part.seats, part.rounds, advance=part.advance, third_place=part.third_place, consolation=part.consolation
    )
    return StageSoFar(state.entrants(part), shape, state.history, state.finished)


def _result(number: int, pod: Pod, won: Sequence[int], wins: Sequence[int | None]) -> MatchResult:
    """Make the result of a pod. won, wins: of every side."""
    sides = pod.sides or range(len(pod.seats))
    figures = enumerate(zip(pod.seats, sides, strict=True))
    seats = tuple(SeatResult(entry, seat, side, won[side], wins[side]) for seat, (entry, side) in figures)
    return MatchResult(f"{number}.{pod.table}", number, pod.table, seats)


def _mean(strengths: Iterable[float]) -> float:
    """Return the strength of a side: that of its members on average."""
    own = list(strengths)
    return sum(own) / len(own)


def _partners(history: Sequence[Plan]) -> tuple[int, int] | None:
    """Return how often partners were partners again, and the fewest that are possible."""
    last = history[-1].rotation
    return (last.partners.repeats, last.partners.bound) if last is not None else None


def _by_totals(table: Table) -> tuple[Finisher, ...]:
    return tuple(
        Finisher(row.entry, row.rank, value=tuple(part for part in row.key if isinstance(part, Fraction)))
        for row in table.rows
    )


def _by_exit(part: Part, state: Group, drawn: Drawn) -> tuple[Finisher, ...]:
    rng = Random(f"{drawn.seed}/{state.lot}")
    best = FORMATS[part.kind].places(_so_far(part, state), rng)
    return tuple(Finisher(entry, place) for entry, place in best.items())


def brought(entry: str, rule: str, table: Table | None, before: str) -> Adjustment | None:
    """Return what an entry takes along from a stage with totals."""
    if table is None or rule == Carry.NONE:
        return None
    row = table.row(before)
    amounts = {name: row.value(name) for name in ("points", "victories", "place") if name in table.columns}
    whole = {name: value for name, value in amounts.items() if isinstance(value, Fraction)}
    return carried(
        entry,
        Carry(rule),
        points=whole.get("points", Fraction(0)),
        victories=whole.get("victories", Fraction(0)),
        place=whole.get("place", Fraction(0)),
    )
