"""The event played before it is: real planners and standings, made-up people. See README.md."""

from core.simulation.course import rehearse
from core.simulation.forecast import Forecast, StageTime, forecast
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
    "Forecast",
    "Level",
    "Pace",
    "Part",
    "PartFigures",
    "Rehearsal",
    "RoundFigures",
    "Sampled",
    "Scores",
    "StageTime",
    "Strengths",
    "forecast",
    "rehearse",
]
