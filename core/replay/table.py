"""The table as the page draws it: seats around the field, trays by kind, yaku, strip. Pure values for templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.replay import facts
from core.replay.document import Replay
from core.replay.knowledge import Known, is_blind, known_at
from core.replay.marks import TABLE, Board, board_at
from core.replay.reducer import Place, Position, position_at, totals_at, victories_at
from core.replay.words import Phrasebook, fill, in_turn, line_text, number_text, side_name

LETTERS = "ABCDEFG"
PLACES = 6
FAN = 8


@dataclass(frozen=True, slots=True)
class Tray:
    """Cards that a side has captured. kinds: (kind, its cards); figure: the running score in words."""

    side: int
    letter: str
    name: str
    kinds: tuple[tuple[str, tuple[str, ...]], ...]
    count: int
    points: int
    figure: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat at the table. offset: 0 at the bottom, then in turn order. hand: None when it is hidden from the view.

    shown: cards of a hidden hand that all have seen; hidden: how many of it nobody has. marks: what the game notes
    beside it. tray: the seat's own; None where team mates share one or nothing is captured.
    """

    seat: int
    offset: int
    name: str
    letter: str
    is_dealer: bool
    is_active: bool
    marks: tuple[str, ...]
    hand: tuple[str, ...] | None
    shown: tuple[str, ...]
    hand_count: int
    figure: str
    tray: Tray | None

    @property
    def hidden(self) -> int:
        """Return how many cards lie face down."""
        return self.hand_count - len(self.shown)


@dataclass(frozen=True, slots=True)
class Table:
    """One position, ready to be drawn. me: the seat at the bottom; trays: of teams; moved: cards of the last move.

    marks: what the game notes beside the field. discard: the discard pile, None in a game that has none; fan: its last
    cards.
    """

    others: tuple[SeatView, ...]
    me: SeatView
    trays: tuple[Tray, ...]
    field: tuple[str | None, ...]
    pile: int
    up: str | None
    moved: frozenset[str]
    position: Position
    marks: tuple[str, ...]
    discard: tuple[str, ...] | None

    @property
    def fan(self) -> tuple[str, ...]:
        """The last discards, the top card last."""
        return (self.discard or ())[-FAN:]

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """All seats, the others first."""
        return (*self.others, self.me)

    @property
    def up_cards(self) -> tuple[str, ...]:
        """The turned-up card as a list."""
        return (self.up,) if self.up else ()


@dataclass(frozen=True, slots=True)
class YakuLine:
    """A yaku: its cards with the name of the side that holds each (None: nobody yet), and how far every side is."""

    id: str
    name: str
    cards: tuple[tuple[str, str | None], ...]
    sides: tuple[tuple[str, str, str], ...]  # (name of the side, state word, class)


def is_team(replay: Replay) -> bool:
    """Return whether seats share trays."""
    return replay.side_count < len(replay.sides)


def running(replay: Replay, place: Place, book: Phrasebook) -> list[str]:
    """The running figure per side that decides the match, in words."""
    if replay.options.get("scoring") == "victories":
        return [figure_text(book, "victories", figure) for figure in victories_at(replay, place)]
    key = "total" if book["unit"]["points"] == 1 else "total_in"
    return [figure_text(book, key, figure) for figure in totals_at(replay, place)]


def figure_text(book: Phrasebook, key: str, figure: int) -> str:
    """A running figure; where the game counts in a larger unit too, in that as well: `Total -18 (-1.8 kan)`."""
    unit = book["unit"]
    units = number_text(f"{figure / unit['points']:g}").replace(".", unit["decimal"])
    return fill(book["interface"][key], {"number": number_text(figure), "units": units, "unit": unit["name"]})


def trays_at(replay: Replay, position: Position, figures: Sequence[str]) -> list[Tray]:
    """The trays of all sides."""
    return [
        Tray(
            side,
            LETTERS[side] if is_team(replay) else "",
            side_name(replay, side),
            tuple((kind, tuple(own)) for kind, own in facts.group(cards, replay.game)),
            len(cards),
            facts.points(cards, replay.game),
            figures[side],
        )
        for side, cards in enumerate(position.trays)
    ]


def seat_view(
    replay: Replay, place: Place, position: Position, trays: Sequence[Tray], board: Board, seat: int, view: int
) -> SeatView:
    """Return one seat as it is drawn. view: 0 for all hands, else the seat (from 1) whose eyes are used."""
    deal = replay.deals[place.deal - 1]
    side = replay.sides[seat]
    # A dealer who plays blind has not seen the own hand either, so its view must not show it.
    is_open = view == 0 or (view == seat + 1 and not is_blind(replay, deal, place.move, seat))
    shown = () if is_open or not view else known_at(replay, deal, place.move, view - 1).hands[seat]
    return SeatView(
        seat=seat,
        # The seat whose view it is sits at the bottom; with all hands open it is seat 0.
        offset=(seat - max(view - 1, 0)) % len(replay.sides),
        name=replay.names[seat],
        letter=trays[side].letter,
        is_dealer=seat == deal.dealer,
        is_active=place.move > 0 and deal.moves[place.move - 1].seat == seat,
        marks=board.at(seat),
        hand=tuple(position.hands[seat]) if is_open else None,
        shown=shown,
        hand_count=len(position.hands[seat]),
        figure=trays[side].figure,
        tray=None if is_team(replay) or has_discards(replay) else trays[side],
    )


def has_discards(replay: Replay) -> bool:
    """Return whether the game is played onto a discard pile, and so captures nothing."""
    return any(effect.target == "d" for deal in replay.deals[:1] for effect in deal.start)


def places(position: Position) -> tuple[str | None, ...]:
    """The places of the field; free ones at the end are left out beyond the first `PLACES`."""
    used = max((number for number, card in enumerate(position.field, start=1) if card), default=0)
    return tuple(position.field[: max(used, PLACES)])


def table_at(replay: Replay, place: Place, view: int, book: Phrasebook) -> Table:
    """Everything to draw at a place. view: 0 for all hands, or a seat from 1."""
    deal = replay.deals[place.deal - 1]
    position = position_at(replay, deal, place.move)
    trays = trays_at(replay, position, running(replay, place, book))
    board = board_at(replay, book, deal, place.move)
    seats = [seat_view(replay, place, position, trays, board, seat, view) for seat in range(len(replay.sides))]
    seats.sort(key=lambda one: one.offset)
    moved = deal.moves[place.move - 1].effects if place.move else ()
    return Table(
        others=tuple(seats[1:]),
        me=seats[0],
        trays=tuple(trays) if is_team(replay) else (),
        field=places(position),
        pile=position.pile,
        up=position.up,
        moved=frozenset(effect.card for effect in moved),
        position=position,
        marks=board.at(TABLE),
        discard=tuple(position.discard) if has_discards(replay) else None,
    )


Chip = tuple[str, str, str]


def chip(name: str, words: Mapping[str, str], captured_n: int, every: int, *, dead: bool) -> Chip:
    """Return (name of the side, state in words, class) for one yaku."""
    if captured_n == every or dead:
        state = "done" if captured_n == every else "dead"
        return name, words[state], state
    return name, fill(words["of"], {"held": str(captured_n), "all": str(every)}), "held" if captured_n else "none"


def chips(progress: Sequence[facts.YakuProgress], names: Sequence[str], words: Mapping[str, str]) -> tuple[Chip, ...]:
    """Return how far every side is with one yaku; at big tables those who hold nothing share one chip."""
    every = len(progress[0].cards)
    pairs = list(zip(names, progress, strict=True))
    # Up to seven sides: those without a card of the yaku would fill the line and say nothing.
    shown = [(name, own) for name, own in pairs if own.captured or len(names) <= 3]
    found = [chip(name, words, len(own.captured), every, dead=own.dead) for name, own in shown]
    if len(shown) < len(names):
        found.append(chip(words["others" if shown else "everybody"], words, 0, every, dead=bool(shown)))
    return tuple(found)


def yaku_lines(replay: Replay, position: Position, book: Phrasebook) -> list[YakuLine]:
    """The tracker: per yaku its cards, and per side how many it holds, `made`, or `dead`."""
    names = [side_name(replay, side) for side in range(replay.side_count)]
    progress = [facts.progress(position.trays, side, replay.game) for side in range(replay.side_count)]
    captors = {card: names[side] for side, tray in enumerate(position.trays) for card in tray}
    lines = []
    for number, (name, cards) in enumerate(facts.yaku_cards(replay.game).items()):
        captured = tuple((card, captors.get(card)) for card in cards)
        sides = chips([one[number] for one in progress], names, book["interface"])
        lines.append(YakuLine(name, book["yaku"].get(name, name), captured, sides))
    return lines


@dataclass(frozen=True, slots=True)
class StripCell:
    """A deal of the score strip: (name, score in text, won) per side, and where each score comes from in words.

    mult: what every payment of the deal was multiplied by.
    """

    number: int
    mult: int
    scores: tuple[tuple[str, str, bool], ...]
    lines: tuple[tuple[str, str], ...]


def strip(replay: Replay, book: Phrasebook) -> list[StripCell]:
    """The score strip, one cell per deal."""
    names = [side_name(replay, side) for side in range(replay.side_count)]
    cells = []
    for deal in replay.deals:
        won = replay.sides[deal.winner] if deal.winner is not None else None
        scores = [(names[side], number_text(score), side == won) for side, score in enumerate(deal.score)]
        pairs = [(names[side], line_text(replay, book, deal, side)) for side in range(len(deal.score))]
        lines = [(name, line) for name, line in pairs if line]
        cells.append(StripCell(deal.number, deal.mult, tuple(scores), tuple(lines)))
    return cells


def knowledge_text(replay: Replay, place: Place, view: int, book: Phrasebook) -> list[str]:
    """Return what the seat of a view could know at a place, a sentence each. view: 0 for all hands, where all
    is open.
    """
    words = book["interface"]
    if not view:
        return [words["knows_all"]]
    deal = replay.deals[place.deal - 1]
    known: Known = known_at(replay, deal, place.move, view - 1)
    lines = [words["blind"]] if known.is_blind else []
    for seat, cards in enumerate(known.hands):
        if cards and seat != view - 1:
            lines.append(fill(words["in_hand"], {"who": replay.names[seat], "cards": names_of(cards, book)}))
    if known.pile:
        lines.append(fill(words["in_pile"], {"cards": names_of(known.pile, book)}))
    values = {"number": str(len(known.unseen)), "cards": names_of(known.unseen, book)}
    return [*lines, fill(words["unseen"], values)]


def names_of(cards: Sequence[str], book: Phrasebook) -> str:
    """Names of cards with commas between them."""
    return in_turn(book, "comma", [book["cards"][card] for card in cards]) or str(book["interface"]["empty"])
