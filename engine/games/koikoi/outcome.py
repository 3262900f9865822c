"""The result of a deal of Koi-Koi."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from engine.game import Outcome
from engine.games.koikoi.yaku import Made


@dataclass(slots=True, kw_only=True)
class KoiKoiOutcome(Outcome):
    """reason: `shoubu`, `exhausted`, `teshi`, `kuttsuki`, `both_teyaku` or `field_quad`.

    yaku: per seat what it held at the end, by id. base: points of the yaku that were scored, 0 if none were; added:
    points that calls add to it; multipliers: code and factor of each that applies, in order. calls: per seat.
    """

    yaku: tuple[Made, ...]
    base: int = 0
    added: int = 0
    multipliers: tuple[tuple[str, int], ...] = ()
    calls: tuple[int, ...]

    @property
    def multiplier(self) -> int:
        """The product of all multipliers."""
        return prod(factor for _, factor in self.multipliers)
