"""Swiss at tables of three to seven: equal scores sit together, nobody meets anybody twice while it can be avoided.

Source: tournaments.md section 4. The order by score is cut into tables, mended by swaps and brought back close
(`pod_search`); then seats are shared out so that everybody has each seat as often as can be (`seating`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from engine.words import gettext_noop
from tournaments.formats import seating
from tournaments.formats.errors import FormatError
from tournaments.formats.model import Constraint, Entrant, Finished, Plan, Pod, Reason, Shape
from tournaments.formats.pod_search import HARD, Grid, cut, search
from tournaments.formats.scores import in_order, next_field, shown
from tournaments.formats.sizes import split
from tournaments.formats.standing_order import Standing, numbered, standing
from tournaments.formats.swiss import LOCKED, planned

MOST_SEATS = 7
LEVEL = gettext_noop("Paired because all of them have %(score)s.")
CLOSE = gettext_noop("Paired because their scores lie close together, from %(high)s to %(low)s.")
FRESH = gettext_noop("None of these %(seats)d has met another one before.")
AGAIN = gettext_noop("%(again)d of their %(pairs)d pairs meet again, because no better round was found.")
BROKEN = gettext_noop("%(broken)d pairs that were not to meet do, because no round without that was found.")
SITTING_OUT = gettext_noop(
    "%(byes)d sit out, because %(entries)d do not fill the tables: fewest byes first, then the lowest score."
)
FIGURES = gettext_noop(
    "Score levels between the best and the worst of each pod, added up: %(spread)d;"
    " %(free)d if earlier meetings and wishes did not count."
)


class SwissTables:
    """See the module."""

    id = "pods"
    name = gettext_noop("Swiss tables")
    description = gettext_noop(
        "Each round seats equal scores together at tables of three to seven, with new opponents."
    )
    seat_range = (3, 7)
    needs_results = True

    def rounds(self, entries: int, shape: Shape) -> int:
        """As many as asked for. `swiss.suggested` says how many tell a winner."""
        return shape.rounds if entries >= shape.seats.min else 0

    def schedule(
        self,
        entries: Sequence[Entrant],
        shape: Shape,
        *,
        history: Sequence[Plan] = (),
        finished: Sequence[Finished] = (),
        constraints: Sequence[Constraint] = (),
        rng: Random,
    ) -> list[Plan]:
        """The round after `history`, or none after the last. Needs the entrants' scores as they are now.

        Raises FormatError "seats.range", "entries.too_few" when no table can be filled, or "plan.locked".
        """
        turn = len(history) + 1
        if turn > shape.rounds:
            return []
        if shape.seats.max < 3:
            raise FormatError("Swiss tables seat three or more; at two seats take the Swiss", code="seats.range")
        drawn = in_order(next_field(entries, turn, shape, shape.seats.min))
        rng = Random(f"{rng.getrandbits(64)}/{turn}")  # another lot in each round of one seed
        rng.shuffle(drawn)  # equal scores in the order of the lot
        drawn.sort(key=lambda item: item.score, reverse=True)
        sizes, byes = split(len(drawn), shape.seats)
        everybody = standing(drawn, history, finished, constraints)
        sitting = _sitting_out(everybody, byes)
        seated = [item for at, item in enumerate(drawn) if at not in sitting]
        field = standing(seated, history, finished, constraints)
        tables = search(Grid(_costs(field), field.level), sizes, rng)
        placed = seating.seat([tables], len(seated), _used(field, history))[0] if tables else []
        pods = [Pod(0, tuple(field.entries[at] for at in table), _why(field, table)) for table in placed]
        locked = [Pod(pod.table, pod.seats, (Reason("swiss.locked", LOCKED),), True) for pod in shape.locked]
        out = tuple(drawn[at].entry for at in sorted(sitting))
        reasons = _reasons(field, tables, sizes, len(out))
        return [planned(turn, numbered(pods, locked), out, history, constraints, reasons, "swaps")]


def _sitting_out(field: Standing, byes: int) -> frozenset[int]:
    """Fewest byes so far first, then the lowest score, then the end of the order."""
    queue = sorted(range(len(field.entries)), key=lambda at: (field.byes[at], -field.level[at], -at))
    return frozenset(queue[:byes])


def _costs(field: Standing) -> list[dict[int, int]]:
    """What a meeting of two costs: earlier meetings, wishes, and far more if it is forbidden."""
    costs: list[dict[int, int]] = [{} for _ in field.entries]
    for source in (field.met, field.wishes, dict.fromkeys(field.forbidden, HARD)):
        for (one, other), amount in source.items():
            costs[one][other] = costs[other][one] = costs[one].get(other, 0) + amount
    return costs


def _used(field: Standing, history: Sequence[Plan]) -> list[list[int]]:
    """How often each has had each seat."""
    at = {entry: position for position, entry in enumerate(field.entries)}
    used = [[0] * MOST_SEATS for _ in field.entries]
    for plan in history:
        for pod in plan.pods:
            for seat, entry in enumerate(pod.seats):
                if entry in at:
                    used[at[entry]][seat] += 1
    return used


def _why(field: Standing, table: Sequence[int]) -> tuple[Reason, ...]:
    """Why these sit together."""
    pairs = list(combinations(sorted(table), 2))
    high, low = shown(field.scores[min(table)]), shown(field.scores[max(table)])
    if high == low:
        reasons = [Reason("pods.level", LEVEL, (("score", high),))]
    else:
        reasons = [Reason("pods.close", CLOSE, (("high", high), ("low", low)))]
    if again := sum(field.met[two] > 0 for two in pairs):
        reasons.append(Reason("pods.again", AGAIN, (("again", again), ("pairs", len(pairs)))))
    else:
        reasons.append(Reason("pods.fresh", FRESH, (("seats", len(table)),)))
    if broken := sum(two in field.forbidden for two in pairs):
        reasons.append(Reason("pods.broken", BROKEN, (("broken", broken),)))
    return tuple(reasons)


def _reasons(field: Standing, tables: Sequence[Sequence[int]], sizes: Sequence[int], byes: int) -> tuple[Reason, ...]:
    """Figures of the round, and who sits out."""
    figures = (("spread", _levels(field, tables)), ("free", _levels(field, cut(sizes))))
    about = Reason("pods.figures", FIGURES, figures)
    if not byes:
        return (about,)
    entries = byes + len(field.entries)
    return (about, Reason("pods.byes", SITTING_OUT, (("byes", byes), ("entries", entries))))


def _levels(field: Standing, tables: Sequence[Sequence[int]]) -> int:
    return sum(field.level[max(table)] - field.level[min(table)] for table in tables)
