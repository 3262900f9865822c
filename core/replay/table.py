"""The table as the page draws it: seats around the field, trays by kind, yaku, strip. Pure values for templates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.replay import facts
from core.replay.document import LETTERS, Replay
from core.replay.knowledge import Known, is_blind, known_at
from core.replay.marks import TABLE, Board, board_at
from core.replay.reducer import (
    Place,
    Position,
    has_discards,
    is_out,
    is_team,
    position_at,
    totals_at,
    victories_at,
)
from core.replay.score import by_victories
from core.replay.words import Phrasebook, fill, in_turn, number_text, side_name

PLACES = 6


@dataclass(frozen=True, slots=True)
class Tray:
    """Cards that a side has captured. kinds: (kind, its cards); number: the running score; figure: in words.

    seat: whose colour stands for the side.
    """

    side: int
    seat: int
    letter: str
    name: str
    kinds: tuple[tuple[str, tuple[str, ...]], ...]
    count: int
    points: int
    number: str
    figure: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat at the table. offset: 0 at the bottom, then as `seated` says. hand: None when it is hidden from the view.

    letter, label: of its team, and its own in it, as "A" and "A2"; "" where nobody shares a side. shown: cards of a
    hidden hand that all have seen; hidden: how many of it nobody has. marks: what the game notes beside it. tray: the
    seat's own; None where team mates share one or nothing is captured. has_moved: it made the move that is shown;
    has_turn: it makes the next one. is_out: it only watches this deal.
    """

    seat: int
    offset: int
    name: str
    letter: str
    label: str
    is_dealer: bool
    has_moved: bool
    has_turn: bool
    is_out: bool
    marks: tuple[str, ...]
    hand: tuple[str, ...] | None
    shown: tuple[str, ...]
    hand_count: int
    side: int
    number: str
    figure: str
    tray: Tray | None

    @property
    def hidden(self) -> int:
        """Return how many cards lie face down."""
        return self.hand_count - len(self.shown)


@dataclass(frozen=True, slots=True)
class Table:
    """One position, ready to be drawn. me: the seat at the bottom; trays: of teams; moved: cards of the last move,
    drawn: those of them that came from the pile.

    marks: what the game notes beside the field. discard: the discard pile, None in a game that has none.
    """

    others: tuple[SeatView, ...]
    me: SeatView
    trays: tuple[Tray, ...]
    field: tuple[str | None, ...]
    pile: int
    up: str | None
    moved: frozenset[str]
    drawn: frozenset[str]
    position: Position
    marks: tuple[str, ...]
    discard: tuple[str, ...] | None

    @property
    def field_rows(self) -> int:
        """Return how many rows the field has, of `PLACES` cards each."""
        return -(-len(self.field) // PLACES)

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
    """A yaku: (card, name of the side that holds it, the seat whose colour it has) each; None: nobody holds it yet.

    state: `done` (one side holds all), `dead` (two sides hold some, so nobody can), or empty. worth: in the unit of the
    game, under the rules of the match; where a yaku takes from the others, what it takes from each. 0: not counted.
    """

    id: str
    name: str
    cards: tuple[tuple[str, str | None, int | None], ...]
    state: str
    worth: int = 0


def figures_at(replay: Replay, place: Place) -> tuple[int, ...]:
    """Return the running figure per side that decides the match."""
    return victories_at(replay, place) if by_victories(replay) else totals_at(replay, place)


def running(replay: Replay, place: Place, book: Phrasebook) -> list[str]:
    """The running figure per side that decides the match, in words."""
    total = "total" if book["unit"]["points"] == 1 else "total_in"
    key = "victories" if by_victories(replay) else total
    return [figure_text(book, key, figure) for figure in figures_at(replay, place)]


def figure_text(book: Phrasebook, key: str, figure: int) -> str:
    """A running figure; where the game counts in a larger unit too, in that as well: `Total -18 (-1.8 kan)`."""
    unit = book["unit"]
    units = number_text(f"{figure / unit['points']:g}").replace(".", unit["decimal"])
    return fill(book["interface"][key], {"number": number_text(figure), "units": units, "unit": unit["name"]})


def trays_at(replay: Replay, place: Place, position: Position, book: Phrasebook) -> list[Tray]:
    """The trays of all sides."""
    numbers, figures = figures_at(replay, place), running(replay, place, book)
    standings = facts.standings(position.trays, replay.game, replay.options)
    return [
        Tray(
            side,
            replay.seats_of(side)[0],
            LETTERS[side] if is_team(replay) else "",
            side_name(replay, side),
            tuple((kind, tuple(own)) for kind, own in facts.group(cards, replay.game)),
            len(cards),
            standings[side],
            number_text(numbers[side]),
            figures[side],
        )
        for side, cards in enumerate(position.trays)
    ]


def players(replay: Replay, place: Place) -> list[int]:
    """Return the seats that play in a deal: also while they bid, all sit as they will play."""
    deal = replay.deals[place.deal - 1]
    last, over = Place(place.deal, len(deal.moves)), position_at(replay, deal, len(deal.moves))
    return [seat for seat in range(len(replay.sides)) if not is_out(replay, last, over, seat)]


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
        offset=seat,
        name=replay.names[seat],
        letter=trays[side].letter,
        label=replay.label_of(seat),
        is_dealer=seat == deal.dealer,
        has_moved=place.move > 0 and deal.moves[place.move - 1].seat == seat,
        has_turn=place.move < len(deal.moves) and deal.moves[place.move].seat == seat,
        is_out=is_out(replay, place, position, seat),
        marks=board.at(seat),
        hand=tuple(position.hands[seat]) if is_open else None,
        shown=shown,
        hand_count=len(position.hands[seat]),
        side=side,
        number=trays[side].number,
        figure=trays[side].figure,
        tray=None if is_team(replay) or has_discards(replay) else trays[side],
    )


def places(position: Position) -> tuple[str | None, ...]:
    """The places of the field; free ones at the end are left out beyond the first `PLACES`."""
    used = max((number for number, card in enumerate(position.field, start=1) if card), default=0)
    return tuple(position.field[: max(used, PLACES)])


def table_at(replay: Replay, place: Place, view: int, book: Phrasebook, position: Position | None = None) -> Table:
    """Everything to draw at a place. view: 0 for all hands, or a seat from 1; position: the cards there, if known."""
    deal = replay.deals[place.deal - 1]
    position = position or position_at(replay, deal, place.move)
    trays = trays_at(replay, place, position, book)
    board = board_at(replay, book, deal, place.move)
    seats = [seat_view(replay, place, position, trays, board, seat, view) for seat in range(len(replay.sides))]
    me, *others = seated(seats, players(replay, place), view)
    moved = deal.moves[place.move - 1].effects if place.move else ()
    return Table(
        others=tuple(others),
        me=me,
        trays=tuple(trays) if is_team(replay) else (),
        field=places(position),
        pile=position.pile,
        up=position.up,
        moved=frozenset(effect.card for effect in moved),
        drawn=frozenset(effect.card for effect in moved if effect.source == "p"),
        position=position,
        marks=board.at(TABLE),
        discard=tuple(position.discard) if has_discards(replay) else None,
    )


def seated(seats: Sequence[SeatView], playing: Sequence[int], view: int) -> list[SeatView]:
    """Return the seats in turn order from the one at the bottom, each where it sits.

    At the bottom is whose eyes are used; else seat 0, or of four who play as two the first of them. Of three others of
    whom one plays, that one sits opposite.
    """
    is_duel = (len(seats), len(playing)) == (4, 2)
    first = view - 1 if view else playing[0] if is_duel else 0
    me, *others = [*seats[first:], *seats[:first]]
    out = [one for one in others if one.seat not in playing]
    places = {one.seat: offset for offset, one in enumerate(others, start=1)}
    if is_duel and len(out) == 2:
        places = {one.seat: 2 for one in others} | dict(zip((one.seat for one in out), (1, 3), strict=True))
    return [replace(me, offset=0), *(replace(one, offset=places[one.seat]) for one in others)]


def yaku_lines(replay: Replay, position: Position, book: Phrasebook) -> list[YakuLine]:
    """The tracker: per yaku its cards with their owners, and whether somebody has it or can still make it."""
    captors = {card: side for side, tray in enumerate(position.trays) for card in tray}
    worths, lines = facts.yaku_worths(replay.game, replay.options), []
    for name, cards in facts.yaku_cards(replay.game).items():
        owners = [captors.get(card) for card in cards]
        held = {side for side in owners if side is not None}
        state = "dead" if len(held) > 1 else "done" if held and None not in owners else ""
        owned = tuple((card, *owner(replay, side)) for card, side in zip(cards, owners, strict=True))
        lines.append(YakuLine(name, book["yaku"].get(name, name), owned, state, worths.get(name, 0)))
    return lines


def owner(replay: Replay, side: int | None) -> tuple[str | None, int | None]:
    """Return the name of a side and the seat whose colour it has."""
    return (None, None) if side is None else (side_name(replay, side), replay.seats_of(side)[0])


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
            lines.append(fill(words["in_hand"], {"who": replay.called(seat), "cards": names_of(cards, book)}))
    if known.pile:
        lines.append(fill(words["in_pile"], {"cards": names_of(known.pile, book)}))
    values = {"number": str(len(known.unseen)), "cards": names_of(known.unseen, book)}
    return [*lines, fill(words["unseen"], values)]


def calendar(replay: Replay, place: Place, view: int, position: Position) -> list[list[tuple[str, str]]]:
    """Return the cards by month as a seat knows them: `own` in its hand, `ghost` not seen, else `seen`.

    view: a seat from 1; nothing for 0, as there all is open.
    """
    if not view:
        return []
    known = known_at(replay, replay.deals[place.deal - 1], place.move, view - 1)
    own = () if known.is_blind else position.hands[view - 1]
    states = dict.fromkeys(replay.cards, "seen") | dict.fromkeys(known.unseen, "ghost") | dict.fromkeys(own, "own")
    months = sorted({card[:2] for card in replay.cards})
    return [[(card, states[card]) for card in replay.cards if card[:2] == month] for month in months]


def names_of(cards: Sequence[str], book: Phrasebook) -> str:
    """Names of cards with commas between them."""
    return in_turn(book, "comma", [book["cards"][card] for card in cards]) or str(book["interface"]["empty"])
