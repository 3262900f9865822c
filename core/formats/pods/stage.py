"""Swiss at tables of three to seven: equal scores sit together, nobody meets anybody twice while it can be avoided.

Source: tournaments.md section 4. Who sits together is searched for (`drawing`): few second meetings and wishes that
give way first, close scores second, unless the organiser orders them otherwise. Some tables are filled before that
(`preset`): those of people who must sit together, and in the last rounds those of the leaders. Seats are shared out so
that everybody has each seat as often as can be (`seating`); what is said about it all is in `words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from core.formats.errors import FormatError
from core.formats.model import Plan, Pod, StageSoFar
from core.formats.pods.drawing import draw_tables
from core.formats.pods.preset import preset_tables
from core.formats.pods.words import round_reasons, table_reasons
from core.formats.schedules import seating
from core.formats.sizes import split
from core.formats.stage_format import TeamSeating
from core.formats.swiss.acceleration import accelerated, acceleration_reasons
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
    takes_draw_rules = True
    takes_forbidden_pairs = True
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
        wished = [item for item in stage.constraints if item.holds(turn)]
        drawn = in_order(accelerated(next_field(stage.entries, turn, shape, shape.seats.min), stage, turn))
        rng = Random(f"{rng.getrandbits(64)}/{turn}")  # another lot in each round of one seed
        rng.shuffle(drawn)  # equal scores in the order of the lot
        drawn.sort(key=lambda item: item.score, reverse=True)
        sizes, byes = split(len(drawn), shape.seats)
        everybody = standing(drawn, history, stage.finished, wished)
        sitting = _sitting_out(everybody, byes)
        seated = [item for at, item in enumerate(drawn) if at not in sitting]
        field = standing(seated, history, stage.finished, wished)
        preset = preset_tables(field, sizes, shape, turn)
        found = draw_tables(field, sizes, preset, wished, shape.draw, rng)
        tables = sorted(found.tables, key=min) if shape.draw.leader_first else found.tables
        placed = seating.seat([tables], len(seated), _used(field, history))[0] if tables else []
        pods = [Pod(0, tuple(field.entries[at] for at in table), table_reasons(found, table)) for table in placed]
        locked = locked_pods(shape)
        out = tuple(drawn[at].entry for at in sorted(sitting))
        reasons = (*round_reasons(found, sizes, len(out)), *acceleration_reasons(stage, turn))
        return [planned(turn, numbered(pods, locked), out, history, stage.constraints, reasons, "search")]


def _sitting_out(field: Standing, byes: int) -> frozenset[int]:
    """Choose who sits out: fewest byes so far first, then the lowest score, then the end of the order.

    Who must sit with somebody in this round comes last.
    """
    wanted = {at for two in field.together for at in two}
    queue = sorted(range(len(field.entries)), key=lambda at: (at in wanted, field.byes[at], -field.level[at], -at))
    return frozenset(queue[:byes])


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
