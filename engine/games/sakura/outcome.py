"""The result of a deal of Sakura. Source: rules.md 4."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import CardSet
from engine.game import Outcome


@dataclass(slots=True, kw_only=True)
class SakuraOutcome(Outcome):
    """reason: `played`, `teshi`, `kuttsuki` or `void`. points, yaku: per side, the claim included.

    margin: the winner's score less the best other side's. claimed: what the end claim moved, to claimed_side.
    dead: cards left on the field.
    """

    points: tuple[int, ...]
    yaku: tuple[tuple[str, ...], ...]
    margin: int
    label: str | None
    claimed: CardSet
    claimed_side: int | None
    dead: CardSet
