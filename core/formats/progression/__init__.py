"""From one stage to the next: who goes on, with which seed, and whether a graph of stages is sound. See README.md."""

from core.formats.progression.graph import check
from core.formats.progression.model import Carry, Finisher, Progression, SeedBy, Seeded, Selection
from core.formats.progression.ranking import Placed, best_places, event_ranking
from core.formats.progression.seeding import apart, constraints_apart, select

__all__ = [
    "Carry",
    "Finisher",
    "Placed",
    "Progression",
    "SeedBy",
    "Seeded",
    "Selection",
    "apart",
    "best_places",
    "check",
    "constraints_apart",
    "event_ranking",
    "select",
]
