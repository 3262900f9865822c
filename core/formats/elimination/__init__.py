"""Brackets: drawn once as a graph of matches, advanced as results come. See README.md."""

from core.formats.elimination.advance import advance
from core.formats.elimination.draw import BracketShape, DrawBy, bracket, ordered
from core.formats.elimination.late import join
from core.formats.elimination.model import Bracket, BracketMatch, BracketSeat, Ended, Feed, Figures, Kind, State
from core.formats.elimination.places import Placed, places
from core.formats.elimination.preview import Affected, Effect, preview

__all__ = [
    "Affected",
    "Bracket",
    "BracketMatch",
    "BracketSeat",
    "BracketShape",
    "DrawBy",
    "Effect",
    "Ended",
    "Feed",
    "Figures",
    "Kind",
    "Placed",
    "State",
    "advance",
    "bracket",
    "join",
    "ordered",
    "places",
    "preview",
]
