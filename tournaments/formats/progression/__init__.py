"""From one stage to the next: who goes on, with which seed, and whether a graph of stages is sound. See README.md."""

from tournaments.formats.progression.graph import check
from tournaments.formats.progression.model import Carry, Finisher, Progression, SeedBy, Seeded, Selection
from tournaments.formats.progression.ranking import Placed, best_places, event_ranking
from tournaments.formats.progression.seeding import apart, constraints_apart, select

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
