"""Drawing of a bracket: places of its boxes and lines, in the units of the drawing. Pure.

Upper rounds stand above the lower ones, column by column; finals to the right of both, the match for third place under
the final, the champion at the right end. A box is level with the middle of those that feed it, pushed down where two
would touch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.formats.elimination.model import Bracket, BracketMatch, Feed
from tournaments.standings.bracket_now import taken

LINE: Final = 32
GAP: Final = 40
"""Height between two boxes: what decided a match stands below its box, the number of the next above that one."""
TOP: Final = 20
BAND: Final = 48
"""Height between the upper and the lower rounds, and above the match for third place: room for a heading."""
HEAD: Final = 26
"""Height of a heading inside the drawing above its first box."""
MAX_COLUMNS: Final = 10
MAX_MATCHES: Final = 32
"""A larger bracket would be too small to read, and its page too heavy: its list alone is shown."""
THIRD: Final = "C1"


@dataclass(frozen=True, slots=True)
class Grid:
    """column: from one column to the next; box: the width of a box."""

    column: int
    box: int


WIDE: Final = Grid(276, 240)
NARROW: Final = Grid(218, 198)
"""Of a drawing with more than four columns: five of them, the champion's too, are as wide as a page."""


@dataclass(frozen=True, slots=True)
class Box:
    """A match. x, y: its corner; height: a line for each seat."""

    match: BracketMatch
    x: int
    y: int
    height: int
    width: int

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

    label: which places lead there, where a table seats more than two; at x, y. seeds: of those who took this way, by
    their number in the draw.
    """

    path: str
    label: str
    x: int
    y: int
    seeds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """The whole drawing. columns: the round that heads each column; heads: (x, y, round) of headings inside it.

    champion: the corner of the champion's box, or of the place kept for it; None where no single final leads there.
    """

    width: int
    height: int
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    columns: tuple[str, ...]
    heads: tuple[tuple[int, int, str], ...]
    grid: Grid
    champion: tuple[int, int] | None = None

    @property
    def is_dense(self) -> bool:
        """Return whether its columns are narrow."""
        return self.grid is NARROW


def drawing_of(bracket: Bracket) -> Drawing | None:
    """Return the drawing; None for a bracket that is too large for one."""
    upper = [label for label in bracket.rounds if label[0] == "W"]
    lower = [label for label in bracket.rounds if label[0] == "L"]
    finals = [label for label in bracket.rounds if label[0] not in "WL" and label != THIRD]
    # Upper and lower rounds share columns; the finals follow to the right of both.
    wide = max(len(upper), len(lower))
    grid = NARROW if wide + len(finals) > 3 else WIDE
    if wide + len(finals) > MAX_COLUMNS or len(bracket.matches) > MAX_MATCHES:
        return None
    boxes: dict[str, Box] = {}
    heads: list[tuple[int, int, str]] = []
    floor = _band(bracket, upper, (0, TOP), grid, boxes)
    if THIRD in bracket.rounds:
        floor = max(floor, _third(bracket, len(upper) - 1, grid, boxes, heads))
    if lower:
        top = floor + BAND
        heads += [(column * grid.column, top - HEAD, label) for column, label in enumerate(lower)]
        floor = _band(bracket, lower, (0, top), grid, boxes)
    floor = max(floor, _band(bracket, finals, (wide, TOP), grid, boxes))
    columns = (*upper, *[""] * (wide - len(upper)), *finals)
    return _finished(bracket, boxes, Drawing(0, floor, tuple(boxes.values()), (), columns, tuple(heads), grid))


def _finished(bracket: Bracket, boxes: Mapping[str, Box], drawing: Drawing) -> Drawing:
    """Return the drawing with its lines, its width and the champion's box, a place kept free until there is one."""
    grid, columns = drawing.grid, len(drawing.columns)
    edges = tuple(_edges(bracket, boxes, grid))
    champion = None
    if end := _end(bracket, boxes, (columns - 1) * grid.column):
        box, winner = end
        champion = (columns * grid.column, box.middle - LINE)
        line = f"M{box.x + grid.box} {box.middle}H{champion[0]}"
        edges = (*edges, Edge(line, "", 0, 0, _numbers(bracket, [winner])))
        columns += 1
    return replace(drawing, width=(columns - 1) * grid.column + grid.box, edges=edges, champion=champion)


def _end(bracket: Bracket, boxes: Mapping[str, Box], right: int) -> tuple[Box, str | None] | None:
    """Return the box that leads to the champion and who that is; None for a winner where nobody is yet.

    right: where the last column begins.
    """
    last = last_match(bracket)
    if bracket.is_over:
        return (
            (boxes[last.id], last.order[0]) if last is not None and last.order and last.order[0] is not None else None
        )
    ends = [box for box in boxes.values() if box.x == right and box.match.round != THIRD]
    return (ends[0], None) if len(ends) == 1 else None


def last_match(bracket: Bracket) -> BracketMatch | None:
    """Return the match that gave the bracket its winner: the last of the upper rounds, or of the finals, that counts.

    None while nothing of it is over.
    """
    finals = [match for match in bracket.matches if match.round[0] in "FW" and match.is_over and match.order]
    return next((match for match in reversed(finals) if match.order[0] is not None), None)


def _band(bracket: Bracket, labels: Sequence[str], at: tuple[int, int], grid: Grid, boxes: dict[str, Box]) -> int:
    """Draw rounds side by side; return how far down they reach. at: their first column, and their top."""
    first, top = at
    floor = top
    for column, label in enumerate(labels, start=first):
        own = [match for match in bracket.matches if match.round == label]
        free = top
        for match in own:
            height = LINE * len(taken(match))
            fed = [boxes[name].middle for name in _feeding(match, boxes, label)]
            # Level with its feeders, but never over the box above.
            y = max(free, sum(fed) // len(fed) - height // 2 if fed else free)
            boxes[match.id] = Box(match, column * grid.column, y, height, grid.box)
            free = y + height + GAP
        floor = max(floor, free)
    return floor


def _third(bracket: Bracket, column: int, grid: Grid, boxes: dict[str, Box], heads: list[tuple[int, int, str]]) -> int:
    """Draw the match for third place under the final, with its heading; return how far down it reaches."""
    above = max(box.y + box.height for box in boxes.values() if box.x == column * grid.column)
    top = above + BAND + HEAD  # apart from the final: it is none of its steps
    heads.append((column * grid.column, top - HEAD, THIRD))
    floor = top
    for match in (each for each in bracket.matches if each.round == THIRD):
        height = LINE * len(taken(match))
        boxes[match.id] = Box(match, column * grid.column, floor, height, grid.box)
        floor += height + GAP
    return floor


def _feeding(match: BracketMatch, boxes: dict[str, Box], label: str) -> list[str]:
    """Return the boxes that this one stands level with: of its own band; finals with the matches that feed them."""
    found = [seat.source.match for seat in match.seats if isinstance(seat.source, Feed) and seat.source.match in boxes]
    own = [name for name in found if name[0] == label[0]]
    return list(dict.fromkeys(found if label[0] not in "WL" else own))


def _edges(bracket: Bracket, boxes: Mapping[str, Box], grid: Grid) -> Iterator[Edge]:
    """Yield lines for who goes on; who comes down from the upper rounds is named in words, not drawn."""
    for box in boxes.values():
        feeds: dict[str, list[tuple[int, int, str | None]]] = defaultdict(list)
        for number, seat in enumerate(taken(box.match)):
            if isinstance(seat.source, Feed) and _is_drawn(seat.source.match, box.match.round):
                feeds[seat.source.match].append((number, seat.source.place, seat.entry))
        for name, seats in feeds.items():
            other, places = boxes[name], sorted(place for _number, place, _entry in seats)
            level = box.y + LINE * seats[0][0] + LINE // 2 if bracket.seats == 2 else box.middle
            start, bend = other.x + grid.box, box.x - (grid.column - grid.box) // 2
            label = "" if bracket.seats == 2 else ",".join(map(str, places))
            path = f"M{start} {other.middle}H{bend}V{level}H{box.x}"
            went = _numbers(bracket, [entry for _number, _place, entry in seats])
            yield Edge(path, label, start + 3, other.middle - 4, went)


def _numbers(bracket: Bracket, entries: Sequence[str | None]) -> tuple[int, ...]:
    """Return the numbers of these entries in the draw, from 1; nothing for a seat that is still open."""
    return tuple(bracket.entries.index(entry) + 1 for entry in entries if entry in bracket.entries)


def _is_drawn(source: str, target: str) -> bool:
    """Return whether a line is drawn: not from the upper rounds down into the lower ones, nor to the match for third
    place.
    """
    return target != THIRD and not (source[0] == "W" and target[0] == "L")
