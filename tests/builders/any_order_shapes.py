"""Events on which anything is done in any order: a small field of every format."""

from __future__ import annotations

from typing import Any

from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan

SHAPES: dict[str, tuple[int, dict[str, Any]]] = {
    "swiss": (5, {"kind": "swiss", "rounds": 3}),
    "dutch": (6, {"kind": "dutch", "rounds": 3}),
    "pods": (7, {"kind": "pods", "seats": 4, "seats_min": 3, "rounds": 3}),
    "tables": (7, {"kind": "tables", "seats": 4, "seats_min": 3, "rounds": 2}),
    "round_robin": (4, {"kind": "round_robin"}),
    "single_elim": (5, {"kind": "single_elim"}),
    "double_elim": (4, {"kind": "double_elim"}),
    "single_flow": (7, {"kind": "single_elim", "third_place": True, "consolation": True, "flows": True}),
    "double_flow": (6, {"kind": "double_elim", "flows": True}),
    "lives": (6, {"kind": "lives", "seats": 3, "rounds": 1}),
    "chain": (
        6,
        {
            "kind": "round_robin",
            "groups": 2,
            "min_entries": 6,
            "then": (StagePlan(kind="single_elim", name="Final", flows=True),),
            "ways": (AdvancementPlan(source=1, target=2, last=2),),
        },
    ),
}
"""Small fields of every format: how many people, and what is asked for."""
