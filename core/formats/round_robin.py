"""Round robin at two seats: everyone plays everyone once a cycle, by the Berger tables.

Source: FIDE Handbook C.05 Annex 1; the closed form is in tournaments.md section 4. Every second cycle exchanges seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from core.formats.errors import FormatError
from core.formats.model import Entrant, Plan, Pod, Reason, Shape, StageSoFar
from core.formats.schedules.quality import Drawn, certify, counter_of
from core.formats.sizes import check
from core.formats.stage_format import Format, TeamSeating
from engine.words import Counted, gettext_noop, ngettext

PAIRED = gettext_noop("Round robin, round %(round)d: seed %(first)d – seed %(second)d.")
SECOND = gettext_noop("Round robin, cycle %(cycle)d with seats exchanged: seed %(first)d – seed %(second)d.")
FREE = gettext_noop("The number of entries is odd: one has a bye in each round, each of them once per cycle.")
AWAY = gettext_noop("The opponent has withdrawn, so this entry has a bye.")


def berger(players: int, turn: int) -> tuple[list[tuple[int, int]], int | None]:
    """Return (boards as (first seat, second seat), who sits out) of round `turn` (from 0); players are 1..players.

    Odd fields use the next even table; anyone who meets its last number sits out.

    >>> berger(4, 0)
    ([(1, 4), (2, 3)], None)
    """
    size = players + players % 2
    circle = size - 1
    # The closed form of the tables in FIDE C.05: each round turns the circle by half its size.
    start = turn * size // 2 % circle
    turned = [(start + step) % circle + 1 for step in range(circle)]
    # The last number stays where it is; it takes the first seat in every second round.
    top = (turned[0], size) if turn % 2 == 0 else (size, turned[0])
    boards = [top, *((turned[step], turned[-step]) for step in range(1, size // 2))]
    if players == size:
        return boards, None
    return boards[1:], turned[0]


class RoundRobin(Format):
    """See the module."""

    id = "round_robin"
    name = gettext_noop("Round robin")
    label = gettext_noop("round robin")
    description = gettext_noop("Everyone plays everyone once, at tables of two; a second cycle swaps the seats.")
    seat_range = (2, 2)
    usual_sides = range(2, 3)
    meets_everybody = True
    fits_fide_report = True
    teams = TeamSeating.MEETINGS

    def rounds(self, entries: int, shape: Shape) -> int:
        """Return the rounds of all cycles (`shape.rounds` is the number of cycles)."""
        return shape.rounds * (entries - 1 + entries % 2) if entries > 1 else 0

    def estimate(self, entries: int, shape: Shape) -> int:
        """Estimate everybody against everybody, once a cycle."""
        return shape.rounds * entries * (entries - 1) // 2

    def sentence(self, shape: Shape) -> Counted:
        """Return how often everybody meets."""
        return ngettext("single round robin", "round robin, %(n)d times", shape.rounds)

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """Plan all rounds after `history`. Numbers are the order of (seed, id); pass withdrawn entries too, not active.

        Draws nothing at random. Raises FormatError "seats.range", "entries.too_few" or "constraint.unsupported".
        """
        shape = stage.shape
        check(shape.seats)
        if shape.seats.min > 2:
            raise FormatError("a round robin is played at tables of two; allow two seats", code="seats.range")
        if stage.constraints:
            message = "in a round robin everybody meets everybody, so nobody can be kept apart; drop the constraints"
            raise FormatError(message, code="constraint.unsupported")
        # With those who withdrew: their numbers stay taken, or everybody's later opponents would change.
        order = sorted(stage.entries, key=lambda entrant: (entrant.seed, entrant.entry))
        if sum(entrant.is_active for entrant in order) < 2:
            raise FormatError("a round robin needs two entries; wait for more", code="entries.too_few")
        total = self.rounds(len(order), shape)
        drawn = [_draw(order, turn) for turn in range(len(stage.history), total)]
        return _plans(stage.history, drawn, len(order))


def _draw(order: Sequence[Entrant], turn: int) -> tuple[tuple[Pod, ...], tuple[str, ...]]:
    """Pods and byes of round `turn` (from 0, over all cycles)."""
    cycle, step = divmod(turn, len(order) - 1 + len(order) % 2)
    boards, free = berger(len(order), step)
    pods: list[Pod] = []
    byes = [] if free is None else [order[free - 1]]
    for one, other in boards:
        first, second = (one, other) if cycle % 2 == 0 else (other, one)
        players = [order[first - 1], order[second - 1]]
        if all(entrant.is_active for entrant in players):
            seats = tuple(entrant.entry for entrant in players)
            pods.append(Pod(len(pods) + 1, seats, (_why(turn, cycle, step, first, second),)))
        else:
            byes += players
    return tuple(pods), tuple(entrant.entry for entrant in byes if entrant.is_active)


def _why(turn: int, cycle: int, step: int, first: int, second: int) -> Reason:
    numbers = (("first", first), ("second", second))
    if cycle % 2 == 0:
        return Reason("berger.table", PAIRED, (("round", step + 1), *numbers))
    return Reason("berger.exchanged", SECOND, (("cycle", cycle + 1), *numbers))


def _plans(history: Sequence[Plan], drawn: Sequence[Drawn], players: int) -> list[Plan]:
    """Plans with their figures."""
    certificate = certify([*((plan.pods, plan.byes) for plan in history), *drawn], "berger")
    tally = counter_of(history)
    plans = []
    for number, (pods, byes) in enumerate(drawn, start=len(history) + 1):
        tally.add(pods, byes)
        plans.append(Plan(number, pods, byes, tally.quality(), certificate, _reasons(byes, players)))
    return plans


def _reasons(byes: Sequence[str], players: int) -> tuple[Reason, ...]:
    free = (Reason("berger.bye", FREE),) if players % 2 and byes else ()
    away = (Reason("berger.withdrawn", AWAY),) if len(byes) > players % 2 else ()
    return (*free, *away)
