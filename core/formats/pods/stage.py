"""Swiss at tables of three to seven: equal scores sit together, nobody meets anybody twice while it can be avoided.

Source: tournaments.md section 4. Who sits together is searched for (`pod_search`): few second meetings and wishes that
give way first, close scores second. In the last rounds the leaders sit at one table if the stage wants that, anyone who
has met before. Seats are shared out so that everybody has each seat as often as can be (`seating`); what is said about
it all is in `pod_words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from core.formats.errors import FormatError
from core.formats.model import Constraint, Plan, Pod, Shape, StageSoFar
from core.formats.pods.search import HARD, Found, Grid, search
from core.formats.pods.words import LEADERS, Drawn, round_reasons, table_reasons
from core.formats.schedules import seating
from core.formats.sizes import split
from core.formats.stage_format import TeamSeating
from core.formats.swiss.scores import in_order, next_field
from core.formats.swiss.stage import ByScore, locked_pods, planned
from core.formats.swiss.standing_order import Standing, numbered, standing
from engine.words import gettext_noop

MAX_SEATS = 7


class SwissTables(ByScore):
    """See the module."""

    id = "pods"
    name = gettext_noop("Swiss tables")
    label = gettext_noop("Swiss at tables")
    description = gettext_noop(
        "Each round seats equal scores together at tables of three to seven, with new opponents."
    )
    seat_range = (3, 7)
    honours_clubs = True
    seats_leaders_together = True
    teams = TeamSeating.BOARDS

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """The round after `history`, or none after the last. Needs the entrants' scores as they are now.

        Raises FormatError "seats.range", "entries.too_few" when no table can be filled, or "plan.locked".
        """
        shape, history = stage.shape, stage.history
        turn = len(history) + 1
        if turn > shape.rounds:
            return []
        if shape.seats.max < 3:
            raise FormatError("Swiss tables seat three or more; at two seats choose the Swiss", code="seats.range")
        drawn = in_order(next_field(stage.entries, turn, shape, shape.seats.min))
        rng = Random(f"{rng.getrandbits(64)}/{turn}")  # another lot in each round of one seed
        rng.shuffle(drawn)  # equal scores in the order of the lot
        drawn.sort(key=lambda item: item.score, reverse=True)
        sizes, byes = split(len(drawn), shape.seats)
        everybody = standing(drawn, history, stage.finished, stage.constraints)
        sitting = _sitting_out(everybody, byes)
        seated = [item for at, item in enumerate(drawn) if at not in sitting]
        field = standing(seated, history, stage.finished, stage.constraints)
        leaders = _table_of_leaders(field, sizes, shape, turn)
        found = _drawn(field, sizes, leaders, stage.constraints, rng)
        tables = found.tables
        placed = seating.seat([tables], len(seated), _used(field, history))[0] if tables else []
        pods = [Pod(0, tuple(field.entries[at] for at in table), table_reasons(found, table)) for table in placed]
        locked = locked_pods(shape)
        out = tuple(drawn[at].entry for at in sorted(sitting))
        reasons = round_reasons(found, sizes, len(out))
        return [planned(turn, numbered(pods, locked), out, history, stage.constraints, reasons, "search")]


def _sitting_out(field: Standing, byes: int) -> frozenset[int]:
    """Choose who sits out: fewest byes so far first, then the lowest score, then the end of the order."""
    queue = sorted(range(len(field.entries)), key=lambda at: (field.byes[at], -field.level[at], -at))
    return frozenset(queue[:byes])


def _costs(field: Standing) -> list[dict[int, int]]:
    """Return what a meeting of two costs: earlier meetings, wishes, and far more if it is forbidden."""
    costs: list[dict[int, int]] = [{} for _ in field.entries]
    for source in (field.met, field.weights, dict.fromkeys(field.forbidden, HARD)):
        for (one, other), amount in source.items():
            if amount:
                costs[one][other] = costs[other][one] = costs[one].get(other, 0) + amount
    return costs


def _table_of_leaders(field: Standing, sizes: Sequence[int], shape: Shape, turn: int) -> tuple[int, ...]:
    """Return who leads, as many as a table has seats, if this is one of the rounds in which they meet; nobody
    elsewhere.

    Who must not meet is not seated together even then; of equal scores those come in who have met the others least.
    """
    if turn <= shape.rounds - shape.leaders or not sizes:
        return ()
    size = shape.seats.pref if shape.seats.pref in sizes else sizes[0]
    costs = _costs(field)
    chosen: list[int] = []
    while len(chosen) < size:
        left = [at for at in range(len(field.entries)) if at not in chosen]
        paid = {at: sum(costs[at].get(mate, 0) for mate in chosen) for at in left}
        chosen.append(min(left, key=lambda at: (paid[at] >= HARD, field.level[at], paid[at], at)))
    return tuple(sorted(chosen))


def _drawn(
    field: Standing, sizes: Sequence[int], leaders: Sequence[int], constraints: Sequence[Constraint], rng: Random
) -> Drawn:
    """Draw the tables, and find what second meetings are owed to, where there are any."""
    state = rng.getstate()
    found = _found(field, sizes, leaders, rng)
    drawn = Drawn(field, found.tables, tuple(leaders), found.is_proved)
    if not drawn.again:
        return drawn
    free = {}
    for name in dict.fromkeys(item.wish or item.kind.value for item in constraints):
        others = [item for item in constraints if (item.wish or item.kind.value) != name]
        # The same lots each time: what a wish costs must not be mixed with another draw of luck.
        rng.setstate(state)
        free[name] = replace(drawn, tables=_fewest(field.with_constraints(others), sizes, leaders, rng)).again
    if leaders:
        rng.setstate(state)
        free[LEADERS] = replace(drawn, tables=_fewest(field, sizes, (), rng)).again
    return replace(drawn, without=tuple((name, again) for name, again in free.items() if again < drawn.again))


def _found(field: Standing, sizes: Sequence[int], leaders: Sequence[int], rng: Random) -> Found:
    """Return the best tables, those of the leaders first."""
    grid = Grid(_costs(field), field.level)
    if not leaders:
        return search(grid, sizes, rng)
    others = [at for at in range(len(field.entries)) if at not in leaders]
    left = list(sizes)
    left.remove(len(leaders))
    found = search(grid.part(others), left, rng)
    tables = [list(leaders), *([others[at] for at in table] for table in found.tables)]
    return Found(tables, is_proved=not grid.of(tables)[0])


def _fewest(field: Standing, sizes: Sequence[int], leaders: Sequence[int], rng: Random) -> list[list[int]]:
    """Return tables with as few second meetings as a search finds, regardless of the scores."""
    return _found(replace(field, level=(0,) * len(field.level)), sizes, leaders, rng).tables


def _used(field: Standing, history: Sequence[Plan]) -> list[list[int]]:
    """Return how often each has had each seat."""
    at = {entry: position for position, entry in enumerate(field.entries)}
    used = [[0] * MAX_SEATS for _ in field.entries]
    for plan in history:
        for pod in plan.pods:
            for seat, entry in enumerate(pod.seats):
                if entry in at:
                    used[at[entry]][seat] += 1
    return used
