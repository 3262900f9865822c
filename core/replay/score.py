"""The account of a match: result line, players by deals, running totals as lines, and the end of a deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.replay import facts
from core.replay.document import Deal, Line, Replay
from core.replay.reducer import Place, Position, is_out, totals_at, victories_at
from core.replay.words import Phrasebook, fill, listed, number_text, part_text, side_name

WIDTH, HEIGHT = 600, 100
"""Units of the drawing; it is stretched to the width of its place."""
LABEL_HEIGHT, MAX_LETTERS = 13, 15
"""Height of a name at the end of a line, in the same units, and how many letters of it have room there."""
FAN = 5
MANY = 3
"""Cards of the winner at the end of the match; sides beside whose lines there is room for yaku, and yaku that are
many beside one of them.
"""


@dataclass(frozen=True, slots=True)
class Placed:
    """A side in the result. seat: its first, whose colour stands for the side. figure: points or deals won; points:
    beside deals won, "" where nothing else is counted.
    """

    place: int
    seat: int
    name: str
    figure: str
    points: str = ""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A side by deals. cells: (number of the deal, score in text, won)."""

    seat: int
    name: str
    cells: tuple[tuple[int, str, bool], ...]
    total: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Running totals as polylines. lines: (seat, points of the line); zero: height of the line of nought.

    names: (seat, name, height of its middle) at the ends of the lines, none over another.
    """

    lines: tuple[tuple[int, str], ...]
    names: tuple[tuple[int, str, str], ...]
    zero: str
    step: float
    deals: int

    @property
    def marks(self) -> list[tuple[int, str, str]]:
        """Return the stripe of every deal: (number, its left edge, its width)."""
        return [(n + 1, f"{n * self.step:.4g}", f"{self.step:.4g}") for n in range(self.deals)]


@dataclass(frozen=True, slots=True)
class EndYaku:
    """A yaku that counted in a deal, with the cards that made it. name: as short as where there is little room.

    gain: what it brought; then both stand above the cards in place of that part of the score. is_sign: a short name.
    """

    id: str
    name: str
    cards: tuple[str, ...]
    gain: str = ""
    is_sign: bool = False


@dataclass(frozen=True, slots=True)
class EndRow:
    """A side at the end of a deal. parts: where its score comes from; yaku: those it made, unless the deal ends the
    match or many sides leave them no room; is_winner: of the deal, or of the match.
    """

    seat: int
    name: str
    parts: tuple[str, ...]
    yaku: tuple[EndYaku, ...]
    score: str
    total: str
    is_winner: bool

    def is_above_cards(self, part: str) -> bool:
        """Return whether the cards of a yaku are shown with this part of the score."""
        return any(one.gain and one.name in part for one in self.yaku)

    def is_beside_cards(self, one: EndYaku) -> bool:
        """Return whether the name of a yaku stands at its cards alone: no part of the score says it."""
        return one.is_sign or not any(one.name in part for part in self.parts)


@dataclass(frozen=True, slots=True)
class Ending:
    """The card that stands on the field when a deal is over. fan: cards of the winner, at the end of the match."""

    title: str
    total_word: str
    rows: tuple[EndRow, ...]
    fan: tuple[str, ...]
    is_match: bool

    @property
    def most_yaku(self) -> int:
        """Return how many yaku stand beside the side that has most of them; 3 for more."""
        return min(max((len(row.yaku) for row in self.rows), default=0), MANY)


def first_seat(replay: Replay, side: int) -> int:
    """Return the seat whose colour stands for a side."""
    return replay.seats_of(side)[0]


def by_victories(replay: Replay) -> bool:
    """Return whether deals won decide, not points."""
    return replay.options.get("scoring") == "victories"


def result_line(replay: Replay, *, ranks_by_deals: bool = False) -> list[Placed]:
    """Return the sides by place; nothing while the match is not over.

    ranks_by_deals: whether the event counts deals won where the rules of the game count points.
    """
    # A match that ended by forfeit may have ended in the middle of a deal, which then has no score.
    if not replay.end or not (replay.deals[-1].score or replay.forfeits):
        return []
    by_deals = ranks_by_deals or by_victories(replay)
    figures, ranks = (replay.victories if by_deals else replay.score), replay.rank
    if by_deals and not by_victories(replay) and not replay.forfeits:
        # What the event counts gives the places, too; equal figures share one.
        ranks = tuple(1 + sum(other > own for other in figures) for own in figures)
    placed = [
        Placed(
            rank,
            first_seat(replay, side),
            side_name(replay, side),
            number_text(figures[side]),
            points=number_text(replay.score[side]) if by_deals else "",
        )
        for side, rank in enumerate(ranks)
    ]
    return sorted(placed, key=lambda one: (one.place, one.seat))


def score_rows(replay: Replay) -> list[ScoreRow]:
    """Return a row for every side: its score in each deal that was finished, and what it all comes to."""
    last = Place(len(replay.deals), len(replay.deals[-1].moves))
    totals = victories_at(replay, last) if by_victories(replay) else totals_at(replay, last)
    return [
        ScoreRow(
            seat=first_seat(replay, side),
            name=side_name(replay, side),
            cells=tuple((deal.number, *cell(replay, deal, side)) for deal in replay.deals),
            total=number_text(totals[side]),
        )
        for side in range(replay.side_count)
    ]


def cell(replay: Replay, deal: Deal, side: int) -> tuple[str, bool]:
    """Return the score of a side in a deal, and whether it won points in it."""
    won = deal.winner is not None and replay.sides[deal.winner] == side and any(deal.score)
    return (number_text(deal.score[side]) if deal.score else ""), won


def series(replay: Replay, side: int) -> list[int]:
    """Return the running figure of a side before the first deal and after each one that was finished."""
    if by_victories(replay):
        done = [deal.victories[side] for deal in replay.deals if deal.victories]
        return [sum(done[:number]) for number in range(len(done) + 1)]
    return [0, *(deal.total[side] for deal in replay.deals if deal.total)]


def chart(replay: Replay) -> Chart | None:
    """Return the running totals as lines; None before two deals are finished, as a single stroke says nothing, and
    where nobody ever had a point.
    """
    found = [series(replay, side) for side in range(replay.side_count)]
    if len(found[0]) < 3 or not any(map(any, found)):
        return None
    low, high = min(0, *map(min, found)), max(0, *map(max, found))
    step, span = WIDTH / len(replay.deals), max(high - low, 1)

    def height(value: int) -> float:
        return round(4 + (HEIGHT - 8) * (high - value) / span, 1)

    lines = tuple(
        (first_seat(replay, side), " ".join(f"{round(i * step, 1):g},{height(value):g}" for i, value in enumerate(one)))
        for side, one in enumerate(found)
    )
    names = tuple(
        (first_seat(replay, side), short(side_name(replay, side)), f"{end:g}")
        for side, end in enumerate(spread([height(one[-1]) for one in found]))
    )
    return Chart(lines, names, f"{height(0):g}", step, len(replay.deals))


def spread(heights: Sequence[float]) -> list[float]:
    """Return heights of names that stand as near as they can to these, a name's height apart and inside the drawing."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    found, lowest = list(heights), LABEL_HEIGHT / 2
    for each in order:
        found[each] = lowest = max(heights[each], lowest)
        lowest += LABEL_HEIGHT
    highest = HEIGHT - LABEL_HEIGHT / 2
    for each in reversed(order):
        found[each] = highest = min(found[each], highest)
        highest -= LABEL_HEIGHT
    return [round(each, 1) for each in found]


def short(name: str) -> str:
    """Return as much of a name as has room at the end of its line."""
    return name if len(name) <= MAX_LETTERS else f"{name[: MAX_LETTERS - 1]}…"


def ending_at(replay: Replay, place: Place, position: Position, book: Phrasebook) -> Ending | None:
    """Return what stands on the field after the last move of a deal; None anywhere else."""
    deal = replay.deals[place.deal - 1]
    if place.move < len(deal.moves) or not deal.score:
        return None
    is_match = bool(replay.end) and place.deal == len(replay.deals)
    sides = winners(replay, deal, is_match=is_match)
    totals = victories_at(replay, place) if by_victories(replay) else totals_at(replay, place)
    order = replay.rank if is_match else tuple(-score for score in deal.score)
    told = sides_told(replay, place, position, is_match=is_match)
    rows = [
        EndRow(
            seat=first_seat(replay, side),
            name=side_name(replay, side),
            parts=parts_text(replay, book, deal, position, side),
            yaku=() if is_match or len(told) > MANY else counted_yaku(replay, deal, position, book, side),
            score=number_text(deal.score[side]),
            total=number_text(totals[side]),
            is_winner=side in sides,
        )
        for side in sorted(told, key=order.__getitem__)
    ]
    fan = best_cards(replay, position, sides) if is_match else ()
    title = end_title(replay, book, deal, sides, is_match=is_match)
    return Ending(title, total_word(replay, book), tuple(rows), fan, is_match)


def sides_told(replay: Replay, place: Place, position: Position, *, is_match: bool) -> list[int]:
    """Return the sides of which the end says something: of a deal, those that played, unless nobody did."""
    every = list(range(replay.side_count))
    playing = [side for side in every if not is_out(replay, place, position, first_seat(replay, side))]
    return every if is_match or not playing else playing


def parts_text(replay: Replay, book: Phrasebook, deal: Deal, position: Position, side: int) -> tuple[str, ...]:
    """Say where a deal score comes from, part by part, each with the sign that parts it from the next.

    What one of the others takes by its yaku is one part: `Kiri's Ro, Ha -100`. Points that only decide who is paid
    stand before the payment; why one of equal scores has won, last.
    """
    groups: dict[tuple[str, int], list[Line]] = {}
    for number, line in enumerate(deal.lines):
        if line.side == side:
            key = ("alone", number) if line.by is None or line.code != "opp_yaku" else ("by", line.by)
            groups.setdefault(key, []).append(line)
    said = [
        *decisive_points(replay, book, deal, position, side),
        *(part_text(replay, book, *lines) for lines in groups.values()),
        *tie_text(replay, book, deal, side),
    ]
    if not said:
        return (number_text(deal.score[side]),) if deal.score[side] else ()
    return *(fill(book["phrases"]["part"], {"part": one, "next": ""}) for one in said[:-1]), said[-1]


def decisive_points(replay: Replay, book: Phrasebook, deal: Deal, position: Position, side: int) -> list[str]:
    """Say what the cards of a side came to where the score is not that but what is paid for it (Oi-bana)."""
    is_paid = any(line.by is not None and line.code != "opp_yaku" for line in deal.lines)
    if not is_paid or "yaku_penalty" not in replay.options or not position.trays[side]:
        return []
    points = facts.standings(position.trays, replay.game, replay.options)[side]
    return [fill(book["interface"]["pts"], {"points": number_text(points)})]


def tie_text(replay: Replay, book: Phrasebook, deal: Deal, side: int) -> list[str]:
    """Say why the winner of a deal is one of several with the same score, in the words of the game."""
    why = book["own"]["lines"].get("tie")
    is_winner = deal.winner is not None and replay.sides[deal.winner] == side
    return [why] if why and is_winner and deal.score.count(deal.score[side]) > 1 else []


def counted_yaku(replay: Replay, deal: Deal, position: Position, book: Phrasebook, side: int) -> tuple[EndYaku, ...]:
    """Return the yaku of captured cards by which a side won points, or the others lost some, each once."""
    tray = position.trays[side]
    if "yaku_penalty" in replay.options:
        made = dict.fromkeys(facts.made((), tray, replay.game), (0, ""))
    else:
        made = {line.yaku: (line.value, gain_of(line)) for line in deal.lines if line.yaku and side == owner(line)}
    found = [
        EndYaku(
            name,
            str(book["signs"].get(name) or book["yaku"].get(name, name)),
            tuple(facts.cards_of(name, worth, tray, replay.game)),
            gain,
            is_sign=name in book["signs"],
        )
        for name, (worth, gain) in made.items()
    ]
    return tuple(one for one in found if one.cards)


def gain_of(line: Line) -> str:
    """Return what a yaku brought, "" if others paid it: who did is said in words."""
    return f"+{number_text(line.value)}" if line.value > 0 and line.by is None else ""


def owner(line: Line) -> int:
    """Return the side whose yaku a line of a score tells of: the own, or another's that took points."""
    return line.side if line.by is None or line.value > 0 else line.by


def winners(replay: Replay, deal: Deal, *, is_match: bool) -> list[int]:
    """Return the sides that have won: the match, or the deal."""
    if is_match:
        return [side for side, rank in enumerate(replay.rank) if rank == 1]
    return [] if deal.winner is None else [replay.sides[deal.winner]]


def end_title(replay: Replay, book: Phrasebook, deal: Deal, sides: list[int], *, is_match: bool) -> str:
    """Say who has won."""
    key = ("match_won" if len(sides) == 1 else "match_shared") if is_match else "deal_by" if sides else "deal_even"
    who = listed(book, [side_name(replay, side) for side in sides])
    return fill(book["interface"][key], {"who": who, "number": str(deal.number)})


def total_word(replay: Replay, book: Phrasebook) -> str:
    """Return the head of the column that decides."""
    return str(book["interface"]["deals_won" if by_victories(replay) else "sum"])


def best_cards(replay: Replay, position: Position, sides: list[int]) -> tuple[str, ...]:
    """Return the finest cards of a winner's last tray: brights first."""
    if len(sides) != 1:
        return ()
    ordered = [card for _kind, cards in facts.group(position.trays[sides[0]], replay.game) for card in cards]
    return tuple(ordered[:FAN])
