"""Brackets: drawn once as a graph of matches, advanced as results come. See README.md."""

from tournaments.formats.elimination.advance import advance
from tournaments.formats.elimination.draw import BracketShape, DrawBy, bracket, ordered
from tournaments.formats.elimination.late import join
from tournaments.formats.elimination.model import Bracket, BracketMatch, BracketSeat, Ended, Feed, Figures, Kind, State
from tournaments.formats.elimination.places import Placed, places
from tournaments.formats.elimination.preview import Affected, Effect, preview

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
