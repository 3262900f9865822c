"""Drawing of a bracket: places of its boxes and lines, in the units of the drawing. Pure.

Upper rounds stand above the lower ones, column by column; finals to the right of both. A box is level with the middle
of those that feed it, pushed down where two would touch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.formats.elimination.model import Bracket, BracketMatch, Feed
from tournaments.standings.bracket_now import taken

COLUMN: Final = 176
BOX: Final = 148
LINE: Final = 22
GAP: Final = 14
BAND: Final = 30
"""Height between the upper and the lower rounds, and above each for its heading."""
MAX_COLUMNS: Final = 10
MAX_MATCHES: Final = 32
"""A larger bracket would be too small to read, and its page too heavy: its list alone is shown."""


@dataclass(frozen=True, slots=True)
class Box:
    """A match. x, y: its corner; height: a line for each seat."""

    match: BracketMatch
    x: int
    y: int
    height: int

    @property
    def width(self) -> int:
        """Return the width of every box."""
        return BOX

    @property
    def middle(self) -> int:
        """Return its height in the middle."""
        return self.y + self.height // 2

    @property
    def cut(self) -> int:
        """Return the height of the line below who goes on, once a table of more than two is over; 0: nothing is cut.

        The lines of such a table go by place.
        """
        return LINE * self.match.advance if self.match.is_over and len(self.match.seats) > 2 else 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A line from a box to the seat that it feeds. path: of an SVG path.

    label: which places lead there, where a table seats more than two; at x, y.
    """

    path: str
    label: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """The whole drawing. heads: (x, y, round) of every column's heading."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    heads: tuple[tuple[int, int, str], ...]


def drawing_of(bracket: Bracket) -> Drawing | None:
    """Return the drawing; None for a bracket that is too large for one."""
    upper = [label for label in bracket.rounds if label[0] == "W"]
    lower = [label for label in bracket.rounds if label[0] == "L"]
    last = [label for label in bracket.rounds if label[0] not in "WL"]
    # Upper and lower rounds share columns; the finals follow to the right of both.
    columns = max(len(upper), len(lower)) + len(last)
    if columns > MAX_COLUMNS or len(bracket.matches) > MAX_MATCHES:
        return None
    boxes: dict[str, Box] = {}
    heads: list[tuple[int, int, str]] = []
    floor = _band(bracket, upper, 0, BAND, boxes, heads)
    if lower:
        floor = _band(bracket, lower, 0, floor + BAND, boxes, heads)
    if last:
        floor = max(floor, _band(bracket, last, max(len(upper), len(lower)), BAND, boxes, heads))
    width = columns * COLUMN - (COLUMN - BOX)
    return Drawing(width, floor, tuple(boxes.values()), tuple(_edges(bracket, boxes)), tuple(heads))


def _band(
    bracket: Bracket,
    labels: Sequence[str],
    first: int,
    top: int,
    boxes: dict[str, Box],
    heads: list[tuple[int, int, str]],
) -> int:
    """Draw rounds side by side from a column on; return how far down they reach."""
    floor = top
    for column, label in enumerate(labels, start=first):
        heads.append((column * COLUMN, top - 10, label))
        own = [match for match in bracket.matches if match.round == label]
        free = top
        for match in own:
            height = LINE * len(taken(match))
            fed = [boxes[name].middle for name in _feeding(match, boxes, label)]
            # Level with its feeders, but never over the box above.
            y = max(free, sum(fed) // len(fed) - height // 2 if fed else free)
            boxes[match.id] = Box(match, column * COLUMN, y, height)
            free = y + height + GAP
        floor = max(floor, free)
    return floor


def _feeding(match: BracketMatch, boxes: dict[str, Box], label: str) -> list[str]:
    """Return the boxes that this one stands level with: of its own band; finals with the matches that feed them."""
    found = [seat.source.match for seat in match.seats if isinstance(seat.source, Feed) and seat.source.match in boxes]
    own = [name for name in found if name[0] == label[0]]
    return list(dict.fromkeys(found if label[0] not in "WL" else own))


def _edges(bracket: Bracket, boxes: dict[str, Box]) -> Iterator[Edge]:
    """Yield lines for who goes on; who comes down from the upper rounds is named in words, not drawn."""
    for box in boxes.values():
        feeds: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, seat in enumerate(taken(box.match)):
            if isinstance(seat.source, Feed) and _is_drawn(seat.source.match, box.match.round):
                feeds[seat.source.match].append((number, seat.source.place))
        for name, seats in feeds.items():
            other, places = boxes[name], sorted(place for _number, place in seats)
            level = box.y + LINE * seats[0][0] + LINE // 2 if bracket.seats == 2 else box.middle
            start, bend = other.x + BOX, box.x - (COLUMN - BOX) // 2
            label = "" if bracket.seats == 2 else ",".join(map(str, places))
            yield Edge(f"M{start} {other.middle}H{bend}V{level}H{box.x}", label, start + 3, other.middle - 4)


def _is_drawn(source: str, target: str) -> bool:
    """Return whether a line is drawn: not from the upper rounds down into the lower ones, nor to the match for third
    place.
    """
    return target != "C1" and not (source[0] == "W" and target[0] == "L")
