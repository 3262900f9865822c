"""A stage format that nobody plays, whole: what a new one has to bring, and all that it has to bring.

In each round the first sits with the second, the third with the fourth and so on, as the standings have them, whether
or not they have met. Of an odd number the last one sits out.
"""

from __future__ import annotations

from random import Random

from core.formats.model import Plan, Pod, Reason, Shape, StageSoFar
from core.formats.stage_format import Format
from core.formats.swiss.scores import next_field
from core.formats.swiss.stage import planned
from core.formats.swiss.standing_order import by_score
from engine.words import Counted, ngettext

BESIDE = "They stand beside one another."


class Neighbours(Format):
    """See the module."""

    id = "toy_neighbours"
    name = "Toy neighbours"
    label = "toy neighbours"
    description = "Neighbours in the standings meet."
    seat_range = (2, 2)
    needs_results = True
    takes_late_entries = True

    def rounds(self, entries: int, shape: Shape) -> int:
        """As many as asked for."""
        return shape.rounds if entries > 1 else 0

    def schedule(self, stage: StageSoFar, rng: Random) -> list[Plan]:
        """The round after `history`, or none after the last."""
        turn = len(stage.history) + 1
        if turn > stage.shape.rounds:
            return []
        order = [item.entry for item in by_score(next_field(stage.entries, turn, stage.shape, 2))]
        pairs = zip(order[::2], order[1::2], strict=False)
        pods = tuple(Pod(n, two, (Reason("toy.beside", BESIDE),)) for n, two in enumerate(pairs, start=1))
        byes = (order[-1],) if len(order) % 2 else ()
        return [planned(turn, pods, byes, stage.history, stage.constraints, (), "toy")]

    def sentence(self, shape: Shape) -> Counted:
        """Return the number of rounds in words."""
        return ngettext("%(n)d toy round", "%(n)d toy rounds of neighbours", shape.rounds)
