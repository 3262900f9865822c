"""Positions: one small reducer shows every game, because effects carry card, from and to."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.replay.document import Deal, Effect, Move, Replay


@dataclass(slots=True)
class Position:
    """Positions of all cards. hands per seat, trays per side; field: places in two rows, None where a card has left.

    pile: number of cards in the draw pile, the turned-up one not counted. up: a flipped card that waits for a choice.
    """

    hands: list[list[str]]
    trays: list[list[str]]
    field: list[str | None]
    pile: int
    discard: list[str]
    out: list[str]
    up: str | None = None

    @property
    def on_field(self) -> list[str]:
        """The cards of the field, without the gaps."""
        return [card for card in self.field if card is not None]


def start(seats: int, sides: int, deck: int) -> Position:
    """Return the position with everything still in the pile."""
    return Position([[] for _ in range(seats)], [[] for _ in range(sides)], [], deck, [], [])


def zone(position: Position, name: str) -> list[str]:
    """The cards of a zone that keeps them in one row (not the field, not the pile)."""
    if name[0] == "h":
        return position.hands[int(name[1:])]
    if name[0] == "c":
        return position.trays[int(name[1:])]
    return position.discard if name == "d" else position.out


def leave(position: Position, card: str, source: str) -> None:
    """Take a card from where it lies. The field keeps its place free; the pile is a number."""
    if source == "p":
        if position.up == card:
            position.up = None
        else:
            position.pile -= 1
    elif source == "f":
        position.field[position.field.index(card)] = None
    else:
        zone(position, source).remove(card)


def arrive(position: Position, card: str, target: str) -> None:
    """Put a card down. On the field it takes the first free place; a hand is kept in the order of months."""
    if target == "p":
        position.pile += 1
    elif target == "f":
        if None in position.field:
            # The place of a card that left: those that stay do not move on the table, which the eye would have to
            # follow.
            position.field[position.field.index(None)] = card
        else:
            position.field.append(card)
    else:
        cards = zone(position, target)
        cards.append(card)
        if target[0] == "h":
            cards.sort()


def apply(position: Position, effects: Iterable[Effect]) -> None:
    """Do the effects of one move, in order."""
    for effect in effects:
        leave(position, effect.card, effect.source)
        arrive(position, effect.card, effect.target)


def turn_up(position: Position, flip: str | None, effects: Iterable[Effect]) -> None:
    """Lay a flipped card that no effect has moved face up beside the pile until its owner chooses."""
    if flip is not None and all(effect.card != flip for effect in effects):
        position.up = flip
        position.pile -= 1


@dataclass(frozen=True, slots=True)
class Scene:
    """A move between two positions. pending: the turned-up card that waited for it. before, after: trays per side."""

    move: Move
    pending: str | None
    before: tuple[tuple[str, ...], ...]
    after: tuple[tuple[str, ...], ...]


def trays_of(position: Position) -> tuple[tuple[str, ...], ...]:
    """The trays as they lie now."""
    return tuple(tuple(tray) for tray in position.trays)


def scenes(replay: Replay, deal: Deal) -> Iterator[Scene]:
    """The moves of a deal in order, each with what it found and what it left."""
    position = position_at(replay, deal, 0)
    for move in deal.moves:
        pending, before = position.up, trays_of(position)
        apply(position, move.effects)
        turn_up(position, move.flip, move.effects)
        yield Scene(move, pending, before, trays_of(position))


def position_at(replay: Replay, deal: Deal, move: int) -> Position:
    """The position after move `move` of a deal, 0 for the fresh deal."""
    position = start(len(replay.sides), replay.side_count, replay.deck)
    apply(position, deal.start)
    for one in deal.moves[:move]:
        apply(position, one.effects)
        turn_up(position, one.flip, one.effects)
    return position


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the match: deal from 1, move from 0."""

    deal: int
    move: int


def is_team(replay: Replay) -> bool:
    """Return whether seats share trays."""
    return replay.side_count < len(replay.sides)


def has_discards(replay: Replay) -> bool:
    """Return whether the game is played onto a discard pile, and so captures nothing."""
    return any(effect.target == "d" for deal in replay.deals[:1] for effect in deal.start)


def is_out(replay: Replay, place: Place, position: Position, seat: int) -> bool:
    """Return whether a seat only watches: its hand went back, and it has not played a card."""
    if is_team(replay) or has_discards(replay) or not place.move or position.hands[seat]:
        return False
    moves = replay.deals[place.deal - 1].moves[: place.move]
    return not any(
        effect.source == f"h{seat}" and effect.target[0] in "fc" for move in moves for effect in move.effects
    )


def clamp(replay: Replay, deal: int, move: int) -> Place:
    """The nearest place that exists."""
    deal = min(max(deal, 1), len(replay.deals))
    return Place(deal, min(max(move, 0), len(replay.deals[deal - 1].moves)))


def neighbours(replay: Replay, place: Place) -> tuple[Place | None, Place | None]:
    """The place before and after, across deals; None at either end of the match."""
    last = len(replay.deals[place.deal - 1].moves)
    before: Place | None = Place(place.deal, place.move - 1)
    if place.move == 0:
        before = Place(place.deal - 1, len(replay.deals[place.deal - 2].moves)) if place.deal > 1 else None
    after: Place | None = Place(place.deal, place.move + 1)
    if place.move == last:
        after = Place(place.deal + 1, 0) if place.deal < len(replay.deals) else None
    return before, after


def totals_at(replay: Replay, place: Place) -> tuple[int, ...]:
    """The running score per side at a place: a deal counts once its last move is shown."""
    deal = replay.deals[place.deal - 1]
    if place.move == len(deal.moves) and deal.total:
        return deal.total
    return replay.deals[place.deal - 2].total if place.deal > 1 else (0,) * replay.side_count


def victories_at(replay: Replay, place: Place) -> tuple[int, ...]:
    """Deal victories per side so far, counted like `totals_at`."""
    done = place.deal if place.move == len(replay.deals[place.deal - 1].moves) else place.deal - 1
    won = [0] * replay.side_count
    for deal in replay.deals[:done]:
        for side, victories in enumerate(deal.victories):
            won[side] += victories
    return tuple(won)
