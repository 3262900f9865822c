"""Proofs for Oi-bana: scenes that the examples of its clauses and options must show, beside those of its table
(sakura.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from scripts.examples import sakura
from scripts.examples.scene import Proof, Scene


def sold(scene: Scene) -> bool:
    """The last bid: two play, the others return their cards, the field is laid."""
    return bool(scene.notes("auction")) and not scene.notes("redeal")


def paid(scene: Scene) -> bool:
    """The loser pays his own bid, and the winner's was another."""
    outcome = scene.log.outcome
    if not scene.ends_deal or outcome is None or outcome.winner is None:
        return False
    # Two bids that differ: with equal ones nobody could see whose bid is paid.
    return len(set(getattr(outcome, "bids", ()))) == 2


def lowest(scene: Scene) -> bool:
    """The lowest bid there is."""
    return scene.kind == "bid" and scene.action is not None and scene.action.amount == scene.options.bid_min


def highest(scene: Scene) -> bool:
    """The highest bid there is."""
    return scene.kind == "bid" and scene.action is not None and scene.action.amount == scene.options.bid_max


CLAUSES: Final[Mapping[str, Proof]] = MappingProxyType(
    {
        **sakura.CLAUSES,
        "auction": sold,
        "field": sold,
        "stake": lambda scene: paid(scene) and sakura.yaku_costs(scene),
    }
)
OPTIONS: Final[Mapping[tuple[str, object], Proof]] = MappingProxyType(
    {
        **{key: proof for key, proof in sakura.OPTIONS.items() if key[0] not in ("scoring", "teams", "team_dealer")},
        ("oibana_payment", "loser_bid"): paid,
        ("bid_min", 1): lowest,
        ("bid_max", 100): highest,
        ("deal_hands", "off"): sakura.no_deal_hand,
        ("gaji_at_deal", "stay"): lambda scene: sold(scene) and bool(scene.after.table.field >> sakura.GAJI & 1),
        ("teams", "solo"): sold,
    }
)
