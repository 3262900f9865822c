"""The event played before it is: real planners and standings, made-up people. See README.md."""

from core.simulation.course import rehearse
from core.simulation.model import (
    Course,
    Level,
    Pace,
    Part,
    PartFigures,
    Rehearsal,
    RoundFigures,
    Sampled,
    Scores,
    Strengths,
)

__all__ = [
    "Course",
    "Level",
    "Pace",
    "Part",
    "PartFigures",
    "Rehearsal",
    "RoundFigures",
    "Sampled",
    "Scores",
    "Strengths",
    "rehearse",
]
